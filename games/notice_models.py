"""What somebody is to be told of, and the ways in which it goes out. Only services write these.

A notice arises with what happened; a little later it is settled: dropped, where nobody needs it
any more, or turned into one delivery for each way that its player chose.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

USER = settings.AUTH_USER_MODEL


class Notice(models.Model):
    """Something that one player is to be told of once."""

    user = models.ForeignKey(USER, models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=20)
    """A key of `games.presenters.notices.KINDS`."""
    key = models.CharField(max_length=60)
    """Names what happened: with it the same thing is told to the same player once."""
    game = models.ForeignKey(
        "games.Game", models.CASCADE, related_name="notices", null=True, blank=True
    )
    offer = models.ForeignKey(
        "games.Offer", models.CASCADE, related_name="notices", null=True, blank=True
    )
    version = models.PositiveIntegerField(null=True, blank=True)
    """The game's version when this arose."""
    hours = models.PositiveSmallIntegerField(null=True, blank=True)
    """Of a reminder: so many hours before the deadline."""
    created_at = models.DateTimeField()
    due_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True, blank=True)
    is_dropped = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="notice_once", fields=["user", "key"]),
        ]
        indexes = [
            models.Index(
                name="notice_due", fields=["due_at"], condition=Q(settled_at__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return f"notice {self.pk}"


class Delivery(models.Model):
    """A notice on one of its ways: due, claimed by a worker, tried again, or done."""

    class Channel(models.TextChoices):
        MAIL = "mail", _("mail")
        PUSH = "push", _("push")
        WEBHOOK = "webhook", _("webhook")

    class Result(models.TextChoices):
        SENT = "sent", _("sent")
        VOID = "void", _("no longer true")
        FAILED = "failed", _("given up")

    notice = models.ForeignKey(Notice, models.CASCADE, related_name="deliveries")
    channel = models.CharField(max_length=8, choices=Channel.choices)
    device = models.ForeignKey(
        "accounts.PushDevice", models.CASCADE, related_name="+", null=True, blank=True
    )
    due_at = models.DateTimeField()
    claimed_at = models.DateTimeField(null=True, blank=True)
    n_tries = models.PositiveSmallIntegerField(default=0)
    bundle = models.CharField(max_length=32, blank=True, db_default="")
    """The name of the mail that it went into, or may have; empty before the first claim."""
    done_at = models.DateTimeField(null=True, blank=True)
    result = models.CharField(max_length=6, choices=Result.choices, blank=True)

    class Meta:
        verbose_name_plural = "deliveries"
        constraints = [
            models.UniqueConstraint(
                name="delivery_once", fields=["notice", "channel"], condition=Q(device__isnull=True)
            ),
            models.UniqueConstraint(name="delivery_once_a_device", fields=["notice", "device"]),
        ]
        indexes = [
            models.Index(
                name="delivery_due",
                fields=["channel", "due_at"],
                condition=Q(done_at__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"delivery {self.pk}"
