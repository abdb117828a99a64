"""What the prover tells besides yes and no: its reasons, from public cards only."""

from __future__ import annotations

import pytest

from games.engine.schotten_totten.proof import (
    Formation,
    best_reachable,
    holds,
    judge,
    judge_claim,
)
from games.engine.schotten_totten.state import places
from tests.engine.contract import Played
from tests.engine.positions import TITLE, position

MODES = {"": "", "BB": "BB", "MF": "MF"}


def test_a_claim_against_an_open_side_tells_the_best_reply():
    verdict = judge_claim(position({3: ("R7 R8 R9", "B4 B5")}), 0, 3)
    assert (verdict.holds, verdict.reason) == (True, "unbeatable")
    assert verdict.own == Formation("colour-run", 24)
    assert verdict.best_reply == Formation("colour-run", 15)
    assert (verdict.completion, verdict.added) == ((), ())


def test_a_claim_that_is_not_proven_tells_the_whole_side_that_beats_it():
    verdict = judge_claim(position({3: ("R5 O5 Y5", "B5 B4")}), 0, 3)
    assert (verdict.holds, verdict.reason) == (False, "not_proven")
    assert verdict.theirs == Formation("colour-run", 15)
    assert verdict.completion == ("B5", "B4", "B6")
    assert verdict.added == ("B6",)
    assert verdict.best_reply is None


def test_a_claim_holds_where_too_few_cards_are_unseen():
    laid = position({3: ("R1 O2 Y4", "B5")}, deck="B6")
    verdict = judge_claim(laid, 0, 3)
    assert (verdict.holds, verdict.reason) == (True, "too_few_unseen")
    assert verdict.theirs is verdict.best_reply is None
    assert best_reachable(laid, 1, 3) is None


def test_one_unseen_card_that_fits_is_enough():
    verdict = judge_claim(position({3: ("R1 O2 Y4", "B5 B4")}, deck="B6"), 0, 3)
    assert (verdict.holds, verdict.added) == (False, ("B6",))


@pytest.mark.parametrize("hand", [("B6", ""), ("", "B6")])
def test_cards_in_hands_are_unseen(hand):
    laid = position({3: ("R1 O2 Y4", "B5 B4")}, deck="", hands=hand)
    assert judge_claim(laid, 0, 3).added == ("B6",)


def test_two_full_sides_tell_both_formations():
    laid = position({3: ("R7 R8 R9", "B4 B5 B6")})
    verdict = judge_claim(laid, 0, 3)
    assert (verdict.holds, verdict.reason) == (True, "stronger")
    assert verdict.theirs == Formation("colour-run", 15)
    beaten = judge_claim(laid, 1, 3)
    assert (beaten.holds, beaten.reason) == (False, "weaker")
    assert (beaten.completion, beaten.added) == (("R7", "R8", "R9"), ())


def test_a_tie_says_who_was_full_first():
    laid = position({3: ("R7 R8 R9", "B7 B8 B9")}, first={3: 1})
    assert judge_claim(laid, 1, 3).reason == "completed_first"
    verdict = judge_claim(laid, 0, 3)
    assert (verdict.reason, verdict.tie_completed_first) == ("completed_later", True)
    assert verdict.completion == ("B7", "B8", "B9")


def test_a_side_that_is_not_full_claims_nothing():
    verdict = judge_claim(position({3: ("R7 R8", "")}), 0, 3)
    assert (verdict.holds, verdict.reason, verdict.own) == (False, "not_full", None)


@pytest.mark.parametrize(
    ("theirs", "deck", "added"),
    [
        ("", "R1 R2 R3 O1 O2 O3 G1", ("R1", "R2", "R3")),  # equal runs in two colours
        ("", "O9 B9 P9 Y9 G1 G2", ("O9", "Y9", "B9")),  # four alike: the first three
        ("", "O9 O6 O5 B8 B7 B5 R1", ("O5", "O6", "O9")),  # equal colours
        ("R4", "O5 G5 B6 Y6 P1", ("O5", "Y6")),  # a run in the first colours
        ("R9 B1", "G7 O7 Y2", ("O7",)),  # the first of equal sums
        ("R1", "O6 P9", ("O6", "P9")),  # a sum in the order of cards, not of values
        ("JA R5", "O7 G6 P1", ("O7",)),  # a run of mixed colours: the first card that does it
        ("JA R5", "R4 R6 R7 O1", ("R6",)),  # 5-6-7 either way: the first card that does it
        ("JA SB", "R2 R3 P1", ("R2",)),  # 2-3-4 with either: the first card that does it
    ],
)
def test_of_equal_completions_the_first_in_order_is_shown(theirs, deck, added):
    laid = position({3: ("B2 Y4 P2", theirs)}, deck=deck, tactics="J" in theirs)
    assert judge_claim(laid, 0, 3).added == added


def test_best_reachable_reads_a_full_side_as_it_lies():
    laid = position({3: ("JA R5 R6", ""), 4: ("R1 O9 G5", "", "BB")}, tactics=True)
    assert best_reachable(laid, 0, 3) == Formation("colour-run", 18)
    assert best_reachable(laid, 1, 3) == Formation("colour-run", 24)
    assert best_reachable(laid, 0, 4) == Formation("sum", 15)


def test_mud_fight_asks_for_four():
    laid = position({3: ("R7 R8 R9", "B4", "MF")}, tactics=True)
    assert judge_claim(laid, 0, 3).reason == "not_full"
    laid = position({3: ("R6 R7 R8 R9", "B4", "MF")}, tactics=True)
    assert judge_claim(laid, 0, 3).best_reply == Formation("colour-run", 22)
    laid = position({3: ("R5 R6 R7 R8", "B6 B7 B8", "MF")}, tactics=True)
    assert judge_claim(laid, 0, 3).completion == ("B6", "B7", "B8", "B9")


def test_under_the_bluff_only_sums_count():
    laid = position({3: ("R9 O9 Y8", "B9 G9", "BB")}, tactics=True)
    assert judge_claim(laid, 0, 3).added == ("Y9",)
    laid = position({3: ("R9 O9 Y9", "B9 G9", "BB")}, tactics=True)
    assert judge_claim(laid, 0, 3).best_reply == Formation("sum", 27)


def test_reasons_agree_with_the_quick_answer_in_play():
    for ruleset in TITLE.meta.rulesets:
        for state in Played(TITLE, ruleset, 5).states:
            for seat in (0, 1):
                for at in places(state.ripe[seat]):
                    stone = state.stones[at]
                    verdict = judge(stone, seat, state.unseen)
                    assert verdict.holds == holds(stone, seat, state.unseen)
                    assert bool(verdict.completion) == (not verdict.holds)
                    assert judge_claim(state, seat, at + 1) == verdict


def test_a_completion_is_made_of_unseen_cards():
    for state in Played(TITLE, TITLE.meta.rulesets[3], 9).states:
        face_up = {
            c for stone in TITLE.state_json(state)["stones"] for s in stone["sides"] for c in s
        }
        face_up |= set(TITLE.state_json(state)["discard"])
        for number in range(1, 10):
            assert not face_up & set(judge_claim(state, 0, number).added)
