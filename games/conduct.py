"""Where matches and their chat meet what accounts know of conduct: blocks, and reports."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext

from accounts.blocks import block_changed
from accounts.models import User
from accounts.reports import KINDS, About, Kind
from games import publish
from games.access import is_open_to
from games.chat_models import ChatMessage
from games.chats import rooms_for
from games.models import Match
from games.presenters.chat import message_words


def listen() -> None:
    """Connect the receiver and register what can be reported; called once, when apps are ready."""
    block_changed.connect(_on_block, dispatch_uid="games.conduct.block")
    KINDS["match"] = Kind(_about_match, _staff_match)
    KINDS["message"] = Kind(_about_message, _staff_message)


def _on_block(user_ids: tuple[int, int], **kwargs: Any) -> None:
    """Make the two's open lists look again."""
    publish.players_changed(*user_ids)


def _about_match(reporter: User, target: User, match_id: int) -> About | None:
    """Find a match of the target that the reporter may open."""
    match = Match.objects.filter(pk=match_id).select_related("player_0", "player_1").first()
    if match is None or not is_open_to(match, reporter.pk) or match.seat_of(target.pk) is None:
        return None
    told = {"n": match.pk, "one": match.player_0.name, "two": match.player_1.name}
    return About(gettext("In match %(n)s, %(one)s – %(two)s") % told, match.get_absolute_url())


def _about_message(reporter: User, target: User, message_id: int) -> About | None:
    """Find a message of the target in a room that the reporter sees."""
    found = ChatMessage.objects.filter(pk=message_id, author=target, removed_at__isnull=True)
    message = found.select_related("match").first()
    if message is None or not is_open_to(message.match, reporter.pk):
        return None
    if message.room not in rooms_for(message.match, reporter):
        return None
    url = reverse("games:chat", args=[message.match_id, message.room])
    return About(gettext("What was said:"), url, message_words(message))


def _staff_match(match_id: int) -> str:
    return reverse("admin:games_match_change", args=[match_id])


def _staff_message(message_id: int) -> str:
    return reverse("admin:games_chatmessage_change", args=[message_id])
