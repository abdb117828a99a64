"""Offers, matches, games and what was done in them. Only services write these rows.

A state is nowhere: it is a fold over a game's setup and actions. Setup and secrets never
leave the server while the game runs.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games import chat_models as chat_models  # Django looks for models in this module alone
from games.action_models import Action, Submission
from games.desk import Desk
from games.engine.api import Ruleset, Seat
from games.engine.registry import get_ruleset
from games.ledgers import Heartbeat, Outage, SimulatedClock, Vacation, VacationChoice
from games.notice_models import Delivery, Notice
from games.paces import PACES, Pace
from games.prepared_models import PreparedAnswer

__all__ = [
    "Action",
    "Delivery",
    "Desk",
    "DrawnSecrets",
    "Game",
    "Heartbeat",
    "Match",
    "Notice",
    "Offer",
    "Outage",
    "PreparedAnswer",
    "SimulatedClock",
    "Submission",
    "Terms",
    "Vacation",
    "VacationChoice",
]

USER = settings.AUTH_USER_MODEL


class Terms(models.Model):
    """What two players agree on; copied from the offer into the match, and frozen there."""

    title = models.CharField(max_length=40)
    ruleset_slug = models.CharField(max_length=40)
    n_rounds = models.PositiveSmallIntegerField()
    pace_slug = models.CharField(max_length=20)
    is_rated = models.BooleanField(default=False)
    is_private = models.BooleanField(default=False)
    weekend_zone = models.CharField(max_length=60, blank=True, default="")
    """The time zone by which weekends pause the clocks; empty where they do not."""
    allows_vacation = models.BooleanField(default=True)
    """Whether a vacation of theirs pauses a player's clock."""
    has_tracker = models.BooleanField(default=False)
    """Whether the board lists for both players the cards that they have not seen yet."""
    secrets = models.JSONField(editable=False)
    """One secret a round in hex, 32 bytes each (docs/spec/shuffle.md, 1). Never shown."""

    class Meta:
        abstract = True

    @property
    def ruleset(self) -> Ruleset:
        """Give the ruleset from the registry."""
        return get_ruleset(self.title, self.ruleset_slug)

    @property
    def pace(self) -> Pace:
        """Give the pace by its slug."""
        return PACES[self.pace_slug]

    @property
    def is_vacation_allowed(self) -> bool:
        """Say whether vacations pause its clocks: never those of live play."""
        return self.allows_vacation and not self.pace.is_live


