"""`manage.py demo`: fill an empty embedded database with players and matches."""

from __future__ import annotations

import time
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from accounts.models import User
from games.demo import DEMO_USERS, PASSWORD, demo_load, is_cut_off


class Command(BaseCommand):
    """Load the demo data, anew where that was cut off; where there are people, do nothing."""

    help = "Loads demo players and matches into an empty SQLite database."

    def handle(self, *args: Any, **options: Any) -> None:
        """Load all or nothing. Raises `CommandError` where DATABASE_URL is set."""
        if connection.vendor != "sqlite":
            raise CommandError("Demo data is for the embedded site: DATABASE_URL is set.")
        if is_cut_off():
            call_command("flush", interactive=False, verbosity=0)
        if User.objects.filter(is_bot=False).exists():
            if User.objects.filter(name__in=DEMO_USERS).count() == len(DEMO_USERS):
                self._tell_log_ins()
            return
        started = time.monotonic()
        try:
            demo_load(self._tell)
        except BaseException:
            call_command("flush", interactive=False, verbosity=0)
            raise
        self.stdout.write(f"\rDemo data loaded in {time.monotonic() - started:.1f} s.   ")
        self._tell_log_ins()

    def _tell_log_ins(self) -> None:
        names = " or ".join(DEMO_USERS)
        self.stdout.write(f"Log in as {names}, password {PASSWORD}")

    def _tell(self, done: int, of: int) -> None:
        if self.stdout.isatty():
            self.stdout.write(f"\rDemo matches: {done} of {of}", ending="")
            self.stdout.flush()
