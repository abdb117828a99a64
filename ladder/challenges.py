"""Whether one player can challenge another to a rated match, and if not, why."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from accounts.blocks import blocks_about
from accounts.models import User
from games.services.offers import has_room
from ladder.memberships import may_play_rated


class Obstacle(StrEnum):
    """Why somebody cannot challenge a player."""

    NOT_LOGGED_IN = "not_logged_in"
    SELF = "self"
    NO_RATED_PLAY = "no_rated_play"
    BOT = "bot"
    GUEST = "guest"
    CLOSED = "closed"
    BLOCKED = "blocked"
    APART = "apart"
    TOO_MANY_OFFERS = "too_many_offers"


@dataclass(frozen=True, slots=True)
class Bars:
    """What keeps a viewer from challenging players, read once for a whole page.

    `apart` are all whom the viewer may not meet, whoever set the block.
    """

    blocked: Collection[int] = ()
    apart: Collection[int] = ()
    has_room: bool = True


NO_BARS = Bars()


def bars_for(viewer: User | None) -> Bars:
    """Read what keeps a viewer from challenging. Two queries, none for visitors."""
    if viewer is None:
        return NO_BARS
    return Bars(*blocks_about(viewer.pk), has_room(viewer))


def challenge_obstacle(viewer: User | None, player: User, bars: Bars) -> Obstacle | None:
    """Say what stands in the way of a rated challenge; None where the offer can be made.

    `offer_create` asks again: this is for the button. No queries.
    """
    if viewer is None:
        return Obstacle.NOT_LOGGED_IN
    if viewer.pk == player.pk:
        return Obstacle.SELF
    if not player.is_active:
        return Obstacle.CLOSED
    if player.is_bot:
        return Obstacle.BOT
    if player.is_guest:
        return Obstacle.GUEST
    if not may_play_rated(viewer):
        return Obstacle.NO_RATED_PLAY
    return _barred(player, bars)


def _barred(player: User, bars: Bars) -> Obstacle | None:
    """Say what the viewer has to do with it; who was blocked is not told by whom."""
    if player.pk in bars.blocked:
        return Obstacle.BLOCKED
    if player.pk in bars.apart:
        return Obstacle.APART
    return None if bars.has_room else Obstacle.TOO_MANY_OFFERS
