"""What a board is presented from: a game folded, who looks, and a plan that nobody else sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from games.engine.api import AnyTitle, Event, Json, Ruleset, Seat, Viewer, other


@dataclass(frozen=True, slots=True)
class Plan:
    """A turn that is being thought over.

    `laid` are its actions as far as they are whole, `chosen` the stones to claim, and `picked`
    is what has been chosen of the next action, in the title's own words.
    """

    laid: tuple[Json, ...] = ()
    chosen: frozenset[int] = frozenset()
    picked: Json = field(default_factory=dict)


NO_PLAN: Final = Plan()


@dataclass(frozen=True, slots=True)
class Sight:
    """A viewer before a board.

    `state` is the game as it stands, `events` how it came about, each with its version, and
    `seats` who made each action, by version from 1 on. `plan` holds what of the viewer's plan
    is legal now: it is empty for all but the seat to act.
    """

    title: AnyTitle
    ruleset: Ruleset
    state: Any
    seats: Sequence[Seat]
    events: Sequence[tuple[int, Event]]
    viewer: Viewer
    is_running: bool
    """Whether the game goes on; an aborted one does not, though its state is not over."""
    names: tuple[str, str]
    plan: Plan = NO_PLAN
    is_open: bool = False
    """Whether nothing is hidden: the game is over, though `state` may be of before its end."""

    def view_of(self, state: Any) -> Json:
        """Write what the viewer may know of a state of this game."""
        if self.is_open:
            return self.title.state_json(state)
        return self.title.view(state, self.viewer)

    @property
    def seat(self) -> Seat | None:
        """Give the viewer's seat, None for a spectator."""
        return None if self.viewer == "spectator" else self.viewer

    @property
    def bottom(self) -> Seat:
        """Give the seat that is shown below the border: the viewer's own, else seat 0."""
        return 0 if self.viewer == "spectator" else self.viewer

    @property
    def top(self) -> Seat:
        """Give the seat that is shown above the border."""
        return other(self.bottom)

    @property
    def is_to_act(self) -> bool:
        """Say whether the viewer is to act."""
        if self.seat is None or not self.is_running:
            return False
        return self.title.to_act(self.state) == self.seat

    def last_turn(self) -> list[Event]:
        """Give the events of the turn that was made last; giving up is no turn."""
        told = [(version, event) for version, event in self.events if not _gives_up(event)]
        if not told:
            return []
        start = last = told[-1][0]
        while start > 1 and self.seats[start - 2] == self.seats[last - 1]:
            start -= 1
        return [event for version, event in told if version >= start]


def _gives_up(event: Event) -> bool:
    return event.kind in ("resign", "timeout", "won_resign", "won_timeout")
