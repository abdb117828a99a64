"""Measures ladders: rating all matches anew, and the pages of the standings: `make bench`.

The rebuild runs beside a plain loop over the same matches (floats in a dict, nothing kept but
the ratings) and beside the package glicko2 from PyPI, which computes more for each match: each
ratio is of the same matches. The standings are asked for as a member's browser does, in a database
of its own in a new folder, with a thousand members and with a hundred thousand; the ratio of the
two says whether pages stay fast. The rebuild is measured once more over matches that are read from
PostgreSQL. `python -m
tests.bench.ladder standings` runs one part alone.
"""

from __future__ import annotations

import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

N_PLAYERS = 50_000
N_MATCHES = 1_000_000
N_PACKAGE_MATCHES = 50_000
SIZES = (1_000, 100_000)
ROUNDS = 25
N_MET = 5
"""So many others each member has played as seat 0, and as many as seat 1."""

Results = list[tuple[int, int, int | None]]


def results(count: int) -> Results:
    """Make matches up, the same every time; the better player wins more often."""
    rng = random.Random(1)
    made: Results = []
    for _ in range(count):
        one, two = rng.sample(range(N_PLAYERS), 2)
        lot = rng.random() + (two - one) / N_PLAYERS / 2
        made.append((one, two, None if 0.48 < lot < 0.5 else 0 if lot >= 0.5 else 1))
    return made


def plain_loop(matches: Results) -> dict[int, float]:
    """Rate with floats, one K, and nothing round it."""
    ratings: dict[int, float] = {}
    for one, two, winner in matches:
        first, second = ratings.get(one, 1500.0), ratings.get(two, 1500.0)
        score = 0.5 if winner is None else 1.0 - winner
        change = 20 * (score - 1 / (1 + 10 ** ((second - first) / 400)))
        ratings[one], ratings[two] = first + change, second - change
    return ratings


def package(matches: Results) -> dict[int, Any]:
    """Rate with glicko2."""
    from glicko2 import Player

    players: dict[int, Any] = {}
    for one, two, winner in matches:
        first = players.setdefault(one, Player())
        second = players.setdefault(two, Player())
        score = 0.5 if winner is None else 1.0 - winner
        before = (first.rating, first.rd)
        first.update_player([second.rating], [second.rd], [score])
        second.update_player([before[0]], [before[1]], [1 - score])
    return players


def per_second(run: Callable[[Results], Any], matches: Results) -> float:
    """Time one run in matches a second of processor time."""
    start = time.process_time()
    run(matches)
    return len(matches) / (time.process_time() - start)


def bench_rebuild() -> None:
    """Print the rebuild's matches a second beside the others'."""
    from ladder.rebuild import replay

    matches = results(N_MATCHES)
    print(f"{'':<44}{'matches / s':>15}{'rebuild is':>14}")
    for name, run, n in (
        ("a plain loop over the same", plain_loop, N_MATCHES),
        ("the package glicko2 over the same", package, N_PACKAGE_MATCHES),
    ):
        ours, beside = per_second(replay, matches[:n]), per_second(run, matches[:n])
        print(f"{f'rebuild, {n:,} matches of 50,000':<44}{ours:>15,.0f}")
        print(f"{name:<44}{beside:>15,.0f}{ours / beside:>12.2f} x")


def bench_standings() -> None:
    """Print how long a member waits for the first, middle and around-me page, of few and many."""
    from django.core.management import call_command
    from django.test import Client

    from config.static import collect_static
    from ladder.models import Ladder
    from ladder.standings import PAGE_SIZE

    call_command("migrate", verbosity=0)
    collect_static()
    asks: dict[str, list[Callable[[], Any]]] = {}
    for size, slug in zip(SIZES, ("after-play", "automatic"), strict=True):
        ladder = Ladder.objects.create(title="schotten-totten", ruleset_slug=slug)
        client = Client(SERVER_NAME="localhost")
        client.force_login(fill(ladder, size))
        for name, query in (
            ("first page", ""),
            ("middle page", f"?page={-(-size // PAGE_SIZE) // 2}"),
            ("page around me", "?around=me"),
        ):
            ask = partial(client.get, ladder.get_absolute_url() + query)
            assert 'id="you"' in ask().text  # besides, no page is measured with a cold cache
            asks.setdefault(name, []).append(ask)
    print(f"\n{'':<44}{'1,000':>12}{'100,000':>14}{'ratio':>10}")
    for name, pages in asks.items():
        # In turn, so that whatever else the machine does slows both.
        spent = zip(*([timed(ask) for ask in pages] for _ in range(ROUNDS)), strict=True)
        few, many = map(statistics.median, spent)
        told = f"{few * 1000:>9.1f} ms{many * 1000:>11.1f} ms{many / few:>8.1f} x"
        print(f"standings, {name:<33}{told}")


