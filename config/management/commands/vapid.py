"""`manage.py vapid`: a new private key for web push, for the environment of a site."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from config.environment import vapid_key_new


class Command(BaseCommand):
    """Print a key; nothing is kept or changed."""

    help = "Prints a new VAPID_PRIVATE_KEY."
    requires_system_checks = []

    def handle(self, **_: Any) -> None:
        self.stdout.write(vapid_key_new())
