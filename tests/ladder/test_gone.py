"""Members who were shut out: they lose their numbers at once, and get them back when let in."""

from __future__ import annotations

import threading
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.services import user_admission_set
from ladder.memberships import member_gone, standings_rest
from ladder.models import Standing
from ladder.rebuild import counters_differ
from ladder.services import ratings_sweep
from ladder.standings import standings_page
from tests.ladder.conftest import (
    RULESET,
    TITLE,
    finished_matches,
    make_players,
    rated_match,
    resign,
    the_ladder,
)
from tests.ladder.test_pairings import wish
from tests.ladder.test_races import at_once

PAGE = f"/ladders/{TITLE}/{RULESET}/"


def ladder_of_three() -> list[User]:
    """Rate matches so that the three stand in their order."""
    players = make_players(3)
    one, two, three = players
    finished_matches([(one, three, 0), (one, two, 0), (two, three, 0)])
    ratings_sweep(now=timezone.now())
    return players


def numbers() -> dict[str, int | None]:
    page = standings_page(the_ladder(), page=1, user=None)
    return {place.standing.user.name: place.number for place in page.places}


@pytest.mark.django_db
def test_who_is_shut_out_leaves_the_numbered_places(
    django_capture_on_commit_callbacks: Any,
) -> None:
    best = ladder_of_three()[0]
    wish(best, 2)
    assert numbers() == {"Player1": 1, "Player2": 2, "Player3": 3}
    with django_capture_on_commit_callbacks(execute=True):
        user_admission_set(user=best, is_active=False)
    assert numbers() == {"Player1": None, "Player2": 1, "Player3": 2}
    standing = Standing.objects.get(user=best)
    assert (standing.n_wanted, standing.left_at) == (0, None)
    assert standing.rating > 1_500_000
    assert not counters_differ(the_ladder())
    said = " ".join(unescape(Client().get(PAGE).content.decode()).split())
    assert "account closed" in said
    assert "2 players hold a place here." in said
    member_gone(user_id=best.pk, now=timezone.now())
    assert numbers() == {"Player1": None, "Player2": 1, "Player3": 2}


@pytest.mark.django_db
def test_the_line_of_who_is_shut_out_leads_nowhere() -> None:
    best = ladder_of_three()[0]
    address = f"{PAGE}players/{best.name}/"
    assert address in Client().get(PAGE).text
    User.objects.filter(pk=best.pk).update(is_active=False)
    page = Client().get(PAGE).text
    assert best.name in page
    assert f"/players/{best.name}/" not in page
    assert f"{PAGE}players/Player2/" in page


@pytest.mark.django_db
def test_the_sweep_finds_whom_the_message_missed_and_who_was_let_in_again() -> None:
    best = ladder_of_three()[0]
    now = timezone.now()
    User.objects.filter(pk=best.pk).update(is_active=False)
    assert standings_rest(now=now) == 1
    assert numbers()["Player1"] is None
    assert standings_rest(now=now) == 0
    User.objects.filter(pk=best.pk).update(is_active=True)
    assert standings_rest(now=now) == 1
    assert numbers()["Player1"] == 1
    User.objects.filter(pk=best.pk).update(is_active=False)
    later = now + timedelta(days=60)
    standings_rest(now=later)
    User.objects.filter(pk=best.pk).update(is_active=True)
    assert standings_rest(now=later) == 0
    assert set(numbers().values()) == {None}
    assert not counters_differ(the_ladder())


@pytest.mark.django_db
def test_a_match_that_was_running_is_rated_and_brings_no_number_back() -> None:
    one, two = make_players(2)
    match = rated_match(one, two)
    one.is_active = False
    one.save(update_fields=["is_active"])
    member_gone(user_id=one.pk, now=timezone.now())
    resign(match, two)
    ratings_sweep(now=timezone.now())
    assert numbers() == {"Player1": None, "Player2": 1}
    assert Standing.objects.get(user=one).rating > 1_500_000


@pytest.mark.django_db
def test_who_is_on_no_ladder_is_no_trouble() -> None:
    (user,) = make_players(1)
    member_gone(user_id=user.pk, now=timezone.now())


@pytest.mark.django_db
def test_visitors_see_how_many_wait_and_when_the_next_pairing_is() -> None:
    one, two, _three = ladder_of_three()

    def said() -> str:
        return " ".join(unescape(Client().get(PAGE).content.decode()).split())

    assert "Nobody waits to be paired right now. The next pairing is made within 15" in said()
    wish(one)
    assert "1 member waits to be paired." in said()
    wish(two)
    assert "2 members wait to be paired. The next pairing is made within 15 minutes." in said()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_shutting_out_while_matches_are_rated_leaves_the_counters_right() -> None:
    assert connection.vendor == "postgresql"
    players = make_players(6)
    finished_matches((players[n % 6], players[(n + 1) % 6], n % 2) for n in range(60))
    ratings_sweep(now=timezone.now())
    finished_matches((players[n % 6], players[(n + 2) % 6], n % 2) for n in range(60))
    gone = players[::2]
    both = threading.Barrier(2)

    def shut_out() -> None:
        both.wait()
        for user in gone:
            user_admission_set(user=user, is_active=False)

    def rate() -> None:
        both.wait()
        ratings_sweep(now=timezone.now())

    at_once(shut_out, rate)
    ratings_sweep(now=timezone.now())
    assert [numbers()[user.name] for user in gone] == [None] * 3
    assert sorted(numbers()[user.name] or 0 for user in players[1::2]) == [1, 2, 3]
    assert not counters_differ(the_ladder())
