"""Part (a) of the collected faults of other sites, by number: what the engine answers.

Faults 10, 24, 30 and 32 have a part on the site too, which is tested there.
"""

from __future__ import annotations

from itertools import combinations, permutations

import pytest

from games.engine.errors import IllegalAction, MalformedRecord
from games.engine.schotten_totten.cards import CARD_OF, CLAN_CODES
from games.engine.schotten_totten.formations import strength_of
from games.engine.schotten_totten.proof import Formation, formation_of, judge_claim
from games.engine.shuffle import Stream, shuffled
from tests.engine.contract import Played
from tests.engine.naive.strength import worth_of
from tests.engine.positions import TITLE, cards, claim, do, lay, legal, position, refusal

RUN, COLOUR_RUN, KIND, COLOUR, SUM = "run", "colour-run", "three-of-a-kind", "colour", "sum"


def read(side, *, bluff=False):
    return formation_of(cards(side), bluff)


def beats(mine, theirs, *modes):
    """Tell whether the first side wins the stone although the other was full first."""
    laid = position({5: (mine, theirs, *modes)}, first={5: 1}, tactics=True)
    return judge_claim(laid, 0, 5).holds


def test_fault_1_a_run_may_be_played_in_any_order():
    for order in permutations(["R1", "R2", "R3"]):
        assert read(" ".join(order)) == (COLOUR_RUN, 6)
        assert beats(" ".join(order), "Y4 Y6 Y8")
    assert read("G1 G2 G4") == (COLOUR, 7)


def test_fault_2_two_cards_of_one_colour_do_not_spoil_a_run():
    assert read("R5 R6 G7") == (RUN, 18)
    assert beats("R5 R6 G7", "Y9 G9 B8")
    assert not beats("Y9 G9 B8", "R5 R6 G7")


def test_fault_3_colour_and_run_are_of_the_same_four_cards():
    assert read("R1 R2 R3 B4") == (RUN, 10)
    assert read("R2 R5 R9 B7") == (SUM, 23)


MATRIX = ["R1 R2 R3", "R9 G9 B9", "Y9 Y8 Y6", "R7 G8 B9", "R9 G9 B8"]


@pytest.mark.parametrize(("stronger", "weaker"), list(combinations(range(5), 2)))
def test_fault_4_types_are_ranked_as_listed(stronger, weaker):
    def strength(n):
        return strength_of(cards(MATRIX[n]), False)

    assert strength(stronger) > strength(weaker)
    assert worth_of(MATRIX[stronger].split(), False) > worth_of(MATRIX[weaker].split(), False)


def test_fault_4_three_alike_of_four_are_nothing():
    assert read("R5 G5 B5 Y6") == (SUM, 21)


@pytest.mark.parametrize(
    ("side", "total"), [("JA R8 R9", 24), ("JA R1 R2", 6), ("JA R7 R9", 24), ("JB R2 R3", 9)]
)
def test_fault_5_a_wild_card_is_never_a_0_or_a_10(side, total):
    assert read(side) == (COLOUR_RUN, total)


@pytest.mark.parametrize(
    ("side", "expected"),
    [
        ("SB R4 R5", (COLOUR_RUN, 12)),
        ("SB R2 R4", (COLOUR_RUN, 9)),
        ("SB R1 R2", (COLOUR_RUN, 6)),
        ("SB R9 G9", (SUM, 21)),
        ("SB R4 R5 R6", (COLOUR_RUN, 18)),
        ("JA SB R5 R6", (COLOUR_RUN, 18)),
    ],
)
def test_fault_6_a_shield_bearer_finds_its_runs(side, expected):
    assert read(side) == expected


def test_fault_7_elite_troops_count_under_the_bluff():
    assert read("JA SB R9", bluff=True) == (SUM, 21)
    assert beats("JA SB R9", "R6 G7 B7", "BB")


def test_fault_9_a_claim_may_come_before_the_other_side_is_full():
    laid = position({5: ("R7 R8 R9", "")}, phase="end", hands=("", "B1"))
    assert legal(laid, "claim") == [claim(5)]
    assert refusal(position({5: ("R6 R7 R8", "")}, phase="end"), claim(5)).params["added"] == [
        "O7",
        "O8",
        "O9",
    ]


def claims_everywhere(sides, face_up):
    """Ask the prover, the legal actions, the claim itself and the automatic claim."""
    laid = position({5: sides}, phase="end", face_up=face_up)
    by_play = position(
        {5: (sides[0].rsplit(" ", 1)[0], sides[1])},
        claims="automatic",
        hands=(sides[0].rsplit(" ", 1)[1], ""),
        face_up=face_up,
    )
    try:
        do(laid, claim(5))
        by_action = True
    except IllegalAction:
        by_action = False
    last = sides[0].rsplit(" ", 1)[1]
    return {
        judge_claim(laid, 0, 5).holds,
        claim(5) in legal(laid),
        by_action,
        bool(do(by_play, lay(last, 5)).owned[0]),
    }


