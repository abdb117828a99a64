"""Turns, claims and ends: docs/spec/schotten-totten.md, "A turn", "Claims", "End"."""

from __future__ import annotations

import pytest

from games.engine.api import Outcome
from tests.engine.positions import TITLE, claim, do, lay, legal, position, refusal

DRAW = {"type": "draw", "from": "clan"}
END = {"type": "end"}
PASS = {"type": "pass"}
SURE = ("R7 R8 R9", "")
FULL = {n: (f"R{n} O{n} Y{n}", f"G{n} B{n} P{n}") for n in range(1, 10)}


def test_a_turn_is_a_play_and_a_draw():
    state = position(hands=("R1 R2", "B1"), deck="O5 O6")
    assert len(legal(state)) == 18
    played = do(state, lay("R1", 4))
    assert legal(played) == [DRAW]
    after = do(played, DRAW)
    assert TITLE.state_json(after)["hands"] == [["O5", "R2"], ["B1"]]
    assert (TITLE.to_act(after), after.phase) == (1, "play")


@pytest.mark.parametrize(
    ("state", "action", "code"),
    [
        (position(hands=("R1", "")), DRAW, "play_first"),
        (position(hands=("R1", "")), END, "play_first"),
        (position(hands=("R1", ""), phase="end"), lay("R1", 1), "already_played"),
        (position(hands=("R1", ""), phase="end"), PASS, "already_played"),
        (position(hands=("R1", ""), phase="end"), END, "must_draw"),
        (position(hands=("R1 R2 R3 R4 R5 R6", ""), phase="end"), DRAW, "hand_full"),
        (position(hands=("R1", ""), phase="end"), {"type": "return", "card": "R1"}, "no_return"),
        (position({1: SURE}, hands=("R1", "")), claim(1), "claim_after_play"),
        (position({1: SURE}, phase="end", claims="start_of_turn"), claim(1), "claim_before_play"),
        (position({1: SURE}, phase="end", claims="automatic"), claim(1), "claims_automatic"),
        (position({1: SURE}, claims="automatic", hands=("R1", "")), claim(1), "claims_automatic"),
        (position(owned=((1,), ()), hands=("R1", "")), lay("R1", 1), "stone_claimed"),
        (position(owned=((), (1,)), hands=("R1", "")), lay("R1", 1), "stone_claimed"),
        (position({1: SURE}, owned=((), (1,)), phase="end"), claim(1), "stone_claimed"),
        (position({1: ("R7 R8", "")}, phase="end"), claim(1), "side_not_full"),
        (position({1: ("", "R7 R8 R9")}, phase="end"), claim(1), "side_not_full"),
        (position({1: ("R1 O2 Y4", "B1 B2 B3")}, phase="end"), claim(1), "claim_beaten"),
    ],
)
def test_what_is_not_due_is_refused(state, action, code):
    assert refusal(state, action).code == code


def test_a_refused_claim_shows_what_beats_it():
    refused = refusal(position({3: ("R5 O5 Y5", "B5 B4")}, phase="end"), claim(3))
    assert refused.code == "claim_not_proven"
    assert refused.params == {
        "stone": 3,
        "own_type": "three-of-a-kind",
        "own_sum": 15,
        "their_type": "colour-run",
        "their_sum": 15,
        "completion": ["B5", "B4", "B6"],
        "added": ["B6"],
    }


def test_at_the_start_of_a_turn_claims_come_before_the_play():
    state = position({1: SURE, 5: ("", "O7 O8 O9")}, claims="start_of_turn", hands=("B1", "B2"))
    assert legal(state, "claim") == [claim(1)]
    played = do(state, lay("B1", 9))
    assert legal(played) == [DRAW]
    both = do(state, claim(1), lay("B1", 9), DRAW)
    assert both.owned == (1, 0)
    assert legal(both, "claim") == [claim(5)]


def test_a_side_completed_in_this_turn_is_claimed_in_the_next_by_experts():
    state = position({1: ("R7 R8", "")}, claims="start_of_turn", hands=("R9", "B2"))
    played = do(state, lay("R9", 1), DRAW)
    assert played.owned == (0, 0)
    later = do(played, lay("B2", 2), DRAW)
    assert legal(later, "claim") == [claim(1)]


def test_automatic_stones_go_to_who_plays_first_then_to_the_opponent():
    """G9 decides stone 2 for its player, and stone 1 for the opponent: 7-8-9 is over."""
    stones = {1: ("G7 G8", "R7 R8 R9"), 2: ("O7 O8 O9", ""), 3: ("", "Y7 Y8 Y9")}
    state = position(stones, claims="automatic", hands=("B1", "B2"))
    after = do(state, lay("B1", 9))
    assert after.owned == (0b10, 0b101)
    events = TITLE.events(state, TITLE.parse_action({"seat": 0, **lay("B1", 9)}), after)
    told = [(event.kind, event.seat, event.get("stone")) for event in events]
    assert told == [("play", 0, 9), ("goes_over", 0, 2), ("goes_over", 1, 1), ("goes_over", 1, 3)]


