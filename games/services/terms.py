"""What an offer asks for, and whether anybody could meet it."""

from __future__ import annotations

from dataclasses import dataclass, fields

from accounts.zones import time_zones
from games.admission import MAX_RATING, MIN_RATING
from games.engine.errors import MalformedRecord
from games.engine.registry import get_ruleset
from games.models import Offer
from games.paces import PACES
from games.refusals import Code, Refusal
from games.services.shuffles import MAX_ROUNDS

MAX_AT_ONCE = 5
"""So many matches of one repeated seek can run at once."""

MAX_IN_TIME = 50
"""So many last matches can an offer ask about."""


@dataclass(frozen=True, slots=True)
class OfferTerms:
    """What a maker asks for. `n_rounds` is 1 to 9, `pace_slug` a key of `PACES`.

    What begins with `rating_` is in whole points, and asks for the rating of who accepts, in a
    range or within so many points of the maker's; `in_time` asks that none of so many last
    matches was lost on time; `n_at_once` repeats an offer that is taken. These are for seeks.
    """

    title: str
    ruleset_slug: str
    n_rounds: int
    pace_slug: str
    is_private: bool = False
    is_bot_welcome: bool = True
    is_rated: bool = False
    weekend_zone: str = ""
    """The zone by whose weekends clocks are paused; empty for none."""
    allows_vacation: bool = True
    has_tracker: bool = False
    rating_low: int | None = None
    rating_high: int | None = None
    rating_within: int | None = None
    in_time: int = 0
    n_at_once: int = 0

    @property
    def asks(self) -> bool:
        """Say whether it asks anything that only seeks may ask, or is to be repeated."""
        range_ = (self.rating_low, self.rating_high, self.rating_within)
        return any(bound is not None for bound in range_) or bool(self.in_time or self.n_at_once)


TERMS = tuple(field.name for field in fields(OfferTerms))


def terms_of(offer: Offer) -> OfferTerms:
    """Give the terms of an offer that was made."""
    return OfferTerms(**{name: getattr(offer, name) for name in TERMS})


def terms_check(terms: OfferTerms, kind: str) -> None:
    """Check what an offer asks for. Raises `Refusal` BAD_TERMS."""
    try:
        get_ruleset(terms.title, terms.ruleset_slug)
    except MalformedRecord as fault:
        raise Refusal(Code.BAD_TERMS) from fault
    if not 1 <= terms.n_rounds <= MAX_ROUNDS or terms.pace_slug not in PACES:
        raise Refusal(Code.BAD_TERMS)
    is_live = PACES[terms.pace_slug].is_live
    if terms.weekend_zone and (is_live or terms.weekend_zone not in time_zones()):
        raise Refusal(Code.BAD_TERMS)
    if terms.asks and (kind != Offer.Kind.SEEK or not _is_sound(terms)):
        raise Refusal(Code.BAD_TERMS)


def _is_sound(terms: OfferTerms) -> bool:
    """Say whether what a seek asks can be met by somebody, the maker's own equals for one."""
    has_bounds = terms.rating_low is not None or terms.rating_high is not None
    low = MIN_RATING if terms.rating_low is None else terms.rating_low
    high = MAX_RATING if terms.rating_high is None else terms.rating_high
    within = terms.rating_within
    if not MIN_RATING <= low <= high <= MAX_RATING or (within is not None and has_bounds):
        return False
    if within is not None and not 0 < within <= MAX_RATING:
        return False
    return 0 <= terms.in_time <= MAX_IN_TIME and 0 <= terms.n_at_once <= MAX_AT_ONCE
