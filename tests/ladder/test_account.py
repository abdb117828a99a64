"""A player's ledger on a ladder: each change, how it came about, and the curve."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.services.matches import match_annul
from ladder.curve import GUTTER, HEIGHT, WIDTH, curve_shown
from ladder.selectors import PAGE_SIZE
from ladder.services import match_correct, ratings_sweep
from tests.games.conftest import client_of
from tests.ladder.conftest import (
    RULESET,
    TITLE,
    beat,
    finished_matches,
    make_players,
    rated_match,
    resign,
)

pytestmark = pytest.mark.django_db

PAGE = f"/ladders/{TITLE}/{RULESET}/players/{{}}/"


def text_of(client: Client, address: str, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


@pytest.fixture
def players() -> list[User]:
    return make_players(3)


def test_each_change_is_told_with_its_working(client: Client, players: list[User]) -> None:
    one, two, three = players
    beat(one, two)
    ratings_sweep(now=timezone.now())
    beat(three, one)
    ratings_sweep(now=timezone.now())
    told = text_of(client, PAGE.format(one.name))
    assert "lost against Player3" in told
    assert "40 × (0 − 0.529) = −21.150" in told
    assert "won against Player2" in told
    assert "40 × (1 − 0.500) = 20.000" in told
    assert "1500 → 1520" in told
    assert told.index("lost against") < told.index("won against")


def test_a_private_match_is_told_to_others_without_its_players(
    client: Client, players: list[User]
) -> None:
    one, two, _three = players
    match = resign(rated_match(one, two, is_private=True), two)
    ratings_sweep(now=timezone.now())
    account = PAGE.format(one.name)
    link = f'href="{match.get_absolute_url()}"'
    assert "won in a private match" in text_of(client, account)
    assert link not in client.get(account).text
    assert link in client_of(two).get(account).text
    assert "Player2" not in text_of(client, account)
    assert "won against Player2" in text_of(client_of(two), account)
    match_annul(match_id=match.pk, now=timezone.now())
    match_correct(match_id=match.pk, now=timezone.now())
    assert "A private match was annulled" in text_of(client, account)
    assert "Player2" not in text_of(client, account)
    assert "Player1 – Player2 was annulled" in text_of(client_of(two), account)


def test_an_annulled_match_is_told_to_whom_it_moved(client: Client, players: list[User]) -> None:
    one, two, three = players
    match = beat(one, two)
    ratings_sweep(now=timezone.now())
    beat(three, one)
    ratings_sweep(now=timezone.now())
    match_annul(match_id=match.pk, now=timezone.now())
    match_correct(match_id=match.pk, now=timezone.now())
    for player in players:
        told = text_of(client, PAGE.format(player.name))
        assert "Player1 – Player2 was annulled" in told
        assert "the correction is a line of its own" in told
    assert "A moderator annulled this match" in text_of(client, match.get_absolute_url())


def test_pages_turn_by_the_key_and_ask_the_same_number_of_queries(
    client: Client, players: list[User], django_assert_num_queries: object
) -> None:
    finished_matches([(players[0], players[1], n % 2) for n in range(2 * PAGE_SIZE + 5)])
    ratings_sweep(now=timezone.now())
    address, lines = PAGE.format(players[0].name), 0
    for expected in (PAGE_SIZE, PAGE_SIZE, 5):
        with django_assert_num_queries(5):  # type: ignore[operator]
            page = client.get(address).content.decode()
        found = page.count('class="account__what"')
        assert found == expected
        lines += found
        onward = re.search(r'rel="next" href="(\?before=\d+)"', page)
        address = PAGE.format(players[0].name) + (onward[1] if onward else "")
    assert lines == 2 * PAGE_SIZE + 5
    assert onward is None


def test_other_ways_of_writing_the_name_lead_there(client: Client, players: list[User]) -> None:
    beat(players[0], players[1])
    answer = client.get(PAGE.format("PLAYER1"))
    assert answer.headers["Location"] == PAGE.format("Player1")


@pytest.mark.parametrize("tail", ["?before=x", "?before=-1", "?before=99999999999", "?before=٣"])
def test_a_strange_address_shows_the_latest(client: Client, players: list[User], tail: str) -> None:
    beat(players[0], players[1])
    ratings_sweep(now=timezone.now())
    assert "won against Player2" in text_of(client, PAGE.format("Player1") + tail)


def test_who_is_not_on_the_ladder_is_not_found(client: Client, players: list[User]) -> None:
    text_of(client, PAGE.format("Player3"), 404)
    text_of(client, PAGE.format("Nobody"), 404)
    beat(players[0], players[1])
    text_of(client, PAGE.format("Player3"), 404)
    players[0].is_active = False
    players[0].save()
    text_of(client, PAGE.format("Player1"), 404)


def test_the_profile_leads_there(client: Client, players: list[User]) -> None:
    beat(players[0], players[1], timezone.now() - timedelta(days=1))
    ratings_sweep(now=timezone.now())
    assert PAGE.format("Player1") in client.get("/players/Player1/").content.decode()


class TestCurve:
    def test_one_match_is_no_curve(self) -> None:
        assert curve_shown([]) is None
        assert curve_shown([1_500_000, 1_520_000]) is None

    @pytest.mark.parametrize(
        "ratings",
        [[1_500_000, 1_520_000, 1_510_000], [1_500_000] * 5, [0, 3_000_000, 5], [-5_000, 7_500, 1]],
    )
    def test_all_of_it_lies_within_the_drawing(self, ratings: list[int]) -> None:
        curve = curve_shown(ratings)
        assert curve is not None
        spots = [tuple(map(float, spot.split(","))) for spot in curve.points.split()]
        assert [x for x, _y in spots] == sorted(x for x, _y in spots)
        assert (spots[0][0], spots[-1][0]) == (GUTTER, WIDTH)
        assert all(0 <= y <= HEIGHT for _x, y in spots)
        assert all(0 <= line.y <= HEIGHT for line in curve.lines)
        assert 2 <= len(curve.lines) <= 7
        assert curve.lines[0].rating <= min(ratings) / 1000
        assert curve.lines[-1].rating >= max(ratings) / 1000

    def test_higher_is_higher(self) -> None:
        curve = curve_shown([1_500_000, 1_520_000, 1_480_000])
        assert curve is not None
        first, best, worst = (float(spot.split(",")[1]) for spot in curve.points.split())
        assert best < first < worst
