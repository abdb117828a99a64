"""Who may play with whom, asked in one place: where an offer is made, shown and accepted."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from accounts.blocks import may_meet
from accounts.models import User
from games.hooks import Rating, hooks
from games.models import Offer
from games.refusals import Code, Refusal
from games.reliability import Timeliness, timeliness_of


def may_play(*players: User, is_rated: bool) -> None:
    """Check that players, one or two, may begin a match; the rows are as fresh as the caller's.

    Raises `Refusal`: PLAYER_UNAVAILABLE for a closed or deleted account, CANNOT_MEET where one
    blocks the other, in words that do not tell which, NO_RATED_PLAY. One query for two.
    """
    if not all(player.is_active for player in players):
        raise Refusal(Code.PLAYER_UNAVAILABLE)
    if len(players) == 2 and not may_meet(players[0].pk, players[1].pk):
        raise Refusal(Code.CANNOT_MEET)
    if is_rated and not all(hooks.may_play_rated(player) for player in players):
        raise Refusal(Code.NO_RATED_PLAY)


@dataclass(frozen=True, slots=True)
class Candidate:
    """What offers may ask of who accepts them: read once for as many offers as are shown."""

    user: User
    rating: Callable[[int, str, str], Rating]
    """A player's rating by user id, title and ruleset, as it is shown: 1500 before the first."""
    timeliness: Timeliness | None
    """None where no offer asks for it."""

    def obstacle(self, offer: Offer) -> Refusal | None:
        """Say what keeps this player from accepting an offer; None where nothing does.

        A provisional rating counts as any other, and a bot as any other player.
        """
        low, high = self._range(offer)
        own = self.rating(self.user.pk, offer.title, offer.ruleset_slug).points
        if not low <= own <= high:
            code = Code.RATING_OUTSIDE
            if high == MAX_RATING:
                code = Code.RATING_BELOW
            elif low == MIN_RATING:
                code = Code.RATING_ABOVE
            return Refusal(code, low=low, high=high, rating=own)
        if offer.in_time and self.timeliness and not self.timeliness.has_kept(offer.in_time):
            n_since = self.timeliness.n_since
            return Refusal(Code.NOT_IN_TIME, n=offer.in_time, n_since=n_since)
        return None

    def _range(self, offer: Offer) -> tuple[int, int]:
        if offer.rating_within:
            maker = self.rating(offer.maker_id, offer.title, offer.ruleset_slug).points
            return maker - offer.rating_within, maker + offer.rating_within
        low = MIN_RATING if offer.rating_low is None else offer.rating_low
        return low, MAX_RATING if offer.rating_high is None else offer.rating_high


MIN_RATING, MAX_RATING = 0, 9999
"""What a range may be made of; nobody gets beyond."""


def candidate(user: User, offers: Collection[Offer]) -> Candidate:
    """Read what some offers ask of a player. No query where they ask nothing, three at most."""
    makers = {offer.maker_id for offer in offers if offer.rating_within}
    has_range = bool(makers) or any(offer.has_range for offer in offers)
    asks_time = any(offer.in_time for offer in offers)
    return Candidate(
        user,
        hooks.rating_lookup({user.pk, *makers} if has_range else ()),
        timeliness_of(user.pk) if asks_time else None,
    )