def fill(ladder: Any, size: int) -> Any:
    """Put members with ten rated matches each on a ladder; gives who stands in the middle."""
    from django.utils import timezone

    from accounts.models import User
    from ladder.models import Standing
    from ladder.services import counters_restore

    rng, now = random.Random(size), timezone.now()
    users = User.objects.bulk_create(_people(ladder.ruleset_slug, size), batch_size=2_000)
    ratings = [int(rng.gauss(1_500_000, 200_000)) for _ in users]
    Standing.objects.bulk_create(
        (
            Standing(
                ladder=ladder,
                user=user,
                rating=rating,
                peak=rating,
                n_matches=20,
                joined_at=now,
                active_at=now,
            )
            for user, rating in zip(users, ratings, strict=True)
        ),
        batch_size=2_000,
    )
    counters_restore(ladder, now=now)
    ladder.refresh_from_db()
    fill_ledger(ladder, users[0].pk, size)
    return users[sorted(range(size), key=ratings.__getitem__)[size // 2]]


def fill_ledger(ladder: Any, first: int, size: int) -> None:
    """Let each member meet the next five by number, and write what pages tell of it."""
    from django.db import connection

    from tests.bench.rebuild_db import copies, samples

    match, entry = samples(ladder, first)
    pairs = f"""(
        WITH RECURSIVE numbers(g) AS (
            SELECT 0 UNION ALL SELECT g + 1 FROM numbers WHERE g + 1 < {N_MET * size}
        )
        SELECT g, g %% {size} AS one, (g %% {size} + 1 + g / {size}) %% {size} AS two FROM numbers
    ) pairs WHERE true"""
    ends = {"player_0_id": f"{first} + one", "player_1_id": f"{first} + two"}
    copies(match, {**ends, "winner": "g %% 2"}, pairs, [])
    entry.match = match
    here = "games_match m WHERE m.id > %s AND m.ruleset_slug = %s"
    for seat in (0, 1):
        chosen = {"match_id": "m.id", "user_id": f"m.player_{seat}_id", "seat": str(seat)}
        told = {"order_key": "m.id", "score": f"CASE m.winner WHEN {seat} THEN 2 ELSE 0 END"}
        entry.pk, entry._state.adding = None, True
        entry.seat, entry.user_id = seat, match.player_id(seat)
        copies(entry, {**chosen, **told}, here, [match.pk, match.ruleset_slug])
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _people(prefix: str, size: int) -> Iterator[Any]:
    from accounts.models import User

    for n in range(size):
        name = f"{prefix}{n}"
        yield User(name=name, name_key=name, email=f"{name}@example.org")


def timed(run: Callable[[], Any]) -> float:
    """Time one run in seconds."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def bench_rebuild_db() -> None:
    """Print the rebuild's time and memory where the matches are read from PostgreSQL."""
    from tests.bench import rebuild_db
    from tests.services import DATABASE_URL, SERVICES

    postgres = next(service for service in SERVICES if service.marker == "postgres")
    if postgres.is_here():
        rebuild_db.main(DATABASE_URL)
    else:
        print(f"\nleft out: the rebuild from {postgres.name}. To have it, {postgres.how}.")


PARTS = {
    "rebuild": bench_rebuild,
    "standings": bench_standings,
    "rebuild-db": bench_rebuild_db,
}


def main(names: Sequence[str]) -> None:
    """Print the tables that are named, or all, with a database of their own."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DATA_DIR"] = folder
        os.environ.pop("DATABASE_URL", None)
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        import django

        django.setup()
        for name, part in PARTS.items():
            if not names or name in names:
                part()


if __name__ == "__main__":
    main(sys.argv[1:])
