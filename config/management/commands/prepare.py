"""`manage.py prepare`: what has to be done before serving, and only where it is needed."""

from __future__ import annotations

import argparse
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connection

from config.database import is_migrated
from config.environment import read_vapid_key, vapid_key_keep
from config.folder import hold_data_folder
from config.static import collect_static
from games import clock
from ladder.seasons import seasons_freeze
from ladder.services import ratings_sweep


class Command(BaseCommand):
    """Bring database and static files up to date; doing it twice changes nothing."""

    help = "Brings the database and the static files up to date."
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--demo", action="store_true", help="fill an empty SQLite database with demo data"
        )

    def handle(self, *, demo: bool, **_: Any) -> None:
        if settings.IS_EMBEDDED:
            hold_data_folder()
            vapid_key_keep(settings.DATA_DIR)
            # The settings were read before the file was there, and `serve` goes on with them.
            settings.VAPID_PRIVATE_KEY = read_vapid_key("VAPID_PRIVATE_KEY", settings.DATA_DIR)
        if not is_migrated():
            call_command("migrate", interactive=False, verbosity=0)
        collect_static()
        if demo and connection.vendor == "sqlite":
            call_command("demo", stdout=self.stdout)
            # No worker runs yet that could hear of the demo's rated matches and seasons.
            ratings_sweep(now=clock.now())
            seasons_freeze(now=clock.now())
        elif demo:
            self.stderr.write("No demo data: they are for SQLite alone.")
