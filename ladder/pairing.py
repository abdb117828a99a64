"""Who plays whom: members that wait go in, pairs come out. Pure: no clock, no database.

What is promised, in words, stands in docs/ladder.md.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Final

from games.paces import CORRESPONDENCE, slowest

MAX_WANTED: Final = 5
"""So many ladder matches at most can be wanted at once."""

N_ROUNDS: Final = 3
"""A match that a pairing makes has so many rounds."""

NOT_AGAIN_FOR: Final = timedelta(days=14)
"""Two are not paired again for so long after their last rated match here began…"""

PATIENCE: Final = timedelta(days=1)
"""… unless neither has found anybody else for so long, and their last match is over as long."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a member wants: so many ladder matches at once, each at one of these paces.

    With none wanted, only offers and challenges bring matches, and no pace is needed.
    """

    n_wanted: int
    paces: frozenset[str]

    @property
    def is_possible(self) -> bool:
        """Say whether such a wish can be kept."""
        is_enough = self.n_wanted == 0 or bool(self.paces)
        return (
            0 <= self.n_wanted <= MAX_WANTED and self.paces <= CORRESPONDENCE.keys() and is_enough
        )


@dataclass(frozen=True, slots=True)
class Waiting:
    """A member who waits: for `n_free` matches more, since a moment, at one of some paces."""

    user_id: int
    rating: int
    n_free: int
    paces: frozenset[str]
    since: datetime


@dataclass(frozen=True, slots=True)
class Meeting:
    """The last rated match of two members here; `ended_at` is None while one of theirs runs."""

    started_at: datetime
    ended_at: datetime | None


Couple = tuple[int, int]
"""Two user ids, the lower first."""

Meetings = Mapping[Couple, Meeting]
"""Meetings of the last `NOT_AGAIN_FOR` and running ones; who is not in it has not met lately."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two who are to play each other, by user id, the lower first, and at which pace."""

    couple: Couple
    pace_slug: str


class Prospect(StrEnum):
    """What a member can expect of the next pairing; with ENOUGH they have all they want."""

    PAIRED = "paired"
    ALONE = "alone"
    NO_COMMON_PACE = "no_common_pace"
    MET_LATELY = "met_lately"
    NEXT_TIME = "next_time"
    ENOUGH = "enough"


@dataclass(frozen=True, slots=True)
class Outlook:
    """A prospect; `free_at` tells from when somebody met lately can be met again, if known."""

    prospect: Prospect
    n_waiting: int
    free_at: datetime | None = None


APART: Final = Meeting(datetime.max.replace(tzinfo=UTC), None)
"""Stands among the meetings of two who are never paired, since one has blocked the other."""


def couple_of(one: int, two: int) -> Couple:
    """Give two user ids in the order in which they are kept."""
    return (one, two) if one < two else (two, one)


def common_pace(one: Waiting, two: Waiting) -> str | None:
    """Choose the slowest pace that both accept, so that nobody is hurried; None without one."""
    return slowest(one.paces & two.paces)


def free_at(one: Waiting, two: Waiting, meetings: Meetings) -> datetime | None:
    """Tell from when two may be paired: at once (`datetime.min`), later, or not yet known."""
    meeting = meetings.get(couple_of(one.user_id, two.user_id))
    if meeting is None:
        return datetime.min.replace(tzinfo=one.since.tzinfo)
    if meeting.ended_at is None:
        return None
    patient = max(meeting.ended_at, one.since, two.since) + PATIENCE
    return min(meeting.started_at + NOT_AGAIN_FOR, patient)


def pair_up(waiting: Sequence[Waiting], meetings: Meetings, now: datetime) -> list[Pair]:
    """Pair members by nearest rating; where two pairs are as near, who waits longest comes first.

    A match for each comes before a second one for anybody, and who has not met lately before
    who has. Nobody who is left could have been paired with another who is left.
    """
    n_free = {member.user_id: member.n_free for member in waiting}
    done: dict[Couple, Pair] = {}
    for is_again in (False, True):
        while found := _round(waiting, meetings, now, n_free, done, is_again=is_again):
            for pair in found:
                done[pair.couple] = pair
                for user_id in pair.couple:
                    n_free[user_id] -= 1
    return list(done.values())


def starter(couple: Couple, n_started: Mapping[int, int], last_starter: int | None) -> int | None:
    """Choose who starts: who has started less often, then who did not start last time.

    None where neither tells: then the lot decides.
    """
    one, two = couple
    difference = n_started.get(one, 0) - n_started.get(two, 0)
    if difference:
        return two if difference > 0 else one
    return None if last_starter is None else (two if last_starter == one else one)


def outlook(
    member: Waiting, waiting: Sequence[Waiting], meetings: Meetings, now: datetime
) -> Outlook:
    """Tell what the next pairing would bring a member, as things stand, and if nothing, why."""
    others = [other for other in waiting if other.user_id != member.user_id and other.n_free > 0]
    if member.n_free <= 0:
        return Outlook(Prospect.ENOUGH, len(others))
    possible = [other for other in others if common_pace(member, other)]
    if not others:
        return Outlook(Prospect.ALONE, 0)
    if not possible:
        return Outlook(Prospect.NO_COMMON_PACE, len(others))
    if any(member.user_id in pair.couple for pair in pair_up(waiting, meetings, now)):
        return Outlook(Prospect.PAIRED, len(others))
    moments = [free_at(member, other, meetings) for other in possible]
    known = [moment for moment in moments if moment is not None]
    if any(moment <= now for moment in known):
        return Outlook(Prospect.NEXT_TIME, len(others))
    return Outlook(Prospect.MET_LATELY, len(others), min(known, default=None))


_Key = tuple[int, datetime, datetime, int, int]
"""How far apart two ratings are, since when the two wait, and their places in the order."""


def _round(
    waiting: Sequence[Waiting],
    meetings: Meetings,
    now: datetime,
    n_free: Mapping[int, int],
    done: Mapping[Couple, Pair],
    *,
    is_again: bool,
) -> list[Pair]:
    """Find a match for as many as there is one for: always the nearest two who are left.

    In the order of ratings, each member's candidates above come nearest first, so that the best
    pair of each is enough to know the best of all: n log n steps where most can play most.
    """
    free = [member for member in waiting if n_free[member.user_id] > 0]
    order = sorted(free, key=lambda member: (member.rating, member.since, member.user_id))

    def candidates(place: int) -> Iterator[tuple[_Key, Pair]]:
        one = order[place]
        for other in range(place + 1, len(order)):
            two = order[other]
            couple = couple_of(one.user_id, two.user_id)
            if other in taken or couple in done or (couple in meetings) != is_again:
                continue
            moment, pace_slug = free_at(one, two, meetings), common_pace(one, two)
            if pace_slug is None or moment is None or moment > now:
                continue
            early, late = sorted((one.since, two.since))
            yield (two.rating - one.rating, early, late, place, other), Pair(couple, pace_slug)

    taken: set[int] = set()
    streams = [candidates(place) for place in range(len(order))]
    heap = [found for stream in streams if (found := next(stream, None))]
    heapq.heapify(heap)
    pairs = []
    while heap:
        key, pair = heapq.heappop(heap)
        *_rest, place, other = key
        if place in taken:
            continue
        if other in taken:
            if (found := next(streams[place], None)) is not None:
                heapq.heappush(heap, found)
            continue
        taken |= {place, other}
        pairs.append(pair)
    return pairs