class Offer(Terms):
    """A seek, a challenge or an invitation; a rematch is a challenge that names its match."""

    class Kind(models.TextChoices):
        SEEK = "seek", _("seek")
        CHALLENGE = "challenge", _("challenge")
        INVITATION = "invitation", _("invitation")

    class Status(models.IntegerChoices):
        OPEN = 10, _("open")
        WAITING = 11, _("waiting until a match of it ends")
        ACCEPTED = 20, _("accepted")
        WITHDRAWN = 30, _("withdrawn")
        DECLINED = 31, _("declined")
        EXPIRED = 32, _("expired")

    kind = models.CharField(max_length=12, choices=Kind.choices)
    status = models.PositiveSmallIntegerField(choices=Status.choices, default=Status.OPEN)
    maker = models.ForeignKey(USER, models.CASCADE, related_name="offers_made")
    addressee = models.ForeignKey(
        USER, models.CASCADE, related_name="offers_received", null=True, blank=True
    )
    token = models.CharField(max_length=43, unique=True)
    """The secret part of an invitation's link; every offer has one, only invitations show it."""
    nonce = models.CharField(max_length=32, blank=True, editable=False)
    """The maker's nonce in hex; empty where no browser sent one (docs/spec/shuffle.md, 3)."""
    request_id = models.CharField(max_length=64)
    is_bot_welcome = models.BooleanField(default=True)
    """Whether a bot may accept a seek that nobody took at once."""
    rematch_of = models.ForeignKey(
        "Match", models.CASCADE, related_name="rematch_offers", null=True, blank=True
    )
    first = models.PositiveSmallIntegerField(null=True, blank=True)
    """The agreed seat that starts round 1 (0 is the maker); null where the lot decides."""
    rating_low = models.PositiveSmallIntegerField(null=True, blank=True)
    """In whole points, as is `rating_high`: between them the accepter's rating has to be."""
    rating_high = models.PositiveSmallIntegerField(null=True, blank=True)
    rating_within = models.PositiveSmallIntegerField(null=True, blank=True)
    """So many points at most may lie between the two ratings, as they are at acceptance."""
    in_time = models.PositiveSmallIntegerField(default=0)
    """None of so many last matches may the accepter have lost on time; 0 does not ask."""
    n_at_once = models.PositiveSmallIntegerField(default=0)
    """An accepted seek is offered again, until so many matches of it run; 0: once only."""
    again_of = models.OneToOneField(
        "self", models.SET_NULL, related_name="again", null=True, blank=True
    )
    """The accepted seek that this one repeats."""
    series = models.ForeignKey(
        "self", models.SET_NULL, related_name="repeats", null=True, blank=True
    )
    """The first of the seeks that repeat one another."""
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    """From then on nobody can accept it; while it waits, what it says does not count."""
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="offer_not_to_oneself",
                condition=Q(addressee__isnull=True) | ~Q(addressee=F("maker")),
            ),
            models.CheckConstraint(
                name="offer_challenge_has_addressee",
                condition=Q(kind="challenge", addressee__isnull=False)
                | (~Q(kind="challenge") & Q(addressee__isnull=True)),
            ),
            models.UniqueConstraint(name="offer_once_per_request", fields=["maker", "request_id"]),
            models.UniqueConstraint(
                name="offer_one_open_rematch",
                fields=["rematch_of"],
                condition=Q(status=10),
            ),
        ]
        indexes = [
            models.Index(name="offer_open", fields=["created_at"], condition=Q(status=10)),
            models.Index(name="offer_expires", fields=["expires_at"], condition=Q(status=10)),
            models.Index(name="offer_waiting", fields=["id"], condition=Q(status=11)),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"

    @classmethod
    def is_live(cls) -> Q:
        """Give the condition under which something may still come of an offer."""
        return Q(status__in=(cls.Status.OPEN, cls.Status.WAITING))

    @property
    def is_open(self) -> bool:
        """Say whether it can be taken up, as far as its row knows."""
        return self.status == Offer.Status.OPEN

    @property
    def has_range(self) -> bool:
        """Say whether it asks for a rating."""
        return bool(self.rating_within) or not (self.rating_low is self.rating_high is None)

    def is_expired(self, now: datetime) -> bool:
        """Say whether it is open and nobody can accept it any more."""
        return self.status == self.Status.OPEN and now >= self.expires_at


class DrawnSecrets(models.Model):
    """The secrets of a form that makes an offer, from its showing until it is sent."""

    maker = models.ForeignKey(USER, models.CASCADE, related_name="+")
    request_id = models.CharField(max_length=64)
    secrets = models.JSONField(editable=False)
    """One for each round that could be chosen. Never shown."""
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="drawn_once_per_form", fields=["maker", "request_id"]),
        ]
        indexes = [models.Index(name="drawn_old", fields=["created_at"])]

    def __str__(self) -> str:
        return f"drawn {self.pk}"


