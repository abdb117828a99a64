"""Three Bridges round its board: the lobby, the bot, matches, ladder, history, replay, record."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.bots import BOTS
from games.models import Game, Match, Offer
from games.services.bots import SEEK_WAIT, bot_act, bots_sweep, ensure_bot
from ladder.tasks import ratings_sweep
from tests.engine.command_line import run
from tests.games.boards import text_of
from tests.games.bridge_tables import bridges_as_shown, bridges_table_of
from tests.games.bridges import make_bridges, read, submit, view_of
from tests.games.conftest import Cast, client_of
from tests.games.plain_browser import PlainBrowser

SUMMARY = "the one with more bridges wins"
NAME = "three-bridges/standard"


def play_out(game: Game) -> Game:
    """Let the easy bot's policy play a game to its end."""
    while read(game).is_running:
        submit(game, BOTS["greedy"](view_of(game)))
    return read(game)


def test_the_easy_bot_takes_a_seek_and_plays_it_to_its_end(cast: Cast) -> None:
    ensure_bot()
    person = PlainBrowser()
    person.enter(cast.owner)
    person.open("/offers/new/")
    person.press("Put it in the lobby", ruleset=NAME, n_rounds="1")
    assert SUMMARY in text_of(client_of(cast.opponent).get("/lobby/"))
    assert bots_sweep(now=timezone.now() + SEEK_WAIT) == 1
    match = Match.objects.get()
    assert match.title == "three-bridges"
    game = match.games.get()
    while read(game).is_running:
        if not bot_act(game_id=game.pk, now=timezone.now()):
            submit(game, BOTS["greedy"](view_of(game)))
    person.open(match.get_absolute_url())
    assert "the bridges were counted" in person.text


def test_a_rated_match_moves_its_ladder(cast: Cast, client: Client) -> None:
    maker, other = client_of(cast.owner), client_of(cast.opponent)
    form = {"kind": "seek", "request_id": "one", "ruleset": NAME, "n_rounds": "1"}
    maker.post("/offers/new/", {**form, "pace": "per-turn-3", "is_rated": "on"})
    other.post(f"/offers/{Offer.objects.get().pk}/accept/")
    assert SUMMARY in text_of(client.get("/ladders/"))
    ladder = text_of(client.get(f"/ladders/{NAME}/"))
    assert all(user.name in ladder for user in (cast.owner, cast.opponent))
    play_out(Game.objects.get())
    ratings_sweep()
    page = text_of(client.get(f"/matches/{Match.objects.get().pk}/"))
    assert "1500" in page
    for user in (cast.owner, cast.opponent):
        assert "Three Bridges" in text_of(client.get(user.get_absolute_url()))


def test_the_history_finds_its_matches(cast: Cast, client: Client) -> None:
    play_out(make_bridges(cast))
    path = f"/players/{cast.owner.name}/matches/"
    assert "Three Bridges" in text_of(client.get(f"{path}?ruleset={NAME}"))
    other = text_of(client.get(f"{path}?ruleset=schotten-totten/automatic"))
    assert 'id="match-' not in other


@pytest.mark.parametrize("viewer", ["owner", "opponent", "stranger"])
def test_replay_and_record_say_what_the_engine_says(
    cast: Cast, viewer: str, tmp_path: Path
) -> None:
    game = play_out(make_bridges(cast))
    user: User = getattr(cast, viewer)
    browser, bottom = client_of(user), 1 if viewer == "opponent" else 0
    record = tmp_path / "record.json"
    record.write_bytes(browser.get(f"/games/{game.pk}/record.json").content)
    assert run("verify", str(record)).code == 0
    traced = run("replay", "--trace", str(record)).out.splitlines()
    assert len(traced) == game.version + 1
    for step, line in enumerate(traced):
        page = browser.get(f"/games/{game.pk}/replay/{step}/").text
        assert bridges_table_of(page, bottom) == bridges_as_shown(json.loads(line)), step


def test_a_running_game_has_no_replay_and_no_open_record(cast: Cast) -> None:
    game = make_bridges(cast)
    for user in (cast.owner, cast.opponent, cast.stranger):
        browser = client_of(user)
        submit(game, BOTS["greedy"](view_of(game)))
        answer = browser.get(f"/games/{game.pk}/replay/1/")
        assert (answer.status_code, answer["Location"]) == (302, game.get_absolute_url())
        assert browser.get(f"/games/{game.pk}/record.json").status_code == 404
