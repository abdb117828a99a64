"""The greedy bot at Three Bridges: legal, the same each time, and no fool."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from games.bots import BOTS
from games.engine.api import Setup
from games.engine.three_bridges import THREE_BRIDGES
from games.engine.three_bridges.state import State
from tests.engine.three_bridges.table import STANDARD, deal, play

choose = BOTS["greedy"]


def answer(state: State) -> Any:
    """Let the bot choose from a view that went through JSON, and parse what it says."""
    assert state.turn is not None
    view = json.loads(json.dumps(THREE_BRIDGES.view(state, state.turn)))
    chosen = choose(view)
    assert chosen in view["legal"]
    assert choose(view) == chosen
    return THREE_BRIDGES.parse_action(chosen)


def winner(rng: Random, bot_seat: int) -> int | None:
    """Play a game of the bot against somebody who plays anything."""
    piles = THREE_BRIDGES.deal(STANDARD, rng.randrange)
    state = THREE_BRIDGES.setup(Setup(STANDARD, rng.choice((0, 1)), piles))
    while state.turn is not None:
        anything = rng.choice(THREE_BRIDGES.legal_actions(state))
        state = THREE_BRIDGES.apply(state, answer(state) if state.turn == bot_seat else anything)
    return state.winner


def test_beats_somebody_who_plays_anything() -> None:
    won = sum(winner(Random(seed), seed % 2) == seed % 2 for seed in range(20))
    assert won >= 17


def words(state: State) -> str:
    """Read the bot's answer."""
    chosen = THREE_BRIDGES.action_json(answer(state))
    return " ".join(str(value) for key, value in chosen.items() if key != "seat")


def test_turns_the_card_that_costs_most() -> None:
    state = deal("H7 B7 L7", "HX H9 L9 LK BK", "L8 LX BX H8 HK", then="BU BO")
    state = play(state, "place HX 1", "place L8 2", "skip", "place LX 2", "place L9 2", "skip")
    assert words(state) in ("turn 1 0", "turn 1 1")


def test_never_turns_its_own_card() -> None:
    state = play(deal("H7 B7 L7", "L9 L8 LX LK BK", "C1 A8 A9 AX AK"), "place L9 2", "place A8 1")
    assert words(state) == "skip"


def test_names_a_suit_that_helps() -> None:
    state = play(deal("H7 B7 L7", "C1 H8 HX HK BK", "L9 A8 A9 AX AK"), "place C1 1", "place A8 2")
    assert words(state) == "name H"


@pytest.mark.parametrize("ability", ["extra", "swap", "move"])
def test_answers_every_question(ability: str) -> None:
    state = {
        "extra": play(
            deal("H7 B7 L7", "HA H8 HX HK BK", "L9 A8 A9 AX AK"), "place HA 1", "place A8 2"
        ),
        "swap": play(
            deal("HX B7 L7", "HU H8 H9 HK BK", "L9 A8 A9 AX AK"), "place HU 1", "place A8 2"
        ),
        "move": play(
            deal("H7 B7 L7", "H8 LO HX HK BK", "L9 A8 A9 AX AK", then="LU LK L8"),
            *("place H8 2", "place A8 1", "place A9 2", "place LO 1", "skip"),
        ),
    }[ability]
    assert state.asked is not None
    assert state.asked.ability == ability
    assert answer(state).type in (ability, "skip")
