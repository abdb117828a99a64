"""What a player keeps at a board of their own: how far they have looked, and their notes."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.db import models

MAX_NOTE: Final = 2000
"""Characters of a note."""


class Desk(models.Model):
    """A player before one game. Nobody else is ever shown anything of it."""

    game = models.ForeignKey("games.Game", models.CASCADE, related_name="desks")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    seen_version = models.PositiveIntegerField(default=0)
    """The newest version that the player was shown."""
    seen_at = models.DateTimeField(null=True)
    """When the player last looked, within a few minutes; null where they never did."""
    is_end_seen = models.BooleanField(default=False)
    """Whether the player was shown the game after its end."""
    note = models.TextField(max_length=MAX_NOTE, blank=True)
    note_version = models.PositiveIntegerField(default=0)
    """How often the note was written: of two tabs, the second is told."""
    note_page = models.CharField(max_length=64, blank=True)
    """Which open page wrote the note last: a page may always write over its own."""

    class Meta:
        constraints = [
            models.UniqueConstraint(name="desk_one_a_player", fields=["game", "user"]),
        ]

    def __str__(self) -> str:
        return f"desk {self.pk}"
