"""Prepared answers of Three Bridges.

Conditions: `{"when": "any"}`, `{"when": "places", "bridge": 1 to 3 or None}`, `{"when":
"turned_up", "suit": "H" or "", "rank": "7" or "", "bridge": …}`, which counts the opponent's card
alone. Plans: `{"card": code, "bridge": 1 to 3}`. What an ability asks is never prepared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from games.engine.api import AnyTitle, Json, Ruleset, Seat
from games.engine.errors import IllegalAction
from games.plans import illegal
from games.prepared.answers import Answer, PublicEvent
from games.refusals import Code, Refusal

WHEN: Final = ("any", "places", "turned_up")
_PLACING: Final = ("placed", "played")


class ThreeBridgesAnswers:
    """Meets `games.prepared.answers.TitleAnswers`."""

    def check(
        self, title: AnyTitle, ruleset: Ruleset, view: Json, seat: Seat, answer: Answer
    ) -> None:
        """Raise the `Refusal` that an answer meets now."""
        if answer.condition.get("when") not in WHEN:
            raise Refusal(Code.MALFORMED)
        card = answer.plan["card"]
        if card not in view["hands"][seat]:
            raise illegal(title, IllegalAction("not_in_hand", {"card": card}))

    def is_met(self, condition: Json, events: Sequence[PublicEvent], opponent: Seat) -> bool:
        """Say whether the opponent's turn meets a condition."""
        if condition["when"] == "any":
            return True
        is_like = _is_placed if condition["when"] == "places" else _is_turned_up
        theirs = [event for event in events if event.seat == opponent]
        return any(
            is_like(condition, event) and condition["bridge"] in (None, event.get("bridge"))
            for event in theirs
        )

    def actions(
        self, title: AnyTitle, ruleset: Ruleset, state: Any, seat: Seat, plan: Json
    ) -> tuple[Json, ...]:
        """Give the one action of a plan: it may turn cards up, so nothing comes after it."""
        return ({"type": "place", "card": plan["card"], "bridge": plan["bridge"]},)


def _is_placed(condition: Json, event: PublicEvent) -> bool:
    return event.kind in _PLACING


def _is_turned_up(condition: Json, event: PublicEvent) -> bool:
    if event.kind != "turned_up":
        return False
    suit, rank = event.get("card")
    return condition["suit"] in ("", suit) and condition["rank"] in ("", rank)
