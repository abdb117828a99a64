"""What a state looks like in JSON (docs/spec/records.md), for all and for one viewer.

A view is built up from what its viewer may know; nothing is copied and then taken away.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.engine.api import Json, Seat, Viewer, check_viewer
from games.engine.schotten_totten.actions import Action, action_json, deck_of
from games.engine.schotten_totten.cards import CODES, N_CLAN, codes_of
from games.engine.schotten_totten.legal import legal_actions
from games.engine.schotten_totten.meta import SLUG
from games.engine.schotten_totten.state import Cards, State, outcome, to_act


def state_json(state: State) -> Json:
    """Write everything about a state, for those who may know everything."""
    return _write(state, [_open_hand(hand) for hand in state.hands], _legal(state))


def view(state: State, viewer: Viewer) -> Json:
    """Write what this viewer may know; all of it when the game is over."""
    check_viewer(viewer)
    if state.ending is not None:
        return state_json(state)
    hands = [
        _open_hand(hand) if seat == viewer else _backs(hand)
        for seat, hand in enumerate(state.hands)
    ]
    return _write(state, hands, _legal(state) if viewer == state.turn else [])


def redact(state: State, actions: Sequence[Action], viewer: Viewer) -> list[Json]:
    """Write the actions that led to `state` as this viewer may know them now."""
    check_viewer(viewer)
    is_open = state.ending is not None
    return [
        action_json(action)
        if is_open or action.type != "return" or action.seat == viewer
        else _hidden_return(action)
        for action in actions
    ]


def _hidden_return(action: Action) -> Json:
    """Write a Recruiter's return as the other seat sees it: the deck, not the card."""
    assert action.card is not None
    to = deck_of(action.card)
    return {"seat": action.seat, "type": "return", "card": None, "to": to}


def _open_hand(hand: Cards) -> list[str]:
    """Write a hand for those who see its faces."""
    return sorted(codes_of(hand))


def _backs(hand: Cards) -> Json:
    """Write a hand for those who see its backs, which differ by deck."""
    clan = sum(card < N_CLAN for card in hand)
    return {"clan": clan, "tactics": len(hand) - clan}


def _legal(state: State) -> list[Json]:
    """Write the legal actions."""
    return [action_json(action) for action in legal_actions(state)]


def _owner(state: State, at: int) -> Seat | None:
    """Give the owner of a stone, None while nobody has claimed it."""
    if state.owned[0] >> at & 1:
        return 0
    return 1 if state.owned[1] >> at & 1 else None


def _stone(state: State, at: int) -> Json:
    """Write one stone."""
    stone = state.stones[at]
    return {
        "owner": _owner(state, at),
        "sides": [codes_of(side) for side in stone.sides],
        "modes": codes_of(stone.modes),
        "completed_first": stone.first,
    }


def _recruit(state: State) -> Json | None:
    """Write what of a Recruiter is still to be made."""
    if state.tactics.recruit is None:
        return None
    draws, returns = state.tactics.recruit
    return {"draws": draws, "returns": returns}


def _write(state: State, hands: list[Any], legal: list[Json]) -> Json:
    """Write the public part of a state, with these hands and legal actions."""
    ended = outcome(state)
    written: Json = {
        "game": SLUG,
        "turn": to_act(state),
        "phase": state.phase,
        "hands": hands,
        "decks": {"clan": len(state.deck), "tactics": len(state.tactics.deck)},
        "stones": [_stone(state, at) for at in range(9)],
        "discard": [CODES[card] for card in state.tactics.discard],
        "tactics_played": list(state.tactics.played),
        "jokers_played": list(state.tactics.jokers),
        "recruit": _recruit(state),
        "idle_turns": state.idle_turns,
        "winner": ended.winner if ended else None,
        "reason": ended.reason if ended else None,
        "drawn": ended is not None and ended.winner is None,
        "legal": legal,
    }
    if ended:
        written["points"] = list(ended.points)
    return written
