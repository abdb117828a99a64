"""`manage.py ladder_rebuild`: rate all matches anew and compare, or set the standings right."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from games import clock
from ladder.models import Ladder
from ladder.rebuild import Difference, counters_differ, differences
from ladder.services import counters_restore, standings_restore

MAX_TOLD = 20


class Command(BaseCommand):
    """Stream all rated matches; exit code 1 where a standing is not what they make it."""

    help = (
        "Compute every rating anew from the rated matches, and compare with the standings and "
        "with the ladder's counters. Exit code 1 where they differ; --write sets them right."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take whether to write."""
        parser.add_argument("--write", action="store_true", help="set differing standings right")

    def handle(self, *args: Any, **options: Any) -> None:
        """Go through the ladders. Raises `SystemExit` 1 where something differs and stays."""
        differs = False
        for ladder in Ladder.objects.order_by("pk"):
            n, found = differences(ladder, self._progress(ladder))
            self.stdout.write(f"{ladder}: {n} standings, {len(found)} differ")
            for difference in found[:MAX_TOLD]:
                self.stdout.write(f"  {told(difference)}")
            if len(found) > MAX_TOLD:
                self.stdout.write(f"  and {len(found) - MAX_TOLD} more")
            if found and options["write"]:
                n_right = standings_restore(ladder, now=clock.now())
                self.stdout.write(f"{ladder}: {n_right} set right")
            if miscounted := counters_differ(ladder):
                self.stdout.write(f"{ladder}: the counters do not add up")
                if options["write"]:
                    counters_restore(ladder, now=clock.now())
                    self.stdout.write(f"{ladder}: counted anew")
            differs = differs or bool(found) or miscounted
        if differs and not options["write"]:
            sys.exit(1)

    def _progress(self, ladder: Ladder) -> Any:
        """Give what tells a terminal how far it is; nothing elsewhere."""
        if not self.stderr.isatty():
            return None
        return lambda n: self.stderr.write(f"\r{ladder}: {n} matches", ending="")


def told(difference: Difference) -> str:
    """Tell one difference in a line."""
    stored, rebuilt = difference.stored, difference.rebuilt
    return (
        f"user {difference.user_id}: rating {stored.rating}, by the matches {rebuilt.rating}; "
        f"matches {stored.n_matches}, {rebuilt.n_matches}; peak {stored.peak}, {rebuilt.peak}"
    )
