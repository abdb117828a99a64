"""What each card does when it is turned up. Section names are those of three-bridges.md."""

from __future__ import annotations

import pytest

from games.engine.three_bridges.state import State
from tests.engine.three_bridges.table import asked, deal, legal, play, row

PLAIN = "B8 B9 BX H8 H9"
"""A hand of cards without any ability."""


def test_six_rounds_with_alternating_starters() -> None:
    state = deal("H7 B7 L7", PLAIN, "A7 A8 A9 AX AK", first=1)
    starters = []
    for _ in range(6):
        starters.append((state.round, state.starter))
        for _ in range(2):
            quiet = next(card for card in state.hands[state.turn] if card[1] in "789XK")
            state = play(state, f"place {quiet} 3")
            while state.asked:
                state = play(state, "skip")
    assert starters == [(1, 1), (2, 0), (3, 1), (4, 0), (5, 1), (6, 0)]
    assert (state.phase, state.reason) == ("over", "bridges")


def test_each_draws_at_the_start_of_a_round_the_starter_first() -> None:
    state = deal("H7 B7 L7", PLAIN, "LK LX L8 L9 BK", then="HU HO")
    state = play(state, "place B8 1", "place BK 1")
    assert state.starter == 1
    assert state.hands == (("B9", "BX", "H8", "H9", "HO"), ("HU", "L8", "L9", "LK", "LX"))


def test_cards_lie_face_down_until_both_are_placed() -> None:
    state = play(deal("H7 B7 L7", "L9 L8 LX LK BK", PLAIN), "place L9 2")
    assert (state.turn, state.phase, row(state, 2, 0)) == (1, "place", "(L9)")
    state = play(state, "place B8 2")
    assert (row(state, 2, 0), row(state, 2, 1)) == ("L9", "(B8)")
    state = play(state, "skip")
    assert (row(state, 2, 1), state.round) == ("B8", 2)


def test_starters_abilities_come_first_then_the_other_cards() -> None:
    state = play(deal("H7 B7 L7", "L9 L8 LX LK BK", "LA A8 A9 AX AK"), "place L9 2", "place LA 2")
    assert asked(state) == "0 turn L9 at 2.0"
    state = play(state, "skip")
    assert asked(state) == "1 turn LA at 2.0"
    state = play(state, "skip")
    assert asked(state) == "1 extra LA at 2.0"
    assert asked(play(state, "skip")) is None


class TestAcorn:
    @pytest.mark.parametrize("acorn", ["A7", "A8", "A9", "AX", "AK"])
    def test_draws_a_card_by_itself(self, acorn: str) -> None:
        hand = " ".join({"A7", "A8", "A9", "AX", "AK"} - {acorn})
        state = play(
            deal("H7 B7 L7", f"{acorn} {hand}", PLAIN, then="HU HO HK"), f"place {acorn} 1"
        )
        assert len(state.hands[0]) == 4
        state = play(state, "place B8 1")
        assert "HU" in state.hands[0]  # the Acorn's draw came before those of round 2
        assert "HO" in state.hands[1]
        assert "HK" in state.hands[0]

    def test_an_ace_may_play_the_card_its_acorn_drew(self) -> None:
        state = deal("H7 B7 L7", "AA H8 B8 B9 BX", "H9 HX HU HO HK", then="A7")
        state = play(state, "place AA 1", "place H9 1")
        assert asked(state) == "0 extra AA at 1.0"
        assert legal(state) == {"extra A7 1", "extra A7 2", "extra A7 3", "skip"}


