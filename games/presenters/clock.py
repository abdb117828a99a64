"""The clocks of a game in words, for the viewer's zone and language."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from games.models import Game
from games.pauses import Clock
from games.presenters.times import lasting


@dataclass(frozen=True, slots=True)
class Left:
    """What is left of a bank. `seconds` where it runs, for the page to count on from."""

    text: str
    seconds: int | None
    run_s: int | None
    """So long it runs before a pause; None without one, and where it does not run."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """By when the turn must be made, how much time that leaves, and why the clock stands."""

    at: datetime
    zone: str
    left: Left
    stands: str
    """A sentence where the clock stands still, else empty."""
    away: str
    """A sentence where the player whose turn comes next is on vacation, else empty."""


def deadline_shown(
    game: Game, clock: Clock, now: datetime, seat: int | None = None
) -> Deadline | None:
    """Tell a seat, or who watches, by when the turn must be made; None where no clock runs."""
    if game.deadline_at is None or game.turn is None:
        return None
    zone = timezone.get_current_timezone_name()
    left = left_shown(game, clock, game.turn, now)
    stands, away = _stands(game, clock, zone, seat), _away(game, clock, zone, seat)
    return Deadline(game.deadline_at, zone, left, stands, away)


def left_shown(game: Game, clock: Clock, seat: int, now: datetime) -> Left:
    """Tell what a seat has left: nothing where its time is up, and it is only to be written."""
    is_up = game.deadline_at is not None and now >= game.deadline_at
    left = timedelta(0) if is_up and seat == game.turn else clock.lefts[seat]
    is_running = seat == game.turn and game.is_running and clock.stands_until is None
    run_s = None if clock.runs_for is None else int(clock.runs_for.total_seconds())
    seconds = int(left.total_seconds())
    return Left(lasting(left), seconds if is_running else None, run_s if is_running else None)


def _away(game: Game, clock: Clock, zone: str, seat: int | None) -> str:
    if clock.away_until is None:
        return ""
    moment = date_format(timezone.localtime(clock.away_until), "D j M, H:i")
    player = game.match.players[1 - (game.turn or 0)].name
    told = gettext("%(player)s is on vacation until %(until)s (%(zone)s) at the latest.")
    if seat is not None and seat != game.turn:
        told = gettext("You are on vacation until %(until)s (%(zone)s) at the latest.")
    return told % {"until": moment, "zone": zone, "player": player}


def _stands(game: Game, clock: Clock, zone: str, seat: int | None) -> str:
    if clock.stands_until is None:
        return ""
    moment = date_format(timezone.localtime(clock.stands_until), "D j M, H:i")
    told = {"until": moment, "zone": zone, "player": game.match.players[game.turn or 0].name}
    if clock.is_vacation and seat == game.turn:
        words = gettext("You are on vacation: your clock stands until %(until)s (%(zone)s).")
        return words % told
    if clock.is_vacation:
        return (
            gettext("%(player)s is on vacation: the clock stands until %(until)s (%(zone)s).")
            % told
        )
    if game.match.weekend_zone:
        return gettext("Weekend: the clock stands until %(until)s (%(zone)s).") % told
    return gettext("The clock stands until %(until)s (%(zone)s).") % told
