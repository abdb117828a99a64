"""What a table is laid from: the position with the viewer's plan on it, worked out once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from games.engine.api import Json
from games.plans import plan_fold
from games.presenters.sight import Sight


@dataclass(frozen=True, slots=True)
class Laying:
    """A position for one viewer. Claims of the plan are shown, not made."""

    sight: Sight
    state: Any
    """The state with the viewer's plan on it; a draw is never tried out."""
    now: Json
    """The view of the game as it stands."""
    view: Json
    """The view of the state with the plan, to be asked for what is public and for `legal`."""
    hands: tuple[Any, Any]
    last_cards: frozenset[str]
    """Cards that came to a stone, or were moved, in the last turn."""
    last_stones: frozenset[int]
    """Stones that changed hands in the last turn."""

    @property
    def phase(self) -> str:
        """Give the phase as the plan leaves it."""
        return str(self.view["phase"])

    @property
    def legal(self) -> Sequence[Json]:
        """Give what the viewer may do after the plan."""
        return self.view["legal"] if self.sight.is_to_act else ()

    @property
    def plays(self) -> Sequence[Json]:
        """Give the plays that the viewer may make now."""
        return [action for action in self.legal if action["type"] == "play"]

    @property
    def claims_option(self) -> str:
        """Give the ruleset's `claims` (docs/spec/schotten-totten.md, "Options of a game")."""
        return str(dict(self.sight.ruleset.options)["claims"])

    @property
    def has_tactics(self) -> bool:
        """Say whether the tactics cards are played with."""
        return bool(dict(self.sight.ruleset.options)["tactics"])


def lay(sight: Sight) -> Laying:
    """Lay the plan on the table."""
    state, now = sight.state, sight.view_of(sight.state)
    view = now
    if sight.seat is not None and sight.plan.laid:
        state = plan_fold(sight.title, state, sight.seat, sight.plan.laid).state
        view = sight.view_of(state)
    last = sight.last_turn()
    cards = [event.get("take") or event.get("card") for event in last if event.kind in _LAYING]
    stones = [event.get("stone") for event in last if event.kind in ("claim", "goes_over")]
    return Laying(
        sight=sight,
        state=state,
        now=now,
        view=view,
        hands=_hands(sight, now, view),
        last_cards=frozenset(cards),
        last_stones=frozenset(stones),
    )


_LAYING = ("play", "strategist_moves", "traitor")
"""Events after which a card lies at a stone where it did not lie before."""


def _hands(sight: Sight, now: Json, view: Json) -> tuple[Any, Any]:
    """Give both hands as the viewer may see them.

    A plan that would end the game does not open the other hand: it is not made yet.
    """
    hands = [(view if seat == sight.seat else now)["hands"][seat] for seat in (0, 1)]
    return (hands[0], hands[1])
