"""A room of a match's chat as one user sees it: what was said, and what they can say."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.chat_models import ChatMessage, ChatPlace, Room
from games.chats import OPEN_FOR, Door, door_of, other_player, place_of, room_last, room_version
from games.models import Match
from games.presenters.refusals import refusal_text
from games.refusals import Code, Refusal
from games.words import GREETINGS, MAX_TEXT

N_SHOWN: Final = 50
"""So many messages stand beside a board; the chat's own page has all of them."""

MAX_SHOWN: Final = 1000
"""No room holds more."""

_NOTES: Final[dict[Door, Any]] = {
    Door.OPEN: "",
    Door.GREETINGS_OWN: _("You take part in greetings only, so that nothing else can be sent."),
    Door.GREETINGS_THEIRS: _("%(name)s takes part in greetings only."),
    Door.OFF_OWN: _("You have switched chat off in your preferences."),
    Door.OFF_THEIRS: _("%(name)s does not chat."),
    Door.MUTED_OWN: _("You have switched chat off in this match; %(name)s is told so."),
    Door.APART: _("There is no chat between you two."),
    Door.BOT: _("%(name)s is a bot and does not chat."),
    Door.GONE: _("%(name)s has closed the account."),
    Door.SILENCED: _("A moderator keeps you from writing until %(until)s (%(zone)s)."),
    Door.OVER: _("The match ended more than a week ago: the chat can be read, and is closed."),
    Door.READING: _("This is what those who watched wrote. Nobody could read it while you played."),
}
"""What a user is told of a room, by what they may do there."""


@dataclass(frozen=True, slots=True)
class Line:
    """One message as a reader has it. `words` is empty where it was removed or erased."""

    id: int
    number: int
    author: User
    is_own: bool
    is_new: bool
    is_removed: bool
    """Whether a moderator removed it."""
    words: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ChatShown:
    """Everything of one room, for one user."""

    match_id: int
    room: str
    url: str
    version: int
    lines: Sequence[Line]
    has_earlier: bool
    n_unread: int
    last: int
    """The number of the last line; 0 without one."""
    other: User | None
    """The other player, in the players' room."""
    note: str
    door: str
    can_write: bool
    can_greet: bool
    greetings: Sequence[tuple[str, str]]
    is_muted: bool
    can_mute: bool
    zone: str
    closes_at: datetime | None
    request_id: str
    is_full: bool = False
    """Whether all messages are shown, on the chat's own page."""
    max_text: int = MAX_TEXT
    text: str = ""
    error: str = ""


def chat_shown(
    match: Match,
    room: Room,
    viewer: User,
    now: datetime,
    *,
    is_full: bool = False,
    text: str = "",
    error: str = "",
) -> ChatShown:
    """Present a room that a user sees. Five queries at most, however much was said.

    `is_full` asks for all messages, not the last ones alone. `text` is what was typed and not
    sent, `error` why.
    """
    is_own = room == Room.PLAYERS
    n_lines = MAX_SHOWN if is_full else N_SHOWN
    place = place_of(match, viewer) if is_own else ChatPlace(match=match, user=viewer)
    door = door_of(match, room, viewer, now)
    found = room_last(match, room, viewer, n_lines + 1)
    lines = [_line(message, viewer, place if is_own else None) for message in found[-n_lines:]]
    other = other_player(match, viewer) if is_own else None
    return ChatShown(
        match_id=match.pk,
        room=room.value,
        url=reverse("games:chat", args=[match.pk, room.value]),
        version=room_version(match.pk, room),
        lines=lines,
        has_earlier=len(found) > n_lines,
        n_unread=0 if door == Door.APART else place.n_unread,
        last=lines[-1].number if lines else 0,
        other=other,
        note=_note(door, viewer, other),
        door=door.value,
        can_write=door == Door.OPEN,
        can_greet=door.may_greet,
        greetings=[(code, gettext(words)) for code, words in GREETINGS.items()],
        is_muted=place.is_muted,
        can_mute=door.may_greet or door == Door.MUTED_OWN,
        zone=timezone.get_current_timezone_name(),
        closes_at=match.finished_at + OPEN_FOR if match.finished_at else None,
        request_id=uuid.uuid4().hex,
        is_full=is_full,
        text=text,
        error=error,
    )


def _line(message: ChatMessage, viewer: User, place: ChatPlace | None) -> Line:
    is_own = message.author_id == viewer.pk
    is_new = place is not None and not is_own and message.number > place.seen
    return Line(
        message.pk,
        message.number,
        message.author,
        is_own=is_own,
        is_new=is_new,
        is_removed=message.removed_at is not None,
        words=message_words(message),
        at=message.created_at,
    )


def message_words(message: ChatMessage) -> str:
    """Give what a message says, in the reader's language; nothing where it was removed."""
    if message.removed_at is not None:
        return ""
    return str(GREETINGS.get(message.greeting, message.text))


def messages_export(player: User) -> list[dict[str, Any]]:
    """List what a player has written in chats, for the player's own data. One query."""
    fields = ("match_id", "room", "greeting", "text", "created_at")
    return list(ChatMessage.objects.filter(author=player).order_by("pk").values(*fields))


def chat_refusal_text(refusal: Refusal) -> str:
    """Tell why a message was not sent."""
    if refusal.code == Code.REQUEST_REUSED:
        return gettext("You have sent this form before, with other words. Send it once more.")
    return refusal_text(refusal)


def _note(door: Door, viewer: User, other: User | None) -> str:
    until, zone = viewer.chat_muted_until, timezone.get_current_timezone_name()
    told = date_format(timezone.localtime(until), "SHORT_DATETIME_FORMAT") if until else ""
    return str(_NOTES[door]) % {"name": other.name if other else "", "until": told, "zone": zone}
