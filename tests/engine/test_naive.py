"""The engine agrees with the naive implementation, which knows no shortcuts.

`FUZZ_FACTOR` asks for that many times as many cases, `FUZZ_SEED` for others (`make fuzz`).
A disagreement prints a record that replays it.
"""

from __future__ import annotations

import json
import os
import random
from itertools import combinations

import pytest

from games.engine.schotten_totten.cards import CARD_OF, CODES
from games.engine.schotten_totten.formations import FORMATION_TYPES, strength_of
from tests.engine.naive import compare
from tests.engine.naive.compare import (
    compare_again,
    compare_games,
    compare_positions,
    random_position,
)
from tests.engine.naive.game import NaiveGame
from tests.engine.naive.strength import CLAN, ELITE, worth

FACTOR = int(os.environ.get("FUZZ_FACTOR", "1"))
SEED = int(os.environ.get("FUZZ_SEED", "1"))

# Chunks, so that several workers can share them.
N_POSITIONS = 10 * [2_000]
N_MUD_FIGHTS = 4 * [60]
N_GAMES = 8 * [252]


@pytest.mark.parametrize("chunk", range(len(N_POSITIONS)))
def test_prover_agrees_on_random_positions(chunk):
    count = N_POSITIONS[chunk] * FACTOR
    assert compare_positions(SEED * 1000 + chunk, count) == count


@pytest.mark.parametrize("chunk", range(len(N_MUD_FIGHTS)))
def test_prover_agrees_on_random_mud_fights(chunk):
    count = N_MUD_FIGHTS[chunk] * FACTOR
    assert compare_positions(SEED * 2000 + chunk, count, mud_fight=True) == count


@pytest.mark.parametrize("chunk", range(len(N_GAMES)))
def test_random_games_agree_at_every_action(chunk):
    count = N_GAMES[chunk] * FACTOR
    ends = compare_games(SEED * 3000 + chunk, count)
    assert ends.total() == count
    assert ends.keys() >= {"adjacent", "five", "two idle turns"}


def engine_worth(side, bluff):
    strength = strength_of(tuple(CARD_OF[card] for card in side), bluff)
    return (strength >> 6) - 1, strength & 63


@pytest.mark.parametrize("size", [3, 4])
def test_every_side_of_plain_cards_is_read_alike(size):
    for side in combinations(CLAN, size):
        assert engine_worth(side, False) == worth(side, False), side


@pytest.mark.parametrize("size", [3, 4])
@pytest.mark.parametrize(
    "troops",
    [("JA",), ("SP",), ("SB",), ("JA", "SP"), ("JA", "SB"), ("SP", "SB"), ("JA", "SP", "SB")],
)
def test_fault_6_every_side_with_elite_troops_is_read_alike(troops, size):
    """All sides that a player can lay; the other Joker is read as the one."""
    for plain in combinations(CLAN, size - len(troops)):
        side = (*plain, *troops)
        assert engine_worth(side, False) == worth(side, False), side
        assert engine_worth(side, True) == worth(side, True), side


def test_every_side_of_elite_troops_alone_is_read_alike():
    for side in combinations(ELITE, 3):
        assert engine_worth(side, False) == worth(side, False), side


def test_what_a_disagreement_prints_is_compared_again(monkeypatch):
    """Whatever goes wrong, the position or the record is told, and replays the fault."""
    position = random_position(random.Random(1), mud_fight=False)
    compare_again(position)
    with monkeypatch.context() as broken:
        broken.setattr(compare, "judged", lambda position: 1 / 0)
        with pytest.raises(AssertionError, match="ZeroDivisionError") as told:
            compare_positions(1, 1)
    assert json.loads(str(told.value).partition(" in ")[2]) == position

    def nothing_once_cards_lie(game):
        return [] if any(any(stone.sides) for stone in game.stones) else legal(game)

    legal = NaiveGame.legal
    with monkeypatch.context() as broken:
        broken.setattr(NaiveGame, "legal", nothing_once_cards_lie)
        with pytest.raises(AssertionError, match="naive: ") as told:
            compare_games(1, 1)
    record = json.loads(str(told.value).rpartition(" in ")[2])
    assert record["actions"]
    compare_again(record)


def test_both_name_the_same_cards_and_types():
    assert set(CODES) > set(CLAN) | set(ELITE)
    assert FORMATION_TYPES == ("sum", "run", "colour", "three-of-a-kind", "colour-run")
