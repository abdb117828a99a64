"""Words and numbers of seasons, for their pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext, pgettext, pgettext_lazy

from accounts.models import User
from games.hooks import Section
from ladder.models import Season, SeasonPlace
from ladder.presenters import rating_text
from ladder.quarters import Part, Quarter
from ladder.seasons import places_of, winners_of

_PARTS: Final[dict[Part, Any]] = {
    Part.WINTER: pgettext_lazy("season", "winter %(year)s"),
    Part.SPRING: pgettext_lazy("season", "spring %(year)s"),
    Part.SUMMER: pgettext_lazy("season", "summer %(year)s"),
    Part.AUTUMN: pgettext_lazy("season", "autumn %(year)s"),
}


@dataclass(frozen=True, slots=True)
class SeasonPlaceShown:
    """A line of final standings."""

    number: int
    user: User
    rating: str
    is_provisional: bool
    n_matches: int
    is_own: bool


@dataclass(frozen=True, slots=True)
class SeasonShown:
    """A season in a list, with those who came first."""

    name: str
    url: str
    n_places: int
    winners: Sequence[SeasonPlaceShown]


@dataclass(frozen=True, slots=True)
class PlaceOfPlayer:
    """A player's place in a season, for the profile: "3rd, autumn 2026"."""

    text: str
    ladder: str
    url: str
    rating: str
    n_matches: int
    n_places: int


def quarter_text(quarter: Quarter) -> str:
    """Name a season."""
    return str(_PARTS[quarter.part]) % {"year": quarter.year}


def ordinal_text(number: int) -> str:
    """Tell a place: 1st, 2nd, 3rd, 4th … 11th … 21st; other languages have one form or four."""
    last = 0 if number % 100 in (11, 12, 13) else number % 10
    if last == 1:
        text = pgettext("place: 1, 21, 31 …", "%(n)sst")
    elif last == 2:
        text = pgettext("place: 2, 22, 32 …", "%(n)snd")
    elif last == 3:
        text = pgettext("place: 3, 23, 33 …", "%(n)srd")
    else:
        text = pgettext("place: 4, 5, 11, 20 …", "%(n)sth")
    return text % {"n": number}


def season_place_shown(place: SeasonPlace, viewer_id: int | None) -> SeasonPlaceShown:
    """Present a line of final standings."""
    return SeasonPlaceShown(
        place.number,
        place.user,
        rating_text(place.rating),
        place.is_provisional,
        place.n_matches,
        is_own=place.user_id == viewer_id,
    )


def seasons_shown(seasons: Sequence[Season], viewer_id: int | None) -> Sequence[SeasonShown]:
    """Present seasons with their first lines. One query."""
    winners = winners_of(seasons)
    return [
        SeasonShown(
            quarter_text(season.quarter),
            season.get_absolute_url(),
            season.n_places,
            [season_place_shown(place, viewer_id) for place in winners.get(season.pk, ())],
        )
        for season in seasons
    ]


def seasons_section(player: User) -> Section | None:
    """Give a player's places in seasons for their page; None where there are none. One query."""
    places = [
        PlaceOfPlayer(
            gettext("%(place)s, %(season)s")
            % {
                "place": ordinal_text(place.number),
                "season": quarter_text(place.season.quarter),
            },
            gettext(place.season.ladder.ruleset.name),
            place.season.get_absolute_url(),
            rating_text(place.rating),
            place.n_matches,
            place.season.n_places,
        )
        for place in places_of(player)
    ]
    return Section("ladder/_seasons.html", places) if places else None
