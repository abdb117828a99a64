"""Players with matches between them, made through the services."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import Match, Offer
from games.services.offers import offer_accept, offer_create
from games.services.terms import OfferTerms

Play = Callable[..., Match]
_numbers = count(1)


@pytest.fixture(autouse=True)
def _plain_tests(settings: Any, db: None) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }


@pytest.fixture
def morag() -> User:
    return User.objects.create_user(
        "Morag", "morag@example.org", "peat", country="GB", time_zone="Europe/London"
    )


@pytest.fixture
def hamish() -> User:
    return User.objects.create_user("Hamish", "hamish@example.org", "peat")


@pytest.fixture
def browser(morag: User) -> Client:
    """Give a browser in which Morag is logged in."""
    client = Client()
    client.force_login(morag)
    return client


def offer(maker: User, addressee: User | None = None, *, is_private: bool = False) -> Offer:
    """Make a seek, or a challenge where somebody is addressed."""
    return offer_create(
        maker=maker,
        kind="challenge" if addressee else "seek",
        terms=OfferTerms("schotten-totten", "after-play", 3, "per-turn-3", is_private),
        request_id=f"request-{next(_numbers)}",
        now=timezone.now() - timedelta(minutes=1),
        addressee=addressee,
    )


@pytest.fixture
def play() -> Play:
    """Start matches between two players."""

    def start(maker: User, accepter: User, *, is_private: bool = False) -> Match:
        made = offer(maker, is_private=is_private)
        return offer_accept(offer_id=made.pk, user=accepter, now=timezone.now())

    return start