def test_fault_10_every_path_gives_the_same_verdict():
    assert claims_everywhere(("R4 R5 R6", "G8 G9"), face_up="G7") == {True}
    assert claims_everywhere(("R4 R5 R6", "G8 G9"), face_up="") == {False}


@pytest.mark.parametrize(
    ("theirs", "face_up", "holds"), [("G8 G2", "", True), ("G8", "G7", True), ("G8", "", False)]
)
def test_fault_12_the_prover_looks_at_this_stone_and_at_what_lies_open(theirs, face_up, holds):
    """Whoever holds the cards that are still to come."""
    sides = {5: ("R4 R5 R6", theirs)}
    for hands in (("G7 G6 G9", ""), ("", "G7 G6 G9"), ("", "")):
        held = tuple(" ".join(c for c in hand.split() if c not in face_up) for hand in hands)
        assert judge_claim(position(sides, hands=held, face_up=face_up), 0, 5).holds is holds


def test_fault_13_an_equal_side_that_came_later_does_not_stop_a_claim():
    laid = position({5: ("R5 R6 R7", "G5 G6 G7")}, first={5: 0}, phase="end")
    assert do(laid, claim(5)).owned == (1 << 4, 0)
    assert refusal(laid._replace(turn=1), claim(5)).code == "claim_tied"
    early = position({5: ("R5 R6 R7", "G5 G6")}, phase="end", face_up="G8")
    assert legal(early, "claim") == [claim(5)]


def test_fault_14_equal_sides_go_to_who_was_full_first_and_winners_are_seats():
    ties = dict.fromkeys((3,), ("R5 R6 R7", "G5 G6 G7"))
    ties |= {4: ("O1 O2 O3", "Y1 Y2 Y3"), 5: ("B4 B5 B6", "P4 P5 P6")}
    laid = position(ties, first={3: 1, 4: 0, 5: 1}, claims="automatic", hands=("R9", ""))
    after = do(laid, lay("R9", 9))
    assert after.owned == (0b1000, 0b10100)
    for seed in range(20):
        for ruleset in TITLE.meta.rulesets:
            outcome = TITLE.outcome(Played(TITLE, ruleset, seed).states[-1])
            assert outcome.winner in (None, 0, 1)


@pytest.mark.parametrize("start", range(1, 8))
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("last", [0, 1, 2])
@pytest.mark.parametrize("others", ["open", "mixed"])
def test_fault_15_any_three_neighbours_win(start, seat, last, others):
    row = [start, start + 1, start + 2]
    stone = row.pop(last)
    theirs = (1, 4, 8) if others == "mixed" else ()
    theirs = tuple(n for n in theirs if n not in (*row, stone))
    owned = (tuple(row), theirs) if seat == 0 else (theirs, tuple(row))
    sides = ("R7 R8 R9", "") if seat == 0 else ("", "R7 R8 R9")
    laid = position({stone: sides}, owned=owned, phase="end", turn=seat)
    after = do(laid, claim(stone))
    assert (after.ending, TITLE.to_act(after)) == ((seat, "adjacent"), None)


def test_fault_15_a_gap_is_no_row():
    laid = position({7: ("R7 R8 R9", "")}, owned=((5, 6), ()), phase="end")
    assert do(laid, claim(7)).ending == (0, "adjacent")
    laid = position({8: ("R7 R8 R9", "")}, owned=((5, 6), ()), phase="end")
    assert do(laid, claim(8)).ending is None


def test_fault_16_a_claim_does_not_end_the_turn_or_the_game():
    laid = position({2: ("R7 R8 R9", ""), 6: ("O7 O8 O9", "")}, phase="end", hands=("B1", "B2"))
    after = do(laid, claim(2))
    assert after.ending is None
    assert legal(after) == [{"type": "draw", "from": "clan"}, claim(6)]
    after = do(after, claim(6), {"type": "draw", "from": "clan"})
    assert (TITLE.to_act(after), after.phase) == (1, "play")


@pytest.mark.parametrize("chosen", [(), (2,), (6,), (2, 6)])
def test_fault_17_any_of_the_claims_may_be_made_or_left(chosen):
    laid = position({2: ("R7 R8 R9", ""), 6: ("O7 O8 O9", "")}, phase="end", hands=("B1", "B2"))
    after = do(laid, *(claim(n) for n in chosen), {"type": "draw", "from": "clan"})
    assert after.owned[0] == sum(1 << (n - 1) for n in chosen)
    later = do(after, lay("B2", 9), {"type": "draw", "from": "clan"}, lay("B1", 9))
    assert legal(later, "claim") == [claim(n) for n in (2, 6) if n not in chosen]