class TestLeaf:
    def test_itself_can_be_turned_so_it_always_asks(self) -> None:
        state = play(deal("H7 B7 L7", "L9 L8 LX LK BK", PLAIN), "place L9 2", "place B8 2")
        assert legal(state) == {"turn 0 0", "skip"}
        assert row(play(state, "turn 0 0"), 2, 0) == "L9/"

    def test_turns_a_card_in_either_row_at_its_bridge_only(self) -> None:
        state = deal("H7 B7 L7", "HX H9 L9 LK BK", "B8 B9 BX H8 HK", then="BU BO")
        state = play(state, "place HX 2", "place B8 2", "place B9 1", "place L9 2")
        assert asked(state) == "0 turn L9 at 2.1"
        assert legal(state) == {"turn 0 0", "turn 0 1", "turn 1 0", "skip"}
        state = play(state, "turn 1 0")
        assert (row(state, 2, 0), row(state, 2, 1), row(state, 1, 1)) == ("HX L9", "B8/", "B9")

    def test_cannot_turn_a_card_twice_nor_one_that_lies_face_down(self) -> None:
        state = deal("H7 B7 L7", "HX LX L9 LK BK", "L8 B9 BX H8 HK", then="BU BO BA")
        state = play(state, "place HX 2", "place L8 2", "turn 0 0")
        state = play(state, "place B9 2", "place L9 2")
        assert legal(state) == {"turn 0 1", "turn 1 0", "turn 1 1", "skip"}
        state = play(state, "turn 1 0")
        state = play(state, "place LX 2", "place BX 2")
        assert row(state, 2, 1) == "L8/ B9 (BX)"
        assert legal(state) == {"turn 0 1", "turn 0 2", "turn 1 1", "skip"}

    def test_turning_takes_no_ability_away(self) -> None:
        state = play(deal("H7 B7 L7", "LA L8 LX LK BK", PLAIN), "place LA 2", "place B8 2")
        assert asked(play(state, "turn 0 0")) == "0 extra LA at 2.0"


class TestUnter:
    def test_of_the_bridges_suit_is_exchanged_with_it(self) -> None:
        state = play(
            deal("HA B7 L7", "HU H8 H9 HX HK", "B8 B9 BX BK LK"), "place HU 1", "place B8 1"
        )
        assert asked(state) == "0 swap HU at 1.0"
        assert legal(state) == {"swap", "skip"}
        state = play(state, "swap")
        assert state.bridges == ("HU", "B7", "L7")
        assert row(state, 1, 0) == "HA"
        assert state.asked is None  # the Ace that came into the row asks for nothing

    def test_declined_leaves_all_as_it_was(self) -> None:
        state = play(
            deal("HA B7 L7", "HU H8 H9 HX HK", "B8 B9 BX BK LK"), "place HU 1", "place B8 1"
        )
        state = play(state, "skip")
        assert (state.bridges, row(state, 1, 0)) == (("HA", "B7", "L7"), "HU")

    def test_of_another_suit_is_not_asked(self) -> None:
        state = play(
            deal("HA B7 L7", "HU H8 H9 HX HK", "B8 B9 BX BK LK"), "place HU 2", "place B8 1"
        )
        assert (state.round, state.asked) == (2, None)

    def test_turned_by_its_own_leaf_gives_an_upright_card(self) -> None:
        state = play(
            deal("LA B7 H7", "LU H8 H9 HX HK", "B8 B9 BX BK LK"), "place LU 1", "place B8 1"
        )
        state = play(state, "turn 0 0")
        assert (row(state, 1, 0), asked(state)) == ("LU/", "0 swap LU at 1.0")
        assert row(play(state, "swap"), 1, 0) == "LA"

    def test_draws_for_its_acorn_first(self) -> None:
        state = deal("AK B7 H7", "AU H8 H9 HX HK", "B8 B9 BX BK LK", then="L8")
        state = play(state, "place AU 1", "place B8 1")
        assert asked(state) == "0 swap AU at 1.0"
        assert "L8" in state.hands[0]

    def test_second_unter_of_a_suit_cannot_be_but_a_swapped_card_can_be_moved(self) -> None:
        state = deal("HA B7 L7", "HU BO H9 HX HK", "B8 B9 BX BK LK", then="H8 LX LO")
        state = play(state, "place HU 1", "place B8 1", "swap", "place B9 1", "place BO 2")
        assert legal(state) == {"move 1 0", "skip"}
        state = play(state, "move 1 0")
        assert (row(state, 2, 0), state.asked) == ("BO HA", None)


