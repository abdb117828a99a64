"""The actions of Schotten Totten, in and out of the JSON of docs/spec/records.md."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal

from games.engine.api import Json, Seat
from games.engine.errors import MalformedRecord, shown
from games.engine.schotten_totten.cards import (
    BA,
    CARD_OF,
    CODES,
    N_CLAN,
    RE,
    RUSES,
    ST,
    TR,
    Card,
)

ActionType = Literal["play", "claim", "pass", "draw", "return", "end", "resign", "timeout"]
Deck = Literal["clan", "tactics"]


@dataclass(frozen=True, slots=True)
class Action:
    """The smallest step the rules know. Fields that a type does not use are None.

    `at` and `to` are places 0 to 8, where records say stones 1 to 9.
    """

    type: ActionType
    seat: Seat
    card: Card | None = None
    at: int | None = None
    take: Card | None = None
    """The card that a ruse takes; `to` is where it goes, None for the discard."""
    to: int | None = None
    deck: Deck | None = None


# Equal actions are one value wherever the engine makes them: legal actions are looked up here,
# by seat, then card and place.
SEATS: Final[tuple[Seat, Seat]] = (0, 1)
PLACE: Final = tuple(
    tuple(tuple(Action("play", seat, card, at) for at in range(9)) for card in range(len(CODES)))
    for seat in SEATS
)
RECRUITER: Final = tuple(Action("play", seat, RE) for seat in SEATS)
CLAIM: Final = tuple(tuple(Action("claim", seat, at=at) for at in range(9)) for seat in SEATS)
RETURN: Final = tuple(
    tuple(Action("return", seat, card) for card in range(len(CODES))) for seat in SEATS
)
DRAW_CLAN: Final = tuple(Action("draw", seat, deck="clan") for seat in SEATS)
DRAW_TACTICS: Final = tuple(Action("draw", seat, deck="tactics") for seat in SEATS)
PASS: Final = tuple(Action("pass", seat) for seat in SEATS)
END: Final = tuple(Action("end", seat) for seat in SEATS)
RESIGN: Final = tuple(Action("resign", seat) for seat in SEATS)
TIMEOUT: Final = tuple(Action("timeout", seat) for seat in SEATS)

_PLAIN: Final = {"pass": PASS, "end": END, "resign": RESIGN, "timeout": TIMEOUT}
_DRAWS: Final = {"clan": DRAW_CLAN, "tactics": DRAW_TACTICS}


@lru_cache(maxsize=1 << 12)
def ruse(seat: Seat, card: Card, take: Card, to: int | None = None) -> Action:
    """Give the play of a Strategist, Banshee or Traitor that takes this card."""
    return Action("play", seat, card, take=take, to=to)


def deck_of(card: Card) -> Deck:
    """Name the deck that a card belongs to, which its back shows."""
    return "clan" if card < N_CLAN else "tactics"


def _read(payload: Json, key: str) -> object:
    """Give a key's value. Raises `MalformedRecord` where it is absent."""
    if key not in payload:
        raise MalformedRecord(f"{key} is missing")
    return payload[key]


def read_seat(payload: Json) -> Seat:
    """Read an action's seat. Raises `MalformedRecord`."""
    seat = _read(payload, "seat")
    if type(seat) is int and seat in (0, 1):
        return seat  # type: ignore[return-value]  # narrowed by the line above
    raise MalformedRecord(f"seat must be 0 or 1, not {shown(seat)}")


def _read_card(payload: Json, key: str) -> Card:
    """Read a card's code. Raises `MalformedRecord`."""
    code = _read(payload, key)
    if isinstance(code, str) and code in CARD_OF:
        return CARD_OF[code]
    raise MalformedRecord(f"{key}: unknown card {shown(code)}")


def _read_stone(payload: Json, key: str) -> int:
    """Read a stone, 1 to 9, and give its place. Raises `MalformedRecord`."""
    stone = _read(payload, key)
    if type(stone) is int and 1 <= stone <= 9:
        return stone - 1
    raise MalformedRecord(f"{key} must be a stone from 1 to 9, not {shown(stone)}")


def _read_deck(payload: Json) -> Deck:
    """Read the deck of a draw. Raises `MalformedRecord`."""
    deck = _read(payload, "from")
    if isinstance(deck, str) and deck in _DRAWS:
        return deck  # type: ignore[return-value]  # narrowed by the line above
    raise MalformedRecord(f'from must be "clan" or "tactics", not {shown(deck)}')


def _parse_play(seat: Seat, payload: Json) -> Action:
    """Read a play: of a card at a stone, or of a ruse. Raises `MalformedRecord`."""
    card = _read_card(payload, "card")
    if card not in RUSES:
        return PLACE[seat][card][_read_stone(payload, "stone")]
    if card == RE:
        return RECRUITER[seat]
    take = _read_card(payload, "take")
    if card == BA:
        return ruse(seat, card, take)
    if card == ST and _read(payload, "to") is None:
        return ruse(seat, card, take)
    return ruse(seat, card, take, _read_stone(payload, "to"))


def parse_action(payload: object) -> Action:
    """Read an action's JSON, further keys left aside. Raises `MalformedRecord`."""
    if not isinstance(payload, dict):
        raise MalformedRecord("an action must be an object")
    seat = read_seat(payload)
    kind = _read(payload, "type")
    if not isinstance(kind, str):
        raise MalformedRecord(f"type must be text, not {shown(kind)}")
    if kind in _PLAIN:
        return _PLAIN[kind][seat]
    if kind == "play":
        return _parse_play(seat, payload)
    if kind == "claim":
        return CLAIM[seat][_read_stone(payload, "stone")]
    if kind == "draw":
        return _DRAWS[_read_deck(payload)][seat]
    if kind == "return":
        return RETURN[seat][_read_card(payload, "card")]
    raise MalformedRecord(f"unknown action type {shown(kind)}")


def _stone(at: int | None) -> int | None:
    """Number a place as records do."""
    return None if at is None else at + 1


def action_json(action: Action) -> Json:
    """Write an action in the form of docs/spec/records.md."""
    written: dict[str, Any] = {"seat": action.seat, "type": action.type}
    if action.card is not None:
        written["card"] = CODES[action.card]
    if action.at is not None:
        written["stone"] = _stone(action.at)
    if action.take is not None:
        written["take"] = CODES[action.take]
        if action.card in (ST, TR):
            written["to"] = _stone(action.to)
    if action.deck is not None:
        written["from"] = action.deck
    return written


def resign(seat: Seat) -> Action:
    """Give the action by which the seat gives the game up."""
    return RESIGN[seat]


def timeout(seat: Seat) -> Action:
    """Give the action by which the seat loses the game on time."""
    return TIMEOUT[seat]
