"""What tests do in the chat of a match."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.chat_models import ChatMessage, Room
from games.models import Match
from games.services.chat import chat_send
from tests.games.conftest import fields, request_id


def say(
    match: Match,
    user: User,
    text: str = "Cold out here.",
    room: Room = Room.PLAYERS,
    at: datetime | None = None,
    **rest: Any,
) -> ChatMessage:
    """Send a message through the service."""
    told = {"request_id": request_id(), "now": at or timezone.now(), "text": text, **rest}
    return chat_send(match_id=match.pk, user=user, room=room, **told)


def url(match: Match, room: str = "players") -> str:
    return f"/matches/{match.pk}/chat/{room}/"


def read(client: Client, match: Match, room: str = "players", **headers: str) -> str:
    """Give the chat's own page, or what htmx gets of it."""
    return client.get(url(match, room), headers=headers).text


def post(client: Client, match: Match, room: str = "players", **data: Any) -> Any:
    """Send the form of the chat's page as a browser without script would."""
    sent = {"request_id": fields(read(client, match, room), "request_id")[0]["value"], **data}
    return client.post(url(match, room), sent, follow=True)
