"""What was sent and done in a game. Only services write these rows."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class Submission(models.Model):
    """One confirmed form of one seat; a repeated one is answered from this row."""

    game = models.ForeignKey("games.Game", models.CASCADE, related_name="submissions")
    seat = models.PositiveSmallIntegerField()
    request_id = models.CharField(max_length=64)
    payload_hash = models.CharField(max_length=64)
    version_before = models.PositiveIntegerField()
    version_after = models.PositiveIntegerField()
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="submission_once", fields=["game", "seat", "request_id"]),
        ]

    def __str__(self) -> str:
        return f"submission {self.pk}"


class Action(models.Model):
    """One action of a game: with it the game reached `version`."""

    game = models.ForeignKey("games.Game", models.CASCADE, related_name="actions")
    version = models.PositiveIntegerField()
    payload = models.JSONField()
    is_forced = models.BooleanField(default=False)
    """Whether the site took it for its seat, as the only one possible."""
    created_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar[list[str]] = ["version"]
        constraints = [
            models.UniqueConstraint(name="action_once", fields=["game", "version"]),
        ]

    def __str__(self) -> str:
        return f"action {self.pk}"
