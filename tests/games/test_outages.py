"""Nobody loses a game for time in which the site was down."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import clock, tasks
from games.models import Game, Heartbeat, Match, Outage
from games.services import bots
from games.services.deadlines import deadline_settle, deadlines_sweep
from games.services.firing import answers_sweep
from games.services.ledgers import ledgers_apply
from games.services.outages import PULSE_JOB, SWEEP_JOB, is_site_down, site_pulse
from tests.games.conftest import Cast, client_of, make_match, play_turn, running_game
from tests.games.prepared import opponent_plays, prepare, states, waiting_board

START = datetime(2026, 3, 2, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
SOON = timedelta(seconds=6)


def begin(cast: Cast, **rest: Any) -> Game:
    game = running_game(make_match(cast.owner, cast.opponent, at=START, **rest))
    for _ in "12":
        play_turn(game, START)
    return fresh(game)


def fresh(game: Game) -> Game:
    return Game.objects.select_related("match__player_0", "match__player_1").get(pk=game.pk)


def come_back(at: datetime) -> timedelta:
    """Let the site be back at a moment, and deadlines follow; gives how long it was down."""
    off = site_pulse(now=at)
    ledgers_apply()
    return off


def is_up(since: datetime, until: datetime) -> None:
    """Let a web process live from one moment to another."""
    while since < until:
        site_pulse(now=since)
        since += MINUTE / 2


def test_fault_53_an_outage_over_the_deadline_is_given_to_the_side_to_move(cast: Cast) -> None:
    """Fault 53: 40 minutes over the deadline; the other side's bank stays as it was."""
    game = begin(cast, pace_slug="steady")
    down = game.deadline_at - 10 * MINUTE
    site_pulse(now=down)
    back = down + 40 * MINUTE
    assert come_back(back) == 40 * MINUTE
    after = fresh(game)
    assert after.deadline_at == back + 10 * MINUTE
    assert after.banks == game.banks
    is_up(back, back + 11 * MINUTE)
    assert deadlines_sweep(now=back + 10 * MINUTE + SOON) == 1


def test_a_day_long_outage_costs_nobody_a_game(cast: Cast) -> None:
    games = [begin(cast, pace_slug=pace) for pace in ("live", "brisk", "per-turn-1", "relaxed")]
    site_pulse(now=START)
    assert site_pulse(now=START + DAY) == DAY
    assert deadlines_sweep(now=START + DAY) == 0
    for game in games:
        assert fresh(game).deadline_at == game.deadline_at + DAY
    assert Outage.objects.filter(is_applied=True).count() == 1


def test_while_the_site_is_down_the_sweep_takes_nothing(cast: Cast) -> None:
    game = begin(cast)
    site_pulse(now=game.deadline_at - 2 * MINUTE)
    assert is_site_down(game.deadline_at)
    assert deadlines_sweep(now=game.deadline_at + HOUR) == 0
    assert not deadline_settle(game_id=game.pk, now=game.deadline_at + HOUR)
    come_back(game.deadline_at + HOUR)
    assert fresh(game).deadline_at == game.deadline_at + HOUR + 2 * MINUTE


def sweep_all(at: datetime) -> list[int]:
    return [sweep(now=at) for sweep in (deadlines_sweep, answers_sweep, bots.bots_sweep)]


def test_an_answer_waits_where_the_workers_are_back_before_the_site(
    cast: Cast, caplog: pytest.LogCaptureFixture
) -> None:
    game = waiting_board(cast)
    prepare(game)
    opponent_plays(game)
    game = fresh(game)
    site_pulse(now=game.deadline_at - 2 * MINUTE)
    back = game.deadline_at + HOUR
    assert sweep_all(back) == [0, 0, 0]
    assert not caplog.records
    assert (states(game), fresh(game).version) == ([("waiting", "")], game.version)
    site_pulse(now=back)
    assert sweep_all(back) == [0, 1, 0]
    assert states(game) == [("fired", "")]
    assert fresh(game).is_running


def test_a_bot_waits_where_the_workers_are_back_before_the_site(
    cast: Cast, caplog: pytest.LogCaptureFixture
) -> None:
    game = running_game(make_match(cast.owner, bots.ensure_bot(), at=START))
    while game.match.players[game.turn] == cast.owner:
        play_turn(game, START)
        game = fresh(game)
    site_pulse(now=game.deadline_at - 2 * MINUTE)
    back = game.deadline_at + HOUR
    assert sweep_all(back) == [0, 0, 0]
    assert not caplog.records
    assert fresh(game).version == game.version
    site_pulse(now=back)
    assert sweep_all(back) == [0, 0, 1]
    assert fresh(game).is_running
    assert fresh(game).version > game.version


