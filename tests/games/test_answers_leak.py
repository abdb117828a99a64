"""Nobody but its player learns of a prepared answer, and no answer learns what is hidden."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from games.models import Game
from games.presenters.answers import answers_export
from games.publish import game_frame
from tests.games.boards import FRAGMENT, normal, text_of
from tests.games.bridges import deal, make_bridges, step
from tests.games.conftest import Cast, client_of, make_user
from tests.games.prepared import ANY, lays, opponent_plays, plan, prepare, waiting_board
from tests.games.staff import staff_paths
from tests.games.test_leak import permuted, read


def told(client: Client, game: Game) -> Iterator[tuple[str, str]]:
    """Give all that the site tells a browser about a game and round it."""
    board = game.get_absolute_url()
    paths = [board, f"{board}replay/", game.match.get_absolute_url(), "/", "/lobby/"]
    for path in (*paths, "/players/Owner/", "/players/Owner/matches/"):
        for headers in ({}, FRAGMENT):
            response = client.get(path, headers=headers)
            yield f"{path} {bool(headers)}", f"{response.status_code} {normal(text_of(response))}"
    yield "frame", json.dumps(game_frame(game))


def told_staff(client: Client) -> dict[str, str]:
    return {path: normal(text_of(client.get(path))) for path in staff_paths()}


@pytest.mark.parametrize("who", ["opponent", "stranger", "nobody"])
def test_others_get_the_same_bytes_whether_or_not_there_is_an_answer(cast: Cast, who: str) -> None:
    """Faults 33 to 36, for a plan: until it is played nothing shows that there is one."""
    game = waiting_board(cast)
    client = Client() if who == "nobody" else client_of(getattr(cast, who))
    without = dict(told(client, game))
    rows = [prepare(game, lays(1), plan("R9")), prepare(game, ANY)]
    assert dict(told(client, read(game))) == without
    opponent_plays(game)
    dict(told(client, read(game)))  # the first look tells what is new
    waiting = dict(told(client, read(game)))
    for row in rows:
        row.delete()
    assert dict(told(client, read(game))) == waiting


def test_staff_see_no_answers(cast: Cast) -> None:
    staff = make_user("Keeper")
    staff.is_staff = staff.is_superuser = True
    staff.save()
    game, client = waiting_board(cast), client_of(staff)
    without = told_staff(client)
    prepare(game, lays(1), plan("R9"))
    assert told_staff(client) == without


def test_nothing_is_sent_and_nothing_logged(
    cast: Cast,
    caplog: pytest.LogCaptureFixture,
    django_capture_on_commit_callbacks: Any,
) -> None:
    caplog.set_level(logging.DEBUG, logger="games")
    game = waiting_board(cast)
    with django_capture_on_commit_callbacks() as sent:
        prepare(game)
    assert sent == []
    assert caplog.text == ""


def test_what_the_player_sees_depends_on_nothing_hidden(cast: Cast, owner_client: Client) -> None:
    """The opponent's hand and the deck are exchanged: form, list and what fits stay the same."""
    game = waiting_board(cast)
    prepare(game, lays(1, value=2), plan("R9"))
    prepare(game, lays(1, value=1), plan("R8"))
    for _ in range(2):
        owner_client.get(game.get_absolute_url())  # the first look tells what is new
        board = normal(text_of(owner_client.get(game.get_absolute_url())))
        with permuted(read(game), 0) as changed:
            assert normal(text_of(owner_client.get(changed.get_absolute_url()))) == board
        if read(game).turn == 1:
            opponent_plays(game)
    assert "This one fits" in board


def test_a_card_that_lies_face_down_decides_nothing(cast: Cast, opponent_client: Client) -> None:
    """Three Bridges: whatever the owner placed, the same answer fits."""
    game = deal(make_bridges(cast), "H7 L7 A9", "B9 B7 B8 BX", "HX H8 H9 A7", "BK AK")
    turned = {"when": "turned_up", "suit": "B", "rank": "", "bridge": None}
    prepare(game, turned, {"card": "A7", "bridge": 1}, seat=1)
    prepare(game, {"when": "places", "bridge": 3}, {"card": "A7", "bridge": 2}, seat=1)
    step(game, "B9@3")
    board = normal(text_of(opponent_client.get(game.get_absolute_url())))
    assert "This one fits" in board
    with permuted(read(game), 1) as changed:
        assert normal(text_of(opponent_client.get(changed.get_absolute_url()))) == board


def test_a_players_own_data_hold_their_answers_and_no_others(
    cast: Cast,
) -> None:
    prepare(waiting_board(cast), lays(1), plan("R9"))
    assert [row["turn"]["card"] for row in answers_export(cast.owner)] == ["R9"]
    assert answers_export(cast.opponent) == []
