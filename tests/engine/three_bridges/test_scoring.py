"""What cards and rows count, to the half point; and what wins."""

from __future__ import annotations

import pytest

from games.engine.api import Outcome
from games.engine.three_bridges import THREE_BRIDGES
from games.engine.three_bridges.cards import CHRONICLERS, SUIT
from games.engine.three_bridges.scoring import (
    CardPoints,
    as_points,
    explain,
    explain_row,
    explain_view,
    half_points,
    row_half_points,
    told_points,
)
from games.engine.three_bridges.state import Row, State, lay
from tests.engine.three_bridges.table import deal, play


def lying(words: str) -> Row:
    """Lay a row: `HX` upright, `HX/` turned, `C1=B` a named Chronicler, `(HX)` face down."""
    row = []
    for word in words.split():
        card, _, named = word.strip("()").rstrip("/").partition("=")
        suit = named or SUIT[card]
        row.append(lay(card, suit, turned=word.endswith("/"), face_up=not word.startswith("(")))
    return tuple(row)


@pytest.mark.parametrize(
    ("bridge", "row", "facing", "points"),
    [
        pytest.param("H8", "AK H7 HX", "", 30, id="check figure: nothing facing"),
        pytest.param("H8", "AK H7 HX", "L7 L8 B9", 24, id="check figure: a Bell facing HX"),
        pytest.param("H8", "AK H7 HX/", "L7 L8 B9", 23, id="check figure: and HX turned"),
        pytest.param("L8", "", "B9", 0, id="empty row"),
        *(pytest.param("H8", f"B{rank}", "", n, id=f"value of {rank}") for rank, n in
          {"7": 7, "8": 8, "9": 9, "X": 10, "U": 4, "O": 4, "K": 5, "A": 4}.items()),
        pytest.param("H8", "C1=L", "", 4, id="Chronicler counts 4"),
        pytest.param("H8", "C1=H", "", 7, id="Chronicler of the bridge's suit, and a Heart"),
        pytest.param("L8", "L9", "", 11, id="bridge's suit"),
        pytest.param("L8", "L9/", "", 9, id="bridge's suit, turned"),
        pytest.param("L8", "A9/", "", 7, id="turned"),
        pytest.param("L8", "A9", "B7", 4.5, id="halved, half point kept"),
        pytest.param("L8", "A9/", "B7", 3.5, id="turned, then halved"),
        pytest.param("L8", "L9/", "B7", 4.5, id="suit, turned, then halved"),
        pytest.param("L8", "A9", "B7/", 4.5, id="a turned Bell still halves"),
        pytest.param("L8", "B9", "B7", 4.5, id="facing Bells halve each other"),
        pytest.param("L8", "A9", "C1=B", 4.5, id="a Chronicler of Bells halves"),
        pytest.param("L8", "A9", "C1=A", 9, id="a Chronicler of Acorns does not"),
        pytest.param("B8", "A9", "L7", 9, id="the bridge itself has no power"),
        pytest.param("L8", "A9 A7", "A8 B7", 12.5, id="only what faces the Bell"),
        pytest.param("L8", "A9", "A8 B7", 9, id="a Bell that faces nothing"),
        pytest.param("L8", "AK", "", 5, id="a King alone"),
        pytest.param("L8", "AK BK A7", "", 21, id="two Kings, three cards"),
        pytest.param("L8", "AK/ A7", "", 11, id="a turned King still counts the cards"),
        pytest.param("L8", "AK A7", "B7", 11, id="halving leaves what Kings give alone"),
        pytest.param("L8", "H7 H8/ H9", "", 25, id="each Heart, turned or not, one point"),
        pytest.param("L8", "H9", "B7", 5.5, id="halving leaves what Hearts give alone"),
        pytest.param("H8", "(HX) H7", "", 10, id="face down counts nothing yet"),
        pytest.param("L8", "A9", "(B7)", 9, id="a face-down Bell does not halve yet"),
    ],
)  # fmt: skip
def test_row(bridge: str, row: str, facing: str, points: float) -> None:
    half = row_half_points(lying(row), lying(facing), bridge)
    assert as_points(half) == points
    assert explain_row(lying(row), lying(facing), bridge).total == half


