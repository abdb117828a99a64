"""Twenty thousand members on PostgreSQL: every page reads little, and by index."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import User
from ladder.counters import Counters, bucket_of
from ladder.models import Ladder, Standing
from ladder.services import counters_restore
from ladder.standings import (
    PAGE_SIZE,
    StandingsPage,
    n_lower_near,
    standings_around,
    standings_page,
)
from tests.games.histories import written_once
from tests.games.test_history_plans import captured_sql, scans_of
from tests.ladder.conftest import RULESET, TITLE

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]

N_MEMBERS = 20_000
PER_BUCKET = 250
"""More of them share no bucket."""


@pytest.fixture(scope="module")
def ladder(django_db_setup: None, django_db_blocker: Any) -> Iterator[Ladder]:
    with written_once(django_db_blocker):
        yield _ladder_written()


def _ladder_written() -> Ladder:
    rng, now = random.Random(3), timezone.now()
    users = User.objects.bulk_create(User(name=f"M{n}", name_key=f"m{n}") for n in range(N_MEMBERS))
    made = Ladder.objects.create(title=TITLE, ruleset_slug=RULESET)
    Standing.objects.bulk_create(
        Standing(
            ladder=made,
            user=user,
            rating=int(rng.gauss(1_500_000, 200_000)),
            peak=9_000_000,
            joined_at=now,
            active_at=now,
        )
        for user in users
    )
    counters_restore(made, now=now)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return Ladder.objects.get()


@pytest.mark.parametrize("page", [1, N_MEMBERS // PAGE_SIZE // 2, N_MEMBERS // PAGE_SIZE])
def test_a_page_reads_no_more_than_a_bucket_and_itself(ladder: Ladder, page: int) -> None:
    in_middle = Standing.objects.order_by("-rating")[N_MEMBERS // 2]
    asked = captured_sql(lambda: standings_page(ladder, page=page, user=in_middle.user))
    assert len(asked) == 6
    check_reads(asked)


@pytest.mark.parametrize("place", [0, N_MEMBERS // 2, N_MEMBERS - 1])
def test_the_lines_around_a_member_read_no_more(ladder: Ladder, place: int) -> None:
    member = Standing.objects.select_related("user").order_by("-rating", "pk")[place]
    found: list[StandingsPage] = []
    asked = captured_sql(lambda: found.append(standings_around(ladder, member)))
    assert len(asked) == 5
    assert found[0].is_own_here
    check_reads(asked)


def test_who_is_below_is_counted_within_a_bucket(ladder: Ladder) -> None:
    row = Standing.objects.order_by("-rating")[N_MEMBERS // 2]
    found: list[int] = []
    asked = captured_sql(lambda: found.append(n_lower_near(ladder, row.rating)))
    counters = Counters(Ladder.objects.get().counts)
    n_higher_buckets = counters.above(bucket_of(row.rating) - 1).active
    n_lower = Standing.objects.filter(rating__lt=row.rating).count()
    assert counters.total.active - n_higher_buckets + found[0] == n_lower
    assert len(asked) == 1
    check_reads(asked)


def check_reads(asked: list[str]) -> None:
    """Of the members, a bucket and a page are read at most, through an index."""
    for sql in asked:
        for scan in scans_of(sql):
            if scan.get("Relation Name") == "ladder_standing":
                assert scan["Node Type"] != "Seq Scan", sql
                assert scan.get("Index Name", "").startswith(("standing_", "ladder_standing")), sql
                read = scan["Actual Rows"] + scan.get("Rows Removed by Filter", 0)
                assert read <= PER_BUCKET + PAGE_SIZE, sql
