"""Ladders, who stands on them, and the ledger of every change. Only services write these rows.

Ratings are whole thousandths of a point. The ledger is the truth: each row holds all that the
formula took, so that every rating can be computed anew from it.
"""

from __future__ import annotations

from typing import Any, NoReturn

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.engine.api import Ruleset
from games.engine.registry import get_ruleset
from games.models import Match
from ladder import elo
from ladder.counters import Held
from ladder.pairing import MAX_WANTED
from ladder.quarters import Quarter

USER = settings.AUTH_USER_MODEL


class Ladder(models.Model):
    """The ranking of one ruleset; its row is made when somebody first needs it."""

    title = models.CharField(max_length=40)
    ruleset_slug = models.CharField(max_length=40)
    last_order_key = models.PositiveBigIntegerField(default=0)
    """The order key drawn last; drawn under the locks of both standings, so it orders matches."""
    counts = models.JSONField(default=dict)
    """Members and active members by bucket of the rating (`counters`), kept by the services."""

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="ladder_once_per_ruleset", fields=["title", "ruleset_slug"]
            ),
        ]

    def __str__(self) -> str:
        return f"{self.title}/{self.ruleset_slug}"

    def get_absolute_url(self) -> str:
        """Give the address of the standings."""
        return reverse("ladder:standings", args=[self.title, self.ruleset_slug])

    @property
    def ruleset(self) -> Ruleset:
        """Give the ruleset from the registry."""
        return get_ruleset(self.title, self.ruleset_slug)


class Standing(models.Model):
    """One player's place on a ladder. Who leaves keeps the row, and with it the rating."""

    ladder = models.ForeignKey(Ladder, models.PROTECT, related_name="standings")
    user = models.ForeignKey(USER, models.PROTECT, related_name="standings")
    rating = models.IntegerField(default=elo.START)
    peak = models.IntegerField(default=elo.START)
    """The highest rating so far: from 2400 on it sets K for good."""
    n_matches = models.PositiveIntegerField(default=0)
    joined_at = models.DateTimeField()
    left_at = models.DateTimeField(null=True, blank=True)
    active_at = models.DateTimeField()
    """When the last rated match ended; before the first, when the player joined."""
    n_wanted = models.PositiveSmallIntegerField(default=0)
    """How many ladder matches the player wants to have running; with 0 nobody is paired."""
    paces = models.JSONField(default=list, blank=True)
    """The slugs of the paces that a pairing may choose from."""
    paused_at = models.DateTimeField(null=True, blank=True)
    waiting_since = models.DateTimeField(null=True, blank=True)
    """When the player asked to be paired, went on after a pause, or was paired last."""
    counted = models.IntegerField(null=True, blank=True)
    """The bucket in which the ladder's counters hold this member; None for who is not on it."""
    is_active = models.BooleanField(default=False)
    """Whether the counters hold an active member, who has a number: one who has played lately and
    was not shut out. Time is up by the sweep."""

    class Meta:
        constraints = [
            models.UniqueConstraint(name="standing_once", fields=["ladder", "user"]),
            models.CheckConstraint(
                name="standing_peak_is_highest", condition=Q(peak__gte=F("rating"))
            ),
            models.CheckConstraint(
                name="standing_wants_a_few", condition=Q(n_wanted__lte=MAX_WANTED)
            ),
        ]
        indexes = [
            models.Index(
                name="standing_by_rating",
                fields=["ladder", "-rating", "id"],
                condition=Q(left_at__isnull=True),
            ),
            models.Index(
                name="standing_wants_matches",
                fields=["ladder", "id"],
                condition=Q(left_at__isnull=True, paused_at__isnull=True, n_wanted__gt=0),
            ),
            models.Index(
                name="standing_active_by_rating",
                fields=["ladder", "-rating", "id"],
                condition=Q(left_at__isnull=True, is_active=True),
            ),
            models.Index(
                name="standing_active_since", fields=["active_at"], condition=Q(is_active=True)
            ),
            # Who has played lately and holds no number is shut out: these are few.
            models.Index(
                name="standing_resting_since",
                fields=["active_at"],
                condition=Q(left_at__isnull=True, is_active=False),
            ),
        ]

    def __str__(self) -> str:
        return f"standing {self.pk}"

    @property
    def side(self) -> elo.Side:
        """Give what the formula wants to know."""
        return elo.Side(self.rating, self.n_matches, self.peak)

    @property
    def held(self) -> Held:
        """Give what the counters hold of this row."""
        return self.counted, self.is_active

    @property
    def is_provisional(self) -> bool:
        """Say whether the rating is shown with a question mark."""
        return elo.is_provisional(self.n_matches)


class AppendOnly(models.QuerySet["LedgerEntry"]):
    """Rows that are written once and read ever after."""

    def update(self, **kwargs: Any) -> NoReturn:
        """Refuse: what was written stays as it was."""
        raise TypeError("the ledger is append-only")

    def delete(self) -> NoReturn:
        """Refuse: what was written stays."""
        raise TypeError("the ledger is append-only")