class Match(Terms):
    """What two players agreed to play. Player 0 holds seat 0 in every game of it."""

    class Status(models.IntegerChoices):
        RUNNING = 20, _("running")
        FINISHED = 30, _("finished")
        ABORTED = 31, _("aborted")

    class Ending(models.TextChoices):
        POINTS = "points", _("played out")
        RESIGN = "resign", _("resigned")
        TIMEOUT = "timeout", _("lost on time")
        ABORT = "abort", _("aborted")
        ABANDONED = "abandoned", _("aborted: never started")
        ANNULLED = "annulled", _("annulled by a moderator")
        ACCOUNT = "account", _("account deleted")

    status = models.PositiveSmallIntegerField(choices=Status.choices, default=Status.RUNNING)
    ending = models.CharField(max_length=12, choices=Ending.choices, blank=True)
    offer = models.OneToOneField(
        Offer, models.SET_NULL, related_name="match", null=True, blank=True
    )
    rematch_of = models.ForeignKey(
        "self", models.SET_NULL, related_name="rematches", null=True, blank=True
    )
    player_0 = models.ForeignKey(USER, models.PROTECT, related_name="+")
    player_1 = models.ForeignKey(USER, models.PROTECT, related_name="+")
    nonces = models.JSONField(editable=False)
    """The maker's and the accepter's nonce in hex, 16 bytes each; zeros: none was sent."""
    rematch_secrets = models.JSONField(default=list, editable=False)
    """What the next offer of a rematch is dealt from: its commitments are shown before."""
    starter = models.CharField(max_length=6)
    """How round 1's first seat came about: `lot` or `agreed` (docs/spec/shuffle.md, 6)."""
    points_0 = models.PositiveSmallIntegerField(default=0)
    points_1 = models.PositiveSmallIntegerField(default=0)
    winner = models.PositiveSmallIntegerField(null=True, blank=True)
    """The seat that won; null while it runs, when it was drawn, and when it was aborted."""
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        permissions = (("annul_match", _("Can annul matches")),)
        verbose_name_plural = "matches"
        constraints = [
            models.CheckConstraint(name="match_two_players", condition=~Q(player_0=F("player_1"))),
            models.UniqueConstraint(name="match_one_rematch", fields=["rematch_of"]),
        ]
        indexes = [
            models.Index(name="match_player_0", fields=["player_0", "-started_at"]),
            models.Index(name="match_player_1", fields=["player_1", "-started_at"]),
            models.Index(name="match_running", fields=["-started_at"], condition=Q(status=20)),
            models.Index(
                name="match_points_0", fields=["player_0", "points_0", "started_at", "id"]
            ),
            models.Index(
                name="match_points_1", fields=["player_1", "points_1", "started_at", "id"]
            ),
            models.Index(name="match_finished_0", fields=["player_0", "finished_at"]),
            models.Index(name="match_finished_1", fields=["player_1", "finished_at"]),
            models.Index(name="match_running_0", fields=["player_0"], condition=Q(status=20)),
            models.Index(name="match_running_1", fields=["player_1"], condition=Q(status=20)),
        ]

    def __str__(self) -> str:
        return f"match {self.pk}"

    def get_absolute_url(self) -> str:
        """Give the address of the match page."""
        return reverse("games:match", args=[self.pk])

    @property
    def players(self) -> tuple[Any, Any]:
        """Give both players by seat. Queries unless both were selected with the match."""
        return (self.player_0, self.player_1)

    @property
    def has_both_players(self) -> bool:
        """Say whether both accounts are open, so that the two can play again. Queries as above."""
        return all(player.is_active for player in self.players)

    def player_id(self, seat: int) -> int:
        """Give the user in a seat by id."""
        return self.player_0_id if seat == 0 else self.player_1_id

    @property
    def is_paired(self) -> bool:
        """Say whether the site brought the two together: nobody offered this match."""
        return self.offer_id is None

    @property
    def points(self) -> tuple[int, int]:
        """Give the running score by seat."""
        return (self.points_0, self.points_1)

    def seat_of(self, user_id: int | None) -> Seat | None:
        """Give a user's seat, None for everybody who does not play."""
        if user_id is None:
            return None
        if user_id == self.player_0_id:
            return 0
        return 1 if user_id == self.player_1_id else None


class Game(models.Model):
    """One round of a match. `version` is the number of its actions, resignations included."""

    class Status(models.IntegerChoices):
        RUNNING = 20, _("running")
        FINISHED = 30, _("finished")
        ABORTED = 31, _("aborted")

    match = models.ForeignKey(Match, models.CASCADE, related_name="games")
    round = models.PositiveSmallIntegerField()
    status = models.PositiveSmallIntegerField(choices=Status.choices, default=Status.RUNNING)
    rules_version = models.PositiveSmallIntegerField()
    piles = models.JSONField(editable=False)
    """The deal in the record's keys. Never shown while the game runs."""
    first = models.PositiveSmallIntegerField()
    version = models.PositiveIntegerField(default=0)
    turn = models.PositiveSmallIntegerField(null=True, blank=True)
    """The seat to act; null when the game is over."""
    turn_started_at = models.DateTimeField()
    deadline_at = models.DateTimeField(null=True, blank=True)
    bank_0 = models.DurationField(default=timedelta(0))
    """What seat 0 had when the turn began, whoever's turn it is; when the game is over, what was
    left at its end. Changes only when a turn ends."""
    bank_1 = models.DurationField(default=timedelta(0))
    winner = models.PositiveSmallIntegerField(null=True, blank=True)
    reason = models.CharField(max_length=20, blank=True)
    points_0 = models.PositiveSmallIntegerField(default=0)
    points_1 = models.PositiveSmallIntegerField(default=0)
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="game_once_per_round", fields=["match", "round"]),
            models.UniqueConstraint(
                name="game_one_running", fields=["match"], condition=Q(status=20)
            ),
        ]
        indexes = [
            models.Index(name="game_deadline", fields=["deadline_at"], condition=Q(status=20)),
            models.Index(name="game_finished", fields=["-finished_at", "-id"]),
        ]

    def __str__(self) -> str:
        return f"game {self.pk}"

    def get_absolute_url(self) -> str:
        """Give the address of the board."""
        return reverse("games:game", args=[self.pk])

    @property
    def is_running(self) -> bool:
        """Say whether the game still goes on."""
        return self.status == self.Status.RUNNING

    @property
    def banks(self) -> tuple[timedelta, timedelta]:
        """Give by seat what each had when the turn began."""
        return (self.bank_0, self.bank_1)

    def bank_set(self, seat: int, bank: timedelta) -> None:
        """Set a seat's bank. Saves nothing."""
        if seat == 0:
            self.bank_0 = bank
        else:
            self.bank_1 = bank
