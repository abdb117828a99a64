"""What Three Bridges allows: the legal actions, and why another one is refused.

Source: docs/spec/three-bridges.md, Six rounds and Abilities.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from games.engine.api import Json, Ruleset, Seat, check_action
from games.engine.errors import IllegalAction
from games.engine.three_bridges.actions import Action, act
from games.engine.three_bridges.cards import BRIDGES, SUIT, SUITS
from games.engine.three_bridges.state import SEATS, Ability, Asked, Laid, Row, State


def legal_actions(state: State) -> tuple[Action, ...]:
    """List every legal action but `resign` and `timeout`; empty when the game is over."""
    if state.turn is None:
        return ()
    if state.asked is None:
        return tuple(
            action
            for card in state.hands[state.turn]
            for action in _at_each_bridge("place", state.turn, card)
        )
    return _ANSWERS[state.asked.ability](state, state.turn, state.asked)


def forced_turn(ruleset: Ruleset, view: Json) -> tuple[Json, ...]:
    """Give nothing: there is always a choice here.

    A card may be placed at any bridge, every ability but a Chronicler's may be declined, and the
    one that leaves a single answer, an Ace's where no card of the hand fits, would tell the hand.
    """
    return ()


@cache
def _at_each_bridge(kind: Any, seat: Seat, card: str) -> tuple[Action, ...]:
    return tuple(act(kind, seat, card, bridge) for bridge in BRIDGES)


@cache
def _names(seat: Seat) -> tuple[Action, ...]:
    return tuple(act("name", seat, suit=suit) for suit in SUITS)


def _turns(state: State, seat: Seat, asked: Asked) -> tuple[Action, ...]:
    """Any card in either row at the Leaf's bridge that lies face up and is not yet turned."""
    return (
        *(
            act("turn", seat, side=side, index=index)
            for side in SEATS
            for index, laid in enumerate(state.rows[asked.bridge - 1][side])
            if laid.face_up and not laid.turned
        ),
        act("skip", seat),
    )


def _moves(state: State, seat: Seat, asked: Asked) -> tuple[Action, ...]:
    """Any of one's own face-up cards at another bridge than the Ober's."""
    return (
        *(
            act("move", seat, bridge=bridge, index=index)
            for bridge in BRIDGES
            if bridge != asked.bridge
            for index, laid in enumerate(state.rows[bridge - 1][seat])
            if laid.face_up
        ),
        act("skip", seat),
    )


def _extras(state: State, seat: Seat, asked: Asked) -> tuple[Action, ...]:
    """Each card of the Ace's suit in hand, and each Chronicler, at any bridge."""
    suit = _ace_suit(state, seat, asked)
    return (
        *(
            action
            for card in state.hands[seat]
            if SUIT[card] in (suit, None)
            for action in _at_each_bridge("extra", seat, card)
        ),
        act("skip", seat),
    )


_ANSWERS: dict[Ability, Callable[[State, Seat, Asked], tuple[Action, ...]]] = {
    "name": lambda _state, seat, _asked: _names(seat),
    "turn": _turns,
    "swap": lambda _state, seat, _asked: (act("swap", seat), act("skip", seat)),
    "move": _moves,
    "extra": _extras,
}


def refuse(state: State, action: Action) -> None:
    """Raise `IllegalAction` unless the action is legal."""
    check_action(action, Action)
    if state.turn is None:
        raise IllegalAction("game_over")
    if action.type in ("resign", "timeout"):
        return
    if action.seat != state.turn:
        raise IllegalAction("not_your_turn")
    if state.asked is None:
        _refuse_placing(state, action)
    else:
        _refuse_answer(state, action, state.asked)


def _refuse_placing(state: State, action: Action) -> None:
    if action.type != "place":
        raise IllegalAction("must_place")
    _refuse_foreign_card(state, action)


def _refuse_foreign_card(state: State, action: Action) -> None:
    if action.card not in state.hands[action.seat]:
        raise IllegalAction("not_in_hand", {"card": action.card})


def _refuse_answer(state: State, action: Action, asked: Asked) -> None:
    if asked.ability == "name" and action.type != "name":
        raise IllegalAction("must_name", {"card": asked.card})
    if action.type == "skip":
        return
    if action.type != asked.ability:
        raise IllegalAction("must_answer", {"card": asked.card})
    if action.type == "turn":
        _refuse_turn(state, action, asked)
    elif action.type == "move":
        _refuse_move(state, action, asked)
    elif action.type == "extra":
        _refuse_extra(state, action, asked)


def _refuse_turn(state: State, action: Action, asked: Asked) -> None:
    assert action.side is not None
    laid = _face_up_card(state.rows[asked.bridge - 1][action.side], action)
    if laid.turned:
        raise IllegalAction("card_turned", {"card": laid.card})


def _refuse_move(state: State, action: Action, asked: Asked) -> None:
    assert action.bridge is not None
    if action.bridge == asked.bridge:
        raise IllegalAction("same_bridge")
    _face_up_card(state.rows[action.bridge - 1][action.seat], action)


def _face_up_card(row: Row, action: Action) -> Laid:
    assert action.index is not None
    if action.index >= len(row):
        raise IllegalAction("card_not_there")
    laid = row[action.index]
    if not laid.face_up:
        # Its code is its owner's secret, so the refusal does not name it.
        raise IllegalAction("card_face_down")
    return laid


def _refuse_extra(state: State, action: Action, asked: Asked) -> None:
    _refuse_foreign_card(state, action)
    assert action.card is not None
    if SUIT[action.card] not in (_ace_suit(state, action.seat, asked), None):
        raise IllegalAction("wrong_suit", {"card": action.card, "ace": asked.card})


def _ace_suit(state: State, seat: Seat, asked: Asked) -> str | None:
    return state.rows[asked.bridge - 1][seat][asked.index].suit
