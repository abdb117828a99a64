"""The actions of Three Bridges: their values, and their JSON in and out.

Form: docs/spec/records.md, Actions: Three Bridges. Whether an action is legal is the business
of `legal.py`; here it only has to be an action.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Literal

from games.engine.api import Json, Seat
from games.engine.errors import MalformedRecord, shown
from games.engine.three_bridges.cards import ALL_CARDS, BRIDGES, SUITS

ActionType = Literal["place", "name", "turn", "swap", "move", "extra", "skip", "resign", "timeout"]


@dataclass(frozen=True, slots=True)
class Action:
    """The smallest step. Fields beyond `type` and `seat` are None where the type has none.

    `bridge` counts from 1, `index` from 0; `side` is the seat whose row is meant.
    """

    type: ActionType
    seat: Seat
    card: str | None = None
    bridge: int | None = None
    suit: str | None = None
    side: Seat | None = None
    index: int | None = None


act = cache(Action)
"""Make an action; equal ones are one object."""

_KEYS: dict[ActionType, tuple[str, ...]] = {
    "place": ("card", "bridge"),
    "name": ("suit",),
    "turn": ("side", "index"),
    "swap": (),
    "move": ("bridge", "index"),
    "extra": ("card", "bridge"),
    "skip": (),
    "resign": (),
    "timeout": (),
}
"""What each type of action says beside its type and seat."""


def _one_of(*values: object) -> Callable[[object], bool]:
    """Give a test for these values, of the same JSON type: true is not 1."""
    kinds = {type(value) for value in values}
    return lambda value: type(value) in kinds and value in values


def _is_index(value: object) -> bool:
    return type(value) is int and 0 <= value < len(ALL_CARDS)


_IS_VALID: dict[str, Callable[[object], bool]] = {
    "seat": _one_of(0, 1),
    "card": _one_of(*ALL_CARDS),
    "bridge": _one_of(*BRIDGES),
    "suit": _one_of(*SUITS),
    "side": _one_of(0, 1),
    "index": _is_index,
}

_MAY_BE: dict[str, str] = {
    "seat": "0 or 1",
    "card": "a card's code, such as HX or C1",
    "bridge": "a bridge from 1 to 3",
    "suit": " or ".join(SUITS),
    "side": "0 or 1",
    "index": "a place in a row, from 0",
}


def parse_action(payload: object) -> Action:
    """Read an action's JSON, further keys left aside. Raises `MalformedRecord`."""
    if not isinstance(payload, Mapping):
        raise MalformedRecord("an action must be an object")
    kind = payload.get("type")
    if not isinstance(kind, str) or kind not in _KEYS:
        raise MalformedRecord(f"unknown action type {shown(kind)}; known: {', '.join(_KEYS)}")
    return act(kind, **{key: _read(payload, key) for key in ("seat", *_KEYS[kind])})


def _read(payload: Mapping[str, Any], key: str) -> Any:
    if key not in payload:
        raise MalformedRecord(f"{key} is missing")
    if not _IS_VALID[key](payload[key]):
        raise MalformedRecord(f"{key} must be {_MAY_BE[key]}, not {shown(payload[key])}")
    return payload[key]


def resign(seat: Seat) -> Action:
    """Give the action by which the seat gives the game up."""
    return act("resign", seat)


def timeout(seat: Seat) -> Action:
    """Give the action by which the seat loses the game on time."""
    return act("timeout", seat)


_OPTIONAL = tuple(field.name for field in fields(Action) if field.default is None)


def action_json(action: Action) -> Json:
    """Write an action in the form of docs/spec/records.md."""
    written: Json = {"seat": action.seat, "type": action.type}
    for key in _OPTIONAL:
        value = getattr(action, key)
        if value is not None:
            written[key] = value
    return written