def test_row_is_explained_card_by_card() -> None:
    told = explain_row(lying("AK H7 HX/ (LA)"), lying("L7 L8 B9"), "H8")
    assert told.cards == (
        CardPoints("AK", base=4, suit_bonus=0, turned=0, is_halved=False, total=8),
        CardPoints("H7", base=7, suit_bonus=2, turned=0, is_halved=False, total=18),
        CardPoints("HX", base=10, suit_bonus=2, turned=-2, is_halved=True, total=10),
        None,
    )
    assert (told.kings, told.hearts, told.total) == (4, 2, 48)


def test_points_are_told_alike_in_every_language() -> None:
    assert [told_points(half) for half in (0, 1, 2, 3, 14, 15)] == [
        "0", "½", "1", "1½", "7", "7½",
    ]  # fmt: skip
    assert [as_points(half) for half in (0, 1, 2, 15)] == [0, 0.5, 1, 7.5]


def test_explanation_of_a_view_knows_only_what_lies_open() -> None:
    state = play(deal("H7 B7 L7", "L9 L8 LX LK BK", "B8 B9 BX H8 H9"), "place L9 3", "place B8 3")
    for viewer in (0, 1, "spectator"):
        told = explain_view(THREE_BRIDGES.view(state, viewer))
        assert told == explain(state.bridges, state.rows)[:2] + told[2:]
        assert told[2][0].total == 22
        assert told[2][1].cards == (None,)


def played_out(mine: str, theirs: str) -> State:
    """Play plain cards in order of value at the bridges named, one a round."""
    hands = ("HK HX H9 H8 BK", "AK AX A9 A8 A7")
    state = deal("H7 LK L7", *hands)
    places = {0: mine.split(), 1: theirs.split()}
    while state.turn is not None:
        if state.asked:
            state = play(state, "name B" if state.asked.ability == "name" else "skip")
            continue
        hand = [card for card in state.hands[state.turn] if card not in CHRONICLERS]
        card = (hand or state.hands[state.turn])[0]
        state = play(state, f"place {card} {places[state.turn].pop(0)}")
    return state


@pytest.mark.parametrize(
    ("mine", "theirs", "won"),
    [
        ("1 1 1 1 1 1", "1 1 1 1 1 1", None),
        ("1 1 1 1 1 1", "2 2 2 2 2 2", (1, 1)),
        ("1 1 1 2 2 2", "3 3 3 3 3 3", (2, 1)),
        ("3 3 3 3 3 3", "1 1 1 2 2 2", (1, 2)),
        ("1 1 2 2 3 3", "1 2 3 1 2 3", None),
    ],
)
def test_more_bridges_win_and_score(mine: str, theirs: str, won: tuple[int, int] | None) -> None:
    state = played_out(mine, theirs)
    scores = half_points(state)
    counted = (sum(a > b for a, b in scores), sum(b > a for a, b in scores))
    assert won in (None, counted)
    points = {0: (5, counted[1]), 1: (counted[0], 5), None: counted}
    winner = None if counted[0] == counted[1] else int(counted[1] > counted[0])
    assert THREE_BRIDGES.outcome(state) == Outcome(winner, "bridges", points[winner])
    written = THREE_BRIDGES.state_json(state)
    assert written["scores"] == [[half / 2 for half in pair] for pair in scores]
    assert written["drawn"] is (winner is None)


@pytest.mark.parametrize("reason", ["resign", "timeout"])
@pytest.mark.parametrize("loser", [0, 1])
def test_giving_up_scores_no_bridges(reason: str, loser: int) -> None:
    state = play(deal("H7 B7 L7", "L9 L8 LX LK BK", "B8 B9 BX H8 H9"), "place L9 3", "place B8 3")
    give_up = THREE_BRIDGES.resign if reason == "resign" else THREE_BRIDGES.timeout
    over = THREE_BRIDGES.apply(state, give_up(loser))
    points = (5, 0) if loser == 1 else (0, 5)
    assert THREE_BRIDGES.outcome(over) == Outcome(1 - loser, reason, points)
    written = THREE_BRIDGES.state_json(over)
    assert (written["scores"], written["asked"], written["legal"]) == (None, None, [])


def test_starters_alternate_from_game_to_game() -> None:
    for first in (0, 1):
        for winner in (0, 1, None):
            outcome = Outcome(winner, "bridges", (0, 0))
            assert THREE_BRIDGES.next_first(first, outcome) == 1 - first
