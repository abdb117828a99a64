"""Sums over a player's finished matches: won, drawn and lost, points, how long they took.

Private matches count for their two players only, as in the list of matches. Each seat is read by
its own index, so two queries do, however many matches there are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Count, DurationField, ExpressionWrapper, F, Q, Sum
from django.db.models.functions import Coalesce

from accounts.models import User
from games.access import AnyUser
from games.engine.api import other
from games.history import SEATS, Filters, matches_in_seat
from games.models import Match


@dataclass(frozen=True, slots=True)
class Tally:
    """What some finished matches came to, for one of their players."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    own_points: int = 0
    their_points: int = 0
    length: timedelta = timedelta()
    """From begin to end, all of them together; a match without a noted end adds nothing."""

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.won + other.won,
            self.drawn + other.drawn,
            self.lost + other.lost,
            self.own_points + other.own_points,
            self.their_points + other.their_points,
            self.length + other.length,
        )

    @property
    def n(self) -> int:
        """Say how many matches there were."""
        return self.won + self.drawn + self.lost

    @property
    def average_length(self) -> timedelta:
        """Give how long a match took; nothing where there was none."""
        return self.length / self.n if self.n else timedelta()


def tallies(
    player: User, viewer: AnyUser, filters: Filters
) -> Sequence[tuple[tuple[str, str], Tally]]:
    """Sum up a player's finished matches by title and ruleset, those played most first.

    Two queries.
    """
    sums: dict[tuple[str, str], Tally] = defaultdict(Tally)
    for seat in SEATS:
        length = ExpressionWrapper(F("finished_at") - F("started_at"), DurationField())
        found = (
            matches_in_seat(player, viewer, filters, seat)
            .filter(status=Match.Status.FINISHED)
            .values("title", "ruleset_slug")
            .annotate(
                won=Count("pk", filter=Q(winner=seat)),
                drawn=Count("pk", filter=Q(winner__isnull=True)),
                lost=Count("pk", filter=Q(winner=other(seat))),
                own_points=Sum(f"points_{seat}"),
                their_points=Sum(f"points_{other(seat)}"),
                length=Coalesce(Sum(length), timedelta()),
            )
            .order_by()
        )
        for row in found:
            counts: dict[str, Any] = dict(row)
            ruleset = (counts.pop("title"), counts.pop("ruleset_slug"))
            sums[ruleset] += Tally(**counts)
    return sorted(sums.items(), key=lambda item: (-item[1].n, item[0]))
