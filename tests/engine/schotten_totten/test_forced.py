"""The one turn that public cards leave: a pass and what follows, never a choice."""

from __future__ import annotations

import pytest

from games.engine.registry import get_ruleset
from tests.engine.positions import TITLE, position

SIDES = (
    *("R1 O3 Y5", "O1 Y3 G5", "Y1 G3 B5", "G1 B3 P5", "B1 P3 R5"),
    *("P1 R3 O5", "R2 O4 Y6", "O2 Y4 G6", "Y2 G4 B6"),
)
FULL = {n: (side, "") for n, side in enumerate(SIDES, start=1)}
"""All of seat 0's sides full and weak, all of seat 1's empty."""
PASS = {"seat": 0, "type": "pass"}
END = {"seat": 0, "type": "end"}


def forced(stones, claims="automatic", tactics=False, **rest):
    state = position(stones, claims=claims, tactics=tactics, **rest)
    slug = claims.replace("_", "-") + ("-tactics" if tactics else "")
    ruleset = get_ruleset("schotten-totten", slug)
    return TITLE.forced_turn(ruleset, TITLE.view(state, "spectator"))


@pytest.mark.parametrize("claims", ["automatic", "after_play", "start_of_turn"])
def test_a_pass_where_all_own_sides_are_full(claims):
    assert forced(FULL, claims, hands=("R9 O9 Y9 G9 B9 P9", "R8 O8")) == (PASS, END)


def test_no_pass_where_one_side_has_room():
    assert forced({**FULL, 9: ("Y2 G4", "")}, hands=("R9 O9", "R8 O8")) == ()


def test_a_pass_where_both_decks_and_the_hand_are_empty():
    assert forced({}, hands=("", "R8"), deck="") == (PASS, END)


@pytest.mark.parametrize("claims", ["after_play", "start_of_turn"])
def test_a_claim_that_holds_is_a_choice(claims):
    stones = {**FULL, 1: ("R7 R8 R9", "O1")}
    stones = {**stones, 2: ("O3 Y3 G5", "")}
    hands = ("O9 Y9 G9 B9 P9 P8", "O8")
    assert forced(stones, claims, hands=hands) == ()
    assert forced(stones, "automatic", hands=hands) == (PASS, END)


@pytest.mark.parametrize(
    ("hand", "played", "turn"),
    [
        ("R9 O9 Y9 G9 B9 P9 JA", (0, 0), ()),
        ("R9 O9 Y9 G9 B9 P9 JA", (1, 0), (PASS, END)),
        ("R9 O9 Y9 G9 B9 P9 P8", (0, 0), (PASS, END)),
    ],
)
def test_a_tactics_card_that_may_be_played_is_a_choice(hand, played, turn):
    assert forced(FULL, tactics=True, hands=(hand, "R8"), played=played) == turn


@pytest.mark.parametrize(
    ("deck", "tactics_deck", "turn"),
    [
        ("P7", "", (PASS, {"seat": 0, "type": "draw", "from": "clan"})),
        ("", "SP", (PASS, {"seat": 0, "type": "draw", "from": "tactics"})),
        ("P7", "SP", ()),
        ("", "", (PASS, END)),
    ],
)
def test_a_draw_from_either_deck_is_a_choice(deck, tactics_deck, turn):
    decks = {"deck": deck, "tactics_deck": tactics_deck}
    assert forced(FULL, tactics=True, hands=("R9 O9", "R8"), **decks) == turn
