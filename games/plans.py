"""Turns thought over before they are made. A plan is folded in memory and never kept.

docs/spec/records.md has the form of actions; a plan is a seat's actions up to the one that shows
a card, a draw say: that one is made and never tried out, for an answer to it, yes or no, would
tell of the card.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from games.engine.api import AnyTitle, Json, Seat
from games.engine.errors import IllegalAction, MalformedRecord
from games.refusals import Code, Refusal

MAX_ACTIONS = 40
_CLOSING = ("draw", "end")
_NEVER_PLANNED = ("resign", "timeout")
"""Ways out of a game that are no part of a turn; each has a service of its own."""


@dataclass(frozen=True, slots=True)
class PlanFolded:
    """A plan laid on a state: as far as it is legal, and the first action that is not."""

    state: Any
    laid: tuple[Json, ...]
    refused: IllegalAction | None


def plan_fold(title: AnyTitle, state: Any, seat: Seat, actions: Sequence[Json]) -> PlanFolded:
    """Lay a seat's actions on a state, up to the one that ends the game or is illegal.

    Raises `MalformedRecord` for what is no action, and for one that may show a card;
    `IllegalAction` is returned.
    """
    laid: list[Json] = []
    for payload in actions:
        if title.to_act(state) is None:
            break
        action = _parse(title, seat, payload)
        if title.meta.may_show(payload["type"]):
            raise MalformedRecord("what may show a card is not tried out")
        try:
            state = title.apply(state, action)
        except IllegalAction as refused:
            return PlanFolded(state, tuple(laid), refused)
        laid.append(title.action_json(action))
    return PlanFolded(state, tuple(laid), None)


def plan_check(title: AnyTitle, state: Any, seat: Seat, actions: Sequence[Json]) -> PlanFolded:
    """Lay a seat's actions on a state. Raises `Refusal`: MALFORMED, or ILLEGAL as the engine."""
    try:
        folded = plan_fold(title, state, seat, actions)
    except MalformedRecord as fault:
        raise Refusal(Code.MALFORMED) from fault
    if folded.refused is not None:
        raise illegal(title, folded.refused)
    return folded


def plan_complete(
    title: AnyTitle, state: Any, seat: Seat, actions: Sequence[Json]
) -> tuple[Json, ...]:
    """Give a confirmed plan as actions, the closing draw or end included.

    Raises `Refusal`: MALFORMED, ILLEGAL with the engine's code, or INCOMPLETE where the plan
    does not hold a whole step. An action that may show a card has to be the last, and nothing
    is added to it: what comes then is decided with the card in sight.
    """
    if len(actions) > MAX_ACTIONS:
        raise Refusal(Code.INCOMPLETE)
    planned, showing = _parted(title, actions)
    folded = plan_check(title, state, seat, planned)
    if title.to_act(folded.state) != seat:
        return folded.laid
    if showing:
        return (*folded.laid, _showing(title, folded.state, seat, showing[0]))
    completed = folded.laid + _closing(title, folded.state, seat)
    if not completed:
        raise Refusal(Code.INCOMPLETE)
    return completed


def illegal(title: AnyTitle, refused: IllegalAction) -> Refusal:
    """Give the refusal that carries the engine's own code and what it may name."""
    return Refusal(Code.ILLEGAL, title=title.meta.slug, reason=refused.code, params=refused.params)


def _parse(title: AnyTitle, seat: Seat, payload: object) -> Any:
    if not isinstance(payload, dict) or payload.get("type") in _NEVER_PLANNED:
        raise MalformedRecord("a plan holds the actions of a turn")
    return title.parse_action({**payload, "seat": seat})


def _parted(title: AnyTitle, actions: Sequence[Json]) -> tuple[Sequence[Json], Sequence[Json]]:
    """Part the actions before the first that may show a card from that one."""
    for at, action in enumerate(actions):
        if isinstance(action, dict) and title.meta.may_show(action.get("type")):
            if at + 1 < len(actions):
                raise Refusal(Code.MALFORMED)
            return actions[:at], actions[at:]
    return actions, ()


def _showing(title: AnyTitle, state: Any, seat: Seat, payload: Json) -> Json:
    """Give the last action in full, having seen that it is legal; what it brings is not told."""
    try:
        action = _parse(title, seat, payload)
        title.apply(state, action)
    except MalformedRecord as fault:
        raise Refusal(Code.MALFORMED) from fault
    except IllegalAction as refused:
        raise illegal(title, refused) from refused
    return title.action_json(action)


def _closing(title: AnyTitle, state: Any, seat: Seat) -> tuple[Json, ...]:
    """Give the action that ends the turn where exactly one can; a choice is the player's."""
    view = title.view(state, seat)
    if view["phase"] == "play":
        raise Refusal(Code.INCOMPLETE)
    if view["phase"] != "end":
        return ()
    closing = [action for action in view["legal"] if action["type"] in _CLOSING]
    if len(closing) != 1:
        raise Refusal(Code.INCOMPLETE)
    return (closing[0],)
