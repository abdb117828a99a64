"""Positions of Schotten Totten laid out by hand, for tests."""

from __future__ import annotations

import pytest

from games.engine.api import Json, Seat
from games.engine.errors import IllegalAction
from games.engine.registry import get_title
from games.engine.schotten_totten.cards import (
    BB,
    BIT,
    CARD_OF,
    CLAN,
    CLAN_CODES,
    MF,
    N_CLAN,
    TACTICS_CODES,
)
from games.engine.schotten_totten.state import ALL_STONES, RULES, State, Stone, Tactics, check

TITLE = get_title("schotten-totten")


def cards(codes: str) -> tuple[int, ...]:
    """Read codes with blanks between them."""
    return tuple(CARD_OF[code] for code in codes.split())


def stone_of(told: tuple[str, ...], first: Seat | None) -> Stone:
    """Lay one stone: both sides, then its modes; `first` where both are full."""
    sides = cards(told[0]), cards(told[1])
    modes = cards(told[2]) if len(told) > 2 else ()
    size = 4 if MF in modes else 3
    full = [seat for seat in (0, 1) if len(sides[seat]) == size]
    if len(full) < 2:
        first = full[0] if full else None  # type: ignore[assignment]
    elif first is None:
        first = 0
    return Stone(sides, first, size, BB in modes, modes)


def on_table(laid: list[Stone]) -> list[int]:
    """List the cards that lie at the stones, modes included."""
    return [card for stone in laid for card in (*stone.sides[0], *stone.sides[1], *stone.modes)]


def full_at(laid: list[Stone], seat: int) -> int:
    """Give the stones at which the seat's side is full."""
    return sum(1 << at for at, s in enumerate(laid) if len(s.sides[seat]) == s.size)


def deck_and_rest(
    codes: tuple[str, ...], placed: set[int], deck: str | None
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Share cards that lie nowhere yet: all to the deck, or what is not in it to the discard."""
    rest = tuple(CARD_OF[code] for code in codes if CARD_OF[code] not in placed)
    pile = rest if deck is None else cards(deck)
    return pile, tuple(card for card in rest if card not in pile)


def position(
    stones: dict[int, tuple[str, ...]] | None = None,
    *,
    claims: str = "after_play",
    tactics: bool = False,
    phase: str = "play",
    turn: Seat = 0,
    hands: tuple[str, str] | None = None,
    deck: str | None = None,
    tactics_deck: str | None = None,
    owned: tuple[tuple[int, ...], tuple[int, ...]] = ((), ()),
    discard: str = "",
    first: dict[int, Seat] | None = None,
    played: tuple[int, int] = (0, 0),
    jokers: tuple[int, int] = (0, 0),
    recruit: tuple[int, int] | None = None,
    idle_turns: int = 0,
    face_up: str = "",
) -> State:
    """Lay a position out. Cards that are not named lie in the discard (so they are seen) when
    `deck` is given, and in the deck otherwise; `face_up` cards lie in the discard too."""
    laid = [stone_of((stones or {}).get(n, ("", "")), (first or {}).get(n)) for n in range(1, 10)]
    held = hands or ("", "")
    thrown = cards(f"{discard} {face_up}")
    placed = {*on_table(laid), *cards(" ".join(held)), *thrown}
    clan_deck, clan_rest = deck_and_rest(CLAN_CODES, placed, deck)
    tactics_pile, tactics_rest = deck_and_rest(TACTICS_CODES, placed, tactics_deck)
    thrown += clan_rest + (tactics_rest if tactics else ())
    mine = tuple(sum(1 << (n - 1) for n in numbers) for numbers in owned)
    free = ALL_STONES & ~(mine[0] | mine[1])
    full = [free & full_at(laid, seat) for seat in (0, 1)]
    seen = sum(BIT[card] for card in (*on_table(laid), *thrown) if card < N_CLAN)
    state = State(
        rules=RULES[claims, tactics],  # type: ignore[index]
        phase=phase,  # type: ignore[arg-type]
        turn=turn,
        hands=tuple(tuple(sorted(cards(hand))) for hand in held),  # type: ignore[arg-type]
        deck=clan_deck,
        stones=tuple(laid),
        owned=mine,  # type: ignore[arg-type]
        room=(free & ~full[0], free & ~full[1]),
        ripe=(full[0], full[1]),
        unseen=CLAN & ~seen,
        passed=False,
        claimed=False,
        idle_turns=idle_turns,
        tactics=Tactics(tactics_pile if tactics else (), thrown, played, jokers, recruit),
        ending=None,
    )
    check(state)
    return state


def do(state: State, *actions: Json) -> State:
    """Play actions, each of the seat to act unless it says otherwise."""
    for action in actions:
        state = TITLE.apply(state, TITLE.parse_action({"seat": state.turn, **action}))
        TITLE.check(state)
    return state


def lay(card: str, stone: int) -> Json:
    """Write the play of a card at a stone."""
    return {"type": "play", "card": card, "stone": stone}


def claim(stone: int) -> Json:
    """Write a claim."""
    return {"type": "claim", "stone": stone}


def refusal(state: State, action: Json) -> IllegalAction:
    """Give the refusal of an action. Fails where it is not refused, or changes anything."""
    before, written = hash(state), TITLE.state_json(state)
    with pytest.raises(IllegalAction) as caught:
        TITLE.apply(state, TITLE.parse_action({"seat": state.turn, **action}))
    assert (hash(state), TITLE.state_json(state)) == (before, written)
    assert TITLE.meta.refusals[caught.value.code] % caught.value.params
    return caught.value


def legal(state: State, kind: str | None = None) -> list[Json]:
    """List the legal actions, of one type or all, without their seat."""
    written = [TITLE.action_json(action) for action in TITLE.legal_actions(state)]
    for action in written:
        del action["seat"]
    return [action for action in written if kind in (None, action["type"])]
