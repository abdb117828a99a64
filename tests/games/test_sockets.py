"""Sockets as a page meets them: who may listen, what a frame says, when it is over."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import Game, Match, Offer
from games.services.offers import offer_accept
from tests.games.conftest import Cast, client_of, make_match, make_offer, play_turn, running_game

ORIGIN = (b"origin", b"http://localhost")

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


def socket(
    path: str, client: Client | None = None, origin: tuple[bytes, bytes] = ORIGIN
) -> WebsocketCommunicator:
    """Open the site's own entry point as a browser with a client's cookies would."""
    from config.asgi import application

    headers = [origin, (b"host", b"localhost")]
    if client is not None:
        cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
        headers.append((b"cookie", f"{settings.SESSION_COOKIE_NAME}={cookie}".encode()))
    return WebsocketCommunicator(application, path, headers)


@sync_to_async
def table() -> tuple[Cast, Game]:
    names = ("Owner", "Opponent", "Stranger")
    cast = Cast(*(User.objects.create_user(name, f"{name}@example.org") for name in names))
    return cast, running_game(make_match(cast.owner, cast.opponent))


async def frame_of(communicator: WebsocketCommunicator) -> Any:
    return await communicator.receive_json_from(timeout=5)


async def test_a_board_hears_its_version_on_connect_and_after_each_turn() -> None:
    _, game = await table()
    board = socket(f"/ws/games/{game.pk}/")
    assert (await board.connect())[0]
    assert await frame_of(board) == {"type": "game", "id": game.pk, "version": 0, "status": 20}
    submitted = await sync_to_async(play_turn)(game)
    told = await frame_of(board)
    assert told == {"type": "game", "id": game.pk, "version": submitted.version, "status": 20}
    await board.disconnect()


async def test_fault_65_a_board_that_asks_hears_what_was_lost_on_the_way() -> None:
    _, game = await table()
    board = socket(f"/ws/games/{game.pk}/")
    await board.connect()
    first = await frame_of(board)
    await Game.objects.filter(pk=game.pk).aupdate(version=7)
    await board.send_to(text_data='{"type": "move"}')
    await board.send_to(text_data="?")
    assert await frame_of(board) == first | {"version": 7}
    assert await board.receive_nothing()
    await board.disconnect()


async def test_fault_65_a_lobby_that_asks_hears_that_its_socket_lives() -> None:
    lobby = socket("/ws/lobby/")
    await lobby.connect()
    await frame_of(lobby)
    await lobby.send_to(text_data="?")
    assert await frame_of(lobby) == {"type": "here"}
    await lobby.disconnect()


async def test_every_viewer_hears_the_same_frame() -> None:
    """A frame holds nothing that one viewer may know and another may not."""
    cast, game = await table()
    boards = [socket(f"/ws/games/{game.pk}/")]
    for user in (cast.owner, cast.opponent, cast.stranger):
        client = await sync_to_async(client_of)(user)
        boards.append(socket(f"/ws/games/{game.pk}/", client))
    for board in boards:
        assert (await board.connect())[0]
        await frame_of(board)
    await sync_to_async(play_turn)(game)
    frames = [await frame_of(board) for board in boards]
    assert all(frame == frames[0] for frame in frames)
    assert set(frames[0]) == {"type", "id", "version", "status"}
    for board in boards:
        await board.disconnect()


async def test_an_abort_is_told_though_the_version_stays() -> None:
    from games import clock
    from games.services.matches import match_abort

    cast, game = await table()
    board = socket(f"/ws/games/{game.pk}/")
    await board.connect()
    await frame_of(board)
    await sync_to_async(match_abort)(match_id=game.match_id, user=cast.owner, now=clock.now())
    assert (await frame_of(board))["status"] == Game.Status.ABORTED
    await board.disconnect()


async def test_a_private_game_is_closed_to_others_for_good() -> None:
    cast, game = await table()
    await Match.objects.filter(pk=game.match_id).aupdate(is_private=True)
    client = await sync_to_async(client_of)(cast.stranger)
    for board in (socket(f"/ws/games/{game.pk}/", client), socket(f"/ws/games/{game.pk}/")):
        await board.connect()
        closed = await board.receive_output(timeout=5)
        assert (closed["type"], closed["code"]) == ("websocket.close", 4404)


async def test_a_foreign_origin_is_refused() -> None:
    """Fault 78: a foreign page cannot ride on the user's cookie."""
    _, game = await table()
    for origin in (b"https://evil.example", b"null", b"http://localhost.evil.example"):
        board = socket(f"/ws/games/{game.pk}/", origin=(b"origin", origin))
        assert not (await board.connect())[0]


