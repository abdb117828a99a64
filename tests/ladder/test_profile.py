"""What a profile tells of ratings: the curve, the same in words, and the best win."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.services.matches import match_annul
from ladder.models import LedgerEntry
from ladder.selectors import curves_of, standings_of
from ladder.services import ratings_sweep
from tests.ladder.conftest import finished_matches, make_players

pytestmark = pytest.mark.django_db

PROFILE = "/players/Player1/"


def said(client: Client) -> str:
    return " ".join(unescape(client.get(PROFILE).content.decode()).split())


def rated(*results: tuple[User, User, int | None]) -> list[Any]:
    made = []
    for result in results:
        made += finished_matches([result])
        ratings_sweep(now=timezone.now())
    return made


def test_the_curve_and_the_same_in_words(client: Client) -> None:
    one, two = make_players(2)
    rated((one, two, 0))
    assert "<svg" not in said(client).split('id="ratings"')[1].split("</section>")[0]
    rated((one, two, 0), (two, one, 0))
    ratings = curves_of(standings_of(one))
    ledger = LedgerEntry.objects.filter(user=one).order_by("order_key")
    assert list(ratings.values()) == [[1_500_000, *ledger.values_list("rating_after", flat=True)]]
    (curve,) = ratings.values()
    low = 1500
    page = said(client)
    assert '<svg viewBox="0 0 640 200" role="img" aria-label="The rating in' in page
    assert f"the latest 3 changes: from {low} to" in page
    assert f"between {low} and {(max(curve) + 500) // 1000}" in page
    assert 'href="/ladders/schotten-totten/after-play/players/Player1/"' in page


def test_the_best_win_is_over_the_highest_rated_opponent(client: Client) -> None:
    one, two, three = make_players(3)
    first, second, third = rated((two, three, 0), (one, three, 0), (two, one, 1))
    page = said(client)
    assert (
        f'Best win: <a href="/matches/{third.pk}/">against <bdi>Player2</bdi> (1520 then)</a>'
        in page
    )
    match_annul(match_id=third.pk, now=timezone.now())
    assert f'Best win: <a href="/matches/{second.pk}/">against <bdi>Player3</bdi>' in said(client)
    second.is_private = True
    second.save(update_fields=["is_private"])
    assert "Best win" not in said(client)
    assert "Best win" not in " ".join(client.get("/players/Player3/").text.split())
    assert first.pk


def test_the_queries_do_not_grow(
    client: Client, django_assert_num_queries: Callable[[int], Any]
) -> None:
    one, two, three = make_players(3)
    for count in (1, 20):
        matches = finished_matches((one, (two, three)[n % 2], n % 2) for n in range(count))
        assert matches
        ratings_sweep(now=timezone.now() + timedelta(minutes=count))
        with django_assert_num_queries(21):  # curves, the best win, reliability
            client.get(PROFILE)
