"""The ladder on PostgreSQL with real threads: whatever happens at once, the ledger is sound.

SQLite would pass all of this without any lock, since it lets one writer in at a time.
"""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import User
from games.models import Match
from games.services.matches import match_annul
from games.services.offers import offer_accept
from ladder import services
from ladder.memberships import LadderRefusal, ladder_join, ladder_leave
from ladder.models import Ladder, LedgerEntry, Standing
from ladder.rebuild import differences
from ladder.selectors import matches_uncorrected, matches_unrated
from ladder.services import match_correct, match_rate, ratings_sweep
from tests.games.conftest import make_offer
from tests.ladder.conftest import (
    RULESET,
    TITLE,
    assert_ledger_is_sound,
    finished_matches,
    make_players,
    rated_match,
    resign,
    the_ladder,
)
from tests.waiting import is_another_waiting, wait_for

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

N_MATCHES = int(os.environ.get("LADDER_MATCHES", "200"))
"""How many matches eight workers rate at once; `LADDER_MATCHES=10000` takes some minutes."""

PATIENCE_S = 60 + N_MATCHES // 5


@pytest.fixture(autouse=True)
def _postgres() -> None:
    assert connection.vendor == "postgresql", "races prove nothing on another database"


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Run calls at the same moment, each in a thread and with a connection of its own."""
    barrier = threading.Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        try:
            barrier.wait(timeout=20)
            return call()
        except LadderRefusal as refusal:
            return refusal.reason
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [
            future.result(timeout=PATIENCE_S)
            for future in [pool.submit(run, call) for call in calls]
        ]


def rating_of(match: Match) -> Callable[[], bool]:
    return lambda: match_rate(match_id=match.pk, now=timezone.now())


def test_two_runs_of_the_task_at_once_rate_once() -> None:
    players = make_players(2)
    matches = finished_matches([(players[0], players[1], number % 2) for number in range(20)])
    for match in matches:
        assert sorted(at_once(*[rating_of(match)] * 3)) == [False, False, True]
    assert_ledger_is_sound(matches)


def test_two_sweeps_and_the_tasks_at_once_rate_once() -> None:
    players = make_players(3)
    results = [(*random.Random(number).sample(players, 2), number % 2) for number in range(30)]
    matches = finished_matches(results)

    def sweep() -> int:
        return ratings_sweep(now=timezone.now())

    def tasks() -> int:
        return sum(match_rate(match_id=match.pk, now=timezone.now()) for match in matches[::-1])

    assert sum(at_once(sweep, sweep, tasks)) == 30
    assert_ledger_is_sound(matches)


def test_two_matches_of_one_player_that_end_at_once() -> None:
    """Fifty times: one player's two matches end and are rated in the same moment."""
    one, two, three = make_players(3)
    matches = []
    for number in range(50):
        pair = [rated_match(one, two), rated_match(three, one)]
        losers = [pair[0].players[number % 2], pair[1].players[number // 2 % 2]]

        def end(match: Match, loser: User) -> bool:
            resign(match, loser)
            return match_rate(match_id=match.pk, now=timezone.now())

        assert at_once(
            lambda pair=pair, losers=losers, end=end: end(pair[0], losers[0]),
            lambda pair=pair, losers=losers, end=end: end(pair[1], losers[1]),
        ) == [True, True]
        matches += pair
    assert_ledger_is_sound(matches)


def test_fault_91_opposite_matches_do_not_deadlock() -> None:
    """A beats B and B beats A, told in opposite seats, two hundred times at once."""
    one, two = make_players(2)
    matches = finished_matches(
        [pair for _ in range(200) for pair in ((one, two, 0), (two, one, 0))]
    )
    for first, second in zip(matches[::2], matches[1::2], strict=True):
        assert at_once(rating_of(first), rating_of(second)) == [True, True]
    assert_ledger_is_sound(matches)


def test_many_workers_give_some_serial_order() -> None:
    """Eight threads rate hundreds of matches of players who are all new to the ladder.

    The ratings equal those of the same matches rated one after the other in order key.
    """
    rng = random.Random(7)
    players = make_players(10 + N_MATCHES // 100)
    matches = finished_matches(
        (*rng.sample(players, 2), rng.choice((0, 1, None))) for _ in range(N_MATCHES)
    )
    shares = [matches[number::8] for number in range(8)]

    def work(share: list[Match]) -> int:
        return sum(match_rate(match_id=match.pk, now=timezone.now()) for match in share)

    assert sum(at_once(*(lambda share=share: work(share) for share in shares))) == N_MATCHES
    assert_ledger_is_sound(matches)
    assert Ladder.objects.get().last_order_key == N_MATCHES


def test_newcomers_who_join_by_two_matches_at_once_stand_once() -> None:
    """Both accept each other's offers: the ladder and both standings are made in that moment."""
    for number in range(10):
        one, two = make_players(2, f"Pair{number}x")
        offers = [make_offer(one, is_rated=True), make_offer(two, is_rated=True)]
        now = timezone.now()
        at_once(
            lambda offers=offers, two=two, now=now: offer_accept(
                offer_id=offers[0].pk, user=two, now=now
            ),
            lambda offers=offers, one=one, now=now: offer_accept(
                offer_id=offers[1].pk, user=one, now=now
            ),
        )
        assert Standing.objects.filter(user__in=[one, two]).count() == 2
    assert Ladder.objects.count() == 1


def test_leaving_while_a_rated_match_starts() -> None:
    """Whichever comes first, a player of a running rated match is on its ladder."""
    for number in range(20):
        one, two = make_players(2, f"Pair{number}x")
        now = timezone.now()
        ladder_join(title=TITLE, ruleset_slug=RULESET, user=one, now=now)
        offer = make_offer(one, is_rated=True)
        at_once(
            lambda one=one: ladder_leave(
                title=TITLE, ruleset_slug=RULESET, user=one, now=timezone.now()
            ),
            lambda offer=offer, two=two: offer_accept(
                offer_id=offer.pk, user=two, now=timezone.now()
            ),
        )
        assert Standing.objects.get(user=one).left_at is None


def test_a_rating_that_is_rolled_back_leaves_no_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault after the ledger was written: nothing of it stays, and the sweep does it again."""
    one, two = make_players(2)
    match = finished_matches([(one, two, 0)])[0]

    def fail(*_: object) -> None:
        raise RuntimeError

    with monkeypatch.context() as patched:
        patched.setattr("ladder.services._standing_move", fail)
        with pytest.raises(RuntimeError):
            match_rate(match_id=match.pk, now=timezone.now())
    assert not LedgerEntry.objects.exists()
    assert matches_unrated() == [match.pk]
    assert ratings_sweep(now=timezone.now()) == 1
    assert_ledger_is_sound([match])


def test_annulling_while_others_are_rated() -> None:
    """Matches are annulled, twice each, while eight workers rate all of them."""
    rng = random.Random(3)
    players = make_players(8)
    matches = finished_matches(
        (*rng.sample(players, 2), rng.choice((0, 1, None))) for _ in range(120)
    )
    gone = rng.sample(matches, 12)

    def work(share: list[Match]) -> None:
        for match in share:
            match_rate(match_id=match.pk, now=timezone.now())

    def annul() -> None:
        for match in gone:
            match_annul(match_id=match.pk, now=timezone.now())
            match_correct(match_id=match.pk, now=timezone.now())

    shares = [matches[number::6] for number in range(6)]
    at_once(annul, annul, *(lambda share=share: work(share) for share in shares))
    ratings_sweep(now=timezone.now())
    assert matches_uncorrected() == []
    n, found = differences(Ladder.objects.get())
    assert (n, found) == (8, [])
    counted = LedgerEntry.objects.filter(kind="match").exclude(match__in=gone)
    assert counted.count() == 2 * (len(matches) - len(gone))


def test_a_newcomer_comes_while_a_match_is_taken_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A match of one who is new is being rated: the correction waits, and counts it too."""
    one, two, newcomer = make_players(3)
    gone, last = finished_matches([(one, two, 0), (two, newcomer, 0)])
    match_rate(match_id=gone.pk, now=timezone.now())
    match_annul(match_id=gone.pk, now=timezone.now())

    def correct() -> bool:
        try:
            return match_correct(match_id=gone.pk, now=timezone.now())
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        write = services._ledger_write

        def wait_and_write(*arguments: Any) -> None:
            corrected.append(pool.submit(correct))
            wait_for(is_another_waiting)
            write(*arguments)

        corrected: list[Future[bool]] = []
        with monkeypatch.context() as patched:
            patched.setattr(services, "_ledger_write", wait_and_write)
            match_rate(match_id=last.pk, now=timezone.now())
        assert corrected[0].result(timeout=PATIENCE_S)
    assert differences(the_ladder()) == (3, [])


def test_what_is_rated_meanwhile_does_not_look_like_a_difference() -> None:
    """The nightly comparison sees one moment, however long it reads."""
    players = make_players(4)
    rng = random.Random(5)
    matches = finished_matches((*rng.sample(players, 2), 0) for _ in range(150))

    def work() -> None:
        ratings_sweep(now=timezone.now())

    def look() -> list[int]:
        seen = []
        while matches_unrated():
            found = [differences(ladder) for ladder in Ladder.objects.all()]
            seen += [len(each) for _n, each in found]
        return seen

    _rated, seen = at_once(work, look)
    assert set(seen) <= {0}
    assert_ledger_is_sound(matches)
