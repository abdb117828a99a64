"""Seasons: what is frozen, that it is frozen once and the same however late, and their pages."""

from __future__ import annotations

import random
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import User
from games.models import Match
from games.services.matches import match_annul
from ladder import elo, tasks
from ladder.models import Ladder, LedgerEntry, Season, SeasonPlace
from ladder.quarters import Quarter, quarter_named, quarter_of
from ladder.season_presenters import ordinal_text, quarter_text
from ladder.seasons import PAGE_SIZE, season_freeze, seasons_freeze
from ladder.services import match_correct, ratings_sweep
from tests.games.conftest import Cast, client_of
from tests.ladder.conftest import (
    RULESET,
    TITLE,
    finished_matches,
    make_players,
    rated_match,
    rating,
    resign,
)

pytestmark = pytest.mark.django_db

PAGE = f"/ladders/{TITLE}/{RULESET}/seasons/"
SPRING, SUMMER = Quarter(2026, 1), Quarter(2026, 2)
DAY = timedelta(days=1)
MAY = datetime(2026, 5, 10, tzinfo=UTC)
END = SPRING.ends_at


def played(winner: User, loser: User, at: datetime) -> Match:
    """Give a rated match that began, ended and was rated at a moment."""
    match = resign(rated_match(winner, loser, at=at), loser, at)
    ratings_sweep(now=at)
    return match


def lines(season: Season) -> list[tuple[int, str, int, int]]:
    places = SeasonPlace.objects.filter(season=season).select_related("user").order_by("position")
    return [(row.number, row.user.name, row.rating, row.n_matches) for row in places]


def freeze(now: datetime) -> list[Season]:
    return seasons_freeze(now=now)