def test_fault_44_a_worker_that_was_away_gives_no_time(cast: Cast) -> None:
    """Fault 44: pages were served all the time, so the turn could have been made."""
    game = begin(cast)
    site_pulse(now=game.deadline_at - 65 * MINUTE)
    with clock.shifted(game.deadline_at - HOUR - clock.now()):
        tasks.deadlines_sweep()
    is_up(game.deadline_at - 65 * MINUTE, game.deadline_at + 100 * MINUTE)
    with clock.shifted(game.deadline_at + 1.5 * HOUR - clock.now()):
        tasks.deadlines_sweep()
    match = Match.objects.get()
    assert (match.ending, match.finished_at) == ("timeout", game.deadline_at)
    assert not Outage.objects.exists()


def test_a_pulse_does_the_same_however_many_games_run(cast: Cast) -> None:
    """Nor would the next come late after a long outage, and be one in its turn."""
    site_pulse(now=START)
    counts = []
    for n in (1, 2):
        begin(cast)
        with CaptureQueriesContext(connection) as queries:
            assert site_pulse(now=START + n * DAY) == DAY
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_what_the_sweep_has_not_got_to_is_looked_up_on_the_board(cast: Cast) -> None:
    game = begin(cast)
    site_pulse(now=game.deadline_at - 2 * MINUTE)
    back = game.deadline_at + HOUR
    site_pulse(now=back)
    with clock.shifted(back - clock.now()):
        client_of(cast.owner).get(game.get_absolute_url())
    assert fresh(game).deadline_at == back + 2 * MINUTE


def test_a_gap_of_less_than_a_minute_is_none(cast: Cast) -> None:
    site_pulse(now=START)
    assert site_pulse(now=START + timedelta(seconds=59)) == timedelta(0)
    assert site_pulse(now=START + timedelta(seconds=119)) == MINUTE


def test_twice_is_once(cast: Cast) -> None:
    game = begin(cast)
    site_pulse(now=START)
    assert [site_pulse(now=START + HOUR) for _ in "123"] == [HOUR, timedelta(0), timedelta(0)]
    deadlines_sweep(now=START + HOUR)
    assert fresh(game).deadline_at == game.deadline_at + HOUR


def test_a_move_that_comes_before_the_first_pulse_is_in_time(cast: Cast) -> None:
    game = begin(cast)
    site_pulse(now=game.deadline_at - 2 * MINUTE)
    play_turn(game, game.deadline_at + HOUR)
    assert fresh(game).version > game.version
    assert Outage.objects.get().ended_at == game.deadline_at + HOUR


def test_an_outage_within_a_pause_is_counted_once(cast: Cast) -> None:
    game = begin(cast, weekend_zone="UTC", pace_slug="per-turn-5")
    saturday = datetime(2026, 3, 7, 6, tzinfo=UTC)
    site_pulse(now=saturday)
    come_back(saturday + 6 * HOUR)
    assert fresh(game).deadline_at == game.deadline_at


def test_the_time_off_is_not_in_the_bank_either(cast: Cast) -> None:
    game = begin(cast, pace_slug="steady")
    site_pulse(now=START + HOUR)
    site_pulse(now=START + 11 * HOUR)
    play_turn(game, START + 12 * HOUR)
    left = game.banks[game.turn] - 2 * HOUR
    assert fresh(game).banks[game.turn] == min(left + DAY, 5 * DAY)


def test_a_site_of_an_earlier_release_has_its_last_sweep(cast: Cast) -> None:
    game = begin(cast)
    Heartbeat.objects.create(job=SWEEP_JOB, succeeded_at=START)
    assert come_back(START + 10 * DAY) == 10 * DAY
    assert Heartbeat.objects.filter(job=PULSE_JOB).exists()
    assert fresh(game).deadline_at == game.deadline_at + 10 * DAY


def test_fault_53_page_that_is_read_before_the_first_pulse_writes_nothing(cast: Cast) -> None:
    game = begin(cast)
    site_pulse(now=game.deadline_at - 2 * MINUTE)
    with clock.shifted(game.deadline_at + HOUR - clock.now()):
        assert client_of(cast.owner).get(game.get_absolute_url()).status_code == 200
    assert fresh(game).is_running


@pytest.mark.parametrize("gap", [timedelta(0), timedelta(seconds=30)])
def test_pulses_of_several_processes_are_one(cast: Cast, gap: timedelta) -> None:
    for n in range(20):
        assert site_pulse(now=START + n * gap) == timedelta(0)
    assert not is_site_down(START + 19 * gap)
