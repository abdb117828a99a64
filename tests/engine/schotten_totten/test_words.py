"""Events in words, for each viewer."""

from __future__ import annotations

import pytest

from tests.engine.positions import TITLE, claim, lay, position

NAMES = {"player": "Ann", "opponent": "Bob"}


def told(state, *actions, viewer=0, is_over=False):
    """Play actions and give the sentences about the last of them."""
    for action in actions:
        before = state
        done = TITLE.parse_action({"seat": state.turn, **action})
        state = TITLE.apply(before, done)
    phrases = [
        TITLE.describe(event, viewer, is_over=is_over)
        for event in TITLE.events(before, done, state)
    ]
    return [phrase.msgid % {**NAMES, **dict(phrase.params)} for phrase in phrases]


TABLE = position(
    {1: ("R7 R8 R9", ""), 2: ("R1", "B1 SP")}, tactics=True, hands=("P1 ST BA TR RE JA BB", "G1")
)
DRAW = {"type": "draw", "from": "clan"}


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        (lay("P1", 3), "Ann lays P1 at stone 3."),
        (lay("JA", 3), "Ann lays JA at stone 3."),
        (lay("BB", 2), "Ann lays BB at stone 2."),
        ({"type": "play", "card": "RE"}, "Ann plays the Recruiter."),
        (
            {"type": "play", "card": "ST", "take": "R1", "to": 5},
            "Ann plays the Strategist and moves R1 from stone 2 to stone 5.",
        ),
        (
            {"type": "play", "card": "ST", "take": "R1", "to": None},
            "Ann plays the Strategist and discards R1 from stone 2.",
        ),
        (
            {"type": "play", "card": "BA", "take": "SP"},
            "Ann plays the Banshee and discards SP of Bob from stone 2.",
        ),
        (
            {"type": "play", "card": "TR", "take": "B1", "to": 4},
            "Ann plays the Traitor and brings B1 of Bob from stone 2 to stone 4.",
        ),
        ({"type": "resign"}, "Ann resigns."),
        ({"type": "timeout"}, "Ann has run out of time."),
    ],
)
def test_actions_in_words(action, sentence):
    for viewer in (0, 1, "spectator"):
        assert told(TABLE, action, viewer=viewer)[0] == sentence


def test_a_claim_and_the_end_in_words():
    assert told(TABLE, lay("P1", 3), claim(1)) == ["Ann claims stone 1."]
    state = position({3: ("R7 R8 R9", "")}, owned=((1, 2), ()), phase="end")
    assert told(state, claim(3)) == [
        "Ann claims stone 3.",
        "Ann wins with three adjacent stones.",
    ]
    state = position({9: ("R7 R8 R9", "")}, owned=((1, 2, 4, 5), ()), phase="end")
    assert told(state, claim(9))[1] == "Ann wins with five stones."


def test_a_drawn_card_is_told_to_its_seat_alone():
    state = position(hands=("R1", "R2"), deck="B5")
    assert told(state, lay("R1", 1), DRAW, viewer=0) == ["Ann draws B5."]
    for viewer in (1, "spectator"):
        assert told(state, lay("R1", 1), DRAW, viewer=viewer) == ["Ann draws a card."]
        assert told(state, lay("R1", 1), DRAW, viewer=viewer, is_over=True) == ["Ann draws B5."]


def test_a_recruiter_is_told_to_the_opponent_as_decks():
    recruit = [{"type": "play", "card": "RE"}, DRAW, DRAW, {"type": "draw", "from": "tactics"}]
    back = [{"type": "return", "card": "BB"}, {"type": "return", "card": "P1"}]
    for viewer in (1, "spectator"):
        assert told(TABLE, *recruit, viewer=viewer) == ["Ann draws a tactics card."]
        assert told(TABLE, *recruit, *back[:1], viewer=viewer) == [
            "Ann puts a card back under the tactics deck."
        ]
        assert told(TABLE, *recruit, *back, viewer=viewer) == [
            "Ann puts a card back under the clan deck."
        ]
    assert told(TABLE, *recruit, *back) == ["Ann puts P1 back under the clan deck."]


def test_a_blocked_game_in_words():
    full = {n: (f"R{n} O{n} Y{n}", f"G{n} B{n} P{n}") for n in (2, 4)}
    state = position(full, deck="", hands=("", ""), idle_turns=1)
    assert told(state, {"type": "pass"}) == ["Ann passes."]
    state = state._replace(room=(0, 0))
    assert told(state, {"type": "pass"}, {"type": "end"}) == [
        "Ann has nothing to draw.",
        "Stone 2 goes to Ann.",
        "Stone 4 goes to Ann.",
        "Nobody can go on: Ann wins with more stones.",
    ]
    state = position({}, deck="", hands=("", ""), idle_turns=1)
    assert told(state, {"type": "pass"}, {"type": "end"})[1:] == [
        "Nobody can go on, and both hold as many stones: the game is drawn."
    ]


def test_stones_of_a_blocked_game_are_told_in_the_order_in_which_they_go_over():
    """Seat 1 would come next, so its stone goes first, though it lies behind."""
    sides = {2: ("R1 O1 Y1", ""), 4: ("", "G1 B1 P1")}
    state = position(sides, deck="", hands=("", ""), idle_turns=1)
    assert told(state, {"type": "pass"}, {"type": "end"})[1:3] == [
        "Stone 4 goes to Ann.",
        "Stone 2 goes to Ann.",
    ]
