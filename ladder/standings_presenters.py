"""Lines of the standings: place, form, trend, and whether a player can be challenged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import User
from games.models import Offer
from games.services.offers import MAX_OPEN_OFFERS
from ladder.challenges import Bars, Obstacle, bars_for, challenge_obstacle
from ladder.models import Ladder
from ladder.presenters import RESULTS, TONES, account_url, change_text, rating_text, tone_of
from ladder.standings import Place, StandingsPage

_LETTERS: Final = (
    pgettext_lazy("letter for a lost match", "L"),
    pgettext_lazy("letter for a drawn match", "D"),
    pgettext_lazy("letter for a won match", "W"),
)

_OBSTACLES: Final = {
    Obstacle.NOT_LOGGED_IN: _("Log in to challenge players."),
    Obstacle.SELF: _("This is you."),
    Obstacle.NO_RATED_PLAY: _("Guests play casual matches only. Register to play rated ones."),
    Obstacle.BOT: _("Computer players play casual matches only."),
    Obstacle.GUEST: _("Guests play casual matches only."),
    Obstacle.CLOSED: _("This account is closed."),
    Obstacle.BLOCKED: _("You have blocked %(name)s."),
    Obstacle.APART: _("You two cannot play each other."),
    Obstacle.TOO_MANY_OFFERS: _(
        "You have %(limit)s open offers, which is the most: withdraw one first."
    ),
}


@dataclass(frozen=True, slots=True)
class LetterShown:
    """A recent match in one letter, and in a word for who hears it."""

    letter: str
    word: str
    tone: str


@dataclass(frozen=True, slots=True)
class PlaceShown:
    """A line of the standings, ready for the page. `number` is None for inactive players."""

    number: int | None
    user: User
    rating: str
    is_provisional: bool
    n_matches: int
    form: Sequence[LetterShown]
    """Oldest first."""
    trend: str
    """What those matches changed together; empty where there are none."""
    trend_tone: str
    account_url: str
    """Empty for closed accounts, whose ledger nobody sees."""
    challenge_url: str
    """Empty where there is an obstacle."""
    obstacle: str
    is_own: bool
    is_found: bool


def place_shown(
    place: Place, ladder: Ladder, viewer: User | None, bars: Bars, found: str = ""
) -> PlaceShown:
    """Present a line of the standings; `found` is the key of the name that was looked for."""
    standing = place.standing
    player = standing.user
    obstacle = challenge_obstacle(viewer, player, bars)
    change = sum(recent.change for recent in place.recent)
    return PlaceShown(
        place.number,
        player,
        rating_text(standing.rating),
        standing.is_provisional,
        standing.n_matches,
        [
            LetterShown(str(_LETTERS[each.score]), str(RESULTS[each.score]), TONES[each.score])
            for each in place.recent
        ],
        trend=change_text(change) if place.recent else "",
        trend_tone=tone_of(change),
        account_url=account_url(ladder, player) if player.is_active else "",
        challenge_url="" if obstacle else challenge_url(ladder, player),
        obstacle=_obstacle_text(obstacle, player) if obstacle else "",
        is_own=viewer is not None and player.pk == viewer.pk,
        is_found=player.name_key == found,
    )


def places_shown(
    page: StandingsPage, ladder: Ladder, viewer: User | None, found: str = ""
) -> Sequence[PlaceShown]:
    """Present the lines of a page; who looks and stands elsewhere comes first.

    Two queries for who is logged in.
    """
    places = list(page.places)
    if page.own is not None and not page.is_own_here:
        places.insert(0, page.own)
    bars = bars_for(viewer)
    return [place_shown(place, ladder, viewer, bars, found) for place in places]


def _obstacle_text(obstacle: Obstacle, player: User) -> str:
    return str(_OBSTACLES[obstacle]) % {"name": player.name, "limit": MAX_OPEN_OFFERS}


def challenge_url(ladder: Ladder, player: User) -> str:
    """Give the address of the form that challenges a player to a rated match of this ladder."""
    rated = f"{ladder.title}/{ladder.ruleset_slug}"
    asked = urlencode({"kind": Offer.Kind.CHALLENGE, "to": player.name, "rated": rated})
    return f"{reverse('games:offer_new')}?{asked}"
