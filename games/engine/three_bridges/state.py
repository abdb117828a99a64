"""A position of Three Bridges: its facts, how it begins, and what always holds of it.

Bridges are numbered 1 to 3 and rows from 0, as in docs/spec/records.md. Source of the rules:
docs/spec/three-bridges.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from games.engine.api import Outcome, Ruleset, Seat, Setup, other
from games.engine.errors import MalformedRecord, shown
from games.engine.shuffle import shuffled
from games.engine.three_bridges.cards import (
    ALL_CARDS,
    CHRONICLERS,
    FIGURE,
    N_BRIDGES,
    N_DEALT,
    SUIT,
)

N_ROUNDS: Final = 6

SEATS: Final[tuple[Seat, Seat]] = (0, 1)

Ability = Literal["name", "turn", "swap", "move", "extra"]

Piles = tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Laid:
    """A card in a row. `suit` is None for a Chronicler that has not been named."""

    card: str
    suit: str | None
    turned: bool
    face_up: bool


@cache
def lay(card: str, suit: str | None, *, turned: bool = False, face_up: bool = True) -> Laid:
    """Give the one value that stands for a card lying so."""
    return Laid(card, suit, turned, face_up)


Hand = tuple[str, ...]
"""Cards sorted by code point."""

Row = tuple[Laid, ...]
Rows = tuple[tuple[Row, Row], ...]
"""For each bridge the rows of both seats."""


@dataclass(frozen=True, slots=True)
class Asked:
    """An ability that is being asked for, and the card that asks."""

    ability: Ability
    card: str
    bridge: int
    index: int


@dataclass(frozen=True, slots=True)
class State:
    """All facts of a position. `deck` is the whole deck as dealt, `n_drawn` what has left it."""

    first: Seat
    deck: tuple[str, ...]
    n_drawn: int
    round: int
    hands: tuple[Hand, Hand]
    bridges: tuple[str, ...]
    rows: Rows
    turn: Seat | None
    asked: Asked | None
    reason: str | None
    winner: Seat | None

    @property
    def starter(self) -> Seat:
        """Give the seat that starts this round; the start alternates."""
        return self.first if self.round % 2 else other(self.first)

    @property
    def phase(self) -> str:
        """Say what is to be done: `place`, `resolve`, or nothing, `over`."""
        if self.turn is None:
            return "over"
        return "resolve" if self.asked else "place"


def set_up(setup: Setup) -> State:
    """Give the state before the first action: four cards each, and the draws of round 1.

    Raises `MalformedRecord` unless `bridges` and `deck` hold each card once, as they must.
    """
    _check_piles(dict(setup.piles))
    deck = setup.pile("deck")
    hands = [list(deck[:N_DEALT]), list(deck[N_DEALT : 2 * N_DEALT])]
    hands[setup.first].append(deck[2 * N_DEALT])
    hands[other(setup.first)].append(deck[2 * N_DEALT + 1])
    return State(
        first=setup.first,
        deck=deck,
        n_drawn=2 * N_DEALT + 2,
        round=1,
        hands=(tuple(sorted(hands[0])), tuple(sorted(hands[1]))),
        bridges=setup.pile("bridges"),
        rows=(((), ()),) * N_BRIDGES,
        turn=setup.first,
        asked=None,
        reason=None,
        winner=None,
    )


def _check_piles(piles: dict[str, tuple[str, ...]]) -> None:
    """Raise `MalformedRecord` for a pile or card that is missing, doubled or out of place."""
    sizes = {"bridges": N_BRIDGES, "deck": len(ALL_CARDS) - N_BRIDGES}
    if extra := piles.keys() - sizes.keys():
        raise MalformedRecord(f"{min(extra)}: this ruleset has no such pile")
    for key, size in sizes.items():
        if key not in piles:
            raise MalformedRecord(f"{key} is missing")
        if len(piles[key]) != size:
            raise MalformedRecord(f"{key} must hold {size} cards")
    dealt = Counter((*piles["bridges"], *piles["deck"]))
    for card in dealt:
        if card not in SUIT:
            raise MalformedRecord(f"unknown card {shown(card)}")
    for card in ALL_CARDS:
        if dealt[card] != 1:
            raise MalformedRecord(f"card {card} is {'doubled' if dealt[card] else 'missing'}")
    if not set(piles["bridges"]).isdisjoint(CHRONICLERS):
        raise MalformedRecord("a Chronicler is never a bridge")


def to_act(state: State) -> Seat | None:
    """Give the seat to act, None when the game is over."""
    return state.turn


def next_first(first: Seat, outcome: Outcome) -> Seat:
    """Say who starts the next game of a match: starters alternate, whoever won."""
    return other(first)


def deal(ruleset: Ruleset, below: Callable[[int], int]) -> Piles:
    """Draw bridges and deck with `below(n)`, a number from 0 to n - 1 (docs/spec/shuffle.md, 7)."""
    turned_up = shuffled(ALL_CARDS, below)
    bridges = tuple(card for card in turned_up if card not in CHRONICLERS)[:N_BRIDGES]
    deck = shuffled(tuple(card for card in ALL_CARDS if card not in bridges), below)
    return (("bridges", bridges), ("deck", deck))


def check(state: State) -> None:
    """Raise `AssertionError` unless every card is in exactly one place and all else holds."""
    _check_places(state)
    _check_rows(state)
    assert 1 <= state.round <= N_ROUNDS, "there are six rounds"
    assert (state.reason is None) == (state.turn is not None), "over means that nobody acts"
    assert state.winner is None or state.reason is not None, "a running game has no winner"
    if state.asked is not None:
        _check_asked(state, state.asked)


def _check_places(state: State) -> None:
    lying = [laid.card for pair in state.rows for row in pair for laid in row]
    cards = (*state.deck[state.n_drawn :], *state.hands[0], *state.hands[1], *state.bridges, *lying)
    assert sorted(cards) == sorted(ALL_CARDS), "every card is in exactly one place"
    assert 2 * N_DEALT + 2 * state.round <= state.n_drawn <= len(state.deck), "draws do not add up"
    for hand in state.hands:
        assert list(hand) == sorted(hand), "hands are sorted"

    if state.turn is not None and state.asked is None:
        assert state.hands[state.turn], "whoever must place a card has one"


def _check_rows(state: State) -> None:
    assert set(state.bridges).isdisjoint(CHRONICLERS), "a Chronicler is never a bridge"
    for seat in SEATS:
        down = [laid for pair in state.rows for laid in pair[seat] if not laid.face_up]
        last = [pair[seat][-1] for pair in state.rows if pair[seat]]
        assert len(down) <= 1, "one card of a seat lies face down at the most"
        assert all(laid in last for laid in down), "a face-down card lies last in its row"
        assert not any(laid.turned for laid in down), "a face-down card is not turned"
    for laid in (laid for pair in state.rows for row in pair for laid in row):
        assert laid.card in CHRONICLERS or laid.suit == SUIT[laid.card], "suits are as printed"


def _check_asked(state: State, asked: Asked) -> None:
    assert state.turn is not None, "nobody is asked when the game is over"
    laid = state.rows[asked.bridge - 1][state.turn][asked.index]
    assert laid.card == asked.card, "the card that asks lies where it is said to lie"
    assert laid.face_up, "the card that asks lies face up"
    assert (asked.ability == "name") == (laid.suit is None), "only a Chronicler asks for a suit"
    figures = {"swap": "U", "move": "O", "extra": "A", "name": "A"}
    assert figures.get(asked.ability) in (None, FIGURE[laid.card]), "the ability is the card's own"
