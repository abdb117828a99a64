"""How a clock runs that is paused now and then. Pure: moments and intervals in, moments out.

A turn has a start, a bank and pauses. Time runs from the start wherever no pause is; pauses that
overlap count once, and one that begins when the bank is just used up still holds the deadline
off until it ends. All arithmetic is done in UTC, so that an hour is an hour in every night.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

ZERO = timedelta(0)


class Span(NamedTuple):
    """An interval of time from its start on, up to its end, which is no part of it."""

    start: datetime
    end: datetime


def merged(*pauses: Iterable[Span]) -> Iterator[Span]:
    """Join lists of spans, each in order of its starts, into one; a list may be endless."""
    return heapq.merge(*pauses)


def deadline(start: datetime, bank: timedelta, pauses: Iterable[Span]) -> datetime:
    """Give the moment from which a turn comes too late.

    `pauses` are in order of their starts and may be endless; they may overlap.
    """
    at, left = start.astimezone(UTC), max(bank, ZERO)
    for pause in pauses:
        begin, end = max(pause.start.astimezone(UTC), at), pause.end.astimezone(UTC)
        if end <= at:
            continue
        if begin - at > left:
            break
        left -= begin - at
        at = end
    return at + left


def used(start: datetime, now: datetime, pauses: Iterable[Span]) -> timedelta:
    """Give how much of its bank a turn has used by a moment. Pauses as in `deadline`."""
    at, until, total = start.astimezone(UTC), now.astimezone(UTC), ZERO
    for pause in pauses:
        begin, end = max(pause.start.astimezone(UTC), at), pause.end.astimezone(UTC)
        if begin >= until:
            break
        if end > at:
            total += begin - at
            at = end
    return total + max(until - at, ZERO)


def left(start: datetime, bank: timedelta, now: datetime, pauses: Iterable[Span]) -> timedelta:
    """Give what is left of a bank at a moment, never less than nothing."""
    return max(bank - used(start, now, pauses), ZERO)


def covering(now: datetime, pauses: Iterable[Span]) -> datetime | None:
    """Give until when a clock stands still that does so now; None where it runs."""
    until = None
    for pause in pauses:
        if pause.start > (until or now):
            break
        if pause.end > (until or now):
            until = pause.end
    return until


def weekends(zone: ZoneInfo, since: datetime) -> Iterator[Span]:
    """Give all weekends from the one at or after a moment on, without end.

    A weekend lasts from Saturday, 0:00 to Monday, 0:00 by the clocks of the zone: an hour less
    or more where they are put forward or back in it.
    """
    day = since.astimezone(zone).date()
    saturday = day - timedelta(days=(day.weekday() - 5) % 7)
    while True:
        monday = saturday + timedelta(days=2)
        yield Span(_midnight(saturday, zone), _midnight(monday, zone))
        saturday += timedelta(days=7)


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(0), tzinfo=zone).astimezone(UTC)
