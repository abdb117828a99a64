"""Watching: running games stand in every list for everybody, private ones for their players."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from games.models import Game, Match
from tests.games.boards import FRAGMENT
from tests.games.conftest import Cast, client_of, make_match, play_out, play_turn, running_game
from tests.games.tables import parse

LISTS = (
    "/",
    "/lobby/",
    "/players/Owner/",
    "/players/Opponent/",
    "/players/Owner/matches/",
    "/players/Opponent/matches/",
    "/players/Owner/matches/?result=running",
    "/players/Opponent/matches/?sort=oldest&opponent=Owner",
    "/players/Stranger/",
    "/players/Stranger/matches/",
)


@pytest.fixture
def private(cast: Cast) -> Match:
    """A private match with a finished game, and one that runs."""
    match = make_match(cast.owner, cast.opponent, is_private=True)
    play_out(running_game(match))
    play_turn(running_game(match))
    return match


@pytest.fixture
def public(cast: Cast) -> Match:
    match = make_match(cast.owner, cast.opponent)
    for _ in range(6):
        play_turn(running_game(match))
    return match


def addresses(match: Match) -> list[str]:
    """Give the addresses of a match and all that belongs to it."""
    games = [game.get_absolute_url() for game in match.games.all()]
    further = [
        f"{game}{what}" for game in games for what in ("replay/", "replay/1/", "record.json")
    ]
    return [match.get_absolute_url(), *games, *further]


def linked(page: str, match: Match) -> set[str]:
    """Give the addresses of a match that a page leads to, or names for a socket."""
    told = set(re.findall(r'(?:href|action|data-url|data-socket)="([^"#?]*)', page))
    sockets = {f"/ws{game.get_absolute_url()}" for game in match.games.all()}
    return told & {*addresses(match), *sockets}


@pytest.mark.parametrize("headers", [{}, FRAGMENT], ids=["page", "fragment"])
def test_others_find_a_private_match_nowhere(
    private: Match, cast: Cast, client: Client, headers: dict[str, str]
) -> None:
    for browser in (client, client_of(cast.stranger)):
        for path in LISTS:
            answer = browser.get(path, headers=headers)
            assert answer.status_code == 200
            assert linked(answer.text, private) == set(), path
        for path in addresses(private):
            assert browser.get(path, headers=headers).status_code == 404, path


def test_its_two_players_find_it(private: Match, cast: Cast) -> None:
    for browser in (client_of(cast.owner), client_of(cast.opponent)):
        for path in ("/", "/players/Owner/matches/", "/players/Opponent/matches/"):
            assert linked(browser.get(path).text, private), path
        first, second = (game.get_absolute_url() for game in private.games.order_by("round"))
        for path in (private.get_absolute_url(), first, f"{first}replay/1/", second):
            assert browser.get(path).status_code == 200, path


@pytest.mark.parametrize("path", ["/", "/lobby/", "/players/Owner/matches/"])
def test_everybody_finds_a_public_game(public: Match, client: Client, path: str) -> None:
    game = running_game(public)
    assert game.get_absolute_url() in linked(client.get(path).text, public)


def test_who_watches_sees_what_lies_open_and_no_more(
    public: Match, cast: Cast, client: Client
) -> None:
    game = running_game(public)
    seen = []
    for browser in (client, client_of(cast.stranger)):
        board = parse(browser.get(game.get_absolute_url()).text).by_id("board")
        assert board.by_class("hand") == []
        assert len(board.by_class("back")) == 12
        assert len(board.by_class("border")[0].by_class("card")) == _n_played(game)
        for menu in board.by_class("player-menu"):
            menu.children.clear()
        seen.append(board.text)
    assert seen[0] == seen[1]


def _n_played(game: Game) -> int:
    return game.actions.filter(payload__type="play").count()


def test_a_finished_game_is_open_to_all(cast: Cast, client: Client) -> None:
    match = make_match(cast.owner, cast.opponent, n_rounds=1)
    play_out(running_game(match))
    for path in addresses(match):
        assert client.get(path, follow=True).status_code == 200, path
