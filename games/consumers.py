"""Sockets: one way, from the site to a page. A frame says that something is at a version.

Consumers hold no state and never write. Close codes from 4000 on mean "do not come back".
"""

from __future__ import annotations

from typing import Any

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncJsonWebsocketConsumer
from django.http import Http404

from games import clock
from games.access import Seen, game_access
from games.chats import room_version, rooms_for
from games.publish import (
    LOBBY_GROUP,
    chat_frame,
    chat_group,
    game_frame,
    game_group,
    session_group,
    user_group,
)
from games.selectors import games_waiting_count

CLOSED_SESSION_ENDED = 4401
CLOSED_NOT_FOUND = 4404
QUESTION = "?"
"""What an open page asks now and then."""
FRAME_KEYS = ("id", "version", "status", "refresh", "clock")
CHAT_KEYS = ("match", "room", "version")


class PageConsumer(AsyncJsonWebsocketConsumer):
    """What all sockets share: they end with the session, and hear nothing but a question."""

    async def join(self, *groups: str) -> None:
        """Accept, and join the groups besides those of user and session."""
        await self.accept()
        for group in (*groups, *self._personal_groups()):
            await self.channel_layer.group_add(group, self.channel_name)
            self.joined.append(group)

    async def websocket_connect(self, message: dict[str, Any]) -> None:
        """Start with no groups."""
        self.joined: list[str] = []
        await super().websocket_connect(message)

    async def disconnect(self, code: int) -> None:
        """Leave all groups."""
        for group in self.joined:
            await self.channel_layer.group_discard(group, self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Hear one question only, "what is new?": what players do travels by POST."""
        if text_data == QUESTION:
            await self.answer()

    async def answer(self) -> None:
        """Say that the socket lives."""
        await self.send_json({"type": "here"})

    async def session_ended(self, event: dict[str, Any]) -> None:
        """Close for good: the session of this page is over."""
        await self.close(CLOSED_SESSION_ENDED)

    async def player_changed(self, event: dict[str, Any]) -> None:
        """Most pages show nothing of a player's own lists."""

    async def send_moment(self, kind: str) -> None:
        """Say that a list changed; the moment in milliseconds serves as version."""
        await self.send_json({"type": kind, "version": int(clock.now().timestamp() * 1000)})

    def _personal_groups(self) -> list[str]:
        user, session = self.scope["user"], self.scope["session"]
        groups = [user_group(user.pk)] if user.pk else []
        return groups + ([session_group(session.session_key)] if session.session_key else [])


class GameConsumer(PageConsumer):
    """Tells one open board which version its game has reached."""

    async def connect(self) -> None:
        """Check access, join, then send where the game is by now: nothing is missed between."""
        groups = await self._groups()
        if not groups:
            await self.accept()
            await self.close(CLOSED_NOT_FOUND)
            return
        await self.join(*groups)
        await self.answer()

    async def answer(self) -> None:
        """Say where the game and its talk are: news are lost while Redis is away, unnoticed."""
        for frame in await self._frames():
            tell = self.game_changed if "id" in frame else self.chat_changed
            await tell(frame)

    async def game_changed(self, event: dict[str, Any]) -> None:
        """Pass on where the game is."""
        told = {key: event[key] for key in FRAME_KEYS if key in event}
        await self.send_json({"type": "game"} | told)

    async def chat_changed(self, event: dict[str, Any]) -> None:
        """Pass on where the talk of a room is."""
        await self.send_json({"type": "chat"} | {key: event[key] for key in CHAT_KEYS})

    async def player_changed(self, event: dict[str, Any]) -> None:
        """Say that other boards may wait by now; news of this game come with its own frame."""
        if event.get("game") != self.scope["url_route"]["kwargs"]["game_id"]:
            await self.send_json({"type": "waiting"})

    @database_sync_to_async
    def _groups(self) -> list[str]:
        """Name the groups of the game and of the rooms that this user sees; none without access."""
        seen = self._seen()
        if seen is None:
            return []
        rooms = rooms_for(seen.match, self.scope["user"])
        return [game_group(seen.game.pk), *(chat_group(seen.match.pk, room) for room in rooms)]

    @database_sync_to_async
    def _frames(self) -> list[dict[str, Any]]:
        """Say where the game is, and the talk of each room in which something was said."""
        seen = self._seen()
        if seen is None:
            return []
        rooms = rooms_for(seen.match, self.scope["user"])
        told = [(room, room_version(seen.match.pk, room)) for room in rooms]
        chats = [chat_frame(seen.match.pk, room, version) for room, version in told if version]
        return [game_frame(seen.game), *chats]

    def _seen(self) -> Seen | None:
        try:
            return game_access(self.scope["url_route"]["kwargs"]["game_id"], self.scope["user"])
        except Http404:
            return None


class LobbyConsumer(PageConsumer):
    """Tells open lobbies that their lists changed."""

    async def connect(self) -> None:
        """Join, and make the page fetch its lists once: they may be older than the socket."""
        await self.join(LOBBY_GROUP)
        await self.lobby_changed({})

    async def lobby_changed(self, event: dict[str, Any]) -> None:
        """Pass the change on."""
        await self.send_moment("lobby")

    async def player_changed(self, event: dict[str, Any]) -> None:
        """Fetch the lists for the games of who looks, too."""
        await self.send_moment("lobby")


class PlayerConsumer(PageConsumer):
    """Tells a player's own pages that something of theirs changed: home, and their offers."""

    async def connect(self) -> None:
        """Join, and make the page fetch its part once; a visitor has nothing of their own."""
        if not self.scope["user"].pk:
            await self.accept()
            await self.close(CLOSED_SESSION_ENDED)
            return
        await self.join()
        await self.player_changed({})

    async def player_changed(self, event: dict[str, Any]) -> None:
        """Pass the change on."""
        await self.send_moment("player")


class CounterConsumer(PageConsumer):
    """Tells every page of a player how many games wait, hidden pages too."""

    async def connect(self) -> None:
        """Join, and say how many there are; nothing waits for a visitor."""
        if not self.scope["user"].pk:
            await self.accept()
            await self.close(CLOSED_SESSION_ENDED)
            return
        await self.join()
        await self.answer()

    async def answer(self) -> None:
        """Say how many games wait by now."""
        await self.send_json({"type": "counter", "n": await self._count()})

    async def player_changed(self, event: dict[str, Any]) -> None:
        """Count anew."""
        await self.answer()

    @database_sync_to_async
    def _count(self) -> int:
        return games_waiting_count(self.scope["user"], clock.now())
