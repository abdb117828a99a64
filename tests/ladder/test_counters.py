"""The ladder's counters: whatever happens, they are what counting every member gives."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from datetime import timedelta
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.utils import timezone

from accounts.models import User
from games.models import Match
from games.services.matches import match_annul
from ladder import tasks
from ladder.counters import Counters, Tally, bounds, bucket_of, counted, moved
from ladder.memberships import LadderRefusal, ladder_join, ladder_leave, standings_rest
from ladder.models import Ladder, Standing
from ladder.rebuild import counters_differ
from ladder.services import counters_restore, match_correct, ratings_sweep
from ladder.standings import PAGE_SIZE, standings_page
from tests.ladder.conftest import RULESET, TITLE, finished_matches, make_players, the_ladder
from tests.ladder.test_races import at_once
from tests.ladder.test_rebuild import rebuilt

DAY = timedelta(days=1)
NOBODY = (None, False)


@pytest.mark.parametrize("rating", [0, 1, 4_999, 5_000, 1_500_000, -1, -5_000, -5_001])
def test_a_rating_lies_within_the_bounds_of_its_bucket(rating: int) -> None:
    low, high = bounds(bucket_of(rating))
    assert low <= rating < high


def test_counting_one_by_one_is_counting_at_once() -> None:
    rng = random.Random(1)
    held = [(rng.randrange(20), rng.random() < 0.5) for _ in range(200)]
    counts: dict[str, list[int]] = {}
    for one in held:
        counts = moved(counts, [(NOBODY, one)])
    assert counts == counted(held)
    assert moved(counts, [(one, NOBODY) for one in held]) == {}


def test_a_bucket_is_found_by_how_many_stand_above() -> None:
    counters = Counters({"9": [2, 1], "10": [3, 3], "-1": [1, 0]})
    assert counters.total == Tally(6, 4)
    assert [counters.at(offset) for offset in range(7)] == [
        (10, 0), (10, 0), (10, 0), (9, 3), (9, 3), (-1, 5), None,
    ]  # fmt: skip
    assert counters.above(10) == Tally()
    assert counters.above(9) == Tally(3, 3)
    assert counters.above(-5) == Tally(6, 4)


def truth() -> dict[str, list[int]]:
    """Count the members of the ladder, one by one, from what they are."""
    counts: dict[str, list[int]] = {}
    for row in Standing.objects.filter(left_at__isnull=True):
        pair = counts.setdefault(str(row.rating // 5_000), [0, 0])
        pair[0] += 1
        pair[1] += row.is_active
    return counts


class Story:
    """Random things happen to a ladder, one a day or so."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.now = timezone.now() - 400 * DAY
        self.players = make_players(9)
        self.rated: list[Match] = []

    def step(self) -> None:
        self.now += self.rng.choice((DAY / 24, DAY, 20 * DAY))
        self.rng.choice((self.join, self.leave, self.play, self.play, self.annul, self.rest))()

    def change(self, service: Callable[..., Any]) -> None:
        user = self.rng.choice(self.players)
        try:
            service(title=TITLE, ruleset_slug=RULESET, user=user, now=self.now)
        except LadderRefusal:
            return

    def join(self) -> None:
        self.change(ladder_join)

    def leave(self) -> None:
        self.change(ladder_leave)

    def play(self) -> None:
        pairs = [
            (*self.rng.sample(self.players, 2), self.rng.choice((0, 1, None))) for _ in range(3)
        ]
        matches = finished_matches(pairs)
        # Some are rated long after they ended.
        ended = self.now - self.rng.choice((DAY * 0, 60 * DAY))
        Match.objects.filter(pk__in=[match.pk for match in matches]).update(finished_at=ended)
        # Who plays a rated match is on the ladder.
        for user in {player for pair in pairs for player in pair[:2]}:
            ladder_join(title=TITLE, ruleset_slug=RULESET, user=user, now=self.now)
        ratings_sweep(now=self.now)
        self.rated += matches

    def annul(self) -> None:
        if self.rated:
            match = self.rated.pop(self.rng.randrange(len(self.rated)))
            match_annul(match_id=match.pk, now=self.now)
            match_correct(match_id=match.pk, now=self.now)

    def rest(self) -> None:
        standings_rest(now=self.now)
        idle = Standing.objects.filter(is_active=True, active_at__lte=self.now - 45 * DAY)
        assert not idle.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(4))