def test_nothing_goes_over_once_the_game_is_won():
    stones = dict.fromkeys((1,), ("R7 R8 R9", ""))
    stones |= {2: ("O7 O8 O9", ""), 3: ("Y7 Y8 Y9", ""), 7: ("G7 G8 G9", "")}
    stones |= {9: ("", "B7 B8 B9")}
    after = do(position(stones, claims="automatic", hands=("P1", "")), lay("P1", 5))
    assert after.owned == (0b111, 0)
    assert TITLE.outcome(after) == Outcome(0, "adjacent", (5, 0))


def test_five_stones_win():
    state = position({9: SURE}, owned=((1, 2, 4, 7), (3, 5)), phase="end")
    assert TITLE.outcome(do(state, claim(9))) == Outcome(0, "five", (5, 2))


def test_where_both_ends_hold_the_reason_is_adjacent():
    state = position({3: SURE}, owned=((1, 2, 5, 7), ()), phase="end")
    assert TITLE.outcome(do(state, claim(3))) == Outcome(0, "adjacent", (5, 0))


def test_a_claimed_stone_is_closed_to_both():
    state = position({3: SURE}, phase="end", hands=("B1", "B2"))
    after = do(state, claim(3), DRAW)
    assert refusal(after, lay("B2", 3)).code == "stone_claimed"
    assert after.room == (0b111111011, 0b111111011)


def test_two_idle_turns_in_a_row_end_a_blocked_game():
    state = position(FULL, deck="", hands=("", ""), claims="start_of_turn")
    once = do(state, PASS, END)
    assert (once.idle_turns, once.ending) == (1, None)
    ended = do(once, PASS, END)
    assert ended.idle_turns == 2
    # Both sides are equal everywhere, and seat 0 was full first.
    assert TITLE.outcome(ended) == Outcome(0, "adjacent", (5, 0))


def test_a_claim_makes_a_passing_turn_busy():
    state = position(FULL, deck="", hands=("", ""), claims="start_of_turn", idle_turns=1)
    assert do(state, claim(1), PASS, END).idle_turns == 0
    after = position(FULL, deck="", hands=("", ""), idle_turns=1)
    assert do(after, PASS, claim(1), END).idle_turns == 0
    assert do(after, PASS, END).ending is not None


def test_a_play_makes_a_turn_busy():
    state = position(hands=("R1", ""), deck="", idle_turns=1)
    assert do(state, lay("R1", 1), END).idle_turns == 0


def test_a_draw_makes_a_passing_turn_busy():
    state = position(tactics=True, hands=("SP", ""), deck="R1", tactics_deck="", idle_turns=1)
    assert do(state, PASS, DRAW).idle_turns == 0


def test_who_could_have_played_a_tactics_card_is_idle_too():
    state = position(tactics=True, hands=("SP", ""), deck="", tactics_deck="", idle_turns=1)
    assert len(legal(state)) == 10
    assert do(state, PASS, END).ending is not None


def test_blocked_stones_go_to_who_would_come_next_first():
    """Only full sides take, and an open side across the border does not help."""
    stones = {2: ("R1 R2 R4", "G9"), 5: ("", "B1 O2 Y4"), 8: ("Y9", "G1")}
    state = position(
        stones, deck="P1", hands=("", "SP"), tactics=True, tactics_deck="", idle_turns=1, turn=1
    )
    state = state._replace(deck=(), unseen=state.unseen, hands=(state.deck, state.hands[1]))
    ended = do(state, PASS, END)
    assert ended.owned == (0b10, 0b10000)
    assert TITLE.outcome(ended) == Outcome(None, "blocked", (1, 1))
    assert TITLE.state_json(ended)["drawn"] is True


def test_blocked_more_stones_win():
    stones = {2: ("R1 R2 R4", "G9"), 5: ("B1 O2 Y4", ""), 8: ("Y9", "G1")}
    state = position(stones, deck="", hands=("", ""), idle_turns=1, owned=((), (9,)))
    ended = do(state, PASS, END)
    assert TITLE.outcome(ended) == Outcome(0, "blocked", (5, 1))


def test_the_winner_starts_the_next_game_and_after_a_draw_the_other_seat():
    for first in (0, 1):
        assert TITLE.next_first(first, Outcome(0, "five", (5, 2))) == 0
        assert TITLE.next_first(first, Outcome(1, "resign", (2, 5))) == 1
        assert TITLE.next_first(first, Outcome(None, "blocked", (3, 3))) == 1 - first


@pytest.mark.parametrize("seat", [0, 1])
def test_who_gives_up_keeps_the_points_of_stones_held(seat):
    state = position(owned=((1, 2), (5,)), hands=("R1", "R2"))
    held = (2, 1)
    after = TITLE.apply(state, TITLE.resign(seat))
    points = [held[seat], held[seat]]
    points[1 - seat] = 5
    assert TITLE.outcome(after) == Outcome(1 - seat, "resign", tuple(points))
