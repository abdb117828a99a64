"""Looking back in a game that runs: each viewer sees what they could see then, and no more."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from games.access import game_access
from games.boards import BOARDS
from games.engine.api import Viewer
from games.models import Game
from games.presenters.replay import Way, look_back_page
from games.selectors import game_fold
from games.services.matches import match_abort
from tests.games.boards import FRAGMENT, make_board, named_cards, text_of, turn
from tests.games.conftest import Cast, client_of, make_match, play_out, play_turn, running_game
from tests.games.tables import parse

VIEWERS: tuple[Viewer, ...] = (0, 1, "spectator")


@pytest.fixture
def board(cast: Cast) -> Game:
    """A game in which three turns were made: five actions and more."""
    game = make_board(cast, "after-play")
    for step in ("R7@4", "P1@1", "R8@4"):
        turn(game, step)
    return Game.objects.select_related("match").get(pk=game.pk)


def at(game: Game, step: int, query: str = "") -> str:
    return f"/games/{game.pk}/steps/{step}/{query}"


def browser_of(cast: Cast, viewer: Viewer) -> Client:
    if viewer == "spectator":
        return Client()
    return client_of((cast.owner, cast.opponent)[viewer])


def views(game: Game, viewer: Viewer) -> list[dict[str, Any]]:
    """Give the engine's views of a viewer after 0, 1, 2, … actions."""
    folded = game_fold(game)
    state = folded.title.setup(folded.setup)
    told = [folded.title.view(state, viewer)]
    for action in folded.actions:
        state = folded.title.apply(state, action)
        told.append(folded.title.view(state, viewer))
    return told


def cards_of(view: dict[str, Any]) -> set[str]:
    laid = [card for stone in view["stones"] for side in stone["sides"] for card in side]
    return {*laid, *(card for hand in view["hands"] if isinstance(hand, list) for card in hand)}


@pytest.mark.parametrize("viewer", VIEWERS)
def test_fault_36_each_step_shows_what_its_viewer_could_see_then(
    board: Game, cast: Cast, viewer: Viewer
) -> None:
    """Fault 36: the own hand as of then, the other's as backs, for spectators public cards."""
    browser = browser_of(cast, viewer)
    for step, view in enumerate(views(board, viewer)):
        page = parse(text_of(browser.get(at(board, step))))
        table = page.by_class("table")[0]
        assert named_cards(table.text) == cards_of(view), step
        hidden = sum(isinstance(hand, dict) for hand in view["hands"])
        assert len(page.by_class("strip__hand")) == hidden


@pytest.mark.parametrize("query", ["?as=0", "?seat=1", "?viewer=0", "?from=0&seat=0"])
def test_fault_36_no_query_opens_more(board: Game, client: Client, query: str) -> None:
    plain, asked = (text_of(client.get(at(board, 2, q))) for q in ("", query))
    assert named_cards(parse(plain).by_id("replay").text) == named_cards(
        parse(asked).by_id("replay").text
    )


def test_nothing_can_be_done_there(board: Game, opponent_client: Client) -> None:
    for step in range(board.version + 1):
        page = text_of(opponent_client.get(at(board, step)))
        assert 'name="card"' not in page
        assert 'id="turn"' not in page
    assert opponent_client.post(at(board, 1)).status_code == 405


def test_only_what_is_new_is_stepped_through(board: Game, owner_client: Client) -> None:
    page = parse(text_of(owner_client.get(at(board, 3, "?from=2"))))
    moves = {
        n.attributes["data-move"]: n.attributes.get("href") for n in page.by_class("replay__move")
    }
    assert moves["first"] == moves["previous"] == at(board, 2, "?from=2")
    slider = page.by_id("replay-step")
    assert (slider.attributes["min"], slider.attributes["max"]) == ("2", str(board.version))
    steps = [
        n.attributes["data-to"] for n in page.by_class("replay__step") if "data-to" in n.attributes
    ]
    assert steps == [str(step) for step in range(3, board.version + 1)]


def test_the_present_is_one_click_away_and_what_came_since_is_told(
    board: Game, owner_client: Client
) -> None:
    page = text_of(owner_client.get(at(board, 1)))
    assert f'href="{board.get_absolute_url()}" data-now' in page
    assert "The game has gone on" not in page
    later = text_of(owner_client.get(at(board, 1, f"?since={board.version - 1}"), headers=FRAGMENT))
    assert "The game has gone on by 1 step." in later
    assert "This is how it stands now." in text_of(owner_client.get(at(board, board.version)))


def test_the_board_leads_back(board: Game, owner_client: Client) -> None:
    page = text_of(owner_client.get(board.get_absolute_url()))
    assert f'href="/games/{board.pk}/steps/"' in page
    answer = owner_client.get(f"/games/{board.pk}/steps/")
    assert answer.headers["Location"] == at(board, board.version)
    for asked, step in (("?step=2", 2), ("?step=999", board.version), ("?step=x", board.version)):
        found = owner_client.get(f"/games/{board.pk}/steps/{asked}").headers["Location"]
        assert found == at(board, step)
    found = owner_client.get(f"/games/{board.pk}/steps/?step=1&from=2").headers["Location"]
    assert found == at(board, 2, "?from=2")


def test_steps_that_there_are_not(board: Game, client: Client) -> None:
    for step in (str(board.version + 1), "9" * 40, "-1", "x"):
        assert client.get(f"/games/{board.pk}/steps/{step}/").status_code == 404


def test_once_it_is_over_the_replay_shows_it(cast: Cast, client: Client) -> None:
    game = play_out(running_game(make_match(cast.owner, cast.opponent)))
    found = client.get(at(game, 3)).headers["Location"]
    assert found == f"/games/{game.pk}/replay/3/"
    seen = game_access(game.pk, cast.owner)
    with pytest.raises(ValueError, match="is finished"):
        look_back_page(seen, game_fold(game), BOARDS["schotten-totten"], Way(1, "/"), (0, 0))


def test_a_game_called_off_keeps_its_hands_closed(cast: Cast, client: Client) -> None:
    game = running_game(make_match(cast.owner, cast.opponent))
    play_turn(game)
    match_abort(match_id=game.match_id, user=cast.owner, now=timezone.now())
    page = text_of(client.get(at(game, 1)))
    assert len(named_cards(parse(page).by_class("table")[0].text)) == 1


def test_a_private_game_is_not_there_for_others(cast: Cast, client: Client) -> None:
    game = running_game(make_match(cast.owner, cast.opponent, is_private=True))
    for browser in (client, client_of(cast.stranger)):
        assert browser.get(at(game, 0)).status_code == 404
        assert browser.get(f"/games/{game.pk}/steps/").status_code == 404


def test_query_counts(
    board: Game,
    client: Client,
    owner_client: Client,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    with django_assert_num_queries(3):  # the game, its actions, the points before it
        answer = client.get(at(board, 2))
    with django_assert_num_queries(5):  # session and user besides
        owner_client.get(at(board, 2), headers=FRAGMENT)
    assert "no-store" in answer.headers["Cache-Control"]
