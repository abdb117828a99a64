"""The chat of a match: what is said, read, switched off and removed.

Locks: the author's row, then the match's. Numbers of a room are given under the match's lock,
so that they have no gap and no page can show a later message without an earlier one.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import F

from accounts.models import User
from accounts.services import user_lock
from games import publish
from games.chat_models import ChatMessage, ChatPlace, Room
from games.chats import Door, door_of, other_player, room_version, rooms_for
from games.models import Match
from games.refusals import Code, Refusal
from games.services.rows import match_lock, player_seat, request_id_check
from games.words import GREETINGS, MAX_TEXT, plain_text

PER_MINUTE: Final = 10
"""So many messages of one user are taken in a minute, in all rooms together."""

MAX_MESSAGES: Final = 1000
"""So many messages a room holds."""


def chat_send(
    *,
    match_id: int,
    user: User,
    room: Room,
    request_id: str,
    now: datetime,
    text: str = "",
    greeting: str = "",
) -> ChatMessage:
    """Say something; the same request again gives the same message. A greeting goes before text.

    Raises `Refusal`: MALFORMED, NOT_A_PLAYER (the room is not theirs to see), BAD_MESSAGE,
    REQUEST_REUSED, CHAT_SHUT, GREETINGS_ONLY, TOO_MANY_MESSAGES, CHAT_FULL. Locks: the
    author's row, then the match's. After commit: the room's pages and the other player's lists
    are told.
    """
    request_id_check(request_id)
    text = "" if greeting else plain_text(text)
    with transaction.atomic(durable=True):
        author = user_lock(user.pk)
        match = match_lock(match_id)
        if not author.is_active or room not in rooms_for(match, author):
            raise Refusal(Code.NOT_A_PLAYER)
        before = match.messages.filter(author=author, request_id=request_id).first()
        if before is not None:
            if (before.room, before.greeting, before.text) != (room, greeting, text):
                raise Refusal(Code.REQUEST_REUSED)
            return before
        _check(match, room, author, text, greeting, now)
        return _write(match, room, author, request_id, text, greeting, now)


def chat_seen(*, match_id: int, user: User, number: int) -> None:
    """Note that a player was shown the players' room up to a number; going back is nothing.

    Raises `Refusal` NOT_A_PLAYER. Locks: the player's place.
    """
    with transaction.atomic(durable=True):
        match = Match.objects.get(pk=match_id)
        player_seat(match, user.pk)
        place = _place_lock(match, user)
        place.seen = max(place.seen, number)
        messages = match.messages.filter(room=Room.PLAYERS, number__gt=place.seen)
        place.n_unread = messages.exclude(author=user).count()
        place.save(update_fields=["seen", "n_unread"])


def chat_mute(*, match_id: int, user: User, is_muted: bool) -> None:
    """Switch chat off in one match, or on again. Raises `Refusal` NOT_A_PLAYER."""
    with transaction.atomic(durable=True):
        match = match_lock(match_id)
        player_seat(match, user.pk)
        ChatPlace.objects.update_or_create(match=match, user=user, defaults={"is_muted": is_muted})


def chat_erase(*, user: User, now: datetime) -> None:
    """Empty the free text of all messages of an account that is deleted; greetings stay.

    Called in the transaction that deletes it.
    """
    ChatMessage.objects.filter(author=user).exclude(text="").update(text="")


def message_remove(*, message_id: int, now: datetime) -> bool:
    """Take a message's words away from all readers; says whether this call did.

    The row keeps them, for staff. Locks: the match's row. After commit: the room's pages are
    told. Only the staff pages call it, which write down who did it.
    """
    match_id = ChatMessage.objects.values_list("match_id", flat=True).get(pk=message_id)
    with transaction.atomic():
        match_lock(match_id)
        message = ChatMessage.objects.get(pk=message_id)
        if message.removed_at is not None:
            return False
        message.removed_at = now
        message.save(update_fields=["removed_at"])
        publish.chat_changed(match_id, message.room, room_version(match_id, Room(message.room)))
        return True


def _check(match: Match, room: Room, author: User, text: str, greeting: str, now: datetime) -> None:
    """Raise the refusal that a message meets."""
    door = door_of(match, room, author, now)
    if not door.may_greet:
        raise Refusal(Code.CHAT_SHUT)
    if not greeting and door != Door.OPEN:
        raise Refusal(Code.GREETINGS_ONLY)
    is_known = greeting in GREETINGS
    if (greeting and not is_known) or not (is_known or 0 < len(text) <= MAX_TEXT):
        raise Refusal(Code.BAD_MESSAGE, limit=MAX_TEXT)
    lately = ChatMessage.objects.filter(author=author, created_at__gt=now - timedelta(minutes=1))
    if lately.count() >= PER_MINUTE:
        raise Refusal(Code.TOO_MANY_MESSAGES)


def _write(
    match: Match,
    room: Room,
    author: User,
    request_id: str,
    text: str,
    greeting: str,
    now: datetime,
) -> ChatMessage:
    messages = match.messages.filter(room=room)
    number = (messages.order_by("-number").values_list("number", flat=True).first() or 0) + 1
    if number > MAX_MESSAGES:
        raise Refusal(Code.CHAT_FULL, limit=MAX_MESSAGES)
    message = ChatMessage.objects.create(
        match=match,
        room=room,
        number=number,
        author=author,
        greeting=greeting,
        text=text,
        request_id=request_id,
        created_at=now,
    )
    publish.chat_changed(match.pk, room, room_version(match.pk, room))
    if room == Room.PLAYERS:
        other = other_player(match, author)
        place = _place_lock(match, other)
        ChatPlace.objects.filter(pk=place.pk).update(n_unread=F("n_unread") + 1)
        publish.players_changed(other.pk)
    return message


def _place_lock(match: Match, user: User) -> ChatPlace:
    """Lock a player's place, a new one if there was none."""
    places = ChatPlace.objects.select_for_update(no_key=True)
    place, _is_new = places.get_or_create(match=match, user=user)
    return place