@given(st.integers(0, 899 * 366 * 24 * 60))
def test_every_moment_is_in_its_quarter(minutes: int) -> None:
    moment = datetime(2001, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
    quarter = quarter_of(moment)
    assert quarter.starts_at <= moment < quarter.ends_at == quarter.next.starts_at
    assert quarter_named(quarter.slug) == quarter
    assert quarter < quarter.next


@pytest.mark.parametrize("slug", ["", "2026", "2026-", "26-autumn", "2026-Autumn", "٢٠٢٦-autumn"])
def test_what_is_no_quarter(slug: str) -> None:
    assert quarter_named(slug) is None


@pytest.mark.parametrize(
    ("number", "text"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (13, "13th")],
)
def test_ordinals(number: int, text: str) -> None:
    assert ordinal_text(number) == text
    assert ordinal_text(number + 100)[-2:] == text[-2:]


def test_a_season_is_frozen_with_all_who_played_in_it(cast: Cast) -> None:
    played(cast.stranger, cast.owner, datetime(2026, 2, 1, tzinfo=UTC))
    for number in range(2):
        played(cast.owner, cast.opponent, MAY + number * DAY)
    winter, spring = freeze(END + DAY)
    assert (winter.quarter.slug, spring.quarter) == ("2026-winter", SPRING)
    assert [row[1] for row in lines(winter)] == ["Stranger", "Owner"]
    found = lines(spring)
    assert [row[:2] for row in found] == [(1, "Owner"), (2, "Opponent")]
    assert [row[3] for row in found] == [2, 2]
    assert found[0][2] == rating(cast.owner)
    assert spring.n_places == 2


def test_equal_ratings_share_a_place(cast: Cast) -> None:
    four = make_players(4)
    played(four[0], four[1], MAY)
    played(four[2], four[3], MAY)
    (season,) = freeze(END + DAY)
    assert [row[0] for row in lines(season)] == [1, 1, 3, 3]


def random_season() -> None:
    """Freeze fifty matches of few players, many of whom end on equal ratings, and compute it."""
    rng = random.Random(5)
    players = make_players(14)
    matches = finished_matches(
        (*rng.sample(players[: 4 + number // 5], 2), rng.choice((0, 1, None)))
        for number in range(50)
    )
    for number, match in enumerate(matches):
        at = MAY - timedelta(days=50) + number * DAY
        Match.objects.filter(pk=match.pk).update(started_at=at, finished_at=at)
    ratings_sweep(now=MAY)
    winter, spring = freeze(END + DAY)
    for season in (winter, spring):
        starts_at, ends_at = season.quarter.starts_at, season.quarter.ends_at
        totals: dict[int, int] = {}
        inside: Counter[int] = Counter()
        ever: Counter[int] = Counter()
        for entry in LedgerEntry.objects.filter(match__finished_at__lt=ends_at).order_by("pk"):
            totals[entry.user_id] = totals.get(entry.user_id, elo.START) + entry.change
            inside[entry.user_id] += entry.match.finished_at >= starts_at
            ever[entry.user_id] += 1
        ranked = sorted((-totals[pk], pk) for pk in totals if inside[pk])
        expected = [
            (
                position,
                1 + sum(other < below for other, _pk in ranked),
                pk,
                -below,
                inside[pk],
                ever[pk] < elo.PROVISIONAL_MATCHES,
            )
            for position, (below, pk) in enumerate(ranked, start=1)
        ]
        found = SeasonPlace.objects.filter(season=season).order_by("position")
        names = ("position", "number", "user", "rating", "n_matches", "is_provisional")
        assert list(found.values_list(*names)) == expected
        assert season.n_places == len(expected) > 0


def test_every_line_is_what_a_plain_count_makes_it() -> None:
    random_season()


@pytest.mark.postgres
def test_every_line_is_the_same_on_postgresql() -> None:
    random_season()


def test_twice_is_as_good_as_once(cast: Cast) -> None:
    played(cast.owner, cast.opponent, MAY)
    assert len(freeze(END + DAY)) == 1
    before = lines(Season.objects.get())
    assert freeze(END + DAY) == []
    assert season_freeze(ladder=Ladder.objects.get(), quarter=SPRING, now=END + DAY) is None
    assert lines(Season.objects.get()) == before


def test_a_season_is_not_frozen_before_it_is_surely_over(cast: Cast) -> None:
    played(cast.owner, cast.opponent, MAY)
    assert freeze(END - DAY) == []
    assert freeze(END + timedelta(minutes=59)) == []
    assert len(freeze(END + timedelta(minutes=60))) == 1


def test_a_late_run_gives_the_same(cast: Cast) -> None:
    """Months later, after more matches, an annulment and a player who left."""
    played(cast.owner, cast.opponent, MAY)
    taken = played(cast.opponent, cast.stranger, MAY + DAY)
    ladder = Ladder.objects.get()
    season = season_freeze(ladder=ladder, quarter=SPRING, now=END + DAY)
    assert season is not None
    on_time = lines(season)
    season.delete()
    for number in range(3):
        played(cast.stranger, cast.owner, END + (number + 2) * DAY)
    match_annul(match_id=taken.pk, now=END + 9 * DAY)
    assert match_correct(match_id=taken.pk, now=END + 9 * DAY)
    late = season_freeze(ladder=ladder, quarter=SPRING, now=END + 80 * DAY)
    assert late is not None
    assert lines(late) == on_time


def test_a_match_annulled_in_time_does_not_count(cast: Cast) -> None:
    taken = played(cast.opponent, cast.stranger, MAY)
    played(cast.owner, cast.opponent, MAY + DAY)
    match_annul(match_id=taken.pk, now=MAY + 2 * DAY)
    assert match_correct(match_id=taken.pk, now=MAY + 2 * DAY)
    (season,) = freeze(END + DAY)
    assert lines(season) == [(1, "Owner", 1520_000, 1), (2, "Opponent", 1480_000, 1)]


def test_a_match_counts_in_the_season_in_which_it_ends(cast: Cast) -> None:
    """One that began before the end and ended after it, and one that was rated after it."""
    played(cast.owner, cast.stranger, MAY)
    running = rated_match(cast.owner, cast.opponent, at=END - DAY)
    ended = resign(rated_match(cast.owner, cast.stranger, at=END - DAY), cast.stranger, END - DAY)
    resign(running, cast.opponent, END + DAY)
    Match.objects.filter(pk=running.pk).update(is_rated=False)
    assert freeze(END + 2 * DAY) == []  # One that ended in it is not rated yet.
    ratings_sweep(now=END + 2 * DAY)
    Match.objects.filter(pk=running.pk).update(is_rated=True)
    ratings_sweep(now=END + 2 * DAY)
    (spring,) = freeze(END + 2 * DAY)
    assert {row[1]: row[3] for row in lines(spring)} == {"Owner": 2, "Stranger": 2}
    (summer,) = freeze(SUMMER.ends_at + DAY)
    assert {row[1]: row[3] for row in lines(summer)} == {"Owner": 1, "Opponent": 1}
    assert ended.finished_at < END


def test_a_passed_deadline_that_nobody_has_written_is_waited_for(cast: Cast) -> None:
    played(cast.owner, cast.opponent, MAY)
    rated_match(cast.owner, cast.stranger, at=END - 5 * DAY)
    assert freeze(END + DAY) == []


def test_a_quarter_without_matches_is_passed_over(cast: Cast, client: Client) -> None:
    played(cast.owner, cast.opponent, MAY)
    played(cast.owner, cast.opponent, datetime(2026, 11, 1, tzinfo=UTC))
    freeze(datetime(2027, 1, 2, tzinfo=UTC))
    assert [row.n_places for row in Season.objects.order_by("pk")] == [2, 0, 2]
    page = client.get(PAGE).content.decode()
    assert "Autumn 2026" in page
    assert "Summer 2026" not in page


# Pages


def test_the_pages(cast: Cast, client: Client) -> None:
    assert "No season is over yet." in client.get(PAGE).content.decode()
    played(cast.owner, cast.opponent, MAY)
    tasks.seasons_freeze()
    page = client.get(PAGE).content.decode()
    assert f'href="{PAGE}2026-spring/"' in page
    assert "Spring 2026" in page
    page = client_of(cast.opponent).get(f"{PAGE}2026-spring/").content.decode()
    assert "<h1>Spring 2026</h1>" in page
    assert "You were number <strong>2</strong>, with a rating of <strong>1480</strong>." in page
    for unknown in ("2026-autumnal", "2020-spring", "9999-winter"):
        assert client.get(f"{PAGE}{unknown}/").status_code == 404
    assert client.get("/ladders/chess/blitz/seasons/").status_code == 404


def test_places_stand_on_profiles(cast: Cast, client: Client) -> None:
    played(cast.owner, cast.opponent, MAY)
    freeze(END + DAY)
    page = client.get(cast.opponent.get_absolute_url()).content.decode()
    assert "2nd, spring 2026" in page
    assert f"{PAGE}2026-spring/" in page
    assert "spring" not in client.get(cast.stranger.get_absolute_url()).content.decode()


def fill(n: int) -> Season:
    """Write a ledger of many players straight into the table, each with one match."""
    players = User.objects.bulk_create(
        User(name=f"Member{number}", name_key=f"member{number}", password="!")
        for number in range(n)
    )
    ladder = Ladder.objects.create(title=TITLE, ruleset_slug=RULESET, last_order_key=n)
    matches = Match.objects.bulk_create(
        Match(
            title=TITLE, ruleset_slug=RULESET, n_rounds=1, pace_slug="per-turn-3", is_rated=True,
            secrets=["00" * 32], nonces=["00" * 16] * 2, starter="lot", player_0=one, player_1=two,
            winner=0, status=Match.Status.FINISHED, ending=Match.Ending.POINTS,
            started_at=MAY, finished_at=MAY,
        )
        for one, two in zip(players[::2], players[1::2], strict=True)
    )  # fmt: skip
    LedgerEntry.objects.bulk_create(
        LedgerEntry(
            ladder=ladder, order_key=key, match=match, user_id=user_id, seat=seat,
            score=2 - 2 * seat, n_before=0, peak_before=1500_000, k=40,
            opponent_rating=1500_000, expected_ppm=500_000,
            rating_before=1500_000, change=key * (1 - 2 * seat),
            rating_after=1500_000 + key * (1 - 2 * seat), created_at=MAY,
        )
        for key, match in enumerate(matches, start=1)
        for seat, user_id in enumerate((match.player_0_id, match.player_1_id))
    )  # fmt: skip
    season = season_freeze(ladder=ladder, quarter=SPRING, now=END + DAY)
    assert season is not None
    return season


def test_a_large_season_is_written_in_few_queries(
    client: Client, django_assert_max_num_queries: Any, django_assert_num_queries: Any
) -> None:
    season = fill(4_100)
    assert season.n_places == 4_100
    season.delete()
    with django_assert_max_num_queries(50):
        again = season_freeze(ladder=season.ladder, quarter=SPRING, now=END + DAY)
    assert again is not None
    last = -(-4_100 // PAGE_SIZE)
    with django_assert_num_queries(2):
        page = client.get(f"{PAGE}2026-spring/?page={last}").content.decode()
    assert f"Page {last} of {last}" in page
    assert "4,100" in page


def test_names_of_seasons() -> None:
    assert [quarter_text(Quarter(2026, number)) for number in range(4)] == [
        "winter 2026",
        "spring 2026",
        "summer 2026",
        "autumn 2026",
    ]
