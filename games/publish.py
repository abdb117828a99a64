"""The only sender: tells sockets and workers what changed, after commit, and never more.

A frame says "this is now at version n" and nothing else, so no secret can be in it. Everything
here is bounded in time and may be lost: rows and sweeps are the truth.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from asgiref.sync import async_to_sync
from celery import current_app
from channels.layers import get_channel_layer
from django.db import transaction

from games.models import Game

log = logging.getLogger(__name__)

SEND_TIMEOUT_S = 2.0
LOBBY_GROUP = "lobby"

_is_muted: ContextVar[bool] = ContextVar("is_muted", default=False)


def game_group(game_id: int) -> str:
    """Name the group of everybody who has a game's page open."""
    return f"game.{game_id}"


def chat_group(match_id: int, room: str) -> str:
    """Name the group of all open pages of those who see one room of a match."""
    return f"chat.{match_id}.{room}"


def user_group(user_id: int) -> str:
    """Name the group of all pages of one user."""
    return f"user.{user_id}"


def session_group(session_key: str) -> str:
    """Name the group of all pages of one session, without giving its key away."""
    return f"session.{hashlib.sha256(session_key.encode()).hexdigest()[:40]}"


def session_ended(group: str) -> None:
    """Close the sockets of a session or user for good, after commit."""
    _after_commit(lambda: _send({group: {"type": "session.ended"}}))


def game_changed(game: Game) -> None:
    """Tell a game's open pages its version and status, and its players' lists, after commit."""
    message = {"type": "game.changed", **game_frame(game)}
    lists = _to_lists(game.match.player_0_id, game.match.player_1_id, game=game.pk)
    _after_commit(lambda: _send({game_group(message["id"]): message} | lists))


def chat_changed(match_id: int, room: str, version: int) -> None:
    """Tell those who see a room which version its talk has reached, after commit."""
    message = {"type": "chat.changed", **chat_frame(match_id, room, version)}
    _after_commit(lambda: _send({chat_group(match_id, room): message}))


def chat_frame(match_id: int, room: str, version: int) -> dict[str, Any]:
    """Say where the talk of a room is; all that a socket ever says of it."""
    return {"match": match_id, "room": room, "version": version}


def players_changed(*user_ids: int) -> None:
    """Make players' own lists look again, after commit: what waits for them, or was offered."""
    _after_commit(lambda: _send(_to_lists(*user_ids)))


def _to_lists(*user_ids: int, game: int = 0) -> dict[str, dict[str, Any]]:
    """Address the pages of users; with a game the pages of that game know to leave it alone."""
    message = {"type": "player.changed", "game": game}
    return {user_group(user_id): message for user_id in user_ids}


def finished_changed(game: Game) -> None:
    """Make open pages of a finished game look again: there is a rematch or a rating, say."""
    message = {"type": "game.changed", **game_frame(game), "refresh": True}
    _after_commit(lambda: _send({game_group(message["id"]): message}))


def clocks_changed(game: Game) -> None:
    """Make open pages look at a game's clocks again, and its players' lists; after commit."""
    message = {"type": "game.changed", **game_frame(game), "clock": True}
    lists = _to_lists(game.match.player_0_id, game.match.player_1_id, game=game.pk)
    _after_commit(lambda: _send({game_group(message["id"]): message} | lists))


def game_frame(game: Game) -> dict[str, Any]:
    """Say where a game is; all that a socket ever says of one."""
    return {"id": game.pk, "version": game.version, "status": int(game.status)}


def lobby_changed() -> None:
    """Tell open lobbies that offers or running games changed, after commit."""
    _after_commit(lambda: _send({LOBBY_GROUP: {"type": "lobby.changed"}}))


def task(name: str, *args: int) -> None:
    """Enqueue a task by name with ids only, after commit."""
    _after_commit(lambda: current_app.send_task(name, args=args, ignore_result=True))


@contextmanager
def muted() -> Iterator[None]:
    """Tell nobody for a while: what the demo does lies weeks back."""
    token = _is_muted.set(True)
    try:
        yield
    finally:
        _is_muted.reset(token)


def is_muted() -> bool:
    """Say whether nobody is to be told of anything now."""
    return _is_muted.get()


def _after_commit(call: Any) -> None:
    if _is_muted.get():
        return

    def guarded() -> None:
        try:
            call()
        except Exception:
            # The change is saved; the sweep or the next fetch makes up for what is lost here.
            log.warning("could not publish", exc_info=True)

    transaction.on_commit(guarded, robust=True)


@async_to_sync
async def _send(messages: dict[str, dict[str, Any]]) -> None:
    """Send to groups at once, so that all of it takes no longer than one of it may."""
    layer = get_channel_layer()
    if layer is not None:
        sends = (layer.group_send(group, message) for group, message in messages.items())
        await asyncio.wait_for(asyncio.gather(*sends), SEND_TIMEOUT_S)
