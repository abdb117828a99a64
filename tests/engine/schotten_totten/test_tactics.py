"""The tactics cards: docs/spec/schotten-totten.md, "Tactics cards"."""

from __future__ import annotations

import pytest

from tests.engine.positions import TITLE, cards, do, lay, legal, position, refusal


def take(card, taken, *to):
    action = {"type": "play", "card": card, "take": taken}
    return {**action, "to": to[0]} if to else action


def of(state, card):
    return [action for action in legal(state, "play") if action["card"] == card]


def test_the_limit_counts_every_card_ever_played():
    hand = ("SP SB R1", "")
    for played, may in (((0, 0), True), ((1, 1), True), ((1, 0), False), ((0, 1), True)):
        state = position(tactics=True, hands=hand, played=played)
        assert bool(of(state, "SP")) is may
        if not may:
            assert refusal(state, lay("SP", 1)).code == "tactics_limit"
    state = position({1: ("", "R2")}, tactics=True, hands=("BA RE ST R1", ""))
    assert do(state, take("BA", "R2")).tactics.played == (1, 0)


def test_elite_troops_lie_like_clan_cards_and_complete_a_side():
    state = position({1: ("R7 R8", "")}, tactics=True, hands=("JA SP R1", ""))
    after = do(state, lay("JA", 1))
    assert after.stones[0].sides[0] == cards("R7 R8 JA")
    assert after.stones[0].first == 0
    assert after.unseen == state.unseen
    assert after.tactics.jokers == (1, 0)
    assert do(state, lay("SP", 1)).tactics.jokers == (0, 0)
    assert refusal(position({1: ("R7 R8 R9", "")}, tactics=True, hands=("SP", "")), lay("SP", 1))


def test_elite_troops_are_read_anew_each_time():
    """A Joker is 9 of red first; when the stone is a Mud Fight it is 6."""
    state = position({1: ("JA R7 R8", "")}, tactics=True, hands=("MF", ""))
    after = do(state, lay("MF", 1), {"type": "draw", "from": "clan"})
    assert after.stones[0].size == 4
    full = position({1: ("JA R7 R8 R9", "", "MF")}, tactics=True, phase="end")
    assert legal(full, "claim") == [{"type": "claim", "stone": 1}]


def test_both_modes_can_lie_at_one_stone():
    state = position({1: ("R7 R8 R9", "B1 B2 B3", "BB")}, tactics=True, hands=("MF", ""))
    after = do(state, lay("MF", 1))
    assert after.stones[0].modes == cards("BB MF")
    assert (after.stones[0].size, after.stones[0].bluff) == (4, True)


def test_the_bluff_leaves_the_moments_as_they_are():
    state = position({1: ("R7 R8 R9", "B1 B2 B3")}, first={1: 1}, tactics=True, hands=("BB", ""))
    after = do(state, lay("BB", 1))
    assert (after.stones[0].first, after.ripe) == (1, (1, 1))


def test_a_mode_lies_at_unclaimed_stones_only():
    state = position({1: ("R7 R8 R9", "")}, owned=((1,), ()), tactics=True, hands=("BB", ""))
    assert len(of(state, "BB")) == 8
    assert refusal(state, lay("BB", 1)).code == "stone_claimed"


def test_a_strategist_moves_or_discards_an_own_card():
    state = position(
        {1: ("R7", ""), 2: ("R1 R2 R3", ""), 3: ("SP", "B1")},
        owned=((2,), (9,)),
        tactics=True,
        hands=("ST", ""),
    )
    moves = of(state, "ST")
    assert {action["take"] for action in moves} == {"R7", "SP"}
    assert {action["to"] for action in moves if action["take"] == "R7"} == {None, 3, 4, 5, 6, 7, 8}
    moved = do(state, take("ST", "SP", 1))
    assert moved.stones[0].sides[0] == cards("R7 SP")
    assert moved.stones[2].sides[0] == ()
    thrown = do(state, take("ST", "R7", None))
    assert thrown.tactics.discard[-2:] == cards("ST R7")
    assert thrown.unseen == state.unseen
    assert refusal(state, take("ST", "R7", 1)).code == "same_stone"
    assert refusal(state, take("ST", "R7", 9)).code == "stone_claimed"
    assert refusal(state, take("ST", "R1", None)).code == "no_target"
    assert refusal(state, take("ST", "B1", None)).code == "no_target"


def test_a_strategist_needs_room_where_it_puts_the_card():
    state = position({1: ("R7", ""), 2: ("R1 R2 R3", "")}, tactics=True, hands=("ST", ""))
    assert refusal(state, take("ST", "R7", 2)).code == "side_full"


def test_a_strategist_that_completes_another_side_sets_its_moment():
    state = position({1: ("R7", ""), 2: ("R1 R2", "B1 B2 B3")}, tactics=True, hands=("ST", ""))
    after = do(state, take("ST", "R7", 2))
    assert after.stones[1].first == 1
    assert after.ripe == (0b10, 0b10)


def test_a_banshee_discards_a_card_of_the_opponent():
    state = position(
        {1: ("R7", "B1 JB"), 2: ("", "G1 G2 G3")}, owned=((), (2,)), tactics=True, hands=("BA", "")
    )
    assert of(state, "BA") == [take("BA", "B1"), take("BA", "JB")]
    after = do(state, take("BA", "JB"))
    assert after.tactics.discard[-2:] == cards("BA JB")
    assert after.stones[0].sides[1] == cards("B1")
    assert after.tactics.jokers == (0, 0)
    for out_of_reach in ("R7", "G1", "P9"):
        assert refusal(state, take("BA", out_of_reach)).code == "no_target"