class TestOber:
    def test_takes_an_own_card_from_another_bridge_behind_itself(self) -> None:
        state = deal("H7 B7 L7", "HX BO H9 LK BK", "B8 B9 BX H8 HK", then="BU L8")
        state = play(state, "place HX 1", "place B8 1", "place B9 2", "place BO 2")
        assert legal(state) == {"move 1 0", "skip"}
        state = play(state, "move 1 0")
        assert (row(state, 1, 0), row(state, 2, 0)) == ("", "BO HX")

    def test_is_passed_over_without_a_card_elsewhere(self) -> None:
        state = deal("H7 B7 L7", "HX BO H9 LK BK", "B8 B9 BX H8 HK")
        state = play(state, "place BO 1", "place B8 2")
        assert (state.round, state.asked) == (2, None)
        state = deal("H7 B7 L7", "HX BO H9 LK BK", "B8 B9 BX H8 HK")
        state = play(state, "place HX 1", "place B8 2", "place B9 2", "place BO 1")
        assert (state.round, state.asked) == (3, None)

    def test_moved_cards_stay_turned_and_use_no_ability_again(self) -> None:
        state = deal("H7 B7 L7", "A9 BO H9 LK BK", "L8 B9 BX H8 HK", then="BU L9 HU")
        state = play(state, "place A9 1", "place L8 1", "turn 0 0", "place B9 2", "place BO 2")
        left = len(state.deck) - state.n_drawn
        state = play(state, "move 1 0")
        assert row(state, 2, 0) == "BO A9/"
        # Two draws for round 3, none for the Acorn.
        assert len(state.deck) - state.n_drawn == left - 2

    def test_row_closes_up_where_the_card_leaves(self) -> None:
        state = deal("H7 B7 L7", "HX H9 BO LK BK", "B8 B9 BX H8 HK", then="BU HO HU BA")
        state = play(state, "place HX 1", "place B8 1", "place B9 1", "place H9 1")
        state = play(state, "place BO 3", "place BX 1")
        assert row(play(state, "move 1 0"), 1, 0) == "H9"

    def test_may_move_an_ace_that_let_it_be_played(self) -> None:
        state = deal("H7 B7 L7", "BA BO HX LK BK", "B8 B9 BX H8 HK")
        state = play(state, "place BA 1", "place B8 1", "extra BO 2", "move 1 0")
        assert (row(state, 1, 0), row(state, 2, 0), state.asked) == ("", "BO BA", None)


class TestAce:
    def test_asks_for_a_card_of_its_suit_or_a_chronicler(self) -> None:
        state = deal("H7 L7 LK", "HA HX C1 B9 BX", "B8 H8 A9 AX AK")
        state = play(state, "place HA 2", "place B8 1")
        cards = ("HX", "C1")
        assert legal(state) == {f"extra {card} {at}" for card in cards for at in (1, 2, 3)} | {
            "skip"
        }

    def test_card_played_uses_its_abilities_at_once(self) -> None:
        state = deal("H7 B7 LK", "LA L8 LX B9 HX", "B8 H8 A9 AX AK")
        state = play(state, "place LA 1", "place B8 3", "skip", "extra L8 3")
        assert asked(state) == "0 turn L8 at 3.0"
        # The other card still lies face down, and cannot be turned.
        assert (legal(state), row(state, 3, 1)) == ({"turn 0 0", "skip"}, "(B8)")
        state = play(state, "turn 0 0")
        assert (state.round, row(state, 3, 1)) == (2, "B8")

    def test_asks_also_where_no_card_of_the_suit_is_held(self) -> None:
        state = deal("H7 B7 LK", "HA L8 LX B9 BX", "B8 H8 A9 AX AK")
        state = play(state, "place HA 1", "place B8 3")
        assert (asked(state), legal(state)) == ("0 extra HA at 1.0", {"skip"})

    def test_chronicler_becomes_an_ace_of_the_suit_without_being_asked(self) -> None:
        state = deal("H7 B7 LK", "LA C1 LX B9 BX", "B8 H8 A9 AX AK")
        state = play(state, "place LA 1", "place B8 3", "skip", "extra C1 2")
        assert asked(state) == "0 turn C1 at 2.0"
        state = play(state, "turn 0 0")
        assert (row(state, 2, 0), asked(state)) == ("C1=L/", "0 extra C1 at 2.0")
        assert legal(state) == {"extra LX 1", "extra LX 2", "extra LX 3", "skip"}

    def test_longest_chain_of_one_suit(self) -> None:
        state = deal("H7 B7 LK", "AA C1 C2 AK BX", "B8 H8 H9 HX HK", then="AO AU")
        state = play(state, "place AA 1", "place B8 3", "extra C1 2", "extra C2 2")
        assert asked(state) == "0 extra C2 at 2.1"
        assert set(state.hands[0]) >= {"AO", "AU"}
        state = play(state, "extra AO 2", "move 1 0")
        assert (row(state, 2, 0), state.round) == ("C1=A C2=A AO AA", 2)

    def test_is_not_asked_with_an_empty_hand(self) -> None:
        state = self.nearly_empty_hand("LA")
        state = play(state, "place LA 1", "place H9 3")
        assert (asked(state), state.hands[0]) == ("0 turn LA at 1.1", ())
        state = play(state, "skip")
        assert state.round == 4

    def test_empty_hand_is_filled_by_the_aces_own_acorn(self) -> None:
        state = play(self.nearly_empty_hand("AA", then="AK"), "place AA 1", "place H9 3")
        assert (asked(state), state.hands[0]) == ("0 extra AA at 1.1", ("AK",))

    def nearly_empty_hand(self, last: str, then: str = "") -> State:
        """Seat 0 has played card after card and holds but the one that round 3 brought."""
        hands = ("HA C1 C2 HK BA", "B8 B9 H8 H9 HX")
        state = deal("H7 B7 LK", *hands, then=f"L7 BK {last} L9 {then}")
        state = play(state, "place HA 1", "place B8 3", "extra C1 2", "extra C2 2", "extra HK 2")
        state = play(state, "place B9 3", "place BA 3", "extra BK 3")
        assert state.hands[0] == (last,)
        return state


