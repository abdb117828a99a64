"""What pauses the clock of a turn, read from the ledgers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.db.models import F

from games import clocks
from games.clocks import Span
from games.ledgers import Outage, Vacation, VacationChoice
from games.models import Game, Match


@dataclass(frozen=True, slots=True)
class Pauses:
    """All that pauses the clocks of a match from a moment on, by user where it is a vacation."""

    match: Match
    since: datetime
    outages: tuple[Span, ...]
    vacations: dict[int, Sequence[Span]]

    def has_rows_for(self, seat: int) -> bool:
        """Say whether the ledgers hold anything that pauses a seat's clock."""
        return bool(self.outages or self.vacations.get(self.match.player_id(seat)))

    def of(self, seat: int) -> Iterator[Span]:
        """Give what pauses a seat's clock, in order; endless where weekends are free."""
        match = self.match
        sources = [iter(self.outages), iter(self.vacations.get(match.player_id(seat), ()))]
        if match.weekend_zone:
            sources.append(clocks.weekends(ZoneInfo(match.weekend_zone), self.since))
        return clocks.merged(*sources)


def match_pauses(match: Match, since: datetime) -> Pauses:
    """Read what pauses the clocks of a match from a moment on. Two queries, one if it is live."""
    ended = Outage.objects.filter(ended_at__gt=since).order_by("started_at")
    outages = tuple(Span(*span) for span in ended.values_list("started_at", "ended_at"))
    vacations: dict[int, list[Span]] = {}
    if match.is_vacation_allowed:
        rows = Vacation.objects.filter(
            user_id__in=(match.player_0_id, match.player_1_id), ends_at__gt=since
        ).order_by("starts_at")
        rows = rows.filter(ends_at__gt=F("starts_at"))  # a plan that was given up is none
        for user_id, *span in rows.values_list("user_id", "starts_at", "ends_at"):
            vacations.setdefault(user_id, []).append(Span(*span))
    return Pauses(match, since, outages, {**vacations})


def turn_pauses(game: Game) -> Pauses:
    """Read what pauses the clock of a game's turn. Queries as `match_pauses`."""
    return match_pauses(game.match, game.turn_started_at)


@dataclass(frozen=True, slots=True)
class Clock:
    """How the clocks of a game stand at a moment. `lefts` are by seat."""

    lefts: tuple[timedelta, timedelta]
    stands_until: datetime | None
    """Until when the clock of the seat to act stands still, if it does."""
    is_vacation: bool
    """Whether it does for a vacation of who is to act."""
    runs_for: timedelta | None
    """How long it runs before the next pause; None where there is none before the deadline."""
    away_until: datetime | None = None
    """Until when the other player is on a vacation that pauses the clock of their turns."""


def game_clock(game: Game, now: datetime) -> Clock:
    """Read the clocks of a game: frozen where it is over. Two queries where it runs."""
    turn = game.turn
    if turn is None or game.deadline_at is None:
        return Clock(game.banks, None, False, None)
    pauses = turn_pauses(game)
    left = clocks.left(game.turn_started_at, game.banks[turn], now, pauses.of(turn))
    lefts = (left, game.bank_1) if turn == 0 else (game.bank_0, left)
    vacations = pauses.vacations.get(game.match.player_id(turn), ())
    is_vacation = clocks.covering(now, vacations) is not None
    stands_until = clocks.covering(now, pauses.of(turn))
    runs_for = None
    if stands_until is None:
        pause = next((pause for pause in pauses.of(turn) if pause.end > now), None)
        if pause is not None and pause.start < game.deadline_at:
            runs_for = pause.start - now
    away = pauses.vacations.get(game.match.player_id(1 - turn), ())
    away_until = clocks.covering(now, away)
    return Clock(lefts, stands_until, is_vacation, runs_for, away_until)


def vacation_spans(user_id: int, at: datetime | None = None) -> list[Span]:
    """Give a player's whole ledger of vacations, in order, without plans given up. One query.

    `at`: with what was planned then still taken, though its player gave it up since.
    """
    spans = []
    for row in Vacation.objects.filter(user_id=user_id).order_by("starts_at"):
        was_held = at and row.cut_at and row.created_at <= at < row.cut_at
        end = row.planned_end_at if was_held else row.ends_at
        if end > row.starts_at:
            spans.append(Span(row.starts_at, end))
    return spans


def vacations_now(user_ids: Iterable[int], now: datetime) -> dict[int, datetime]:
    """Give until when each of some users who are on vacation is. One query, none for nobody."""
    running = Vacation.objects.filter(user_id__in=user_ids, starts_at__lte=now, ends_at__gt=now)
    return dict(running.values_list("user_id", "ends_at"))


def vacation_now(user_id: int, now: datetime) -> Vacation | None:
    """Give the vacation that a player is on, if they are. One query."""
    running = Vacation.objects.filter(user_id=user_id, starts_at__lte=now, ends_at__gt=now)
    return running.first()


def has_chosen(user_id: int) -> bool:
    """Say whether a player has said if a vacation may begin by itself. One query."""
    chosen = VacationChoice.objects.filter(user_id=user_id, is_automatic__isnull=False)
    return chosen.exists()
