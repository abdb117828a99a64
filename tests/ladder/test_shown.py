"""Where the rest of the site shows ratings, and how they are written."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.endings import ENDINGS
from ladder.presenters import change_text, rating_text
from ladder.services import match_rate, ratings_sweep
from tests.games.conftest import Cast, make_match
from tests.ladder.conftest import (
    beat,
    rated_match,
    resign,
)
from tests.ladder.test_pages import PAGE, get

pytestmark = pytest.mark.django_db


def test_a_profile_shows_the_ratings(cast: Cast, client: Client) -> None:
    assert "Ratings" not in get(client, "/players/Owner/")
    match_rate(match_id=beat(cast.owner, cast.opponent).pk, now=timezone.now())
    page = get(client, "/players/Owner/")
    assert "Ratings" in page
    assert "1520" in page
    assert PAGE in page


def test_a_match_page_shows_what_changed(cast: Cast, client: Client) -> None:
    match = rated_match(cast.owner, cast.opponent)
    address = match.get_absolute_url()
    assert "will change the ratings" in get(client, address)
    resign(match, cast.opponent)
    assert "being worked out" in get(client, address)
    match_rate(match_id=match.pk, now=timezone.now())
    page = get(client, address)
    assert "1500 → <strong>1520</strong> (+20.0)" in page
    assert "1500 → <strong>1480</strong> (−20.0)" in page


def test_the_board_of_a_match_that_is_over_shows_what_changed(cast: Cast, client: Client) -> None:
    match = beat(cast.owner, cast.opponent)
    board = match.games.get().get_absolute_url()
    assert "The new ratings are being worked out." in get(client, board)
    ratings_sweep(now=timezone.now())
    told = " ".join(unescape(re.sub(r"<[^>]+>", " ", get(client, board))).split())
    assert "Owner 1500 → 1520 (+20.0) · Opponent 1500 → 1480 (−20.0)" in told


def test_open_boards_hear_of_the_new_ratings(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    match = beat(cast.owner, cast.opponent)
    told: list[int] = []
    monkeypatch.setattr("games.publish.finished_changed", lambda game: told.append(game.pk))
    ratings_sweep(now=timezone.now())
    assert told == [match.games.get().pk]


def test_a_casual_match_page_says_nothing_of_ratings(cast: Cast, client: Client) -> None:
    match = make_match(cast.owner, cast.opponent)
    assert PAGE not in get(client, match.get_absolute_url())


def test_fault_94_the_help_page_shows_the_one_table(client: Client) -> None:
    page = unescape(get(client, "/ladders/rules/"))
    for meaning in ENDINGS.values():
        assert str(meaning.score) in page
        assert str(meaning.record) in page
    assert "Computer players play casual matches only." in page


@pytest.mark.parametrize(
    ("rating", "text"),
    [(1500_000, "1500"), (1499_500, "1500"), (1499_499, "1499"), (999_999, "1000"), (-1, "0")],
)
def test_ratings_are_shown_in_whole_points(rating: int, text: str) -> None:
    assert rating_text(rating) == text


@pytest.mark.parametrize(
    ("change", "text"), [(20_000, "+20.0"), (-1_818, "−1.8"), (0, "±0.0"), (6, "+0.0")]
)
def test_changes_are_shown_in_tenths(change: int, text: str) -> None:
    assert change_text(change) == text


@pytest.mark.parametrize(
    "path", ["/ladders/rules/", "/rules/schotten-totten/", "/rules/three-bridges/"]
)
def test_what_a_passed_deadline_means_is_told_alike_everywhere(
    client: Client, db: None, path: str
) -> None:
    page = client.get(path, follow=True).content.decode()
    assert "If you let a deadline pass, you lose the match, whatever the points." in page
    assert "the match is aborted and counts for nobody." in page
