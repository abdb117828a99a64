"""What open sides can become: told on demand, to everybody, from public cards alone."""

from __future__ import annotations

from django.test import Client

from games.models import Game
from tests.games.boards import make_board, page_of, play_on, stack, turn
from tests.games.conftest import Cast, client_of, make_match, play_out, running_game
from tests.games.tables import parse
from tests.games.tactics import armed_game


def prospects(page: str) -> list[str]:
    """Give the lines of a page's prospects, a stone each."""
    found = parse(page).by_class("prospects")
    return [item.text for node in found for item in node.all() if item.tag == "li"]


def test_both_sides_of_a_stone_that_has_cards_are_told(cast: Cast) -> None:
    game = make_board(cast, "after-play")
    play_on(game, "R7@4", "R8@4")
    told = prospects(page_of(client_of(cast.owner), game))
    assert told == [
        "Stone 1 You: at best Colour-Run 24 Opponent : at best Colour-Run 6",
        "Stone 4 You: at best Colour-Run 24 Opponent : at best Colour-Run 24",
    ]
    theirs = prospects(page_of(client_of(cast.opponent), game))
    assert theirs[0] == "Stone 1 You: at best Colour-Run 6 Owner : at best Colour-Run 24"
    assert prospects(page_of(Client(), game))[0].startswith("Stone 1 Owner : at best")


def test_a_card_that_lies_open_cannot_come_any_more(cast: Cast) -> None:
    game = running_game(make_match(cast.owner, cast.opponent))
    stack(game, "R7 R8 O7 G1 G2 G3", "R9 R6 B1 B2 B3 B4")
    for play in ("R7@4", "R9@1", "R8@4", "R6@2"):
        turn(game, play)
    told = prospects(page_of(client_of(cast.owner), game))
    (stone,) = [line for line in told if line.startswith("Stone 4")]
    assert "You: at best Colour 20" in stone


def test_a_card_in_hand_counts_as_one_that_may_come(cast: Cast) -> None:
    """Whoever holds a card: what is told is the same for all."""
    game = running_game(make_match(cast.owner, cast.opponent))
    for hands in (
        ("R7 R8 R9 G1 G2 G3", "B1 B2 B3 B4 B5 B6"),
        ("R7 R8 G1 G2 G3 G4", "R9 B1 B2 B3 B4 B5"),
    ):
        Game.objects.filter(pk=game.pk).update(version=0)
        game.actions.all().delete()
        stack(game, *hands)
        for play in ("R7@4", "B1@1", "R8@4", "B2@1"):
            turn(game, play)
        (stone,) = [
            line
            for line in prospects(page_of(client_of(cast.owner), game))
            if line.startswith("Stone 4")
        ]
        assert "You: at best Colour-Run 24" in stone


def test_modes_that_lie_there_count(cast: Cast) -> None:
    game = armed_game(cast, "MF BB")
    turn(game, "MF@1", "draw clan")
    (first, _) = prospects(page_of(client_of(cast.owner), game))
    assert first == "Stone 1 You: at best Colour-Run 10 Opponent : at best Four of a Kind 4"


def test_what_is_full_says_what_it_is_and_held_stones_say_nothing(cast: Cast) -> None:
    game = make_board(cast, "after-play")
    play_on(game, "R7@4", "R8@4")
    turn(game, "R9@4")
    turn(game, "P3@1")
    told = prospects(page_of(client_of(cast.owner), game))
    assert told[1].startswith("Stone 4 You: Colour-Run 24 Opponent : at best Colour-Run")
    turn(game, "G7@5", "claim 4")
    told = prospects(page_of(client_of(cast.owner), game))
    assert not [line for line in told if line.startswith("Stone 4")]
    play_out(game)
    assert prospects(page_of(client_of(cast.owner), game)) == []
