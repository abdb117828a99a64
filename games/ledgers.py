"""Ledgers of what pauses clocks, and the clock of a simulation. Only services write these rows.

A deadline in a game's row follows from these ledgers and is looked up in them again, under the
game's lock, before anybody loses by it.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q

USER = settings.AUTH_USER_MODEL


class Vacation(models.Model):
    """A time in which a player's correspondence clocks stand still."""

    user = models.ForeignKey(USER, models.CASCADE, related_name="vacations")
    starts_at = models.DateTimeField()
    planned_end_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    """The planned end, or when the player came back before it: what counts."""
    cut_at = models.DateTimeField(null=True, blank=True)
    """When its player ended it before its time, or gave the plan up; null where neither."""
    is_automatic = models.BooleanField(default=False)
    """Whether it began by itself, to save a game."""
    game = models.ForeignKey("Game", models.SET_NULL, related_name="rescues", null=True, blank=True)
    """The game that it saved, where it began by itself."""
    is_applied = models.BooleanField(default=False)
    """Whether the deadlines of the player's games follow this row as it is now."""
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="vacation_in_order",
                condition=Q(starts_at__lte=F("ends_at"), ends_at__lte=F("planned_end_at")),
            ),
        ]
        indexes = [
            models.Index(name="vacation_of_user", fields=["user", "ends_at"]),
            models.Index(name="vacation_to_apply", fields=["id"], condition=Q(is_applied=False)),
        ]

    def __str__(self) -> str:
        return f"vacation {self.pk}"


class VacationChoice(models.Model):
    """Whether a vacation may begin by itself; locked by who writes the player's vacations."""

    user = models.OneToOneField(USER, models.CASCADE, related_name="vacation_choice")
    is_automatic = models.BooleanField(null=True, default=None)
    """Null, or no row: the player has not chosen yet."""
    chosen_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"choice {self.pk}"


class Outage(models.Model):
    """A time in which the site was down: no clock ran."""

    started_at = models.DateTimeField(unique=True)
    ended_at = models.DateTimeField(db_index=True)
    is_applied = models.BooleanField(default=False)
    """Whether the deadlines of running games follow this row."""

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="outage_in_order", condition=Q(started_at__lt=F("ended_at"))
            ),
        ]

    def __str__(self) -> str:
        return f"outage {self.pk}"


class SimulatedClock(models.Model):
    """The clock of a simulation, one row: at `real_at` it showed `shown_at`, and it runs on at
    `rate` times the speed of a real one. Read only where `SIMULATED_CLOCK` is set."""

    real_at = models.DateTimeField()
    shown_at = models.DateTimeField()
    rate = models.FloatField(default=1)

    class Meta:
        constraints = [
            models.CheckConstraint(name="clock_one_row", condition=Q(pk=1)),
            models.CheckConstraint(name="clock_runs_on", condition=Q(rate__gte=0)),
        ]

    def __str__(self) -> str:
        return f"{self.shown_at} × {self.rate}"


class Heartbeat(models.Model):
    """When a periodic task last succeeded, for the health page and for time spent off."""

    job = models.CharField(max_length=60, unique=True)
    succeeded_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.job