def test_fault_18_mud_fight_may_lie_where_both_sides_are_full():
    sides = {4: ("R7 R8 R9", "B1 G2 Y4")}
    laid = position(sides, tactics=True, hands=("MF R1", "P1"))
    after = do(laid, lay("MF", 4))
    assert (after.stones[3].size, after.stones[3].first) == (4, None)
    assert legal(after, "claim") == []
    assert refusal(after, claim(4)).code == "side_not_full"
    assert after.room == (0b111111111, 0b111111111)


def test_fault_20_a_side_that_loses_a_card_loses_its_moment():
    laid = position(
        {3: ("R5 R6 O7", "G5 Y6")},
        tactics=True,
        turn=1,
        hands=("P7 B1", "BA G7 B2"),
        deck="",
        tactics_deck="",
    )
    end = {"type": "end"}
    after = do(laid, {"type": "play", "card": "BA", "take": "O7"})
    assert after.stones[2].first is None
    after = do(after, end, lay("B1", 9), end, lay("G7", 3))
    assert after.stones[2].first == 1
    after = do(after, end, lay("P7", 3))
    assert after.stones[2].first == 1
    assert refusal(after, claim(3)).code == "claim_tied"
    assert judge_claim(after, 1, 3).reason == "completed_first"


def test_fault_21_who_has_played_a_joker_may_not_play_the_other():
    laid = position(
        {2: ("JA", "")}, tactics=True, hands=("JB R1", ""), played=(1, 1), jokers=(1, 0)
    )
    assert refusal(laid, lay("JB", 8)).code == "second_joker"
    laid = position(
        {2: ("JA", "")}, tactics=True, hands=("", "JB R1"), played=(1, 1), jokers=(1, 0), turn=1
    )
    assert do(laid, lay("JB", 8)).tactics.jokers == (1, 1)


def test_fault_22_a_refused_tactics_card_stays_in_hand():
    laid = position(tactics=True, hands=("BB SP R1", "SB"), played=(1, 0))
    assert refusal(laid, lay("SP", 1)).code == "tactics_limit"
    after = do(laid, lay("R1", 1), {"type": "draw", "from": "clan"}, lay("SB", 1))
    after = do(after, {"type": "draw", "from": "clan"}, lay("SP", 1))
    assert after.tactics.played == (2, 1)


def test_fault_24_a_recruiter_counts_as_soon_as_it_is_played():
    laid = position(tactics=True, hands=("RE R1", "BB"))
    begun = do(laid, {"type": "play", "card": "RE"})
    for viewer in (0, 1, "spectator"):
        seen = TITLE.view(begun, viewer)
        assert seen["discard"] == ["RE"]
        assert seen["tactics_played"] == [1, 0]
        assert seen["recruit"] == {"draws": 3, "returns": 2}
    draw = {"type": "draw", "from": "clan"}
    assert refusal(begun, {"seat": 1, **draw}).code == "not_your_turn"
    assert refusal(begun, {"type": "return", "card": "R1"}).code == "recruiter_draws"
    drawn = do(begun, draw, draw, {"type": "draw", "from": "tactics"})
    assert TITLE.view(drawn, 1)["recruit"] == {"draws": 0, "returns": 2}
    assert refusal(drawn, draw).code == "recruiter_returns"
    assert {action["type"] for action in legal(drawn)} == {"return"}
    assert len(legal(drawn)) == 4


def test_fault_25_returned_cards_lie_under_the_deck_in_order():
    laid = position(tactics=True, hands=("RE G3 R8", ""), deck="B1 B2 B3 B4", tactics_deck="")
    draw = {"type": "draw", "from": "clan"}
    back = [{"type": "return", "card": card} for card in ("G3", "R8")]
    after = do(laid, {"type": "play", "card": "RE"}, draw, draw, draw, *back)
    assert after.deck == cards("B4 G3 R8")
    actions = [TITLE.parse_action({"seat": 0, **action}) for action in back]
    for viewer in (1, "spectator"):
        hidden = {"seat": 0, "type": "return", "card": None, "to": "clan"}
        assert TITLE.redact(after, actions, viewer) == [hidden, hidden]


def test_fault_26_an_empty_deck_never_holds_up_a_turn():
    laid = position(tactics=True, hands=("R1 R2", "R3"), deck="", tactics_deck="JA", phase="end")
    assert legal(laid) == [{"type": "draw", "from": "tactics"}]
    assert refusal(laid, {"type": "draw", "from": "clan"}).code == "deck_empty"
    laid = position(hands=("R1 R2", "R3"), deck="", phase="end")
    assert legal(laid) == [{"type": "end"}]
    assert refusal(laid, {"type": "draw", "from": "clan"}).code == "deck_empty"


