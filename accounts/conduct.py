"""Rows about how people get on: who blocks whom, what was reported, and who chats how.

Only `accounts.blocks` and `accounts.reports` write them. An account that is deleted keeps its
row, which then names nobody, so what refers to it stays whole; free text that somebody wrote
(`Report.text`, `Report.quote`) is personal, and goes with the account of who wrote it.
"""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

USER = settings.AUTH_USER_MODEL


class ChatLevel(models.TextChoices):
    """What chat a player takes part in; of two players the lower level holds for both."""

    ALL = "all", _("Messages and greetings")
    GREETINGS = "greetings", _("Greetings only")
    NONE = "none", _("No chat")


class Block(models.Model):
    """One player has blocked another: what that does is the table in `games.blocking`."""

    blocker = models.ForeignKey(USER, models.CASCADE, related_name="blocks")
    blocked = models.ForeignKey(USER, models.CASCADE, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="block_once", fields=["blocker", "blocked"]),
            models.CheckConstraint(name="block_not_oneself", condition=~Q(blocker=F("blocked"))),
        ]

    def __str__(self) -> str:
        return f"block {self.pk}"


class Report(models.Model):
    """What somebody told the moderators of a player; one open report a reporter and context."""

    class Category(models.TextChoices):
        INSULT = "insult", _("Insults or threats")
        SPAM = "spam", _("Advertising or spam")
        UNFAIR = "unfair", _("Unfair play")
        NAME = "name", _("An offensive name")
        OTHER = "other", _("Something else")

    class Status(models.IntegerChoices):
        OPEN = 10, _("open")
        SETTLED = 30, _("settled")
        DISMISSED = 31, _("dismissed")

    status = models.PositiveSmallIntegerField(choices=Status.choices, default=Status.OPEN)
    category = models.CharField(max_length=12, choices=Category.choices)
    reporter = models.ForeignKey(USER, models.PROTECT, related_name="+")
    target = models.ForeignKey(USER, models.PROTECT, related_name="+")
    text = models.CharField(max_length=1000, blank=True)
    about = models.CharField(max_length=20, blank=True)
    """What kind of thing it is about, as upper apps name it; empty for the player as such."""
    about_id = models.PositiveBigIntegerField(default=0)
    """The number of that thing."""
    quote = models.CharField(max_length=500, blank=True)
    """What the thing said when it was reported."""
    created_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-pk"]
        permissions = (("settle_report", _("Can settle reports")),)
        constraints = [
            models.UniqueConstraint(
                name="report_one_open",
                fields=["reporter", "target", "about", "about_id"],
                condition=Q(status=10),
            ),
            models.CheckConstraint(name="report_not_oneself", condition=~Q(reporter=F("target"))),
        ]
        indexes = [models.Index(name="report_about", fields=["about", "about_id"])]

    def __str__(self) -> str:
        return f"report {self.pk}"
