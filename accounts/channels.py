"""Where a player is told of things: mails, devices that take web push, a webhook of their own.

These rows say where notices go and how often. What a notice says is the business of other apps.
"""

from __future__ import annotations

import hashlib
from datetime import datetime, time, timedelta
from typing import ClassVar
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

USER = settings.AUTH_USER_MODEL

HOURS_BETWEEN = (3, 6, 12)
"""Every how many hours a summary can come."""


class NoticeChoice(models.Model):
    """How often a player wants mails. Who never chose has no row, and what stands here first."""

    class Mail(models.TextChoices):
        EACH = "each", _("At once, one for each match that waits")
        ONCE = "once", _("At once, but only one until you have been here again")
        HOURS = "hours", _("Together, every few hours")
        DAILY = "daily", _("Together, once a day")
        NONE = "none", _("No mails about games")

    user = models.OneToOneField(USER, models.CASCADE, related_name="notice_choice")
    mail = models.CharField(max_length=6, choices=Mail.choices, default=Mail.EACH)
    mail_every_h = models.PositiveSmallIntegerField(default=6)
    """Hours between two summaries, counted from midnight in the player's own zone."""
    mail_hour = models.PositiveSmallIntegerField(default=8)
    """The hour of the daily summary in the player's own zone, 0 to 23."""
    reminders = models.BooleanField(default=True)
    """Whether to be told when time runs short, whatever was chosen above."""

    def __str__(self) -> str:
        return f"notice choice {self.pk}"

    def summary_at(self, zone: ZoneInfo, now: datetime) -> datetime | None:
        """Give the moment of the next summary, in UTC; None where mails go out at once.

        The hours are those on the clock of that place: in the night in which summer time begins,
        an hour that is left out comes an hour later.
        """
        if self.mail == self.Mail.DAILY:
            hours = [self.mail_hour]
        elif self.mail == self.Mail.HOURS:
            hours = list(range(0, 24, self.mail_every_h))
        else:
            return None
        today = now.astimezone(zone).date()
        moments = (
            datetime.combine(today + timedelta(days=days), time(hour), zone).astimezone(now.tzinfo)
            for days in range(3)
            for hour in hours
        )
        return min(moment for moment in moments if moment > now)


class Presence(models.Model):
    """When a player was last seen to do something here, a minute more or less."""

    user = models.OneToOneField(USER, models.CASCADE, related_name="presence")
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"presence {self.pk}"


class PushDevice(models.Model):
    """A browser that takes web push: its address at its push service, and its keys."""

    user = models.ForeignKey(USER, models.CASCADE, related_name="push_devices")
    endpoint = models.TextField()
    endpoint_hash = models.CharField(max_length=64, unique=True, editable=False)
    p256dh = models.CharField(max_length=90)
    """The browser's public key, base64url (RFC 8291)."""
    auth = models.CharField(max_length=30)
    """What browser and site share besides, base64url."""
    name = models.CharField(max_length=60)
    """Which browser on what, as far as it said so."""
    created_at = models.DateTimeField()
    n_failures = models.PositiveSmallIntegerField(default=0)
    """How often in a row it failed."""
    failed_since = models.DateTimeField(null=True, blank=True)
    last_error = models.CharField(max_length=40, blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["created_at", "pk"]

    def __str__(self) -> str:
        return f"push device {self.pk}"


class Webhook(models.Model):
    """An address of a player's own that is told of everything as JSON over https."""

    user = models.OneToOneField(USER, models.CASCADE, related_name="webhook")
    url = models.CharField(max_length=500)
    secret = models.CharField(max_length=64)
    """Signs what is sent; shown once, when the address is set."""
    n_failures = models.PositiveSmallIntegerField(default=0)
    """How often in a row it failed."""
    is_off = models.BooleanField(default=False)
    """Switched off since it failed too often in a row."""
    last_error = models.CharField(max_length=40, blank=True)
    """A code of `accounts.outbound`, or `status-404`; empty where nothing failed yet."""
    failed_at = models.DateTimeField(null=True, blank=True)
    succeeded_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"webhook {self.pk}"


def endpoint_hash(endpoint: str) -> str:
    """Give the key by which an endpoint is found: it is too long for an index."""
    return hashlib.sha256(endpoint.encode()).hexdigest()
