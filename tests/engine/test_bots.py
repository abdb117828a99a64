"""The bots: they see views, play to the end, and play with some sense."""

from __future__ import annotations

import json
import random

import pytest

from games.bots import BOTS
from games.engine.api import Setup
from games.engine.registry import TITLES
from tests.engine.positions import TITLE, do, legal, position

RULESETS = [
    pytest.param(title, ruleset, id=f"{title.meta.slug} {ruleset.slug}")
    for title in TITLES.values()
    for ruleset in title.meta.rulesets
]


def bot_game(title, ruleset, choose, seed, bot_seats):
    """Play one game, the seats that are no bots at random; give the winner."""
    rng = random.Random(seed)
    state = title.setup(Setup(ruleset, seed % 2, title.deal(ruleset, rng.randrange)))
    while (seat := title.to_act(state)) is not None:
        if seat in bot_seats:
            seen = json.loads(json.dumps(title.view(state, seat)))
            action = choose(seen)
            assert action in seen["legal"]
            assert choose(seen) == action
            state = title.apply(state, title.parse_action(action))
        else:
            state = title.apply(state, rng.choice(title.legal_actions(state)))
    return title.outcome(state).winner


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize(("title", "ruleset"), RULESETS)
def test_a_bot_plays_legally_to_the_end(title, ruleset, name):
    for seed in range(2):
        bot_game(title, ruleset, BOTS[name], seed, (0, 1))


@pytest.mark.parametrize("ruleset", TITLE.meta.rulesets, ids=lambda ruleset: ruleset.slug)
def test_the_greedy_bot_beats_chance(ruleset):
    for seed in range(4):
        assert bot_game(TITLE, ruleset, BOTS["greedy"], seed, (seed // 2 % 2,)) == seed // 2 % 2


def choice(state):
    return BOTS["greedy"](TITLE.view(state, state.turn))


def test_the_greedy_bot_claims_what_it_can():
    state = position({4: ("R7 R8 R9", "")}, phase="end", hands=("B1", ""))
    assert choice(state) == {"seat": 0, "type": "claim", "stone": 4}


@pytest.mark.parametrize(
    ("hand", "played", "deck"),
    [
        ("B1", (0, 1), "tactics"),
        ("B1", (1, 1), "clan"),
        ("B1 SP", (0, 1), "clan"),
    ],
)
def test_the_greedy_bot_keeps_pace_with_tactics_cards(hand, played, deck):
    state = position({}, phase="end", hands=(hand, ""), tactics=True, played=played)
    assert choice(state) == {"seat": 0, "type": "draw", "from": deck}


def test_the_greedy_bot_finishes_a_formation():
    state = position({4: ("R7 R8", "B7")}, hands=("R9 B1 G3 Y2 P5 O1", ""))
    assert choice(state) == {"seat": 0, "type": "play", "card": "R9", "stone": 4}
    assert legal(do(state, {"type": "play", "card": "R9", "stone": 4}), "claim")


def test_the_greedy_bot_answers_a_full_side_with_a_better_one():
    state = position({4: ("R5 O5", "B9 G9 Y8")}, hands=("Y5 B1", ""))
    assert choice(state) == {"seat": 0, "type": "play", "card": "Y5", "stone": 4}