def test_a_traitor_brings_a_clan_card_over():
    state = position(
        {1: ("R7 R8", "R9 SP"), 2: ("O1 O2 O3", "")},
        owned=((2,), ()),
        tactics=True,
        hands=("TR", ""),
    )
    assert {(action["take"], action["to"]) for action in of(state, "TR")} == {
        ("R9", n) for n in (1, 3, 4, 5, 6, 7, 8, 9)
    }
    after = do(state, take("TR", "R9", 1))
    assert after.stones[0].sides == (cards("R7 R8 R9"), cards("SP"))
    assert after.stones[0].first == 0
    assert refusal(state, take("TR", "SP", 1)).code == "no_elite"
    assert refusal(state, take("TR", "R7", 1)).code == "no_target"
    assert refusal(state, take("TR", "R9", 2)).code == "stone_claimed"


def test_a_traitor_at_the_same_stone_turns_the_moments_round():
    state = position({1: ("R7 R8", "B1 B2 B3")}, tactics=True, hands=("TR", ""))
    after = do(state, take("TR", "B3", 1))
    assert after.stones[0].first == 0
    assert (after.room[1] & 1, after.ripe) == (1, (1, 0))


def test_the_other_side_becomes_the_first_when_a_full_side_loses_a_card():
    state = position({1: ("R7 R8 R9", "B1 B2 B3")}, tactics=True, hands=("", "BA"), turn=1)
    assert do(state, take("BA", "R8")).stones[0].first == 1


@pytest.mark.parametrize("card", ["ST", "BA", "TR"])
def test_a_ruse_without_a_target_cannot_be_played(card):
    state = position(tactics=True, hands=(f"{card} R1", ""))
    assert of(state, card) == []


def test_a_claim_may_follow_a_ruse():
    state = position({1: ("R7 R8 R9", "B7 B8 B9")}, first={1: 1}, tactics=True, hands=("BA", ""))
    after = do(state, take("BA", "B8"))
    assert legal(after, "claim") == [{"type": "claim", "stone": 1}]


def test_discarded_cards_are_seen():
    """With B8 in the discard no 7-8-9 of blue is left to beat 6-7-8."""
    state = position({1: ("R6 R7 R8", "B7 B8")}, tactics=True, hands=("BA", ""), phase="play")
    after = do(state, take("BA", "B8"))
    assert TITLE.state_json(after)["discard"][-1] == "B8"
    assert not after.unseen & (1 << cards("B8")[0])


def test_a_recruiter_may_return_what_it_has_drawn_and_what_it_drew_from_either_deck():
    state = position(
        tactics=True, hands=("RE R1 R2 R3 R4 R5 R6", ""), deck="B1 B2", tactics_deck="JA SP"
    )
    begun = do(state, {"type": "play", "card": "RE"})
    assert legal(begun) == [{"type": "draw", "from": name} for name in ("clan", "tactics")]
    drawn = do(begun, *({"type": "draw", "from": name} for name in ("tactics", "clan", "tactics")))
    assert len(legal(drawn)) == 9
    done = do(drawn, {"type": "return", "card": "JA"}, {"type": "return", "card": "B1"})
    assert (done.deck, done.tactics.deck) == (cards("B2 B1"), cards("JA"))
    assert (done.phase, legal(done)) == ("end", [{"type": "end"}])
    assert refusal(done, {"type": "draw", "from": "clan"}).code == "hand_full"


def test_a_recruiter_runs_one_deck_dry_and_goes_on_with_the_other():
    state = position(tactics=True, hands=("RE R1", ""), deck="B1", tactics_deck="JA SP")
    after = do(state, {"type": "play", "card": "RE"}, {"type": "draw", "from": "clan"})
    assert legal(after) == [{"type": "draw", "from": "tactics"}]
    assert refusal(after, {"type": "draw", "from": "clan"}).code == "deck_empty"


def test_in_a_recruiter_nothing_else_is_done():
    state = position({1: ("R7 R8 R9", "")}, tactics=True, hands=("RE B1", ""))
    begun = do(state, {"type": "play", "card": "RE"})
    for action in ({"type": "claim", "stone": 1}, {"type": "end"}, lay("B1", 2), {"type": "pass"}):
        assert refusal(begun, action).code == "recruiter_draws"
    assert refusal(begun, {"type": "return", "card": "B1"}).code == "recruiter_draws"


def test_resigning_in_a_recruiter_ends_it():
    state = position(tactics=True, hands=("RE B1", ""))
    ended = do(state, {"type": "play", "card": "RE"}, {"type": "resign", "seat": 1})
    assert TITLE.state_json(ended)["recruit"] is None
    assert TITLE.state_json(ended)["winner"] == 0


def test_the_backs_of_a_hand_tell_its_decks_and_no_more():
    """P9 is the last of the clan cards, JA the first of the tactics cards."""
    for hand, backs in (
        ("P9", {"clan": 1, "tactics": 0}),
        ("JA", {"clan": 0, "tactics": 1}),
        ("R1 P9 JA TR SP", {"clan": 2, "tactics": 3}),
    ):
        state = position(tactics=True, hands=("", hand))
        for viewer in (0, "spectator"):
            assert TITLE.view(state, viewer)["hands"][1] == backs
