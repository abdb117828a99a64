"""Registration as a browser does it, and a fresh cache: rate limits count per test."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client

from accounts.models import User

PASSWORD = "heather-and-peat"


@pytest.fixture(autouse=True)
def _plain_tests(settings: Any, db: None) -> Iterator[None]:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def register(client: Client) -> Callable[..., Any]:
    """Post the registration form."""

    def post(name: str, email: str, password: str = PASSWORD, **rest: str) -> Any:
        form = {"username": name, "email": email, "password1": password, "password2": password}
        return client.post("/accounts/signup/", {**form, **rest})

    return post


@pytest.fixture
def pavel() -> User:
    """Give a player who registered and confirmed the address long ago."""
    user = User.objects.create_user("Pavel", "pavel@example.org", PASSWORD)
    user.emailaddress_set.create(email=user.email, verified=True, primary=True)
    return user


def link_in_mail() -> str:
    """Give the path of the link in the last mail."""
    found = re.search(r"https?://[^/\s]+(/accounts/\S+)", str(mail.outbox[-1].body))
    assert found
    return found.group(1)
