"""Wherever a page names another player, that player can be blocked and reported right there."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from accounts.models import User
from accounts.services import user_delete
from games import clock
from games.models import Game
from ladder.quarters import Quarter
from ladder.seasons import seasons_freeze
from ladder.services import ratings_sweep
from tests.games.conftest import (
    Cast,
    client_of,
    make_match,
    make_offer,
    make_user,
    running_game,
)
from tests.games.talk import say
from tests.games.test_folds import paragraphs_torn
from tests.ladder.conftest import RULESET, TITLE, beat, rated_match, resign

pytestmark = pytest.mark.django_db

SPRING = Quarter(2026, 1)
MAY = datetime(2026, 5, 10, tzinfo=UTC)
LADDER = f"/ladders/{TITLE}/{RULESET}/"


@pytest.fixture
def game(cast: Cast) -> Game:
    """A running game of the owner and the opponent, who have met before and have talked since.

    A computer and somebody who has left are among those whom they have played.
    """
    owner, opponent, gone = cast.owner, cast.opponent, make_user("Gone")
    for loser in (opponent, gone):
        resign(rated_match(owner, loser, at=MAY), loser, MAY)
    ratings_sweep(now=MAY)
    seasons_freeze(now=SPRING.ends_at + timedelta(days=1))
    say(beat(owner, opponent), opponent)
    ratings_sweep(now=clock.now())
    user_delete(user_id=gone.pk, now=clock.now())
    make_match(owner, User.objects.create_user("Robot", is_bot=True))
    make_match(opponent, cast.stranger)
    make_offer(opponent)
    make_offer(opponent, kind="challenge", to=owner)
    found = running_game(make_match(owner, opponent))
    client_of(owner).get(found.get_absolute_url())
    say(found.match, opponent)
    return found


def named(page: str) -> set[str]:
    """Give whom a page has a menu for."""
    return set(re.findall(r"More about ([^<]*)</span>", page))


def n_menus(page: str, player: User) -> int:
    return page.count(f'href="/players/{player.name}/block/"')


def test_block_and_report_stand_beside_every_name(game: Game, cast: Cast, client: Client) -> None:
    client.force_login(cast.owner)
    home = client.get("/").text
    assert n_menus(home, cast.opponent) == 4  # a game that runs, one that is over, talk, challenge
    match = game.match_id
    pages = (
        game.get_absolute_url(),
        f"/matches/{match}/",
        f"/matches/{match}/chat/players/",
        "/lobby/",
        "/players/Owner/",
        "/players/Owner/matches/",
        "/players/Opponent/matches/",
        "/players/Opponent/matches/summary/",
        "/players/Owner/against/Opponent/",
        "/players/Opponent/against/Owner/",
        LADDER,
        f"{LADDER}players/Owner/",
        f"{LADDER}players/Opponent/",
        f"{LADDER}seasons/",
        f"{LADDER}seasons/2026-spring/",
    )
    for path in pages:
        answer = client.get(path)
        assert answer.status_code == 200, path
        names = named(answer.text)
        assert cast.opponent.name in names, path
        assert names <= {cast.opponent.name, cast.stranger.name}, path  # not oneself, no computer
        assert paragraphs_torn(answer.text) == [], path
    assert paragraphs_torn(home) == []
    assert named(Client().get("/players/Owner/matches/").text) == set()


def test_each_row_has_its_menu(game: Game, cast: Cast, client: Client) -> None:
    client.force_login(cast.owner)
    assert n_menus(client.get("/players/Owner/matches/").text, cast.opponent) == 3
    assert n_menus(client.get("/players/Owner/").text, cast.opponent) == 2  # met most, best win
    assert n_menus(client.get(f"{LADDER}players/Owner/").text, cast.opponent) == 2
    lobby = client.get("/lobby/").text
    assert named(lobby) == {cast.opponent.name, cast.stranger.name}
    board = client.get(game.get_absolute_url()).text
    since = board.partition('id="since"')[2].partition("</details>\n")[0]
    assert "?about=message&amp;about_id=" in since
