"""The demo's finished games: their records verify, and every step is shown as the engine has it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from games.demo import demo_load
from games.models import Game
from tests.engine.command_line import run
from tests.games.boards import FRAGMENT
from tests.games.bridge_tables import bridges_as_shown, bridges_table_of
from tests.games.demo_games import N_GAMES, demo_games
from tests.games.tables import as_shown, table_of


@pytest.mark.django_db
def test_records_verify_and_replays_show_what_the_engine_says(
    client: Client, tmp_path: Path
) -> None:
    demo_load(lambda done, of: None)
    demo = list(Game.objects.filter(status=Game.Status.FINISHED).order_by("pk"))
    assert {game.reason for game in demo} >= {"resign", "timeout", "bridges"}
    stepped = demo_games()
    assert len(stepped) == N_GAMES
    for game in demo:
        record = tmp_path / f"{game.pk}.json"
        _check_record(game, client, record)
        if game in stepped:
            _check_steps(game, client, record)


def _check_record(game: Game, client: Client, record: Path) -> None:
    record.write_bytes(client.get(f"/games/{game.pk}/record.json").content)
    verified = run("verify", str(record))
    assert (verified.code, verified.err) == (0, ""), verified


def _check_steps(game: Game, client: Client, record: Path) -> None:
    is_bridges = game.match.title == "three-bridges"
    for step, state in enumerate(_trace(record)):
        page = client.get(f"/games/{game.pk}/replay/{step}/", headers=FRAGMENT).text
        if is_bridges:
            assert bridges_table_of(page, 0) == bridges_as_shown(state), (game.pk, step)
        else:
            assert table_of(page, 0) == as_shown(state), (game.pk, step)
        _check_turn(page, state)
    assert step == game.version
    assert client.get(f"/games/{game.pk}/replay/{step + 1}/").status_code == 404


def _trace(record: Path) -> list[dict[str, Any]]:
    traced = run("replay", "--trace", str(record))
    assert traced.code == 0, traced
    return [json.loads(line) for line in traced.out.splitlines()]


def _check_turn(page: str, state: dict[str, Any]) -> None:
    """The page says who is to act, or how it ended."""
    assert ("is to play" in page) == (state["turn"] is not None)
    assert ("has won" in page) == (state["winner"] is not None)
