"""A position of Schotten Totten: frozen values, and the facts kept of each stone.

Inside the engine a stone is known by its place `at`, 0 to 8, and a set of stones is a number
whose bit `at` stands for it; records and refusals say stone 1 to 9.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal, NamedTuple, TypeVar

from games.engine.api import Outcome, Ruleset, Seat, Setup, other
from games.engine.errors import MalformedRecord, shown
from games.engine.schotten_totten.cards import (
    BB,
    BIT,
    CARD_OF,
    CLAN,
    CLAN_CODES,
    MF,
    N_CLAN,
    TACTICS_CODES,
    Card,
)

Cards = tuple[Card, ...]
Phase = Literal["play", "recruit", "end", "over"]
Claims = Literal["after_play", "start_of_turn", "automatic"]
Reason = Literal["adjacent", "five", "blocked", "resign", "timeout"]

T = TypeVar("T")

ALL_STONES: Final = (1 << 9) - 1


@dataclass(frozen=True, slots=True)
class Rules:
    """The options of a game: when stones are claimed, and whether tactics are played."""

    claims: Claims
    tactics: bool
    hand_size: int
    """How many cards a full hand has."""


class Stone(NamedTuple):
    """What lies at one stone, without its owner. Cards lie in the order in which they came."""

    sides: tuple[Cards, Cards]
    first: Seat | None
    """Whose present completion is the earlier, or the only one."""
    size: int
    """How many cards fill a side."""
    bluff: bool
    """Whether only sums count."""
    modes: Cards


class Tactics(NamedTuple):
    """All that only the tactics variant has."""

    deck: Cards
    discard: Cards
    played: tuple[int, int]
    """How many tactics cards each seat has ever played."""
    jokers: tuple[int, int]
    recruit: tuple[int, int] | None
    """How many draws and returns of a Recruiter are still to be made."""


class Ending(NamedTuple):
    """How the game ended; no winner when it is drawn."""

    winner: Seat | None
    reason: Reason


class State(NamedTuple):
    """A position. Decks have their top first; hands are sorted by card number."""

    rules: Rules
    phase: Phase
    turn: Seat
    """The seat to act; when the game is over, the seat that was."""
    hands: tuple[Cards, Cards]
    deck: Cards
    stones: tuple[Stone, ...]
    owned: tuple[int, int]
    """The stones that each seat has claimed."""
    room: tuple[int, int]
    """The unclaimed stones at which each seat's side is not full."""
    ripe: tuple[int, int]
    """The unclaimed stones at which each seat's side is full."""
    unseen: int
    """The clan cards that lie nowhere face up."""
    passed: bool
    """Whether the seat to act has passed in this turn."""
    claimed: bool
    """Whether the seat to act has claimed in this turn."""
    idle_turns: int
    tactics: Tactics
    ending: Ending | None

    @property
    def unclaimed(self) -> int:
        """The stones that nobody has claimed."""
        return ALL_STONES & ~(self.owned[0] | self.owned[1])


as_state: Final[Callable[[tuple[object, ...]], State]] = partial(tuple.__new__, State)
"""Make a state of all its parts in order. `State(…)` does the same, and takes longer than all the
rest of a common action; where every part is at hand anyway, this is used."""

as_stone: Final[Callable[[tuple[object, ...]], Stone]] = partial(tuple.__new__, Stone)
"""The same for a stone."""

EMPTY_STONE: Final = Stone(((), ()), None, 3, False, ())
NO_TACTICS: Final = Tactics((), (), (0, 0), (0, 0), None)


def put(pair: tuple[T, T], seat: Seat, value: T) -> tuple[T, T]:
    """Give the pair with the seat's part exchanged."""
    return (value, pair[1]) if seat == 0 else (pair[0], value)


_PLACES: Final = tuple(
    tuple(at for at in range(9) if mask >> at & 1) for mask in range(ALL_STONES + 1)
)


def places(mask: int) -> tuple[int, ...]:
    """List the places of a set of stones in order."""
    return _PLACES[mask]


def rules_of(ruleset: Ruleset) -> Rules:
    """Read the options of a ruleset."""
    options = dict(ruleset.options)
    claims: Claims = options["claims"]  # type: ignore[assignment]  # from the closed list of meta
    return RULES[claims, bool(options["tactics"])]


RULES: Final[dict[tuple[Claims, bool], Rules]] = {
    (claims, tactics): Rules(claims, tactics, 7 if tactics else 6)
    for claims in ("after_play", "start_of_turn", "automatic")
    for tactics in (False, True)
}


