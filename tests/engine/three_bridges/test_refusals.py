"""Every refusal: it names its reason, and the state is as it was."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.engine.api import Setup
from games.engine.errors import IllegalAction, MalformedRecord
from games.engine.three_bridges import THREE_BRIDGES
from games.engine.three_bridges.state import State
from tests.engine.three_bridges.table import STANDARD, action, deal, play, setup

REFUSALS = THREE_BRIDGES.meta.refusals


def question(kind: str) -> State:
    """Give a state in which seat 0 is asked this."""
    hand = {
        "name": "C1 H8 H9 HX HK",
        "turn": "L8 H8 H9 HX HK",
        "swap": "HU H8 H9 HX HK",
        "extra": "HA H8 C2 LX HK",
    }[kind]
    card = hand.split()[0]
    return play(deal("H7 B7 L7", hand, "B8 B9 BX BK LK"), f"place {card} 1", "place B8 1")


def ober_asks() -> State:
    state = deal("H7 B7 L7", "HX BO H9 LK BK", "B8 B9 BX H8 HK", then="BU L8")
    return play(state, "place HX 1", "place B8 1", "place B9 2", "place BO 2")


def start() -> State:
    return deal("H7 B7 L7", "HX BO H9 LK BK", "B8 B9 BX H8 HK")


def leaf_with_a_face_down_card() -> State:
    return play(deal("H7 B7 L7", "L8 H8 H9 HX HK", "B8 B9 BX BK LK"), "place L8 2", "place B8 2")


def leaf_with_a_turned_card() -> State:
    state = deal("H7 B7 L7", "L8 L9 H9 HX HK", "B8 B9 BX BK LK", then="H8 HO")
    return play(state, "place L8 2", "place B8 2", "turn 0 0", "place B9 1", "place L9 2")


@pytest.mark.parametrize(
    ("state", "words", "code"),
    [
        pytest.param(start(), "place A7 1", "not_in_hand", id="card in no hand"),
        pytest.param(start(), "place B8 1", "not_in_hand", id="card of the other hand"),
        pytest.param(start(), "place H7 1", "not_in_hand", id="card that is a bridge"),
        *(pytest.param(start(), words, "must_place", id=f"no {words} before placing") for words in
          ("skip", "swap", "name H", "turn 0 0", "move 1 0", "extra HX 1")),
        *(pytest.param(question("name"), words, "must_name", id=f"no {words} for a Chronicler")
          for words in ("skip", "swap", "turn 0 0", "place H8 1", "extra H8 1")),
        pytest.param(question("turn"), "place H8 1", "must_answer", id="no card while asked"),
        pytest.param(question("turn"), "swap", "must_answer", id="another ability"),
        pytest.param(question("turn"), "turn 0 1", "card_not_there", id="behind the row"),
        pytest.param(question("turn"), "turn 0 33", "card_not_there", id="far behind the row"),
        pytest.param(leaf_with_a_face_down_card(), "turn 1 0", "card_face_down", id="face down"),
        pytest.param(leaf_with_a_turned_card(), "turn 0 0", "card_turned", id="turned already"),
        pytest.param(question("swap"), "move 1 0", "must_answer", id="an Unter does not move"),
        pytest.param(ober_asks(), "move 2 0", "same_bridge", id="from the Ober's own bridge"),
        pytest.param(ober_asks(), "move 3 0", "card_not_there", id="from an empty row"),
        pytest.param(ober_asks(), "move 1 1", "card_not_there", id="from behind a row"),
        pytest.param(question("extra"), "extra LX 1", "wrong_suit", id="another suit"),
        pytest.param(question("extra"), "extra B9 1", "not_in_hand", id="not one's own"),
        pytest.param(question("extra"), "extra HA 1", "not_in_hand", id="the Ace itself"),
        pytest.param(question("extra"), "place H8 1", "must_answer", id="no placing for an Ace"),
    ],
)  # fmt: skip
def test_refusal(state: State, words: str, code: str) -> None:
    before = THREE_BRIDGES.state_json(state)
    with pytest.raises(IllegalAction) as refused:
        THREE_BRIDGES.apply(state, action(state.turn, words))
    assert refused.value.code == code
    assert REFUSALS[code] % refused.value.params  # the words find all that they name
    assert THREE_BRIDGES.state_json(state) == before
    with pytest.raises(IllegalAction, match=code):
        THREE_BRIDGES.events(state, action(state.turn, words), state)


@pytest.mark.parametrize("words", ["place B8 1", "place HX 1", "skip", "swap"])
def test_other_seat_must_wait(words: str) -> None:
    with pytest.raises(IllegalAction, match="not_your_turn"):
        THREE_BRIDGES.apply(start(), action(1, words))


@pytest.mark.parametrize("words", ["place HX 1", "skip", "resign", "timeout"])
def test_nothing_is_done_after_the_end(words: str) -> None:
    over = THREE_BRIDGES.apply(start(), THREE_BRIDGES.resign(1))
    for seat in (0, 1):
        with pytest.raises(IllegalAction, match="game_over"):
            THREE_BRIDGES.apply(over, action(seat, words))


def test_refusal_of_a_face_down_card_does_not_name_it() -> None:
    with pytest.raises(IllegalAction) as refused:
        THREE_BRIDGES.apply(leaf_with_a_face_down_card(), action(0, "turn 1 0"))
    assert refused.value.params == {}


PLACE: dict[str, Any] = {"seat": 0, "type": "place", "card": "HX", "bridge": 2}
TURN: dict[str, Any] = {"seat": 1, "type": "turn", "side": 0, "index": 3}


@pytest.mark.parametrize(
    "payload",
    [
        None, 7, "place", [], ["place"], {}, {"seat": 0}, {"type": "place"},
        {**PLACE, "type": "claim"}, {**PLACE, "type": None}, {**PLACE, "type": ["place"]},
        {**PLACE, "seat": 2}, {**PLACE, "seat": True}, {**PLACE, "seat": "0"},
        {**PLACE, "seat": 0.0}, {**PLACE, "seat": None},
        {**PLACE, "card": "R7"}, {**PLACE, "card": "hx"}, {**PLACE, "card": None},
        {**PLACE, "card": 7}, {**PLACE, "card": ["HX"]}, {**PLACE, "card": "C3"},
        {**PLACE, "bridge": 0}, {**PLACE, "bridge": 4}, {**PLACE, "bridge": "2"},
        {**PLACE, "bridge": 2.0}, {**PLACE, "bridge": True}, {**PLACE, "bridge": 10**4000},
        {"seat": 0, "type": "place", "card": "HX"}, {"seat": 0, "type": "place", "bridge": 1},
        {**TURN, "side": 2}, {**TURN, "side": False}, {**TURN, "index": -1},
        {**TURN, "index": 34}, {**TURN, "index": "3"}, {**TURN, "index": True},
        {"seat": 0, "type": "name"}, {"seat": 0, "type": "name", "suit": "C"},
        {"seat": 0, "type": "name", "suit": "Hearts"}, {"seat": 0, "type": "move", "bridge": 1},
        {**PLACE, "card": [[[[[[[[]]]]]]]]},
    ],
    ids=lambda payload: f"{payload!s:.50}",
)  # fmt: skip
def test_malformed_action(payload: Any) -> None:
    with pytest.raises(MalformedRecord) as refused:
        THREE_BRIDGES.parse_action(payload)
    assert len(refused.value.message) < 100


def test_further_keys_are_left_aside() -> None:
    parsed = THREE_BRIDGES.parse_action({**PLACE, "suit": "?", "time": 12, "index": "x"})
    assert THREE_BRIDGES.action_json(parsed) == PLACE


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)
KEYS = st.sampled_from(["seat", "type", "card", "bridge", "suit", "side", "index"])
LIKELY = st.sampled_from([0, 1, 2, "HX", "C1", "B", "place", "turn", "extra", "move", "name"])


# A busy machine is no fault of the parser's.
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(KEYS, JSON | LIKELY) | JSON)
def test_any_json_is_an_action_or_malformed(payload: Any) -> None:
    try:
        parsed = THREE_BRIDGES.parse_action(payload)
    except MalformedRecord:
        return
    written = THREE_BRIDGES.action_json(parsed)
    assert THREE_BRIDGES.parse_action(written) == parsed
    assert written.items() <= payload.items()


class TestSetup:
    def refused(self, **piles: str) -> str:
        good = setup("H7 B7 L7", "HX BO H9 LK BK", "B8 B9 BX H8 HK")
        given_piles = dict(good.piles) | {key: tuple(pile.split()) for key, pile in piles.items()}
        with pytest.raises(MalformedRecord) as refused:
            THREE_BRIDGES.setup(Setup(STANDARD, 0, tuple(given_piles.items())))
        return refused.value.message

    def deck_with(self, old: str, new: str) -> str:
        deck = setup("H7 B7 L7", "HX BO H9 LK BK", "B8 B9 BX H8 HK").pile("deck")
        return " ".join(new if card == old else card for card in deck)

    def test_two_bridges(self) -> None:
        assert self.refused(bridges="H7 B7") == "bridges must hold 3 cards"

    def test_short_deck(self) -> None:
        assert self.refused(deck="HX BO") == "deck must hold 31 cards"

    def test_no_deck(self) -> None:
        assert self.refused(deck="") == "deck must hold 31 cards"

    def test_doubled_card(self) -> None:
        assert self.refused(deck=self.deck_with("H8", "HX")) == "card H8 is missing"
        assert self.refused(deck=self.deck_with("HX", "H8")) == "card H8 is doubled"

    def test_bridge_that_is_also_in_the_deck(self) -> None:
        assert self.refused(bridges="H7 B7 HX") == "card HX is doubled"

    def test_unknown_card(self) -> None:
        assert self.refused(deck=self.deck_with("HX", "R7")) == "unknown card 'R7'"

    def test_chronicler_as_a_bridge(self) -> None:
        told = self.refused(bridges="H7 B7 C1", deck=self.deck_with("C1", "L7"))
        assert told == "a Chronicler is never a bridge"

    def test_a_pile_of_the_other_title(self) -> None:
        assert self.refused(tactics_deck="JA") == ("tactics_deck: this ruleset has no such pile")
