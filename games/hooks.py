"""What upper apps do for this one. They register in their `AppConfig.ready()`.

Without an upper app there is no rated play, and pages have no sections but their own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Protocol

from accounts.models import User
from games.models import Match, Offer


class RatedStart(Protocol):
    """Called in the transaction that starts a rated match: both players join its ladder."""

    def __call__(
        self, *, title: str, ruleset_slug: str, user_ids: Collection[int], now: datetime
    ) -> object: ...


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page that an upper app draws: a template, and what it is given as `section`."""

    template: str
    content: Any


START: Final = 1500
"""The rating of who has none yet."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating in whole points; a provisional one says little yet."""

    text: str
    is_provisional: bool
    points: int = START


def _nobody(user: User) -> bool:
    return False


def _nothing(*, title: str, ruleset_slug: str, user_ids: Collection[int], now: datetime) -> None:
    return None


def _no_ratings(offers: Sequence[Offer]) -> Mapping[int, Rating]:
    return {}


def _all_start(user_ids: Collection[int]) -> Callable[[int, str, str], Rating]:
    return lambda user_id, title, ruleset_slug: Rating(str(START), is_provisional=True)


@dataclass(slots=True)
class Hooks:
    """Everything that can be registered."""

    may_play_rated: Callable[[User], bool] = _nobody
    rated_start: RatedStart = _nothing
    maker_ratings: Callable[[Sequence[Offer]], Mapping[int, Rating]] = _no_ratings
    """Tells the makers' ratings, by offer id, of rated offers."""
    rating_lookup: Callable[[Collection[int]], Callable[[int, str, str], Rating]] = _all_start
    """Reads the ratings of users, and gives them by user id, title and ruleset."""
    profile_sections: list[Callable[[User], Section | None]] = field(default_factory=list)
    match_sections: list[Callable[[Match], Section | None]] = field(default_factory=list)
    result_sections: list[Callable[[Match], Section | None]] = field(default_factory=list)
    """What the board of a match that is over tells besides its points."""

    def profile(self, player: User) -> list[Section]:
        """Give the sections of a player's page."""
        found = (section(player) for section in self.profile_sections)
        return [section for section in found if section is not None]

    def match(self, match: Match) -> list[Section]:
        """Give the sections of a match's page."""
        found = (section(match) for section in self.match_sections)
        return [section for section in found if section is not None]

    def result(self, match: Match) -> list[Section]:
        """Give what the board of a match that is over tells besides."""
        found = (section(match) for section in self.result_sections)
        return [section for section in found if section is not None]


hooks = Hooks()
"""The one registry."""