def test_counters_are_a_full_count_after_whatever_happened(seed: int) -> None:
    story = Story(seed)
    story.play()
    for _ in range(40):
        story.step()
        assert the_ladder().counts == truth()
        assert not counters_differ(the_ladder())


@pytest.fixture
def ladder(db: None) -> Ladder:
    """A ladder of many, some equal, some inactive, some gone."""
    rng, now = random.Random(5), timezone.now()
    made = Ladder.objects.create(title=TITLE, ruleset_slug=RULESET)
    Standing.objects.bulk_create(
        Standing(
            ladder=made,
            user=user,
            rating=1_500_000 + rng.randrange(-12, 12) * 1_000,
            peak=1_600_000,
            joined_at=now,
            active_at=now - rng.choice((1, 1, 60)) * DAY,
            left_at=now if rng.random() < 0.1 else None,
        )
        for user in User.objects.bulk_create(
            User(name=f"M{n}", name_key=f"m{n}") for n in range(5 * PAGE_SIZE)
        )
    )
    counters_restore(made, now=now)
    return the_ladder()


def test_pages_and_numbers_are_those_of_a_full_count(ladder: Ladder) -> None:
    rows = list(Standing.objects.filter(left_at=None).order_by("-rating", "pk"))
    active = [row.rating for row in rows if row.is_active]
    shown = []
    for number in range(1, standings_page(ladder, page=1, user=None).n_pages + 1):
        shown += standings_page(ladder, page=number, user=None).places
    assert [place.standing for place in shown] == rows
    for place in shown:
        better = sum(rating > place.standing.rating for rating in active)
        assert place.number == (better + 1 if place.standing.is_active else None)


def test_ones_own_page_is_where_one_stands(ladder: Ladder) -> None:
    for row in Standing.objects.filter(left_at=None)[::17]:
        seen = standings_page(ladder, page=1, user=row.user)
        assert seen.own is not None
        assert seen.own_page is not None
        there = standings_page(ladder, page=seen.own_page, user=row.user)
        assert [place for place in there.places if place.standing == row] == [seen.own]


def test_the_fill_counts_as_the_services_do(ladder: Ladder) -> None:
    counts = ladder.counts
    Ladder.objects.update(counts={})
    Standing.objects.update(counted=None, is_active=False)
    import_module("ladder.migrations.0004_count_members").count(apps, None)
    assert the_ladder().counts == counts == truth()
    assert not counters_differ(the_ladder())


def test_miscounting_is_told_and_set_right(db: None) -> None:
    finished_matches([(*make_players(2), 0)])
    ratings_sweep(now=timezone.now())
    good = the_ladder().counts
    tasks.rebuild_check()
    Ladder.objects.update(counts={"300": [7, 7]})
    told, code = rebuilt()
    assert (code, "the counters do not add up" in told) == (1, True)
    with pytest.raises(tasks.RatingsDiffer):
        tasks.rebuild_check()
    assert rebuilt(write=True)[1] == 0
    assert the_ladder().counts == good
    assert rebuilt()[1] == 0


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_counters_survive_all_writers_at_once() -> None:
    """Members join, leave, are rated, corrected and put to rest in the same moments."""
    assert connection.vendor == "postgresql"
    rng = random.Random(11)
    players, restless = make_players(6), make_players(6, "Restless")
    matches = finished_matches((*rng.sample(players, 2), rng.choice((0, 1))) for _ in range(60))
    start, done = timezone.now(), threading.Event()

    def come_and_go(share: list[User]) -> None:
        for _ in range(8):
            for user in share:
                for service in (ladder_join, ladder_leave):
                    service(title=TITLE, ruleset_slug=RULESET, user=user, now=timezone.now())

    def rate() -> None:
        ratings_sweep(now=timezone.now())

    def annul() -> None:
        for match in matches[::9]:
            match_annul(match_id=match.pk, now=timezone.now())
            match_correct(match_id=match.pk, now=timezone.now())

    def rest() -> None:
        for days in range(40, 60):
            standings_rest(now=start + days * DAY)
        done.set()

    at_once(
        lambda: come_and_go(restless[:3]),
        lambda: come_and_go(restless[3:]),
        rate,
        rate,
        annul,
        rest,
    )
    assert done.is_set()
    ratings_sweep(now=timezone.now())
    assert the_ladder().counts == truth()
    assert not counters_differ(the_ladder())
