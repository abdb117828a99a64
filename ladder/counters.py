"""How many stand where on a ladder, kept as numbers, so that no page counts members.

The counters hold members and active members by bucket of five points. What stands above a bucket
is a sum over a few hundred numbers; within one bucket the database counts exactly. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from ladder import elo

BUCKET: Final = 5 * elo.POINT
"""How many thousandths of a point share a counter."""

Counts = dict[str, list[int]]
"""By bucket, as JSON has keys: how many members, and how many of them are active."""

Held = tuple[int | None, bool]
"""What the counters hold of one standing: its bucket, None for no member, and whether active."""


def bucket_of(rating: int) -> int:
    """Give the bucket of a rating."""
    return rating // BUCKET


def bounds(bucket: int) -> tuple[int, int]:
    """Give the lowest rating of a bucket, and the first one above it."""
    return bucket * BUCKET, (bucket + 1) * BUCKET


def counted(held: Iterable[Held]) -> Counts:
    """Count anew."""
    return moved({}, (((None, False), one) for one in held))


def moved(counts: Counts, moves: Iterable[tuple[Held, Held]]) -> Counts:
    """Give the counters after standings moved from one place to another. Empty buckets go."""
    after = {bucket: list(pair) for bucket, pair in counts.items()}
    for old, new in moves:
        for (bucket, is_active), by in ((old, -1), (new, 1)):
            if bucket is not None:
                pair = after.setdefault(str(bucket), [0, 0])
                pair[0] += by
                pair[1] += by * is_active
    return {bucket: pair for bucket, pair in after.items() if pair != [0, 0]}


@dataclass(frozen=True, slots=True)
class Tally:
    """Members and active members: of a whole ladder, or of a part of it."""

    members: int = 0
    active: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.members + other.members, self.active + other.active)


class Counters:
    """The counters of a ladder, to be asked."""

    def __init__(self, counts: Mapping[str, list[int]]) -> None:
        best_first = sorted(((int(bucket), Tally(*pair)) for bucket, pair in counts.items()))[::-1]
        self.buckets: list[tuple[int, Tally]] = best_first

    @property
    def total(self) -> Tally:
        """Tally the whole ladder."""
        return sum((tally for _bucket, tally in self.buckets), Tally())

    def above(self, bucket: int) -> Tally:
        """Tally all who stand in higher buckets."""
        return sum((tally for other, tally in self.buckets if other > bucket), Tally())

    def at(self, offset: int) -> tuple[int, int] | None:
        """Find the bucket in which a member stands, counted from 0, and how many are above it.

        None beyond the last member.
        """
        for bucket, n_above, tally in self._with_sums():
            if offset < n_above + tally.members:
                return bucket, n_above
        return None

    def _with_sums(self) -> Iterator[tuple[int, int, Tally]]:
        n_above = 0
        for bucket, tally in self.buckets:
            yield bucket, n_above, tally
            n_above += tally.members
