"""States and actions of Three Bridges as JSON: for those who may know all, and for a viewer.

A view is built up from what its viewer may know; nothing is ever taken out of a full state.
Form: docs/spec/records.md, A state. What is public: docs/spec/three-bridges.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.engine.api import Json, Outcome, Seat, Viewer, check_viewer
from games.engine.three_bridges import scoring
from games.engine.three_bridges.actions import Action, action_json
from games.engine.three_bridges.legal import legal_actions
from games.engine.three_bridges.meta import SLUG
from games.engine.three_bridges.state import SEATS, Asked, Laid, State


def outcome(state: State) -> Outcome | None:
    """Say how the game ended, None while it runs.

    Points are the site's match score (docs/spec/three-bridges.md, Matches).
    """
    if state.reason is None:
        return None
    points = scoring.bridges_won(state) if state.reason == "bridges" else (0, 0)
    if state.winner is not None:
        points = (5, points[1]) if state.winner == 0 else (points[0], 5)
    return Outcome(winner=state.winner, reason=state.reason, points=points)


def state_json(state: State) -> Json:
    """Write everything about a state, for those who may know everything."""
    return _state_json(state, SEATS, state.turn)


def view(state: State, viewer: Viewer) -> Json:
    """Write what this viewer may know; all of it when the game is over."""
    check_viewer(viewer)
    if state.turn is None:
        return state_json(state)
    knows: tuple[Seat, ...] = () if viewer == "spectator" else (viewer,)
    return _state_json(state, knows, None if viewer == "spectator" else viewer)


def _state_json(state: State, knows: Sequence[Seat], acts: Seat | None) -> Json:
    """Write a state for somebody who knows what these seats know, and acts for this one."""
    return {
        **_public_json(state),
        "hands": [
            list(hand) if seat in knows else {"cards": len(hand)}
            for seat, hand in zip(SEATS, state.hands, strict=True)
        ],
        "rows": [
            [[_laid_json(laid, knows=seat in knows) for laid in pair[seat]] for seat in SEATS]
            for pair in state.rows
        ],
        "legal": (
            [action_json(action) for action in legal_actions(state)]
            if acts is not None and acts == state.turn
            else []
        ),
        **_end_json(state),
    }


def _public_json(state: State) -> Json:
    return {
        "game": SLUG,
        "turn": state.turn,
        "phase": state.phase,
        "round": state.round,
        "starter": state.starter,
        "deck": len(state.deck) - state.n_drawn,
        "bridges": list(state.bridges),
        "asked": state.asked.ability if state.asked else None,
        "asker": _asker_json(state.asked) if state.asked else None,
        "winner": state.winner,
        "reason": state.reason,
        "drawn": state.reason is not None and state.winner is None,
    }


def _asker_json(asked: Asked) -> Json:
    return {"card": asked.card, "bridge": asked.bridge, "index": asked.index}


def _laid_json(laid: Laid, *, knows: bool) -> Json:
    if laid.face_up or knows:
        return {
            "card": laid.card,
            "suit": laid.suit,
            "turned": laid.turned,
            "face_up": laid.face_up,
        }
    return {"card": None, "suit": None, "turned": False, "face_up": False}


def _end_json(state: State) -> Json:
    ended = outcome(state)
    if ended is None:
        return {}
    scores = None
    if ended.reason == "bridges":
        scores = [[scoring.as_points(half) for half in pair] for pair in scoring.half_points(state)]
    return {"scores": scores, "points": list(ended.points)}


def redact(state: State, actions: Sequence[Action], viewer: Viewer) -> list[Json]:
    """Write the actions that led to `state` as this viewer may know them now.

    A card that another seat placed stays unnamed until it is turned up or the game is over.
    """
    check_viewer(viewer)
    hidden = _hidden_cards(state, viewer)
    return [_redacted(action, hidden) for action in actions]


def _hidden_cards(state: State, viewer: Viewer) -> frozenset[str]:
    if state.turn is None:
        return frozenset()
    return frozenset(
        laid.card
        for pair in state.rows
        for seat in SEATS
        for laid in pair[seat]
        if seat != viewer and not laid.face_up
    )


def _redacted(action: Action, hidden: frozenset[str]) -> dict[str, Any]:
    written = action_json(action)
    if action.type == "place" and action.card in hidden:
        written["card"] = None
    return written
