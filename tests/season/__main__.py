"""`python -m tests.season`: a whole season in some minutes, on PostgreSQL with real workers.

It makes a database of its own beside the one that TEST_DATABASE_URL names, plays until no match
runs, counts what must hold, and drops the database. Exit code 0 where every count that should be
nought is. See docs/operations.md.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

from tests.services import DATABASE_URL, REDIS_URL

MUST_BE_NOUGHT = (
    "matches not ended by the table",
    "matches whose result is not what the table says",
    "matches with other points than their games",
    "negative clocks",
    "turns that took more time than there was",
    "games lost on time with time left",
    "games lost on time by who was not to act",
    "clocks to which time was given back",
    "vacations longer than the year's",
    "notices told twice",
    "mails sent twice",
    "matches not rated once for each player",
    "matches not rated",
    "matches rated that do not count",
    "ladders that a rebuild finds otherwise",
)


STEP_HELP = "hours between two sweeps; twice as many once the last match has begun"


def main(arguments: Sequence[str] | None = None) -> int:
    """Play a season and print its counts."""
    # Whoever stops it leaves no database and no worker behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    options = _options(arguments)
    with tempfile.TemporaryDirectory() as folder, _database() as address:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": address,
            "REDIS_URL": REDIS_URL,
            "DATA_DIR": folder,
            "SECRET_KEY": uuid.uuid4().hex * 2,
            "SIMULATED_CLOCK": "1",
        }
        return _season(options, Path(folder))


def _season(options: argparse.Namespace, folder: Path) -> int:
    """Play in a process that has its environment by now: Django reads it when it is set up."""
    import django

    django.setup()

    from django.core.management import call_command
    from django.db import connections

    from config.celery import app
    from games import clock
    from tests.season.audit import audit
    from tests.season.play import Plan, Season
    from tests.workers import Workers

    call_command("migrate", verbosity=0)
    now = clock.clock_set(rate=0)
    now = clock.clock_set(forward=_next_march() - now, rate=0)
    workers = Workers(folder, SIMULATED_CLOCK="1")
    app.conf.task_default_queue = workers.queue
    plan = Plan(
        options.players,
        options.matches,
        options.days,
        options.outages,
        options.kill_every,
        options.step,
    )
    season = Season(plan, workers, random.Random(options.seed), now)
    began = time.monotonic()
    try:
        workers.start(2)
        is_over = season.run(_tell, began + 60 * options.minutes)
    finally:
        workers.close()
    found = audit(folder / "mail", season.erased)
    found.faults["ladders that a rebuild finds otherwise"] = _rebuilt()
    connections.close_all()
    _print(season.counts | found.counts)
    print(f"{time.monotonic() - began:8.0f} seconds")
    if not is_over:
        print(f"Not over after {options.minutes} minutes.")
    faults = {kind: found.faults[kind] for kind in MUST_BE_NOUGHT}
    _print(faults)
    for kind, example in found.examples.items():
        print(f"{kind}: {example}")
    return 0 if is_over and not any(faults.values()) else 1


def _next_march() -> datetime:
    """Give when the season begins: summer time begins or ends all over the world in it."""
    today = datetime.now(UTC)
    return datetime(today.year + (today.month >= 3), 3, 1, tzinfo=UTC)


def _rebuilt() -> int:
    """Rate everything anew; give how many ladders come out otherwise."""
    from ladder.models import Ladder
    from ladder.rebuild import counters_differ, differences

    ladders = Ladder.objects.all()
    return sum(bool(differences(ladder)[1]) or counters_differ(ladder) for ladder in ladders)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.season", description=__doc__)
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--matches", type=int, default=510)
    parser.add_argument("--days", type=int, default=50, help="matches begin within so many days")
    parser.add_argument("--outages", type=int, default=6)
    parser.add_argument("--kill-every", type=int, default=60, help="hours between killed workers")
    parser.add_argument("--step", type=int, default=3, help=STEP_HELP)
    parser.add_argument("--minutes", type=float, default=20, help="give up after so many")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(arguments)


@contextmanager
def _database() -> Iterator[str]:
    """Make a database, give its address, and drop it."""
    parts = urlsplit(DATABASE_URL)
    name = f"season_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(DATABASE_URL, autocommit=True) as server:
        server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        # No power cut is played, and so nothing need be on the disk before the next turn.
        quick = sql.SQL("ALTER DATABASE {} SET synchronous_commit = off")
        server.execute(quick.format(sql.Identifier(name)))
    try:
        yield urlunsplit(parts._replace(path=f"/{name}"))
    finally:
        with psycopg.connect(DATABASE_URL, autocommit=True) as server:
            drop = sql.SQL("DROP DATABASE {} WITH (FORCE)")
            server.execute(drop.format(sql.Identifier(name)))


def _tell(line: str) -> None:
    """Show how far the season is: in place on a terminal, a line a day elsewhere."""
    if sys.stderr.isatty():
        print(f"\r{line}    ", end="", file=sys.stderr, flush=True)
    else:
        print(line, file=sys.stderr, flush=True)


def _print(counts: dict[str, int]) -> None:
    for name, n in sorted(counts.items()):
        print(f"{n:8}  {name}")


if __name__ == "__main__":
    sys.exit(main())
