"""Rows of the chat: what was said in a match's rooms, and how far its players have read.

Only `games.services.chat` writes them. A message stays with the row of who wrote it: an account
that is deleted keeps its row, which then names nobody. The free text is personal: deleting an
account empties `text` of all its messages, and leaves greetings, which say nothing of anybody.
"""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

USER = settings.AUTH_USER_MODEL


class Room(models.TextChoices):
    """Who talks: the two players among themselves, or those who watch."""

    PLAYERS = "players", _("players")
    WATCHERS = "watchers", _("watchers")


class ChatMessage(models.Model):
    """One message: a greeting by its code, or free text. Numbers count from 1 in each room."""

    match = models.ForeignKey("games.Match", models.CASCADE, related_name="messages")
    room = models.CharField(max_length=10, choices=Room.choices)
    number = models.PositiveIntegerField()
    author = models.ForeignKey(USER, models.PROTECT, related_name="+")
    greeting = models.CharField(max_length=20, blank=True)
    """A key of `games.words.GREETINGS`, so that each reader has it in their own language."""
    text = models.CharField(max_length=500, blank=True)
    request_id = models.CharField(max_length=64)
    created_at = models.DateTimeField()
    removed_at = models.DateTimeField(null=True, blank=True)
    """When a moderator removed it; nobody but staff reads its words from then on."""

    class Meta:
        ordering: ClassVar[list[str]] = ["pk"]
        permissions = (("remove_message", _("Can remove chat messages")),)
        constraints = [
            models.UniqueConstraint(name="chat_message_number", fields=["match", "room", "number"]),
            models.UniqueConstraint(
                name="chat_message_once", fields=["match", "author", "request_id"]
            ),
            models.CheckConstraint(
                name="chat_message_greeting_or_text", condition=Q(greeting="") | Q(text="")
            ),
        ]
        indexes = [models.Index(name="chat_message_of_author", fields=["author", "-created_at"])]

    def __str__(self) -> str:
        return f"message {self.pk}"


class ChatPlace(models.Model):
    """A player's place in the talk of a match: what they have read, and whether they want any."""

    match = models.ForeignKey("games.Match", models.CASCADE, related_name="chat_places")
    user = models.ForeignKey(USER, models.CASCADE, related_name="chat_places")
    seen = models.PositiveIntegerField(default=0)
    """The number of the last message that was shown to them."""
    n_unread = models.PositiveIntegerField(default=0)
    is_muted = models.BooleanField(default=False)
    """Whether they want no chat in this match."""

    class Meta:
        constraints = [models.UniqueConstraint(name="chat_place_once", fields=["match", "user"])]
        indexes = [
            models.Index(name="chat_place_unread", fields=["user"], condition=Q(n_unread__gt=0)),
        ]

    def __str__(self) -> str:
        return f"place {self.pk}"
