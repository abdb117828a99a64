"""A player's ratings, for the profile: where they stand, how they came there, the best win."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext

from accounts.models import User
from games.hooks import Section
from ladder.curve import Curve, curve_shown
from ladder.models import LedgerEntry, Standing
from ladder.presenters import account_url, rating_text
from ladder.selectors import best_win, curves_of, standings_of


@dataclass(frozen=True, slots=True)
class StandingShown:
    """A player's standing on one ladder; `curve` is drawn from the latest `n_drawn` changes."""

    name: str
    url: str
    rating: str
    peak: str
    is_provisional: bool
    n_matches: int
    has_left: bool
    account_url: str
    curve: Curve | None
    n_drawn: int
    first: str
    lowest: str
    highest: str


@dataclass(frozen=True, slots=True)
class BestWin:
    """The win over the opponent with the highest rating."""

    opponent: User
    rating: str
    ladder: str
    url: str
    when: datetime


@dataclass(frozen=True, slots=True)
class Ratings:
    """All of a player's ratings."""

    standings: Sequence[StandingShown]
    best_win: BestWin | None


def profile_section(player: User) -> Section | None:
    """Give a player's ratings for their page; None where there are none. Three queries."""
    standings = standings_of(player)
    if not standings:
        return None
    curves, best = curves_of(standings), best_win(player)
    shown = [_standing_shown(standing, curves.get(standing.pk, ())) for standing in standings]
    return Section("ladder/_profile.html", Ratings(shown, _best_shown(best) if best else None))


def _standing_shown(standing: Standing, ratings: Sequence[int]) -> StandingShown:
    ends = ratings or (standing.rating,)
    return StandingShown(
        gettext(standing.ladder.ruleset.name),
        standing.ladder.get_absolute_url(),
        rating_text(standing.rating),
        rating_text(standing.peak),
        standing.is_provisional,
        standing.n_matches,
        has_left=standing.left_at is not None,
        account_url=account_url(standing.ladder, standing.user),
        curve=curve_shown(ratings),
        n_drawn=max(len(ratings) - 1, 0),
        first=rating_text(ends[0]),
        lowest=rating_text(min(ends)),
        highest=rating_text(max(ends)),
    )


def _best_shown(entry: LedgerEntry) -> BestWin:
    match = entry.match
    return BestWin(
        match.players[1 if entry.user_id == match.player_0_id else 0],
        rating_text(entry.opponent_rating or 0),
        gettext(entry.ladder.ruleset.name),
        match.get_absolute_url(),
        match.finished_at or entry.created_at,
    )
