"""What each viewer sees of a running and of a finished game, exactly."""

from __future__ import annotations

import json

import pytest

from games.engine.api import Viewer
from games.engine.three_bridges import THREE_BRIDGES
from games.engine.three_bridges.state import State
from tests.engine.three_bridges.table import action, deal, play

UNKNOWN = {"card": None, "suit": None, "turned": False, "face_up": False}


def both_placed() -> State:
    """L9 of seat 0 asks at bridge 2; C1 of seat 1 lies face down there."""
    state = deal("H7 B7 L7", "L9 L8 LX LK BK", "C1 A8 A9 AX AK")
    return play(state, "place L9 2", "place C1 2")


def test_view_of_the_seat_to_act() -> None:
    up = {"card": "L9", "suit": "L", "turned": False, "face_up": True}
    assert THREE_BRIDGES.view(both_placed(), 0) == {
        "game": "three-bridges",
        "turn": 0,
        "phase": "resolve",
        "round": 1,
        "starter": 0,
        "hands": [["BK", "L8", "LK", "LX"], {"cards": 4}],
        "deck": 21,
        "bridges": ["H7", "B7", "L7"],
        "rows": [[[], []], [[up], [UNKNOWN]], [[], []]],
        "asked": "turn",
        "asker": {"card": "L9", "bridge": 2, "index": 0},
        "winner": None,
        "reason": None,
        "drawn": False,
        "legal": [
            {"seat": 0, "type": "turn", "side": 0, "index": 0},
            {"seat": 0, "type": "skip"},
        ],
    }


def test_own_face_down_card_is_known_and_nothing_can_be_done() -> None:
    view = THREE_BRIDGES.view(both_placed(), 1)
    own = {"card": "C1", "suit": None, "turned": False, "face_up": False}
    assert view["rows"][1][1] == [own]
    assert view["hands"] == [{"cards": 4}, ["A8", "A9", "AK", "AX"]]
    assert view["legal"] == []


def test_spectator_sees_no_hand_and_no_face_down_card() -> None:
    view = THREE_BRIDGES.view(both_placed(), "spectator")
    assert view["hands"] == [{"cards": 4}, {"cards": 4}]
    assert view["rows"][1][1] == [UNKNOWN]
    assert view["legal"] == []
    first = play(deal("H7 B7 L7", "L9 L8 LX LK BK", "C1 A8 A9 AX AK"), "place L9 2")
    assert THREE_BRIDGES.view(first, "spectator")["rows"][1][0] == [UNKNOWN]


@pytest.mark.parametrize("viewer", [0, 1, "spectator"])
def test_everything_is_open_when_the_game_is_over(viewer: Viewer) -> None:
    over = THREE_BRIDGES.apply(both_placed(), THREE_BRIDGES.timeout(0))
    view = THREE_BRIDGES.view(over, viewer)
    assert view == THREE_BRIDGES.state_json(over)
    assert view["hands"] == [["BK", "L8", "LK", "LX"], ["A8", "A9", "AK", "AX"]]
    assert view["rows"][1][1] == [{"card": "C1", "suit": None, "turned": False, "face_up": False}]


def test_placed_cards_stay_unnamed_until_they_are_turned_up() -> None:
    done = [action(0, "place L9 2"), action(1, "place C1 2"), action(0, "skip")]
    state = deal("H7 B7 L7", "L9 L8 LX LK BK", "C1 A8 A9 AX AK")
    place_0 = {"seat": 0, "type": "place", "card": "L9", "bridge": 2}
    place_1 = {"seat": 1, "type": "place", "card": "C1", "bridge": 2}

    state = THREE_BRIDGES.apply(state, done[0])
    for viewer in (1, "spectator"):
        assert THREE_BRIDGES.redact(state, done[:1], viewer) == [{**place_0, "card": None}]
    assert THREE_BRIDGES.redact(state, done[:1], 0) == [place_0]

    state = THREE_BRIDGES.apply(state, done[1])
    for viewer in (0, "spectator"):
        told = THREE_BRIDGES.redact(state, done[:2], viewer)
        assert told == [place_0, {**place_1, "card": None}]
    over = THREE_BRIDGES.apply(state, THREE_BRIDGES.resign(0))
    assert THREE_BRIDGES.redact(over, done[:2], "spectator") == [place_0, place_1]

    state = THREE_BRIDGES.apply(state, done[2])
    told = THREE_BRIDGES.redact(state, done, "spectator")
    assert told == [place_0, place_1, {"seat": 0, "type": "skip"}]


def test_scores_with_halves_survive_json() -> None:
    state = THREE_BRIDGES.apply(both_placed(), THREE_BRIDGES.resign(0))
    written = THREE_BRIDGES.state_json(state)
    assert json.loads(json.dumps(written)) == written