async def test_log_out_closes_the_sockets_of_that_session_alone() -> None:
    cast, game = await table()
    here = await sync_to_async(client_of)(cast.owner)
    elsewhere = await sync_to_async(client_of)(cast.owner)
    boards = [socket(f"/ws/games/{game.pk}/", client) for client in (here, elsewhere)]
    for board in boards:
        await board.connect()
        await frame_of(board)
    await sync_to_async(here.post)("/accounts/logout/")
    closed = await boards[0].receive_output(timeout=5)
    assert (closed["type"], closed["code"]) == ("websocket.close", 4401)
    assert await boards[1].receive_nothing(timeout=0.3)
    await boards[1].disconnect()


async def test_what_a_page_sends_is_not_heard() -> None:
    _, game = await table()
    board = socket(f"/ws/games/{game.pk}/")
    await board.connect()
    await frame_of(board)
    await board.send_to(text_data='{"type": "game.changed", "version": 99}')
    await board.send_to(bytes_data=b"\x00")
    assert await board.receive_nothing(timeout=0.2)
    await board.disconnect()


async def test_the_lobby_hears_of_a_new_offer() -> None:
    cast, _ = await table()
    lobby = socket("/ws/lobby/")
    await lobby.connect()
    before = await frame_of(lobby)
    await sync_to_async(make_offer)(cast.owner)
    told = await frame_of(lobby)
    assert told["type"] == "lobby"
    assert told["version"] >= before["version"]
    assert set(told) == {"type", "version"}
    await lobby.disconnect()


async def test_a_players_own_lists_hear_of_turns_and_offers() -> None:
    """Home, the lobby and the page of an offer are as new as what waits for their player."""
    cast, game = await table()
    client = await sync_to_async(client_of)(cast.owner)
    pages = [socket("/ws/player/", client), socket("/ws/lobby/", client)]
    for page in pages:
        assert (await page.connect())[0]
        await frame_of(page)
    await sync_to_async(play_turn)(game)
    frames = [await frame_of(page) for page in pages]
    assert [frame["type"] for frame in frames] == ["player", "lobby"]
    assert all(set(frame) == {"type", "version"} for frame in frames)
    await sync_to_async(make_offer)(cast.opponent, "challenge", cast.owner)
    assert (await frame_of(pages[0]))["type"] == "player"
    await sync_to_async(make_match)(cast.stranger, cast.opponent)
    assert await pages[0].receive_nothing(timeout=0.3)
    for page in pages:
        await page.disconnect()


async def drained(page: WebsocketCommunicator) -> None:
    """Take what else has come: the same may be told more than once."""
    while not await page.receive_nothing(timeout=0.2):
        await frame_of(page)


async def test_a_board_hears_that_other_boards_of_its_viewer_have_changed() -> None:
    cast, game = await table()
    board = socket(f"/ws/games/{game.pk}/", await sync_to_async(client_of)(cast.opponent))
    await board.connect()
    await frame_of(board)
    elsewhere = await sync_to_async(make_match)(cast.opponent, cast.stranger)
    assert await frame_of(board) == {"type": "waiting"}
    await drained(board)
    await sync_to_async(lambda: play_turn(running_game(elsewhere)))()
    assert await frame_of(board) == {"type": "waiting"}
    await drained(board)
    await sync_to_async(play_turn)(game)
    assert (await frame_of(board))["type"] == "game"
    assert await board.receive_nothing()
    await board.disconnect()


async def test_every_page_hears_how_many_games_wait() -> None:
    """The counter in the name of the page and on its icon, in hidden tabs too."""
    _, game = await table()
    user = game.match.players[game.turn or 0]
    page = socket("/ws/counter/", await sync_to_async(client_of)(user))
    assert (await page.connect())[0]
    assert await frame_of(page) == {"type": "counter", "n": 1}
    await sync_to_async(play_turn)(game)
    assert await frame_of(page) == {"type": "counter", "n": 0}
    await sync_to_async(play_turn)(game)
    assert await frame_of(page) == {"type": "counter", "n": 1}
    await page.send_to(text_data="?")
    assert await frame_of(page) == {"type": "counter", "n": 1}
    await page.disconnect()


@pytest.mark.parametrize("path", ["/ws/player/", "/ws/counter/"])
async def test_a_visitor_has_no_lists_of_their_own(path: str) -> None:
    page = socket(path)
    await page.connect()
    closed = await page.receive_output(timeout=5)
    assert (closed["type"], closed["code"]) == ("websocket.close", 4401)


async def test_a_maker_hears_that_an_offer_was_accepted_whoever_is_to_act() -> None:
    cast, _ = await table()
    terms = {"kind": "challenge", "to": cast.opponent}
    offer = await sync_to_async(make_offer)(cast.owner, **terms)
    browser = await sync_to_async(client_of)(cast.owner)
    page = socket("/ws/player/", browser)
    await page.connect()
    await frame_of(page)
    now = timezone.now()
    # To act is the opponent, in the very first turn: nothing waits for the maker but the news.
    await Offer.objects.filter(pk=offer.pk).aupdate(first=1)
    await sync_to_async(offer_accept)(offer_id=offer.pk, user=cast.opponent, now=now)
    assert (await frame_of(page))["type"] == "player"
    await page.disconnect()
