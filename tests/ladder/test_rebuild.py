"""Annulled matches and rebuilds: the ladder is always what its matches make it."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Callable, Iterator
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from accounts.models import User
from games.models import Heartbeat, Match
from games.services.matches import match_annul
from ladder import rebuild, tasks
from ladder.elo import START
from ladder.models import LedgerEntry, Standing
from ladder.rebuild import counters_differ, differences
from ladder.selectors import matches_uncorrected
from ladder.services import match_correct, match_rate, ratings_sweep
from tests.ladder.conftest import beat, finished_matches, make_players, rating, replay, the_ladder

KIND = LedgerEntry.Kind


def annul(match: Match) -> bool:
    """Annul a match, and let the ladder hear of it."""
    is_done = match_annul(match_id=match.pk, now=timezone.now())
    match_correct(match_id=match.pk, now=timezone.now())
    return is_done


def rate_all() -> None:
    ratings_sweep(now=timezone.now())


def standings() -> dict[int, tuple[int, int, int]]:
    return {row.user_id: (row.rating, row.n_matches, row.peak) for row in Standing.objects.all()}


def rebuilt(**options: bool) -> tuple[str, int]:
    """Run the command; gives what it printed, and its exit code."""
    out, code = StringIO(), 0
    try:
        call_command("ladder_rebuild", stdout=out, **options)
    except SystemExit as end:
        code = int(str(end.code))
    return out.getvalue(), code


@pytest.fixture
def players(db: None) -> list[User]:
    return make_players(5)


class Terminal(StringIO):
    """What looks like a terminal."""

    def isatty(self) -> bool:
        return True


def made_up(n_players: int, n_matches: int) -> Iterator[tuple[int, int, int]]:
    """Give matches one at a time: all players meet, and either wins."""
    for number in range(n_matches):
        one = number % n_players
        yield one, (one + 1 + number // n_players % (n_players - 1)) % n_players, number % 2


def peak_of(run: Callable[[], object]) -> int:
    """Give the most bytes that a call has held at once."""
    tracemalloc.start()
    try:
        run()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_rebuild_remembers_players_and_no_matches() -> None:
    """Ten times the matches of the same players need as much memory, ten times the players more."""
    few = peak_of(lambda: rebuild.replay(made_up(100, 1_000)))
    assert peak_of(lambda: rebuild.replay(made_up(100, 10_000))) < 1.2 * few
    assert peak_of(lambda: rebuild.replay(made_up(1_000, 10_000))) > 5 * few


class TestAnnulment:
    def test_an_annulled_match_keeps_nobody_active(self, players: list[User]) -> None:
        """Each is active since the last match that counts, who has none since they joined."""
        now = timezone.now()
        a, b, c = players[:3]
        beat(a, c, now - timedelta(days=60))
        rate_all()
        late = beat(a, b, now - timedelta(days=1))
        rate_all()
        joined = now - timedelta(days=50)
        Standing.objects.filter(user=b).update(joined_at=joined)
        assert dict(Standing.objects.values_list("user", "is_active")) == {
            a.pk: True,
            b.pk: True,
            c.pk: False,
        }
        annul(late)
        since = dict(Standing.objects.values_list("user", "active_at"))
        assert since == {a.pk: since[c.pk], b.pk: joined, c.pk: now - timedelta(days=60)}
        assert not Standing.objects.filter(is_active=True).exists()
        assert not counters_differ(the_ladder())

    def test_fault_92_equals_a_ladder_without_the_match(self, players: list[User]) -> None:
        a, b, c = players[:3]
        first = beat(a, b)
        rest = [beat(a, c), beat(b, c)]
        rate_all()
        assert annul(first)
        without = replay(skip=[first])
        assert standings() == {
            user.pk: (without[user.pk].rating, without[user.pk].n_matches, without[user.pk].peak)
            for user in (a, b, c)
        }
        assert LedgerEntry.objects.filter(kind=KIND.MATCH).count() == 2 * (1 + len(rest))

    @pytest.mark.parametrize("seed", range(6))
    def test_fault_92_whatever_is_annulled_in_whatever_order(
        self, players: list[User], seed: int
    ) -> None:
        rng = random.Random(seed)
        results = [(*rng.sample(players, 2), rng.choice([0, 1, None])) for _ in range(30)]
        matches = finished_matches(results)
        rate_all()
        gone = rng.sample(matches, 7)
        for match in gone:
            annul(match)
            assert differences(the_ladder())[1] == []
        expected = replay(skip=gone)
        for user in players:
            row = Standing.objects.get(user=user)
            assert row.side == expected.get(user.pk, row.side)
        more = finished_matches([(players[0], players[1], 0)])
        rate_all()
        assert differences(the_ladder())[1] == []
        assert LedgerEntry.objects.filter(match=more[0]).count() == 2

    def test_the_ledger_of_each_player_adds_up(self, players: list[User]) -> None:
        a, b, c = players[:3]
        first = beat(a, b)
        beat(c, a)
        rate_all()
        annul(first)
        for user in (a, b, c):
            at = START
            for entry in LedgerEntry.objects.filter(user=user).order_by("order_key"):
                assert entry.rating_before == at
                at = entry.rating_after
            assert rating(user) == at

    def test_twice_is_as_good_as_once(self, players: list[User]) -> None:
        match = beat(players[0], players[1])
        rate_all()
        assert annul(match)
        n = LedgerEntry.objects.count()
        assert not annul(match)
        assert not match_correct(match_id=match.pk, now=timezone.now())
        assert LedgerEntry.objects.count() == n == 4

    def test_a_match_that_is_not_rated_yet_never_is(self, players: list[User]) -> None:
        match = beat(players[0], players[1])
        annul(match)
        assert not match_rate(match_id=match.pk, now=timezone.now())
        rate_all()
        assert not LedgerEntry.objects.exists()

    def test_the_sweep_takes_out_what_the_task_did_not(self, players: list[User]) -> None:
        match = beat(players[0], players[1])
        rate_all()
        match_annul(match_id=match.pk, now=timezone.now())
        assert matches_uncorrected() == [match.pk]
        rate_all()
        assert (rating(players[0]), rating(players[1])) == (START, START)
        assert matches_uncorrected() == []


class TestRebuild:
    def test_the_same_to_the_last_digit(self, players: list[User]) -> None:
        rng = random.Random(7)
        finished_matches((*rng.sample(players, 2), rng.choice([0, 1, None])) for _ in range(60))
        rate_all()
        told, code = rebuilt()
        assert (told, code) == ("schotten-totten/after-play: 5 standings, 0 differ\n", 0)

    def test_what_differs_is_told_and_set_right_when_asked(self, players: list[User]) -> None:
        beat(players[0], players[1])
        rate_all()
        good = standings()
        Standing.objects.filter(user=players[0]).update(rating=START + 1, n_matches=3)
        told, code = rebuilt()
        assert code == 1
        assert "2 standings, 1 differ" in told
        assert f"user {players[0].pk}: rating 1500001, by the matches 1520000" in told
        told, code = rebuilt(write=True)
        assert (code, standings()) == (0, good)
        assert rebuilt()[1] == 0

    def test_a_terminal_is_told_how_far_it_is_and_a_log_is_not(
        self, players: list[User], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(rebuild, "CHUNK", 2)
        finished_matches([(players[0], players[1], 0)] * 5)
        rate_all()
        for err, told in ((Terminal(), [2, 4, 5]), (StringIO(), [])):
            out = StringIO()
            call_command("ladder_rebuild", stdout=out, stderr=err)
            ladder = "schotten-totten/after-play"
            assert err.getvalue() == "".join(f"\r{ladder}: {n} matches" for n in told)
            assert out.getvalue() == f"{ladder}: 2 standings, 0 differ\n"

    def test_the_nightly_task_raises_the_alarm(self, players: list[User]) -> None:
        beat(players[0], players[1])
        rate_all()
        tasks.rebuild_check()
        assert Heartbeat.objects.filter(job="ladder.rebuild_check").exists()
        Heartbeat.objects.all().delete()
        Standing.objects.filter(user=players[1]).update(rating=START - 1)
        with pytest.raises(tasks.RatingsDiffer):
            tasks.rebuild_check()
        assert not Heartbeat.objects.exists()

    def test_an_unknown_formula_is_not_guessed(self, players: list[User]) -> None:
        beat(players[0], players[1])
        rate_all()
        # The ledger refuses changes, so the rows are written by hand.
        with connection.cursor() as cursor:
            cursor.execute("UPDATE ladder_ledgerentry SET formula = 2")
        with pytest.raises(ValueError, match="unknown formula 2"):
            differences(the_ladder())
