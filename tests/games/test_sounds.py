"""The switch for sounds: off until a player wants them, at the board and in the preferences."""

from __future__ import annotations

from django.test import Client

from accounts.models import User
from games.models import Game
from tests.games.boards import FRAGMENT, LOW, make_board, page_of, text_of, turn
from tests.games.conftest import Cast, fields
from tests.games.tables import parse


def is_on(page: str) -> bool:
    """Say what the switch on a page tells."""
    return parse(page).by_id("sounds-switch").attributes["aria-pressed"] == "true"


def test_they_are_off_until_they_are_switched_on(
    game: Game, owner: User, owner_client: Client
) -> None:
    assert not is_on(page_of(owner_client, game))
    url = f"/games/{game.pk}/sounds/"
    answer = owner_client.post(url, {"sounds": "on"})
    assert answer.headers["Location"] == game.get_absolute_url()
    assert is_on(page_of(owner_client, game))
    part = text_of(owner_client.post(url, {"sounds": "off"}, headers=FRAGMENT))
    assert not is_on(part)
    assert "<html" not in part
    owner.refresh_from_db()
    assert not owner.has_sounds


def test_the_preferences_have_them_too(owner: User, owner_client: Client) -> None:
    page = text_of(owner_client.get(owner.get_absolute_url()))
    (box,) = fields(page, "has_sounds")
    assert "checked" not in box


def test_visitors_have_no_switch(game: Game, client: Client) -> None:
    assert "sounds-switch" not in page_of(client, game)
    answer = client.post(f"/games/{game.pk}/sounds/", {"sounds": "on"})
    assert answer.headers["Location"] == game.get_absolute_url()
    assert client.get(f"/games/{game.pk}/sounds/").status_code == 302


def test_the_board_tells_what_there_is_to_hear(cast: Cast, client: Client) -> None:
    game = make_board(cast, "after-play")
    turn(game, "R7@4")
    assert parse(page_of(client, game)).by_id("board").attributes["data-sound"] == "laid"
    for card in ("R8@4", "R9@4"):
        turn(game, f"{LOW.split()[0 if card == 'R8@4' else 1]}@1")
        turn(game, *([card] if card == "R8@4" else [card, "claim 4"]))
    assert parse(page_of(client, game)).by_id("board").attributes["data-sound"] == "decided"
