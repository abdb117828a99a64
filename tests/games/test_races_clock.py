"""Races about time on PostgreSQL: two sweeps, two rescues, two pulses, a vacation and the sweep."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from games.models import Game, Match, Outage, Vacation
from games.services.deadlines import deadlines_sweep
from games.services.ledgers import ledgers_apply
from games.services.outages import site_pulse
from games.services.vacations import vacation_choose, vacation_start
from tests.games.conftest import make_match, make_user, play_turn, running_game
from tests.games.races import ROUNDS, check_sound, mover, race, told

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

START = datetime(2026, 3, 2, 12, tzinfo=UTC)
LATE = START + timedelta(days=3, hours=1)


def begin(number: int, n_games: int = 1) -> list[Game]:
    """Start games in which both have made a turn and the same player is to act."""
    one, two = make_user(f"One{number}"), make_user(f"Two{number}")
    games = []
    for _ in range(n_games):
        game = running_game(make_match(one, two, at=START))
        for _ in "12":
            play_turn(game, START)
        game = running_game(Match.objects.get(pk=game.match_id))
        if game.match.player_id(game.turn) != one.pk:
            play_turn(game, START)
        games.append(running_game(Match.objects.get(pk=game.match_id)))
    return games


def test_fault_88_two_sweeps_at_once_end_a_game_once() -> None:
    for number in range(ROUNDS):
        (game,) = begin(number)
        assert sum(race(*[lambda: deadlines_sweep(now=LATE)] * 2)) == 1
        check_sound(game)
        assert game.actions.filter(payload__type="timeout").count() == 1


def test_fault_56_a_move_just_in_time_and_the_sweep() -> None:
    for number in range(ROUNDS):
        (game,) = begin(number)
        move = mover(game, game.deadline_at - timedelta(milliseconds=1))
        results = race(move, lambda: deadlines_sweep(now=START + timedelta(days=3, seconds=4)))
        assert told(results[:1]) == {"ok": 1}
        check_sound(game)


def test_fault_88_two_rescues_of_one_player_at_once_never_overlap() -> None:
    for number in range(ROUNDS):
        games = begin(number, 2)
        user = games[0].match.player_0
        vacation_choose(user=user, is_automatic=True, now=START)
        race(*[lambda: deadlines_sweep(now=LATE)] * 3)
        spans = Vacation.objects.filter(user=user).order_by("starts_at")
        assert all(a.ends_at <= b.starts_at for a, b in pairwise(spans))
        assert spans.count() == 1
        assert all(running_game(game.match).deadline_at > LATE for game in games)


def test_a_vacation_that_begins_as_the_sweep_comes() -> None:
    for number in range(ROUNDS):
        (game,) = begin(number)
        user = game.match.player_0
        before = game.deadline_at - timedelta(seconds=1)
        race(
            lambda user=user, at=before: vacation_start(user=user, now=at),
            lambda: deadlines_sweep(now=START + timedelta(days=3, seconds=4)),
        )
        assert running_game(game.match).deadline_at > LATE


def test_pulses_at_once_record_an_outage_once() -> None:
    (game,) = begin(0)
    site_pulse(now=START)
    back = START + timedelta(days=1)
    gaps = race(*[lambda: site_pulse(now=back)] * 4)
    assert sorted(gaps) == [timedelta(0)] * 3 + [timedelta(days=1)]
    assert Outage.objects.count() == 1
    ledgers_apply()
    assert running_game(game.match).deadline_at == game.deadline_at + timedelta(days=1)
