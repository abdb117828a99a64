"""Measures `ladder_rebuild` over matches that are read from PostgreSQL: time and peak memory.

Needs TEST_DATABASE_URL: a database of its own is made on that server, with fifty thousand players
and two ladders of theirs, one with ten times as many matches, and dropped again. Each ladder is
compared in a process of its own, so that its peak is nobody else's; the processes' peak before
they read anything stands beside it. Part of `python -m tests.bench.ladder`; BENCH_PLAYERS=500 is
a trial of a few seconds.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import psycopg

if TYPE_CHECKING:
    from games.models import Match
    from ladder.models import Ladder, LedgerEntry

N_PLAYERS = int(os.environ.get("BENCH_PLAYERS", "50000"))
SIZES = {"after-play": 2 * N_PLAYERS, "automatic": 20 * N_PLAYERS}
NAME = "marchstone_bench_rebuild"

PAIRS = f"""
SELECT g, lot %% {N_PLAYERS} AS one,
       (lot %% {N_PLAYERS} + 1 + lot / {N_PLAYERS} %% ({N_PLAYERS} - 1)) %% {N_PLAYERS} AS two
FROM (SELECT g, hashint8extended(g::bigint, 1) & 4611686018427387903 AS lot
      FROM generate_series(1, %s) g) lots
"""
"""Pairs of players by their place, the same every time, nobody with themselves."""


def fill(slug: str, n_matches: int) -> None:
    """Put rated matches with their ledger on a ladder, and standings as they come out of them."""
    from django.db import connection
    from django.utils import timezone

    from accounts.models import User
    from ladder.models import Ladder, Standing
    from ladder.rebuild import UNRATED, replay, results_of
    from ladder.services import counters_restore

    now = timezone.now()
    first = User.objects.order_by("pk").values_list("pk", flat=True)[0]
    ladder = Ladder.objects.create(title="schotten-totten", ruleset_slug=slug)
    match, entry = samples(ladder, first)
    ends = {"player_0_id": f"{first} + one", "player_1_id": f"{first} + two"}
    copies(match, {**ends, "winner": "g %% 2"}, f"({PAIRS}) pairs WHERE true", [n_matches])
    entry.match, entry.user_id = match, first
    numbered = {"match_id": "m.id", "user_id": "m.player_0_id"}
    keys = {"order_key": "row_number() OVER (ORDER BY m.id)"}
    here = "games_match m WHERE m.id > %s AND m.ruleset_slug = %s"
    copies(entry, {**numbered, **keys}, here, [match.pk, slug])
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM ladder_ledgerentry WHERE id = %s", [entry.pk])
        cursor.execute("DELETE FROM games_match WHERE id = %s", [match.pk])
        cursor.execute("ANALYZE")
    sides = replay(results_of(ladder))
    users = range(first, first + N_PLAYERS)
    made = (
        Standing(ladder=ladder, user_id=pk, joined_at=now, active_at=now, **side._asdict())
        for pk in users
        if (side := sides.get(pk, UNRATED))
    )
    Standing.objects.bulk_create(made, batch_size=2_000)
    counters_restore(ladder, now=now)


def samples(ladder: Ladder, first: int) -> tuple[Match, LedgerEntry]:
    """Give an unsaved rated match of the first two players, and an entry of it for seat 0."""
    from django.utils import timezone

    from games.models import Match
    from ladder.models import LedgerEntry

    now = timezone.now()
    match = Match(
        title=ladder.title,
        ruleset_slug=ladder.ruleset_slug,
        n_rounds=1,
        pace_slug="per-turn-3",
        is_rated=True,
        secrets=["00" * 32],
        nonces=["00" * 16] * 2,
        starter="lot",
        player_0_id=first,
        player_1_id=first + 1,
        status=Match.Status.FINISHED,
        ending=Match.Ending.POINTS,
        started_at=now,
        finished_at=now,
    )
    entry = LedgerEntry(
        ladder=ladder, seat=0, score=1, n_before=0, peak_before=1_500_000, k=40,
        opponent_rating=1_500_000, expected_ppm=500_000, rating_before=1_500_000, change=0,
        rating_after=1_500_000, created_at=now, order_key=0,
    )  # fmt: skip
    return match, entry


def copies(row: Any, chosen: Mapping[str, str], source: str, args: Sequence[object]) -> None:
    """Write a row once for each of a source's, with some columns chosen by an expression."""
    from django.db import connection

    row.save()
    table = row._meta.db_table
    names = [field.column for field in row._meta.concrete_fields if not field.primary_key]
    values = ", ".join(chosen.get(name, f"kept.{name}") for name in names)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({', '.join(names)}) SELECT {values}"
            f" FROM {table} kept, {source} AND kept.id = %s",
            [*args, row.pk],
        )


def look(slug: str) -> None:
    """Compare one ladder, and print how long it took and the peaks of this process."""
    from ladder.models import Ladder
    from ladder.rebuild import differences

    ladder = Ladder.objects.get(ruleset_slug=slug)
    before, start = peak_mb(), time.perf_counter()
    n_standings, found = differences(ladder)
    spent = time.perf_counter() - start
    n = SIZES[slug]
    told = f"{n:>11,}{n_standings:>12,}{len(found):>9}{spent:>9.1f} s{n / spent:>15,.0f}"
    print(f"{told}{before:>9.0f} MB{peak_mb():>9.0f} MB")


def peak_mb() -> float:
    """Give the most memory that this program has held.

    Not `ru_maxrss`: it counts from before a process became this program, as a copy of another.
    """
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def make() -> None:
    """Fill the database."""
    from django.core.management import call_command

    from accounts.models import User

    call_command("migrate", verbosity=0)
    people = (User(name=f"B{n}", name_key=f"b{n}") for n in range(N_PLAYERS))
    User.objects.bulk_create(people, batch_size=5_000)
    for slug, n_matches in SIZES.items():
        fill(slug, n_matches)


def main(server: str) -> None:
    """Make the database, measure in processes of their own, and drop it."""
    address = urlsplit(server)._replace(path=f"/{NAME}").geturl()
    with tempfile.TemporaryDirectory() as folder:
        own = {"DATABASE_URL": address, "DATA_DIR": folder, "REDIS_URL": ""}
        environment = {**os.environ, **own, "DJANGO_SETTINGS_MODULE": "config.settings"}

        def run(*words: str) -> None:
            command = [sys.executable, "-m", "tests.bench.rebuild_db", *words]
            subprocess.run(command, env=environment, check=True)

        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {NAME}")
            connection.execute(f"CREATE DATABASE {NAME}")
            try:
                run("make")
                heads = f"{'matches':>11}{'standings':>12}{'differ':>9}{'time':>11}"
                print(f"\n{heads}{'matches / s':>15}{'before':>12}{'peak':>12}", flush=True)
                for slug in SIZES:
                    run("look", slug)
            finally:
                connection.execute(f"DROP DATABASE IF EXISTS {NAME}")


if __name__ == "__main__":
    if len(sys.argv) == 1:
        main(os.environ["TEST_DATABASE_URL"])
    else:
        import django

        django.setup()
        make() if sys.argv[1] == "make" else look(sys.argv[2])
