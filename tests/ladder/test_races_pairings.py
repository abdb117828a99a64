"""Pairings on PostgreSQL with real threads: each pair once, whatever happens at once."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from games.models import Match
from games.services.offers import offer_accept
from ladder import pairings
from ladder.memberships import Reason, ladder_leave, ladder_pause
from ladder.models import Ladder, Standing
from ladder.pairing import couple_of
from ladder.services import match_rate, ratings_sweep
from tests.games.conftest import make_offer
from tests.ladder.conftest import (
    RULESET,
    TITLE,
    assert_ledger_is_sound,
    finished_matches,
    make_players,
    resign,
)
from tests.ladder.test_pairings import wish
from tests.ladder.test_races import at_once

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _postgres() -> None:
    assert connection.vendor == "postgresql", "races prove nothing on another database"


def sweep() -> int:
    return pairings.pairing_sweep(now=timezone.now())


def running(user: User) -> int:
    return Match.objects.filter(
        Q(player_0=user) | Q(player_1=user), status=Match.Status.RUNNING, is_rated=True
    ).count()


def couples() -> Counter[tuple[int, int]]:
    rows = Match.objects.values_list("player_0_id", "player_1_id")
    return Counter(couple_of(one, two) for one, two in rows)


def test_sweeps_at_once_make_each_pair_once() -> None:
    """Fault 112: two sweeps at the same moment made two matches for each pair."""
    players = make_players(12)
    for number, player in enumerate(players):
        wish(player, 1 + number % 3)
    made = at_once(sweep, sweep, sweep, sweep)
    assert sorted(made)[:3] == [0, 0, 0]
    assert sum(made) == Match.objects.count() > 6
    assert max(couples().values()) == 1
    for player in players:
        assert running(player) <= Standing.objects.get(user=player).n_wanted


def test_a_run_that_dies_in_the_middle_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed after its third match: no match stands, and the next run makes all of them."""

    class Killed(BaseException):
        pass

    for player in make_players(10):
        wish(player)
    real, calls = pairings.match_pair, []

    def die(**terms: Any) -> Match:
        calls.append(terms)
        if len(calls) == 3:
            raise Killed
        return real(**terms)

    with monkeypatch.context() as patched:
        patched.setattr(pairings, "match_pair", die)
        with pytest.raises(Killed):
            sweep()
    assert not Match.objects.exists()
    assert sum(at_once(sweep, sweep)) == 5
    assert max(couples().values()) == 1


def test_pairing_while_offers_are_accepted_keeps_to_what_is_wanted() -> None:
    """Each wants one match: an accepted offer comes first or makes one more, a pairing never."""
    for number in range(15):
        one, two, three = make_players(3, f"Trio{number}x")
        for player in (one, two):
            wish(player)
        offer = make_offer(three, is_rated=True)
        at_once(
            sweep,
            lambda one=one, offer=offer: offer_accept(
                offer_id=offer.pk, user=one, now=timezone.now()
            ),
            sweep,
        )
        assert couples()[couple_of(one.pk, two.pk)] <= 1
        assert running(two) <= 1
        Match.objects.filter(status=Match.Status.RUNNING).update(
            status=Match.Status.ABORTED, ending=Match.Ending.ABORT, finished_at=timezone.now()
        )
        Standing.objects.update(n_wanted=0)


def test_pairing_while_somebody_leaves_or_pauses() -> None:
    """Who has left has no ladder match, and who is refused has one."""
    for number in range(15):
        one, two = make_players(2, f"Pair{number}x")
        wish(one)
        wish(two)
        on = {"title": TITLE, "ruleset_slug": RULESET}
        _made, left, _paused = at_once(
            sweep,
            lambda one=one, on=on: ladder_leave(user=one, now=timezone.now(), **on),
            lambda two=two, on=on: ladder_pause(user=two, is_paused=True, now=timezone.now(), **on),
        )
        assert (left == Reason.MATCHES_RUNNING) == (running(one) == 1)
        row = Standing.objects.get(user=one)
        assert (row.left_at is None) == (running(one) == 1)
        Standing.objects.update(n_wanted=0)


def test_pairing_while_matches_of_the_same_players_are_rated() -> None:
    """The locks of a pairing and of a rating come in one order: nobody waits for ever."""
    players = make_players(8)
    for player in players:
        wish(player, 2)
    matches = finished_matches(
        (players[number % 8], players[(number * 3 + 1) % 8], number % 2)
        for number in range(120)
        if number % 8 != (number * 3 + 1) % 8
    )
    old = timezone.now() - timedelta(days=20)
    Match.objects.update(started_at=old, finished_at=old)

    def rate(share: list[Match]) -> int:
        return sum(match_rate(match_id=match.pk, now=timezone.now()) for match in share)

    at_once(
        lambda: rate(matches[::2]),
        lambda: rate(matches[1::2]),
        lambda: [sweep() for _ in range(10)],
        lambda: [sweep() for _ in range(10)],
    )
    new = Match.objects.filter(started_at__gt=old)
    assert new.count() == 8
    for match in new:
        resign(match, match.player_0)
    ratings_sweep(now=timezone.now())
    assert_ledger_is_sound(Match.objects.all())
    assert Ladder.objects.count() == 1
