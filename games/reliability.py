"""How reliably somebody plays: what profiles tell, and what an offer may ask for.

Only matches between people count. Nothing here is stored: it is read from the matches.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from statistics import quantiles
from typing import Final

from django.db.models import Count, Max, Q, QuerySet

from accounts.models import User
from games.models import Match, Submission
from games.paces import CORRESPONDENCE

N_MATCHES: Final = 20
"""So many latest matches tell how quickly somebody answers."""

MIN_ANSWERS: Final = 10
"""Fewer answers tell nothing yet."""

MANY_ANSWERS: Final = 40
"""From so many on a quarter of them is enough to speak of; fewer tell their middle alone."""


@dataclass(frozen=True, slots=True)
class Timeliness:
    """How many matches somebody finished, lost on time, and finished since."""

    n_finished: int
    n_late: int
    n_since: int
    """Finished since the last one that was lost on time; all of them, where none was."""

    def has_kept(self, n_matches: int) -> bool:
        """Say whether none of the last matches was lost on time; who has fewer kept them all."""
        return self.n_late == 0 or self.n_since >= n_matches


@dataclass(frozen=True, slots=True)
class Quartiles:
    """A quarter, half, and three quarters of the answers came within these times."""

    quarter: timedelta
    half: timedelta
    three_quarters: timedelta
    n_matches: int
    """From the answers in so many matches."""
    n_answers: int


def timeliness_of(user_id: int) -> Timeliness:
    """Count a player's finished matches with people. At most two queries, by index."""
    lost = Q(player_0=user_id, winner=1) | Q(player_1=user_id, winner=0)
    late = Q(lost, ending=Match.Ending.TIMEOUT)
    found = _with_people(user_id).aggregate(
        n=Count("pk"),
        n_late=Count("pk", filter=late),
        last=Max("finished_at", filter=late),
    )
    if not found["n_late"]:
        return Timeliness(found["n"], 0, found["n"])
    n_since = _with_people(user_id).filter(finished_at__gt=found["last"]).count()
    return Timeliness(found["n"], found["n_late"], n_since)


def answers_of(user: User) -> Quartiles | None:
    """Tell how quickly a player answers by correspondence; None where little is known.

    From the end of the opponent's turn to the end of the player's own, nights, weekends and
    vacations included, in their latest finished matches. Three queries, by index.
    """
    found = [match for seat in (0, 1) for match in _latest_in_seat(user.pk, seat)]
    found.sort(key=lambda match: (match.started_at, match.pk), reverse=True)
    seats = {match.pk: match.seat_of(user.pk) for match in found[:N_MATCHES]}
    sent = Submission.objects.filter(game__match__in=seats).order_by("game", "version_before")
    rows = sent.values_list("game", "game__match", "game__started_at", "seat", "created_at")
    waits = [
        wait
        for (_game, match_id, begun), turns in groupby(rows, key=lambda row: row[:3])
        for wait in _waits(begun, ((row[3], row[4]) for row in turns), seats[match_id])
    ]
    if len(waits) < MIN_ANSWERS:
        return None
    cuts = [timedelta(seconds=cut) for cut in quantiles(waits, n=4, method="inclusive")]
    return Quartiles(cuts[0], cuts[1], cuts[2], len(seats), len(waits))


def _waits(
    begun: datetime, turns: Iterable[tuple[int, datetime]], own: int | None
) -> Iterable[float]:
    """Give in seconds how long each turn of a seat took; several submissions make one turn."""
    before = begun
    for seat, sent in groupby(turns, key=lambda turn: turn[0]):
        *_others, (_seat, ended) = sent
        if seat == own:
            yield (ended - before).total_seconds()
        before = ended


def _latest_in_seat(user_id: int, seat: int) -> QuerySet[Match]:
    """Give the latest finished matches by correspondence in which a player holds a seat."""
    mine = Q(**{f"player_{seat}": user_id})
    found = _finished(mine).filter(pace_slug__in=CORRESPONDENCE).order_by("-started_at", "-pk")
    return found.only("player_0", "player_1", "started_at")[:N_MATCHES]


def _with_people(user_id: int) -> QuerySet[Match]:
    return _finished(Q(player_0=user_id) | Q(player_1=user_id))


def _finished(mine: Q) -> QuerySet[Match]:
    people = Q(player_0__is_bot=False, player_1__is_bot=False)
    return Match.objects.filter(mine, people, status=Match.Status.FINISHED)
