"""The ladder with real Celery workers: processes that take tasks from Redis and can be killed."""

from __future__ import annotations

import os
import random
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from games.models import Heartbeat, Match
from ladder import pairings
from ladder.memberships import ladder_join
from ladder.models import LedgerEntry, Standing
from ladder.selectors import matches_unrated
from ladder.services import match_rate
from tests.ladder.conftest import (
    RULESET,
    TITLE,
    assert_ledger_is_sound,
    finished_matches,
    make_players,
)
from tests.ladder.test_pairings import wish
from tests.waiting import is_another_waiting, wait_for
from tests.workers import Workers

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.redis,
    pytest.mark.django_db(transaction=True),
]

N_MATCHES = int(os.environ.get("LADDER_MATCHES", "1000"))
"""How many matches workers rate who are killed meanwhile; `make crashes` asks for 10,000."""

PATIENCE_S = 120 + N_MATCHES // 5


def some_matches(count: int, n_players: int = 6) -> list[Match]:
    rng = random.Random(count)
    players = make_players(n_players)
    return finished_matches(
        (*rng.sample(players, 2), rng.choice((0, 1, None))) for _ in range(count)
    )


def n_rated() -> int:
    return LedgerEntry.objects.filter(seat=0).count()


def send_unrated(workers: Workers, matches: list[Match]) -> None:
    """Send the task of each match that is not rated; a sweep would take a thousand at most."""
    rated = set(LedgerEntry.objects.values_list("match_id", flat=True))
    for match in matches:
        if match.pk not in rated:
            workers.send("ladder.match_rate", match.pk)


def test_two_workers_and_every_task_twice(workers: Workers) -> None:
    """Each match is told twice and swept as well: one entry per match and player."""
    matches = some_matches(60)
    for match in matches:
        workers.send("ladder.match_rate", match.pk)
    workers.send("ladder.ratings_sweep")
    for match in matches[::-1]:
        workers.send("ladder.match_rate", match.pk)
    workers.send("ladder.ratings_sweep")
    workers.start(2)
    wait_for(lambda: not matches_unrated())
    assert_ledger_is_sound(matches)


def test_fault_84_a_worker_killed_before_it_rates(workers: Workers) -> None:
    """The match is committed, its task is taken, the worker dies: the sweep rates it, once."""
    one, two = make_players(2)
    ladder_join(title=TITLE, ruleset_slug=RULESET, user=one, now=timezone.now())
    matches = finished_matches([(one, two, 0)])
    workers.start()
    with transaction.atomic():
        Standing.objects.select_for_update().get(user=one)
        workers.send("ladder.match_rate", matches[0].pk)
        wait_for(is_another_waiting)
        workers.kill()
    assert matches_unrated() == [matches[0].pk]
    assert not LedgerEntry.objects.exists()
    workers.start()
    workers.send("ladder.ratings_sweep")
    workers.send("ladder.ratings_sweep")
    wait_for(lambda: not matches_unrated())
    assert not match_rate(match_id=matches[0].pk, now=timezone.now())
    assert_ledger_is_sound(matches)


def test_eight_workers_killed_again_and_again(workers: Workers) -> None:
    """Eight processes rate, and kill -9 takes four of them in the midst, three times.

    What was rated stays, what was lost is sent again with what waits still: in the end the
    ratings equal those of the same matches rated one after the other in order key.
    """
    matches = some_matches(N_MATCHES, n_players=6 + N_MATCHES // 100)
    send_unrated(workers, matches)
    workers.start(4)
    for quarter in range(3):
        wait_for(lambda quarter=quarter: n_rated() > (quarter + 1) * N_MATCHES // 4, PATIENCE_S)
        assert workers.kill(2) == 2
        assert n_rated() < N_MATCHES
        workers.start(2)
    send_unrated(workers, matches)
    wait_for(lambda: n_rated() == N_MATCHES, PATIENCE_S)
    assert_ledger_is_sound(matches)


def test_a_pairing_killed_in_the_midst(workers: Workers) -> None:
    """kill -9 after the matches of a run were made: none stands, and the next makes each once."""
    players = make_players(8)
    now = timezone.now()
    for number, player in enumerate(players):
        wish(player, at=now + timedelta(seconds=number))
    workers.start()
    with transaction.atomic():
        # The run can lock standings and make matches, and waits where it writes the first
        # standing. A lock on a player would hold up COMMIT alone, by which PostgreSQL abides
        # though the worker dies: foreign keys are looked at then.
        with connection.cursor() as cursor:
            cursor.execute("LOCK TABLE ladder_standing IN SHARE MODE")
        workers.send("ladder.pairing_sweep")
        wait_for(is_another_waiting)
        workers.kill()
    assert not Match.objects.exists()
    workers.start(2)
    for _ in range(4):
        workers.send("ladder.pairing_sweep")
    wait_for(lambda: Match.objects.count() == 4 and Heartbeat.objects.exists())
    assert pairings.pairing_sweep(now=timezone.now()) == 0
    seated = [pk for match in Match.objects.all() for pk in (match.player_0_id, match.player_1_id)]
    assert sorted(seated) == [player.pk for player in players]