class LedgerEntry(models.Model):
    """One change of one rating, with everything that led to it. Never changed, never deleted.

    A MATCH entry holds the formula's inputs. A CORRECTION answers for a match that was annulled
    later: it has a change and no inputs. An annulled match has one for each rating that comes
    out otherwise without it, and for both its players in any case.
    """

    class Kind(models.TextChoices):
        MATCH = "match", _("match")
        CORRECTION = "correction", _("correction")

    kind = models.CharField(max_length=12, choices=Kind.choices, default=Kind.MATCH)
    ladder = models.ForeignKey(Ladder, models.PROTECT, related_name="entries")
    order_key = models.PositiveBigIntegerField()
    """The place in the ladder's order; both entries of a match share it."""
    match = models.ForeignKey(Match, models.PROTECT, related_name="ledger_entries")
    user = models.ForeignKey(USER, models.PROTECT, related_name="ledger_entries")
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    formula = models.PositiveSmallIntegerField(default=elo.FORMULA)
    score = models.PositiveSmallIntegerField(null=True, blank=True)
    """In half points: 0, 1 or 2."""
    n_before = models.PositiveIntegerField(null=True, blank=True)
    """How many rated matches the player had on this ladder before."""
    peak_before = models.IntegerField(null=True, blank=True)
    k = models.PositiveSmallIntegerField(null=True, blank=True)
    opponent_rating = models.IntegerField(null=True, blank=True)
    expected_ppm = models.PositiveIntegerField(null=True, blank=True)
    """The expected score in millionths, rounded for readers."""
    rating_before = models.IntegerField()
    change = models.IntegerField()
    rating_after = models.IntegerField()
    created_at = models.DateTimeField()

    objects = AppendOnly.as_manager()

    class Meta:
        verbose_name_plural = "ledger entries"
        constraints = [
            models.UniqueConstraint(
                name="entry_once_per_match_and_player",
                fields=["match", "user"],
                condition=Q(kind="match"),
            ),
            models.UniqueConstraint(
                name="entry_one_match_per_order_key",
                fields=["ladder", "order_key", "seat"],
                condition=Q(kind="match"),
            ),
            models.CheckConstraint(
                name="entry_adds_up", condition=Q(rating_after=F("rating_before") + F("change"))
            ),
            models.CheckConstraint(
                name="entry_of_match_has_inputs",
                # A comparison with null would pass: each input is asked for by name.
                condition=~Q(kind="match")
                | Q(
                    seat__isnull=False,
                    score__isnull=False,
                    n_before__isnull=False,
                    peak_before__isnull=False,
                    k__isnull=False,
                    opponent_rating__isnull=False,
                    expected_ppm__isnull=False,
                ),
            ),
            models.CheckConstraint(
                name="entry_inputs_are_possible",
                condition=Q(
                    Q(seat__isnull=True) | Q(seat__in=(0, 1)),
                    Q(score__isnull=True) | Q(score__in=(0, 1, 2)),
                    Q(expected_ppm__isnull=True) | Q(expected_ppm__lte=1_000_000),
                ),
            ),
        ]
        indexes = [
            models.Index(name="entry_of_player", fields=["ladder", "user", "-order_key"]),
        ]

    def __str__(self) -> str:
        return f"ledger entry {self.pk}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Write a new row. Raises `TypeError` for one that stands already."""
        if not self._state.adding:
            raise TypeError("the ledger is append-only")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refuse: what was written stays."""
        raise TypeError("the ledger is append-only")


class Season(models.Model):
    """A quarter of a year on one ladder, over and frozen. Ratings carry over into the next."""

    ladder = models.ForeignKey(Ladder, models.PROTECT, related_name="seasons")
    year = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField()
    """0 to 3, as in `ladder.quarters`."""
    n_places = models.PositiveIntegerField(default=0)
    frozen_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="season_once", fields=["ladder", "year", "number"]),
            models.CheckConstraint(name="season_is_a_quarter", condition=Q(number__lte=3)),
        ]

    def __str__(self) -> str:
        return f"{self.ladder} {self.quarter.slug}"

    def get_absolute_url(self) -> str:
        """Give the address of its final standings."""
        ladder = self.ladder
        return reverse("ladder:season", args=[ladder.title, ladder.ruleset_slug, self.quarter.slug])

    @property
    def quarter(self) -> Quarter:
        """Give when it was."""
        return Quarter(self.year, self.number)


class SeasonPlace(models.Model):
    """One player's line of a season's final standings. Written once."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="places")
    user = models.ForeignKey(USER, models.PROTECT, related_name="season_places")
    position = models.PositiveIntegerField()
    """Where the line stands, from 1 without gaps; pages are cut by it."""
    number = models.PositiveIntegerField()
    """The place: who has equal ratings shares one."""
    rating = models.IntegerField()
    n_matches = models.PositiveIntegerField()
    """Rated matches that ended in the season."""
    is_provisional = models.BooleanField()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="place_once", fields=["season", "user"]),
            models.UniqueConstraint(name="place_one_a_line", fields=["season", "position"]),
        ]

    def __str__(self) -> str:
        return f"place {self.number} of {self.season_id}"
