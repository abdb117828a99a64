"""`manage.py ladder_report`: tell moderators which rated matches need a look."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand

from games import clock
from ladder.guards import report

DAYS = 7


class Command(BaseCommand):
    """Print who play each other often, who give up early and often, who resign to each other."""

    help = "Tell which rated matches of the last days need a look. Changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the number of days to look back."""
        parser.add_argument("--days", type=int, default=DAYS, help=f"default {DAYS}")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the report."""
        since = clock.now() - timedelta(days=options["days"])
        found = report(since)
        for pair in found.pairs:
            one, two = pair.names
            self.stdout.write(
                f"{one} and {two}: {pair.n_matches} rated matches, "
                f"won {pair.n_won[0]} and {pair.n_won[1]}"
            )
        for loser in found.losses:
            ids = ", ".join(map(str, loser.match_ids))
            self.stdout.write(
                f"{loser.name}: gave up {len(loser.match_ids)} rated matches early ({ids})"
            )
        for couple in found.mutual:
            one, two = couple.names
            ids = ", ".join(map(str, couple.match_ids))
            self.stdout.write(
                f"{one} and {two}: resigned to each other, "
                f"{couple.n_resigned[0]} and {couple.n_resigned[1]} rated matches ({ids})"
            )
        if found.is_empty:
            self.stdout.write("Nothing needs a look.")
