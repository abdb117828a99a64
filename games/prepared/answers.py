"""What prepared answers of all titles share: public events, and what a title has to know.

A condition sees a turn as a spectator does, through the engine's `describe`: a card that lies
face down or was drawn is in no event, so nothing hidden can be made a condition of.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from games.engine.api import AnyTitle, Event, Json, Ruleset, Seat


@dataclass(frozen=True, slots=True)
class PublicEvent:
    """An event as everybody was told it. `seat` is whom it is about."""

    kind: str
    seat: Seat | None
    params: tuple[tuple[str, Any], ...]

    def get(self, key: str) -> Any:
        """Give one parameter, None where it is absent or hidden."""
        return dict(self.params).get(key)


def public_events(title: AnyTitle, events: Iterable[Event]) -> tuple[PublicEvent, ...]:
    """Tell events as a spectator of the running game hears them."""
    return tuple(
        PublicEvent(
            event.kind, event.seat, title.describe(event, "spectator", is_over=False).params
        )
        for event in events
    )


def covers(wider: Json, condition: Json) -> bool:
    """Say whether a turn that meets a condition always meets the wider one too, in any title.

    That is "anything", the same once more, and one in which parts are left open (None or empty).
    """
    if wider["when"] == "any":
        return True
    if wider["when"] != condition["when"]:
        return False
    return all(part in (None, "", condition.get(key)) for key, part in wider.items())


class TitleAnswers(Protocol):
    """What a title knows of prepared answers. Conditions and plans are JSON in its own words."""

    def check(
        self, title: AnyTitle, ruleset: Ruleset, view: Json, seat: Seat, answer: Answer
    ) -> None:
        """Raise the `Refusal` that an answer meets now; `view` is the seat's own.

        What the opponent's turn may still change is not asked: that is seen when it is played.
        """

    def is_met(self, condition: Json, events: Sequence[PublicEvent], opponent: Seat) -> bool:
        """Say whether the opponent's turn, told by these events, meets a condition."""

    def actions(
        self, title: AnyTitle, ruleset: Ruleset, state: Any, seat: Seat, plan: Json
    ) -> tuple[Json, ...]:
        """Give the actions of a plan on the state that has come about, legal or not."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A condition with the turn that answers it."""

    condition: Json
    plan: Json
