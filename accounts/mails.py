"""Mails about an account, in the language and the time zone of who gets them."""

from __future__ import annotations

import zoneinfo
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.template.loader import render_to_string
from django.utils import timezone, translation

from accounts.models import User
from accounts.zones import time_zone_or_utc


@contextmanager
def spoken_to(user: User) -> Iterator[None]:
    """Speak a user's language, in the user's time zone."""
    zone = zoneinfo.ZoneInfo(time_zone_or_utc(user.time_zone))
    with translation.override(user.language), timezone.override(zone):
        yield


def farewell_due(user: User) -> None:
    """Write, while name and address are still there, to somebody whose account is being deleted.

    The mail goes out once, after commit: nothing is left then by which it could go out again. No
    query; without an address nothing is written.
    """
    if not user.email:
        return
    context = {"name": user.name, "site_url": settings.SITE_URL}
    with spoken_to(user):
        subject = render_to_string("account/email/deleted_subject.txt", context)
        text = render_to_string("account/email/deleted_message.txt", context)
    mail = EmailMessage(" ".join(subject.split()), text, to=[user.email])
    transaction.on_commit(lambda: mail.send(), robust=True)
