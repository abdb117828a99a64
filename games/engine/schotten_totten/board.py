"""Cards coming to stones and leaving them, with each stone's facts kept true."""

from __future__ import annotations

from typing import NoReturn

from games.engine.api import Seat, other
from games.engine.errors import IllegalAction
from games.engine.schotten_totten.cards import BB, BIT, MF, N_CLAN, Card
from games.engine.schotten_totten.state import (
    Cards,
    State,
    Stone,
    Tactics,
    as_state,
    as_stone,
    places,
    put,
)


def without(cards: Cards, card: Card) -> Cards:
    """Give the cards without this one."""
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def refuse_place(state: State, at: int) -> NoReturn:
    """Refuse to put a card at a stone without room, saying why."""
    claimed = not state.unclaimed >> at & 1
    raise IllegalAction("stone_claimed" if claimed else "side_full", {"stone": at + 1})


def lay(state: State, at: int, card: Card, tactics: Tactics) -> State:
    """Lay a card of the hand of the seat to act on their side of a stone with room.

    The play is done then: the phase is `end`. Raises `IllegalAction` where there is no room.
    """
    rules, _, seat, hands, deck, stones, owned, room, ripe, unseen, *turn = state
    bit = 1 << at
    if not room[seat] & bit:
        refuse_place(state, at)
    sides, first, size, bluff, modes = stones[at]
    side = (*sides[seat], card)
    if len(side) == size:
        first = seat if first is None else first
        room = put(room, seat, room[seat] ^ bit)
        ripe = put(ripe, seat, ripe[seat] | bit)
    if card < N_CLAN:
        unseen ^= BIT[card]
    hand = hands[seat]
    gone = hand.index(card)
    hand = hand[:gone] + hand[gone + 1 :]
    hands = (hand, hands[1]) if seat == 0 else (hands[0], hand)
    sides = (side, sides[1]) if seat == 0 else (sides[0], side)
    stones = (*stones[:at], as_stone((sides, first, size, bluff, modes)), *stones[at + 1 :])
    kept = turn[:3]  # passed, claimed, idle turns
    return as_state(
        (rules, "end", seat, hands, deck, stones, owned, room, ripe, unseen, *kept, tactics, None)
    )


def _with_stone(state: State, at: int, stone: Stone) -> State:
    """Exchange an unclaimed stone, and note where there is room now and where a side is full."""
    bit = 1 << at
    full = [bit if len(side) == stone.size else 0 for side in stone.sides]
    room, ripe = state.room, state.ripe
    return state._replace(
        stones=(*state.stones[:at], stone, *state.stones[at + 1 :]),
        room=(room[0] & ~bit | bit ^ full[0], room[1] & ~bit | bit ^ full[1]),
        ripe=(ripe[0] & ~bit | full[0], ripe[1] & ~bit | full[1]),
    )


def _with_side(stone: Stone, seat: Seat, side: Cards) -> Stone:
    """Exchange one side of a stone, and keep who was full first.

    The moment is cleared when a side stops being full and set anew when it is full again.
    """
    first = stone.first
    if len(side) == stone.size:
        first = seat if first is None else first
    elif first == seat:
        first = other(seat) if len(stone.sides[other(seat)]) == stone.size else None
    return stone._replace(sides=put(stone.sides, seat, side), first=first)


def find(state: State, seat: Seat, card: Card) -> int | None:
    """Give the unclaimed stone at which a card lies on the seat's side, None if there is none."""
    for at in places(state.unclaimed):
        if card in state.stones[at].sides[seat]:
            return at
    return None


def lift(state: State, seat: Seat, at: int, card: Card) -> State:
    """Take a card from the seat's side of a stone. It is nowhere until it is put somewhere."""
    stone = state.stones[at]
    return _with_stone(state, at, _with_side(stone, seat, without(stone.sides[seat], card)))


def put_down(state: State, seat: Seat, at: int, card: Card) -> State:
    """Put a lifted card on the seat's side of a stone with room."""
    stone = state.stones[at]
    return _with_stone(state, at, _with_side(stone, seat, (*stone.sides[seat], card)))


def lay_mode(state: State, at: int, mode: Card) -> State:
    """Lay a combat mode at an unclaimed stone.

    Under Mud Fight no side is full with three cards, so nobody was full first any more.
    """
    stone = state.stones[at]
    modes = (*stone.modes, mode)
    if mode == MF:
        return _with_stone(state, at, stone._replace(modes=modes, size=4, first=None))
    assert mode == BB
    return _with_stone(state, at, stone._replace(modes=modes, bluff=True))
