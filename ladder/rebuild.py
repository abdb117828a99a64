"""Ratings computed anew from all rated matches, in the order in which they were rated.

Elo depends on the order; the ledger's keys are drawn under the locks of both standings, so who
follows them arrives at the same ratings to the last digit. Memory holds a side for each player
and never the matches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from django.db import connection, transaction

from games.models import Match
from ladder.counters import Held, bucket_of, counted
from ladder.elo import FORMULA, Side, after
from ladder.models import Ladder, LedgerEntry, Standing

Result = tuple[int, int, int | None]
"""A match: the user ids of seats 0 and 1, and the seat that won, None for a draw."""

CHUNK: Final = 5_000
UNRATED: Final = Side()

_HALVES: Final = {0: 2, None: 1, 1: 0}
"""The score of seat 0, in half points, by the seat that won."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A standing that is not what the matches make it."""

    standing_id: int
    user_id: int
    stored: Side
    rebuilt: Side


def replay(results: Iterable[Result]) -> dict[int, Side]:
    """Rate matches one after the other; gives where each player stands after the last."""
    sides: dict[int, Side] = {}
    get = sides.get
    for one, two, winner in results:
        sides[one], sides[two] = after(get(one, UNRATED), get(two, UNRATED), _HALVES[winner])
    return sides


def results_of(ladder: Ladder, tick: Callable[[int], None] | None = None) -> Iterator[Result]:
    """Stream a ladder's matches that count, in the order of their keys.

    `tick` is told now and then how many there were so far. Raises `ValueError` for a match
    that was rated by a formula which this program does not know.
    """
    entries = LedgerEntry.objects.filter(ladder=ladder, kind=LedgerEntry.Kind.MATCH, seat=0)
    rows = entries.exclude(match__ending=Match.Ending.ANNULLED).order_by("order_key")
    fields = ("match__player_0", "match__player_1", "match__winner", "formula")
    n = 0
    for n, (one, two, winner, formula) in enumerate(
        rows.values_list(*fields).iterator(chunk_size=CHUNK), start=1
    ):
        if formula != FORMULA:
            raise ValueError(f"unknown formula {formula}")
        if tick is not None and n % CHUNK == 0:
            tick(n)
        yield one, two, winner
    if tick is not None:
        tick(n)


def differences(
    ladder: Ladder, tick: Callable[[int], None] | None = None
) -> tuple[int, list[Difference]]:
    """Compare all standings with what the matches make them; gives how many were compared.

    All of it is read at one moment, so that matches which are rated meanwhile do not matter.
    """
    with _one_moment():
        sides = replay(results_of(ladder, tick))
        return compared(Standing.objects.filter(ladder=ladder).order_by("pk"), sides)


def counters_differ(ladder: Ladder) -> bool:
    """Say whether a ladder's counters are not what counting its members gives."""
    with _one_moment():
        counts = Ladder.objects.values_list("counts", flat=True).get(pk=ladder.pk)
        rows = Standing.objects.filter(ladder=ladder)
        held: list[Held] = [
            (None if left_at else bucket_of(rating), left_at is None and is_active)
            for rating, left_at, is_active in rows.values_list("rating", "left_at", "is_active")
        ]
        stored = list(rows.values_list("counted", "is_active"))
    return bool(counts != counted(held) or counts != counted(stored))


@contextmanager
def _one_moment() -> Iterator[None]:
    """Read the database as it is at one moment."""
    with transaction.atomic(durable=True):
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def compared(rows: Iterable[Standing], sides: dict[int, Side]) -> tuple[int, list[Difference]]:
    """Find the standings that differ from `sides`, by user id; gives how many were compared."""
    n, found = 0, []
    for row in rows:
        n += 1
        rebuilt = sides.get(row.user_id, UNRATED)
        if row.side != rebuilt:
            found.append(Difference(row.pk, row.user_id, row.side, rebuilt))
    return n, found
