"""Events in words: what each action brings about, told to those who may know it."""

from __future__ import annotations

from games.engine.three_bridges.state import State
from tests.engine.three_bridges.table import deal, play, told

HANDS = ("L9 LO HU LA AA", "A8 B9 C1 BA BO")


def opened() -> State:
    """Seat 0 has placed L9 at bridge 2, seat 1 holds A8 and C1."""
    return play(deal("HK B7 L7", *HANDS, then="H8 HX H9 B8"), "place L9 2")


def test_placing_names_the_card_to_its_owner_alone() -> None:
    start = deal("HK B7 L7", *HANDS)
    assert told(start, "place L9 2", 0) == ["Anna places L9 face down at bridge 2."]
    for viewer in (1, "spectator"):
        assert told(start, "place L9 2", viewer) == ["Anna places a card face down at bridge 2."]


def test_second_card_turns_up_the_starters() -> None:
    assert told(opened(), "place A8 2", 0) == [
        "Béla places a card face down at bridge 2.",
        "Anna turns up L9 at bridge 2.",
    ]


def test_draws_are_named_to_the_drawer_alone() -> None:
    state = play(opened(), "place A8 2")
    assert told(state, "turn 0 0", 1) == [
        "Anna turns their own L9 sideways at bridge 2.",
        "Béla turns up A8 at bridge 2.",
        "Béla draws H8 for the Acorn.",
        "Round 2 begins; Béla places first.",
        "Béla draws HX.",
        "Anna draws a card.",
    ]
    assert told(state, "turn 0 0")[2:] == [
        "Béla draws a card for the Acorn.",
        "Round 2 begins; Béla places first.",
        "Béla draws a card.",
        "Anna draws a card.",
    ]


def test_chronicler() -> None:
    state = play(opened(), "place C1 2")
    assert told(state, "skip") == ["Anna turns no card with L9.", "Béla turns up C1 at bridge 2."]
    state = play(state, "skip")
    assert told(state, "name B") == ["Béla names Bells: C1 becomes the Ace of Bells."]
    state = play(state, "name B")
    assert told(state, "extra B9 1")[0] == "Béla plays B9 after the Ace, at bridge 1."
    assert told(state, "skip")[0] == "Béla plays no further card after C1."


def test_chronicler_after_an_ace() -> None:
    state = play(opened(), "place BA 2", "skip")
    assert told(state, "extra C1 1") == ["Béla plays C1 as an Ace of Bells at bridge 1."]


def test_turning_the_other_players_card() -> None:
    state = play(opened(), "place A8 2", "skip", "place B9 1", "place LA 2")
    assert told(state, "turn 1 0") == ["Anna turns A8 of Béla sideways at bridge 2."]


def test_unter_and_ober() -> None:
    state = play(opened(), "place A8 2", "skip", "place B9 1", "place HU 1")
    swap = "Anna exchanges HU with bridge 1; HK now lies in the row."
    assert told(state, "swap")[0] == swap
    assert told(state, "skip")[0] == "Anna does not exchange HU with the bridge."
    state = play(state, "swap", "place LO 2", "place BO 3", "skip")
    assert told(state, "move 1 0")[0] == "Anna moves HK from bridge 1 to bridge 2."
    state = play(state, "skip")
    assert told(state, "skip")[0] == "Béla moves no card to BO."


def test_giving_up() -> None:
    assert told(opened(), "resign") == ["Béla resigns; Anna wins the game."]
    assert told(opened(), "timeout") == ["Béla has run out of time; Anna wins the game."]


def ending(*bridges: str) -> list[str]:
    """Play a game to its end at these bridges in turn, by seat; read what its end is told as."""
    state = deal("H7 LK L7", "HK HX H9 H8 BK", "B8 BX A9 AX A7", then="L8 L9 HO HU AK A8 AU AO")
    heard: list[str] = []
    while state.turn is not None:
        words = f"place {state.hands[state.turn][-1]} {bridges[state.turn][state.round - 1]}"
        if state.asked:
            words = "name B" if state.asked.ability == "name" else "skip"
        heard = told(state, words)
        state = play(state, words)
    return heard


def test_end_names_points_and_bridges() -> None:
    end = ending("111111", "222222")
    assert end[-4].startswith("Bridge 1: ")
    assert end[-4].endswith(" points against 0 for Anna.")
    assert end[-3].endswith(" points against 0 for Béla.")
    assert end[-2] == "Bridge 3: 0 points each; nobody wins it."
    assert end[-1] == "The game is drawn; bridges won: 1 each."


def test_end_names_the_winner_first() -> None:
    assert ending("111111", "222333")[-1] == "Béla wins the game; bridges won: 2 to 1."
    assert ending("111333", "222222")[-1] == "Anna wins the game; bridges won: 2 to 1."