@pytest.mark.parametrize(("deck", "tactics_deck", "n"), [("B1", "SP", 2), ("", "SP", 1)])
def test_fault_26_a_recruiter_draws_what_is_left(deck, tactics_deck, n):
    laid = position(tactics=True, hands=("RE R1", ""), deck=deck, tactics_deck=tactics_deck)
    begun = do(laid, {"type": "play", "card": "RE"})
    assert begun.tactics.recruit == (n, n - 1)
    after = begun
    while after.phase == "recruit":
        after = do(after, legal(after)[0])
    assert len(after.hands[0]) == 2
    assert after.phase == "end"


def test_fault_26_a_recruiter_needs_a_card_to_draw():
    laid = position(tactics=True, hands=("RE R1", ""), deck="", tactics_deck="")
    assert refusal(laid, {"type": "play", "card": "RE"}).code == "decks_empty"
    assert {"type": "play", "card": "RE"} not in legal(laid)


def test_fault_27_hands_shrink_when_the_deck_is_empty():
    state = position(hands=("R1 R2 R3 R4 R5 R6", "B1 B2 B3 B4 B5 B6"), deck="")
    sizes = []
    for turn in range(6):
        card = TITLE.state_json(state)["hands"][state.turn][0]
        state = do(state, lay(card, turn + 1), {"type": "end"})
        sizes.append([len(hand) for hand in state.hands])
    assert sizes == [[5, 6], [5, 5], [4, 5], [4, 4], [3, 4], [3, 3]]


def test_fault_28_passing_is_legal_exactly_where_no_clan_card_fits():
    pass_ = {"type": "pass"}
    only_tactics = position(tactics=True, hands=("SP SB", "R1"), played=(1, 0))
    assert legal(only_tactics) == [pass_]
    with_choice = position(tactics=True, hands=("SP SB", "R1"))
    assert pass_ in legal(with_choice)
    assert len(legal(with_choice)) == 19
    no_room = position({n: (f"R{n} O{n} Y{n}", "") for n in range(1, 10)}, hands=("B1 B2", "P1 P2"))
    assert legal(no_room) == [pass_]
    assert refusal(position(hands=("R1", "")), pass_).code == "must_play"


def test_fault_29_passing_and_resigning_are_different_things():
    state = position(tactics=True, hands=("SP", "SB"), deck="", tactics_deck="")
    passed = do(state, {"type": "pass"}, {"type": "end"})
    assert passed.ending is None
    resigned = do(state, {"type": "resign"})
    assert resigned.ending == (1, "resign")
    assert legal(resigned) == []
    for action in ({"type": "pass"}, {"type": "end"}, {"type": "resign"}):
        assert refusal(resigned, {"seat": 0, **action}).code == "game_over"


def test_fault_30_only_the_seat_to_act_acts_on_stones_that_are_there():
    laid = position(hands=("R1", "B1"))
    assert refusal(laid, {"seat": 1, **lay("B1", 1)}).code == "not_your_turn"
    assert refusal(laid, {"seat": 1, **lay("R1", 1)}).code == "not_your_turn"
    assert refusal(laid, lay("B1", 1)).code == "not_in_hand"
    for stone in (-1, 0, 10, 99, "1", "1e1", 1.0, None, True, [1]):
        with pytest.raises(MalformedRecord):
            TITLE.parse_action({"seat": 0, **lay("R1", stone)})
    for seat in (-1, 2, 7, "0", None, False):
        with pytest.raises(MalformedRecord):
            TITLE.parse_action({"seat": seat, **lay("R1", 1)})


def test_fault_31_every_card_goes_to_every_place_as_often():
    """20,000 shuffles: about one fixed point each, and chi-square within six deviations."""
    n = len(CLAN_CODES)
    places = [[0] * n for _ in range(n)]
    below = Stream(bytes(32)).below
    rounds = 20_000
    for _ in range(rounds):
        for place, code in enumerate(shuffled(CLAN_CODES, below)):
            places[CARD_OF[code]][place] += 1
    fixed = sum(places[card][card] for card in range(n)) / rounds
    assert 0.95 < fixed < 1.05
    expected = rounds / n
    chi_square = sum((seen - expected) ** 2 / expected for row in places for seen in row)
    freedom = (n - 1) ** 2
    assert abs(chi_square - freedom) < 6 * (2 * freedom) ** 0.5


def test_fault_32_a_refused_move_leaves_the_hand_as_it_was():
    laid = position({1: ("R7 R8 R9", "")}, hands=("B1 B2 B3", ""))
    before = laid.hands
    assert refusal(laid, lay("B1", 1)).code == "side_full"
    assert laid.hands == before
    assert do(laid, lay("B3", 2)).stones[1].sides[0] == cards("B3")


def test_formations_are_named_values():
    assert read("R1 R2 R3") == Formation("colour-run", 6)
