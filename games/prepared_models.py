"""Turns that a player prepares while the opponent is to act. Read and shown for that player alone.

There is no staff page for these rows, and nothing of them is logged.
"""

from __future__ import annotations

import secrets
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

DELAY_S = (20, 45)
"""Between which numbers of seconds the wait is drawn. An answer at once would show that it was
prepared; one that comes within the minute before a notice goes out spares its player the mail."""


def _token() -> str:
    return secrets.token_urlsafe(16)


def _delay_s() -> int:
    return DELAY_S[0] + secrets.randbelow(DELAY_S[1] - DELAY_S[0] + 1)


class PreparedAnswer(models.Model):
    """A condition on the opponent's turn that is under way, and the turn to play if it is met."""

    class Status(models.TextChoices):
        WAITING = "waiting", _("waiting")
        FIRED = "fired", _("played")
        EXPIRED = "expired", _("not used")
        FAILED = "failed", _("could not be played")

    class Why(models.TextChoices):
        """Why an answer was not used."""

        NO_MATCH = "no_match", _("The opponent did something else.")
        OTHER = "other", _("Another answer fitted.")
        BY_HAND = "by_hand", _("You acted yourself.")
        FORCED = "forced", _("Your turn was taken automatically.")
        OVER = "over", _("The game ended first.")

    game = models.ForeignKey("games.Game", models.CASCADE, related_name="prepared_answers")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    """Who sits there, so that the rows go with the account."""
    seat = models.PositiveSmallIntegerField()
    since_version = models.PositiveIntegerField()
    """The version at which the opponent's turn began: the answer is for that turn alone."""
    position = models.PositiveIntegerField()
    condition = models.JSONField()
    plan = models.JSONField()
    """Both in the title's own words: `games/prepared/`."""
    form_id = models.CharField(max_length=64)
    """The request id of the form that made it."""
    request_id = models.CharField(max_length=64, default=_token, editable=False)
    """With which its turn is sent, so that it is made once. No form shows it."""
    delay_s = models.PositiveSmallIntegerField(default=_delay_s, editable=False)
    """How long it waits once the opponent's turn is over, in seconds."""
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.WAITING)
    why = models.CharField(max_length=8, choices=Why.choices, blank=True)
    refusal = models.JSONField(null=True, blank=True)
    """Code and params of the refusal that its turn met."""
    created_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-since_version", "position", "pk"]
        constraints = [
            models.UniqueConstraint(
                name="prepared_once_per_form", fields=["game", "seat", "form_id"]
            ),
        ]
        indexes = [
            models.Index(
                name="prepared_waiting", fields=["game", "seat"], condition=Q(status="waiting")
            ),
        ]

    def __str__(self) -> str:
        return f"prepared answer {self.pk}"
