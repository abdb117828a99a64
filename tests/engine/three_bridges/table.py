"""Laying out games of Three Bridges for tests, and reading rows, in a few words.

`deal("HX LK B7", "AK A7 …", "…", then="…")` gives round 1 with these five cards in each hand
and `then` on top of the deck; `play(state, "place AK 2", "turn 1 0", …)` acts for whoever is
to act. `row(state, 2, 1)` reads a row: `HX L7/ (B9)` is upright, turned, face down; a
Chronicler with a suit is `C1=B`.
"""

from __future__ import annotations

from typing import Any

from games.engine.api import Seat, Setup
from games.engine.three_bridges import THREE_BRIDGES
from games.engine.three_bridges.cards import ALL_CARDS
from games.engine.three_bridges.state import State

STANDARD = THREE_BRIDGES.meta.rulesets[0]

_KEYS = {
    "place": ("card", "bridge"),
    "name": ("suit",),
    "turn": ("side", "index"),
    "move": ("bridge", "index"),
    "extra": ("card", "bridge"),
}


def setup(bridges: str, hand: str, other_hand: str, then: str = "", *, first: Seat = 0) -> Setup:
    """Give the deal in which seat 0 has `hand`, seat 1 `other_hand`, once round 1 has begun."""
    mine, theirs, top = hand.split(), other_hand.split(), then.split()
    fifth = [mine[4], theirs[4]] if first == 0 else [theirs[4], mine[4]]
    known = [*mine[:4], *theirs[:4], *fifth, *top]
    rest = [card for card in ALL_CARDS if card not in (*known, *bridges.split())]
    piles = (("bridges", tuple(bridges.split())), ("deck", (*known, *rest)))
    return Setup(STANDARD, first, piles)


def deal(bridges: str, hand: str, other_hand: str, then: str = "", *, first: Seat = 0) -> State:
    """Give the state at the start of such a game."""
    state: State = THREE_BRIDGES.setup(setup(bridges, hand, other_hand, then, first=first))
    THREE_BRIDGES.check(state)
    return state


def action(seat: Any, words: str) -> Any:
    """Read an action such as `place HX 2`."""
    kind, *values = words.split()
    payload: dict[str, object] = {"seat": seat, "type": kind}
    for key, value in zip(_KEYS.get(kind, ()), values, strict=True):
        payload[key] = value if key in ("card", "suit") else int(value)
    return THREE_BRIDGES.parse_action(payload)


def play(state: State, *lines: str) -> State:
    """Act for whoever is to act, one line after the other."""
    for words in lines:
        state = THREE_BRIDGES.apply(state, action(state.turn, words))
        THREE_BRIDGES.check(state)
    return state


def row(state: State, bridge: int, seat: Seat) -> str:
    """Read a row."""
    told = []
    for laid in state.rows[bridge - 1][seat]:
        word = f"{laid.card}={laid.suit}" if laid.card[0] == "C" and laid.suit else laid.card
        word += "/" if laid.turned else ""
        told.append(word if laid.face_up else f"({laid.card})")
    return " ".join(told)


def legal(state: State) -> set[str]:
    """Read the legal actions, without their seat, as `action` reads them."""
    listed = [THREE_BRIDGES.action_json(action) for action in THREE_BRIDGES.legal_actions(state)]
    return {" ".join(str(value) for key, value in sorted_words(payload)) for payload in listed}


def sorted_words(payload: dict[str, Any]) -> list[tuple[str, Any]]:
    """Put an action's type first and leave its seat out."""
    kind = payload["type"]
    return [("type", kind), *((key, payload[key]) for key in _KEYS.get(kind, ()))]


def asked(state: State) -> str | None:
    """Read what is being asked, by whom, about which card: `1 turn L9 at 2.0`."""
    if state.asked is None:
        return None
    question = state.asked
    return f"{state.turn} {question.ability} {question.card} at {question.bridge}.{question.index}"


def told(state: State, words: str, viewer: Any = "spectator") -> list[str]:
    """Tell what an action of the seat to act brings about, for a viewer, in English."""
    done = action(state.turn, words)
    after = THREE_BRIDGES.apply(state, done)
    events = THREE_BRIDGES.events(state, done, after)
    is_over = THREE_BRIDGES.to_act(after) is None
    return [_sentence(event, viewer, is_over) for event in events]


def _sentence(event: Any, viewer: Any, is_over: bool) -> str:
    phrase = THREE_BRIDGES.describe(event, viewer, is_over=is_over)
    names = {"player": "Anna", "opponent": "Béla"}
    if event.seat == 1:
        names = {"player": "Béla", "opponent": "Anna"}
    return phrase.msgid % {**names, **dict(phrase.params)}
