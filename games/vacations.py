"""How much vacation a player has. Pure: a ledger of spans in, moments and lengths out.

A calendar year (UTC) has 30 days of vacation, counted to the second. A vacation counts for the
years in which it lies; one that is ended early counts until then.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from games.clocks import ZERO, Span

ALLOWANCE: Final = timedelta(days=30)
"""So much each year."""

LONGEST: Final = timedelta(days=30)
"""No vacation is longer, though a new year may begin in it."""

SHORTEST: Final = timedelta(hours=1)
"""A plan of less is a slip."""

AHEAD: Final = timedelta(days=366)
"""So far ahead can be planned."""


def year_of(at: datetime) -> int:
    """Give the year for which a moment of vacation counts."""
    return at.astimezone(UTC).year


def left_in(year: int, ledger: Sequence[Span]) -> timedelta:
    """Give what is left of a year's vacation: never below nothing, plans counted as taken."""
    begin, end = _year(year)
    taken = (min(span.end, end) - max(span.start, begin) for span in ledger)
    return max(ALLOWANCE - sum((max(part, ZERO) for part in taken), ZERO), ZERO)


def longest_end(start: datetime, ledger: Sequence[Span]) -> datetime:
    """Give when a vacation that begins at a moment ends at the latest.

    That is when the year's days are used up (in a new year it has those of the new one), when
    the next one in the ledger begins, or after the longest time. It is `start` itself where
    there can be none.
    """
    until = start + LONGEST
    for span in ledger:
        if span.start <= start < span.end:
            return start
        if span.start > start:
            until = min(until, span.start)
    at = start
    while at < until:
        year_end = _year(year_of(at))[1]
        step_end = min(at + left_in(year_of(at), ledger), year_end, until)
        if step_end < year_end:
            return step_end
        at = step_end
    return at


def _year(year: int) -> Span:
    return Span(datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC))
