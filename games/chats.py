"""Readers of the chat: who may see which room, what they may say there, and what is new.

The players' room is for the two alone, for good. The watchers' room is for everybody else who
is logged in; players see nothing of it, not even that there is one, until the match is over.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Max, Q, QuerySet

from accounts.blocks import may_meet
from accounts.conduct import ChatLevel
from accounts.models import User
from games.chat_models import ChatMessage, ChatPlace, Room
from games.models import Match

OPEN_FOR: Final = timedelta(days=7)
"""How long after its end a match can still be talked about; then the chat can be read only."""


class Door(StrEnum):
    """What a user may do in a room that they see, and if not everything, why."""

    OPEN = "open"
    GREETINGS_OWN = "greetings_own"
    """They take part in greetings only."""
    GREETINGS_THEIRS = "greetings_theirs"
    """The other player takes part in greetings only."""
    OFF_OWN = "off_own"
    """They have switched chat off."""
    OFF_THEIRS = "off_theirs"
    """The other player has, in all matches or in this one."""
    MUTED_OWN = "muted_own"
    """They have switched chat off in this match."""
    APART = "apart"
    """One of the two has blocked the other."""
    BOT = "bot"
    GONE = "gone"
    """The other player's account is closed."""
    SILENCED = "silenced"
    """Moderators keep them from writing for a while."""
    OVER = "over"
    """The match ended too long ago."""
    READING = "reading"
    """Players read what was said while they played."""

    @property
    def may_greet(self) -> bool:
        """Say whether greetings pass."""
        return self in (Door.OPEN, Door.GREETINGS_OWN, Door.GREETINGS_THEIRS)


def rooms_for(match: Match, user: User | AnonymousUser) -> tuple[Room, ...]:
    """Give the rooms of a match that a user who may open it sees. No query."""
    if not isinstance(user, User):
        return ()
    if match.seat_of(user.pk) is None:
        return (Room.WATCHERS,)
    is_watched = match.status != Match.Status.RUNNING and not match.is_private
    return (Room.PLAYERS, Room.WATCHERS) if is_watched else (Room.PLAYERS,)


def door_of(match: Match, room: Room, user: User, now: datetime) -> Door:
    """Say what a user may do in a room that they see. Two queries at most."""
    if room == Room.WATCHERS and match.seat_of(user.pk) is not None:
        return Door.READING
    if match.finished_at is not None and match.finished_at + OPEN_FOR <= now:
        return Door.OVER
    if user.chat_muted_until is not None and user.chat_muted_until > now:
        return Door.SILENCED
    return _players_door(match, user) if room == Room.PLAYERS else Door.OPEN


def _players_door(match: Match, user: User) -> Door:
    """Say what two players may say to each other: the lower of what each takes part in."""
    other = other_player(match, user)
    muted = set(match.chat_places.filter(is_muted=True).values_list("user_id", flat=True))
    checks = (
        (other.is_bot, Door.BOT),
        (not other.is_active, Door.GONE),
        (user.chat == ChatLevel.NONE, Door.OFF_OWN),
        (user.pk in muted, Door.MUTED_OWN),
        (not may_meet(user.pk, other.pk), Door.APART),
        (other.chat == ChatLevel.NONE or other.pk in muted, Door.OFF_THEIRS),
        (other.chat == ChatLevel.GREETINGS, Door.GREETINGS_THEIRS),
        (user.chat == ChatLevel.GREETINGS, Door.GREETINGS_OWN),
    )
    return next((door for is_so, door in checks if is_so), Door.OPEN)


def other_player(match: Match, user: User) -> User:
    """Give the player whom a player plays."""
    other: User = match.player_1 if match.player_0_id == user.pk else match.player_0
    return other


def room_messages(match: Match, room: Room, viewer: User) -> QuerySet[ChatMessage]:
    """Give a room's messages in order, without those of users whom the viewer may not meet."""
    found = match.messages.filter(room=room).select_related("author")
    found = found.exclude(author__blocks__blocked=viewer)
    return found.exclude(author__in=viewer.blocks.values("blocked")).order_by("number")


def room_last(match: Match, room: Room, viewer: User, limit: int) -> Sequence[ChatMessage]:
    """Give the last messages of a room that a viewer sees, in order. One query."""
    newest = room_messages(match, room, viewer).order_by("-number")[:limit]
    return list(newest)[::-1]


def room_version(match_id: int, room: Room) -> int:
    """Give a number that grows with each message and each removal. One query."""
    told = ChatMessage.objects.filter(match=match_id, room=room).aggregate(
        last=Max("number"), n_removed=Count("removed_at")
    )
    return (told["last"] or 0) + int(told["n_removed"])


def messages_since(match: Match, moment: datetime, viewer: User) -> Sequence[ChatMessage]:
    """List what the other player has said to a player since a moment; nothing for who watches.

    What was removed or erased is left out. One query.
    """
    if match.seat_of(viewer.pk) is None:
        return []
    found = room_messages(match, Room.PLAYERS, viewer).exclude(author=viewer)
    found = found.exclude(greeting="", text="")
    return list(found.filter(created_at__gt=moment, removed_at__isnull=True))


def place_of(match: Match, user: User) -> ChatPlace:
    """Give a player's place in the talk of a match, a new one that is not saved without it."""
    found = ChatPlace.objects.filter(match=match, user=user).first()
    return found or ChatPlace(match=match, user=user)


def unread_places(user: User) -> Sequence[ChatPlace]:
    """List where a player has messages to read, with their matches, newest first. One query.

    What somebody wrote whom they may not meet is not told.
    """
    apart = Q(blocks__blocked=user) | Q(pk__in=user.blocks.values("blocked"))
    others = User.objects.filter(apart).values("pk")
    places = ChatPlace.objects.filter(user=user, n_unread__gt=0)
    places = places.select_related("match__player_0", "match__player_1")
    places = places.exclude(match__player_0__in=others).exclude(match__player_1__in=others)
    return list(places.order_by("-match_id")[:100])