def _read_pile(setup: Setup, key: str, codes: tuple[str, ...]) -> Cards:
    """Read a pile that must hold exactly these cards. Raises `MalformedRecord`."""
    if key not in dict(setup.piles):
        raise MalformedRecord(f"{key} is missing")
    pile = setup.pile(key)
    seen: set[str] = set()
    for code in pile:
        if code not in codes:
            raise MalformedRecord(f"{key}: unknown card {shown(code)}")
        if code in seen:
            raise MalformedRecord(f"{key}: card {code} is there twice")
        seen.add(code)
    if missing := next((code for code in codes if code not in seen), None):
        raise MalformedRecord(f"{key}: card {missing} is missing")
    return tuple(CARD_OF[code] for code in pile)


def set_up(setup: Setup) -> State:
    """Deal. Seat 0 gets the first cards of the deck. Raises `MalformedRecord` for a bad deal."""
    rules = rules_of(setup.ruleset)
    known = {"deck", "tactics_deck"} if rules.tactics else {"deck"}
    if unknown := next((key for key, _ in setup.piles if key not in known), None):
        raise MalformedRecord(f"{unknown}: this ruleset has no such pile")
    deck = _read_pile(setup, "deck", CLAN_CODES)
    tactics = NO_TACTICS
    if rules.tactics:
        tactics = tactics._replace(deck=_read_pile(setup, "tactics_deck", TACTICS_CODES))
    size = rules.hand_size
    return State(
        rules=rules,
        phase="play",
        turn=setup.first,
        hands=(tuple(sorted(deck[:size])), tuple(sorted(deck[size : 2 * size]))),
        deck=deck[2 * size :],
        stones=(EMPTY_STONE,) * 9,
        owned=(0, 0),
        room=(ALL_STONES, ALL_STONES),
        ripe=(0, 0),
        unseen=CLAN,
        passed=False,
        claimed=False,
        idle_turns=0,
        tactics=tactics,
        ending=None,
    )


def outcome(state: State) -> Outcome | None:
    """Say how the game ended: docs/spec/schotten-totten.md, "End" and "Matches"."""
    if state.ending is None:
        return None
    winner, reason = state.ending
    held = (state.owned[0].bit_count(), state.owned[1].bit_count())
    if winner is None:
        return Outcome(None, reason, held)
    return Outcome(winner, reason, (5, held[1]) if winner == 0 else (held[0], 5))


def to_act(state: State) -> Seat | None:
    """Give the seat to act, None when the game is over."""
    return state.turn if state.ending is None else None


def next_first(first: Seat, ended: Outcome) -> Seat:
    """Let the winner start the next game; after a drawn one, the other seat than last time."""
    return other(first) if ended.winner is None else ended.winner


def check(state: State) -> None:
    """Raise `AssertionError` unless every card is in one place and the kept facts are true."""
    _check_cards(state)
    _check_stones(state)
    assert (state.phase == "over") == (state.ending is not None), "phase and ending disagree"
    assert (state.phase == "recruit") == (state.tactics.recruit is not None), "stray recruit"
    if state.phase in ("play", "end"):
        assert max(map(len, state.hands)) <= state.rules.hand_size, "a hand is too large"


def _check_cards(state: State) -> None:
    """Check that every card is in exactly one place, and what lies face up is not unseen."""
    lying = [card for stone in state.stones for side in stone.sides for card in side]
    lying += state.tactics.discard
    modes = [card for stone in state.stones for card in stone.modes]
    hidden = [*state.hands[0], *state.hands[1], *state.deck, *state.tactics.deck]
    total = N_CLAN + (len(TACTICS_CODES) if state.rules.tactics else 0)
    assert sorted(lying + modes + hidden) == list(range(total)), "a card is lost or doubled"
    assert all(hand == tuple(sorted(hand)) for hand in state.hands), "a hand is not sorted"
    face_up = sum(BIT[card] for card in lying if card < N_CLAN)
    assert state.unseen == CLAN & ~face_up, "a card that lies face up counts as unseen"


def _check_stones(state: State) -> None:
    """Check each stone's facts against its cards."""
    assert not state.owned[0] & state.owned[1], "a stone has two owners"
    for at, stone in enumerate(state.stones):
        assert stone.size == (4 if MF in stone.modes else 3), "a stone's size is wrong"
        assert stone.bluff == (BB in stone.modes), "a stone's bluff is wrong"
        full = [len(side) == stone.size for side in stone.sides]
        assert all(len(side) <= stone.size for side in stone.sides), "a side is too long"
        assert (stone.first is None) == (not any(full)), "completed first, and nothing full"
        assert stone.first is None or full[stone.first], "completed first, and not full"
        for seat in (0, 1):
            is_open = bool(state.unclaimed >> at & 1)
            assert bool(state.room[seat] >> at & 1) == (is_open and not full[seat]), "room"
            assert bool(state.ripe[seat] >> at & 1) == (is_open and full[seat]), "ripe"
