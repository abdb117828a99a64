"""Readers of how a player has done: against whom, by who started, and in a row.

Private matches count for their two players only, as in the list of matches. Each seat is read by
its own index, and what is read are a few numbers a match.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import merge
from typing import Any, Final

from django.db.models import Count, Q

from accounts.models import User
from games.access import AnyUser
from games.engine.api import other
from games.history import SEATS, Filters, matches_in_seat
from games.models import Game, Match
from games.tallies import Tally

N_OPPONENTS: Final = 5
"""So many of the opponents met most are named."""

_ALL: Final = Filters()


@dataclass(frozen=True, slots=True)
class Streaks:
    """Matches in a row: won, and not lost; now, and the most there ever were."""

    wins: int = 0
    most_wins: int = 0
    unbeaten: int = 0
    most_unbeaten: int = 0


@dataclass(frozen=True, slots=True)
class Starts:
    """Games of finished matches by who started them; points and lengths are not summed up."""

    own: Tally
    theirs: Tally


def opponents_most(
    player: User, viewer: AnyUser, limit: int = N_OPPONENTS
) -> Sequence[tuple[User, Tally]]:
    """Sum up a player's finished matches by opponent, those met most first. Three queries."""
    sums: dict[int, Tally] = defaultdict(Tally)
    for seat in SEATS:
        opponent = f"player_{other(seat)}"
        found = matches_in_seat(player, viewer, _ALL, seat).filter(status=Match.Status.FINISHED)
        rows = found.values(opponent).annotate(**_counts("winner", seat)).order_by()
        for row in rows:
            sums[row[opponent]] += _tally(row)
    most = sorted(sums.items(), key=lambda item: (-item[1].n, item[0]))[:limit]
    users = User.objects.in_bulk([user_id for user_id, _tally in most])
    return [(users[user_id], tally) for user_id, tally in most]


def starts(player: User, viewer: AnyUser) -> Starts:
    """Count the games of a player's finished matches by who started. Two queries."""
    sums = {True: Tally(), False: Tally()}
    for seat in SEATS:
        # Games that were played out stay finished where their match was annulled or aborted.
        matches = matches_in_seat(player, viewer, _ALL, seat).filter(status=Match.Status.FINISHED)
        games = Game.objects.filter(match__in=matches, status=Game.Status.FINISHED)
        for row in games.values("first").annotate(**_counts("winner", seat)).order_by():
            sums[row["first"] == seat] += _tally(row)
    return Starts(sums[True], sums[False])


def streaks(player: User, viewer: AnyUser) -> Streaks:
    """Find how many matches in a row were won, or not lost, in the order of their ends.

    Two queries, whose rows are streamed.
    """
    found = []
    for seat in SEATS:
        finished = matches_in_seat(player, viewer, _ALL, seat).filter(status=Match.Status.FINISHED)
        rows = finished.order_by("finished_at", "pk").values_list("finished_at", "pk", "winner")
        found.append(_outcomes(rows.iterator(chunk_size=2000), seat))
    return in_a_row(halves for _at, _pk, halves in merge(*found))


def in_a_row(outcomes: Iterable[int]) -> Streaks:
    """Find the streaks in results in half points, oldest first."""
    wins = most_wins = unbeaten = most_unbeaten = 0
    for halves in outcomes:
        wins = wins + 1 if halves == 2 else 0
        unbeaten = unbeaten + 1 if halves else 0
        most_wins = max(most_wins, wins)
        most_unbeaten = max(most_unbeaten, unbeaten)
    return Streaks(wins, most_wins, unbeaten, most_unbeaten)


def _outcomes(rows: Iterable[tuple[Any, int, int | None]], seat: int) -> Iterable[Any]:
    for at, pk, winner in rows:
        yield at, pk, 1 if winner is None else 2 if winner == seat else 0


def _counts(winner: str, seat: int) -> dict[str, Count]:
    """Count won, drawn and lost for a seat."""
    return {
        "won": Count("pk", filter=Q(**{winner: seat})),
        "drawn": Count("pk", filter=Q(**{f"{winner}__isnull": True})),
        "lost": Count("pk", filter=Q(**{winner: 1 - seat})),
    }


def _tally(row: Mapping[str, Any]) -> Tally:
    return Tally(row["won"], row["drawn"], row["lost"])