class TestChronicler:
    def test_must_be_given_a_suit_when_it_is_turned_up(self) -> None:
        state = play(deal("H7 B7 LK", "C1 L8 LX B9 BX", "B8 H8 H9 HX HK"), "place C1 1")
        assert row(state, 1, 0) == "(C1)"
        state = play(state, "place B8 3")
        assert asked(state) == "0 name C1 at 1.0"
        assert legal(state) == {"name H", "name B", "name L", "name A"}

    @pytest.mark.parametrize(
        ("suit", "question", "drawn"),
        [
            ("H", "0 extra C1 at 1.0", 0),
            ("B", "0 extra C1 at 1.0", 0),
            ("L", "0 turn C1 at 1.0", 0),
            ("A", "0 extra C1 at 1.0", 1),
        ],
    )
    def test_uses_the_named_suits_ability_then_the_aces(
        self, suit: str, question: str, drawn: int
    ) -> None:
        state = play(
            deal("H7 B7 LK", "C1 L8 LX B9 BX", "B8 H8 H9 HX HK"), "place C1 1", "place B8 3"
        )
        named = play(state, f"name {suit}")
        assert (row(named, 1, 0), asked(named)) == (f"C1={suit}", question)
        assert named.n_drawn - state.n_drawn == drawn

    def test_played_after_a_chronicler_takes_its_suit(self) -> None:
        state = play(
            deal("H7 B7 LK", "C1 C2 LX B9 BX", "B8 H8 H9 HX HK"), "place C1 1", "place B8 3"
        )
        state = play(state, "name B", "extra C2 1")
        assert (row(state, 1, 0), asked(state)) == ("C1=B C2=B", "0 extra C2 at 1.1")


@pytest.mark.parametrize("card", ["H7", "H8", "H9", "HX", "HK", "B7", "B8", "B9", "BX", "BK"])
def test_cards_without_an_ability_ask_for_nothing(card: str) -> None:
    hand = [other for other in ("H7", "H8", "H9", "HX", "HK", "BK") if other != card][:4]
    state = deal("L7 L8 LK", " ".join([card, *hand]), "A7 A8 A9 AX AK")
    before = state.n_drawn
    state = play(state, f"place {card} 1", "place AK 1")
    assert (state.round, state.n_drawn - before) == (2, 3)  # the Acorn's card and round 2's
