"""How ratings are spread: every active member in one bar, and where one of them stands."""

from __future__ import annotations

import random

import pytest
from django.test import Client

from ladder.counters import Counters, bucket_of, counted
from ladder.distribution import HEIGHT, WIDTH, distribution_shown
from tests.ladder.conftest import make_players
from tests.ladder.test_pages import PAGE, get, stand


def test_every_active_member_is_in_one_bar() -> None:
    rng = random.Random(4)
    ratings = [int(rng.gauss(1_500_000, 200_000)) for _ in range(1_000)]
    held = [(bucket_of(rating), number % 3 > 0) for number, rating in enumerate(ratings)]
    active = [rating for number, rating in enumerate(ratings) if number % 3 > 0]
    for own in (ratings[0], 700_000, 2_600_000, -3_000):
        lower = sum(each < own for each in active)
        near = sum(each < own and bucket_of(each) == bucket_of(own) for each in active)
        spread = distribution_shown(Counters(counted(held)), own, near)
        assert spread is not None
        assert sum(bar.n for bar in spread.bars) == spread.n_active == len(active)
        for bar in spread.bars:
            assert bar.n == sum(bar.low * 1000 <= each < (bar.high + 1) * 1000 for each in active)
            assert 0 <= bar.x <= bar.x + bar.width <= WIDTH
            assert 0 < bar.y <= bar.y + bar.height <= HEIGHT
        here = [bar for bar in spread.bars if bar.is_here]
        assert [bar.low * 1000 <= own < (bar.high + 1) * 1000 for bar in here] == [True]
        assert abs(spread.percent_below - lower * 100 / len(active)) <= 0.5


@pytest.mark.parametrize(
    ("n_below", "n_above", "percent"),
    [(7, 4, 64), (3, 4, 43), (0, 9, 0), (1, 999, 1), (999, 1, 99)],
)
def test_the_share_below_is_rounded_and_is_100_only_if_it_is_all(
    n_below: int, n_above: int, percent: int
) -> None:
    held = [(bucket_of(1_400_000), True)] * n_below + [(bucket_of(1_600_000), True)] * n_above
    spread = distribution_shown(Counters(counted(held)), 1_600_000, 0)
    assert spread is not None
    assert spread.percent_below == percent


def test_few_members_tell_nothing() -> None:
    assert distribution_shown(Counters({"300": [9, 4]}), 1_500_000, 0) is None
    assert distribution_shown(Counters({}), 1_500_000, 0) is None


@pytest.mark.django_db
def test_a_players_page_shows_it(client: Client) -> None:
    for player, rating in zip(make_players(5), (1300, 1400, 1500, 1500, 1650), strict=True):
        stand(player, rating)
    page = get(client, f"{PAGE}players/Player3/")
    assert "Of 5 active players on this ladder, 40 % have a lower rating." in page
    assert "1500–1549 <span" in page


@pytest.mark.django_db
def test_who_is_a_point_below_is_below(client: Client) -> None:
    """Of nine, the one right below shares a counter with Player2: 1464 against 1460."""
    ratings = (1460, 1464, 1464, 1500, 1501, 1600, 1600, 1700, 1800)
    for player, rating in zip(make_players(9), ratings, strict=True):
        stand(player, rating)
    page = get(client, f"{PAGE}players/Player2/")
    assert "Of 9 active players on this ladder, 11 % have a lower rating." in page
    assert "active players on this ladder, 0 %" in get(client, f"{PAGE}players/Player1/")
