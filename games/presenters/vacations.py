"""What a player's vacation page shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext

from accounts.models import User
from games import vacations
from games.clocks import Span
from games.models import Game, Match, Vacation, VacationChoice
from games.presenters.times import lasting
from games.selectors import games_running_for


@dataclass(frozen=True, slots=True)
class VacationPage:
    """A player's vacations and what they have left."""

    year: int
    left: str
    running: Vacation | None
    planned: Sequence[Vacation]
    past: Sequence[Vacation]
    is_automatic: bool
    longest_end: datetime | None
    """When a vacation that began now would end; None where there can be none."""
    unpaused: Sequence[Game]
    """Running games that no vacation pauses."""


def vacation_page(user: User, now: datetime) -> VacationPage:
    """Gather a player's vacation page. Three queries."""
    year = vacations.year_of(now)
    rows = [v for v in Vacation.objects.filter(user=user).order_by("starts_at") if _is_real(v)]
    ledger = [Span(row.starts_at, row.ends_at) for row in rows]
    running = next((row for row in rows if row.starts_at <= now < row.ends_at), None)
    end = vacations.longest_end(now, ledger)
    choice = VacationChoice.objects.filter(user=user).first()
    games = games_running_for(user)
    return VacationPage(
        year=year,
        left=lasting(vacations.left_in(year, ledger)),
        running=running,
        planned=[row for row in rows if row.starts_at > now],
        past=[r for r in rows if r.ends_at <= now and vacations.year_of(r.ends_at) == year],
        is_automatic=choice is not None and bool(choice.is_automatic),
        longest_end=end if end - now >= vacations.SHORTEST else None,
        unpaused=[game for game in games if not game.match.is_vacation_allowed],
    )


def why_not_saved(match: Match, user_id: int) -> str:
    """Tell who lost a match on time why no vacation began by itself, though they had chosen so.

    Empty for all others. One query where the match was lost on time.
    """
    if match.ending != Match.Ending.TIMEOUT or match.winner is None:
        return ""
    if match.player_id(1 - match.winner) != user_id:
        return ""
    chosen = VacationChoice.objects.filter(user_id=user_id, is_automatic=True)
    if not chosen.filter(chosen_at__lte=match.finished_at).exists():
        return ""
    if match.pace.is_live:
        return gettext("No vacation began by itself: live clocks are never paused.")
    if not match.is_vacation_allowed:
        return gettext("No vacation began by itself: this match was agreed without vacations.")
    return gettext("No vacation began by itself: you had no days left.")


def _is_real(vacation: Vacation) -> bool:
    return vacation.ends_at > vacation.starts_at
