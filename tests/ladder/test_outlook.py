"""What the ladder's page says about the next pairing, and why nobody was found."""

from __future__ import annotations

from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from games.models import Heartbeat
from ladder import pairings
from ladder.memberships import ladder_pause
from ladder.services import ratings_sweep
from tests.games.conftest import Cast, client_of
from tests.ladder.conftest import RULESET, TITLE, beat, make_players
from tests.ladder.test_pairings import wish

pytestmark = pytest.mark.django_db

PAGE = f"/ladders/{TITLE}/{RULESET}/"


def said(user: User) -> str:
    text = unescape(client_of(user).get(PAGE).content.decode())
    return " ".join(text.split())


def swept(minutes_ago: int) -> None:
    at = timezone.now() - timedelta(minutes=minutes_ago)
    Heartbeat.objects.update_or_create(job=pairings.SWEEP_JOB, defaults={"succeeded_at": at})


def test_within_how_many_minutes(cast: Cast) -> None:
    wish(cast.owner)
    wish(cast.opponent)
    for minutes_ago, words in ((11, "4 minutes"), (40, "1 minute"), (-3, "15 minutes")):
        swept(minutes_ago)
        page = said(cast.owner)
        assert f"You will be paired within {words}." in page
        assert "1 other player waits." in page


def test_before_the_first_pairing_it_is_a_quarter_of_an_hour(cast: Cast) -> None:
    wish(cast.owner)
    wish(cast.opponent)
    assert "You will be paired within 15 minutes." in said(cast.owner)


def test_alone(cast: Cast) -> None:
    wish(cast.owner)
    assert "Nobody else waits." in said(cast.owner)
    assert "other player waits" not in said(cast.owner)


def test_no_pace_in_common(cast: Cast) -> None:
    wish(cast.owner, paces="1")
    for player in make_players(3):
        wish(player, paces="7")
    page = said(cast.owner)
    assert "Nobody who waits accepts a pace of yours." in page
    assert "3 other players wait." in page


def test_met_lately(cast: Cast) -> None:
    now = timezone.now()
    beat(cast.owner, cast.opponent, now - timedelta(hours=2))
    ratings_sweep(now=now)
    wish(cast.owner, at=now - timedelta(days=1))
    wish(cast.opponent, at=now - timedelta(days=1))
    free = now + timedelta(hours=22)
    page = said(cast.owner)
    assert "You have met everybody who waits lately." in page
    assert free.strftime("%-I" if "a.m." in page or "p.m." in page else "%H") in page


def test_playing_all_who_wait(cast: Cast) -> None:
    wish(cast.owner, 3)
    wish(cast.opponent, 3)
    pairings.pairing_sweep(now=timezone.now())
    assert "You are already playing everybody who waits." in said(cast.owner)


def test_enough_and_next_time(cast: Cast) -> None:
    for user in (cast.owner, cast.opponent):
        wish(user)
    pairings.pairing_sweep(now=timezone.now())
    assert "You have all the ladder matches you want." in said(cast.owner)
    for user in (cast.stranger, *make_players(2)):
        wish(user)
    pages = [said(user) for user in (cast.stranger, *User.objects.filter(name__startswith="Play"))]
    assert sum("You will be paired within" in page for page in pages) == 2
    assert sum("You are paired when one more comes." in page for page in pages) == 1


def test_nothing_is_said_to_who_does_not_wait(cast: Cast) -> None:
    wish(cast.opponent)
    wish(cast.owner, 0)
    assert "waits" not in said(cast.owner)
    assert "paired within" not in said(cast.stranger)
    wish(cast.owner)
    ladder_pause(
        title=TITLE, ruleset_slug=RULESET, user=cast.owner, is_paused=True, now=timezone.now()
    )
    assert "paired within" not in said(cast.owner)


def test_the_queries_do_not_grow_with_those_who_wait(
    cast: Cast, django_assert_num_queries: Any
) -> None:
    client = client_of(cast.owner)
    wish(cast.owner)
    client.get(PAGE)
    with django_assert_num_queries(15):
        client.get(PAGE)
    for player in make_players(12):
        wish(player)
    pairings.pairing_sweep(now=timezone.now())
    wish(cast.owner, 2)
    with django_assert_num_queries(15):
        client.get(PAGE)
