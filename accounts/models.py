"""Who uses the site."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.channels import NoticeChoice, Presence, PushDevice, Webhook
from accounts.conduct import Block, ChatLevel, Report
from accounts.countries import country_name, validate_country
from accounts.names import NAME_KEY_LENGTH, NAME_LENGTH, email_key, name_key
from accounts.zones import validate_time_zone

__all__ = [
    "Block",
    "ChatLevel",
    "NoticeChoice",
    "Presence",
    "PushDevice",
    "Report",
    "User",
    "UserManager",
    "Webhook",
]


class UserManager(BaseUserManager["User"]):
    """Makes users; names are found by their key."""

    def create_user(
        self, name: str, email: str = "", password: str | None = None, **rest: Any
    ) -> User:
        """Make a user; without a password nobody can log in as them."""
        user = self.model(name=name, email=email, **rest)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(
        self, name: str, email: str, password: str | None = None, **rest: Any
    ) -> User:
        """Make a user who may see and change everything on the staff pages."""
        return self.create_user(name, email, password, is_staff=True, is_superuser=True, **rest)

    def get_by_natural_key(self, username: str | None) -> User:
        """Find a user by name, written in any case. Raises `User.DoesNotExist`."""
        return self.get(name_key=name_key(username or ""))


class User(AbstractBaseUser, PermissionsMixin):
    """A person, a guest or a bot. The name's key and the folded address are unique."""

    name = models.CharField(_("name"), max_length=NAME_LENGTH, unique=True)
    name_key = models.CharField(max_length=NAME_KEY_LENGTH, unique=True, editable=False)
    email = models.EmailField(_("e-mail address"), blank=True)
    """Folded; empty for bots and guests."""
    language = models.CharField(_("language"), max_length=10, default="en")
    time_zone = models.CharField(
        _("time zone"), max_length=60, default="UTC", validators=[validate_time_zone]
    )
    country = models.CharField(
        _("country"), max_length=2, blank=True, validators=[validate_country]
    )
    """An ISO 3166-1 code of two letters; empty where a player would rather not say."""
    has_sounds = models.BooleanField(_("sounds at the board"), default=False)
    takes_forced_turns = models.BooleanField(_("take forced turns for me"), default=False)
    """Whether the site makes a turn for the player where everybody sees that no other is possible.
    """
    chat = models.CharField(
        _("chat"), max_length=12, choices=ChatLevel.choices, default=ChatLevel.ALL
    )
    chat_muted_until = models.DateTimeField(_("may not write before"), null=True, blank=True)
    """Until when moderators keep this user from writing to others; null where they do not."""
    is_bot = models.BooleanField(_("bot"), default=False)
    is_guest = models.BooleanField(_("guest"), default=False)
    is_active = models.BooleanField(_("active"), default=True)
    is_staff = models.BooleanField(_("staff"), default=False)
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)
    """When the account was deleted; the row stays for the matches that were played with it."""
    date_joined = models.DateTimeField(_("joined"), default=timezone.now, editable=False)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "name"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["email"]

    class Meta:
        verbose_name = _("user")
        verbose_name_plural = _("users")
        constraints = [
            models.UniqueConstraint(
                name="user_email_unique",
                fields=["email"],
                condition=~models.Q(email=""),
            ),
            models.CheckConstraint(name="user_has_name", condition=~models.Q(name_key="")),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save with the key that follows from the name, and the address folded."""
        self.name_key = name_key(self.name)
        self.email = email_key(self.email)
        if (fields := kwargs.get("update_fields")) is not None and "name" in fields:
            kwargs["update_fields"] = {*fields, "name_key"}
        super().save(*args, **kwargs)

    def get_absolute_url(self) -> str:
        """Give the address of the profile."""
        return reverse("profile", args=[self.name])

    @property
    def country_name(self) -> str:
        """Give the country in the active language; empty where none is told."""
        return country_name(self.country) if self.country else ""

    @property
    def is_person(self) -> bool:
        """Say whether somebody plays who can read mails and keep a profile."""
        return not (self.is_bot or self.is_guest)

    @property
    def is_deleted(self) -> bool:
        """Say whether the account was deleted, and only its matches are left."""
        return self.deleted_at is not None


class RetiredName(models.Model):
    """A name that nobody can take, since a player who deleted the account had it.

    The name itself is not kept: only its fingerprint, by which it is known again.
    """

    print = models.CharField(max_length=64, unique=True, editable=False)

    def __str__(self) -> str:
        return f"retired name {self.pk}"
