"""Banks of time in played games: they change when a turn ends, and stand still at the end."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from games.models import Game, Match
from games.services.deadlines import deadline_settle
from games.services.matches import match_abort
from games.services.turns import game_resign, match_resign
from tests.games.conftest import Cast, make_match, play_out, play_turn, request_id, running_game

START = datetime(2026, 3, 2, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


def begin(cast: Cast, pace: str = "steady", **rest: object) -> Game:
    return running_game(make_match(cast.owner, cast.opponent, at=START, pace_slug=pace, **rest))


def fresh(game: Game) -> Game:
    return Game.objects.select_related("match__player_0", "match__player_1").get(pk=game.pk)


def resign(game: Game, seat: int, at: datetime, what: Callable[..., Any] = game_resign) -> None:
    game = fresh(game)
    what(
        game_id=game.pk,
        user=game.match.players[seat],
        expected_version=game.version,
        request_id=request_id(),
        now=at,
    )


def test_a_game_begins_with_full_banks_and_the_first_deadline_is_the_bank_later(cast: Cast) -> None:
    game = begin(cast)
    assert game.banks == (3 * DAY, 3 * DAY)
    assert game.deadline_at == START + 3 * DAY


def test_a_turn_uses_its_own_bank_and_brings_the_increment(cast: Cast) -> None:
    game = begin(cast)
    first = game.turn
    play_turn(game, START + 2 * DAY)
    game = fresh(game)
    assert (game.banks[first], game.banks[1 - first]) == (2 * DAY, 3 * DAY)
    assert game.deadline_at == START + 5 * DAY
    play_turn(game, START + 2 * DAY + HOUR)
    game = fresh(game)
    assert game.banks[1 - first] == 4 * DAY - HOUR
    assert game.deadline_at == START + 4 * DAY + HOUR


def test_a_bank_never_holds_more_than_its_cap(cast: Cast) -> None:
    game = begin(cast, "brisk")
    for turn in range(12):
        play_turn(game, START + turn * timedelta(minutes=1))
    assert max(fresh(game).banks) == 3 * DAY


def test_per_turn_gives_each_turn_the_same(cast: Cast) -> None:
    game = begin(cast, "per-turn-2")
    for turn in range(4):
        at = START + turn * 47 * HOUR
        assert fresh(game).deadline_at == at + 2 * DAY
        play_turn(game, at + 47 * HOUR)


def test_live_counts_seconds(cast: Cast) -> None:
    game = begin(cast, "live")
    first = game.turn
    play_turn(game, START + timedelta(minutes=9, seconds=59))
    assert fresh(game).banks[first] == timedelta(seconds=31)


def test_each_game_of_a_match_begins_with_fresh_banks(cast: Cast) -> None:
    game = begin(cast)
    play_turn(game, START + 2 * DAY)
    resign(game, 0, START + 2 * DAY)
    following = running_game(Match.objects.get())
    assert following.round == 2
    assert following.banks == (3 * DAY, 3 * DAY)
    assert following.deadline_at == START + 5 * DAY


def test_recruiters_several_submissions_are_one_turn(cast: Cast) -> None:
    """The increment comes when another seat is to act; in Three Bridges a turn has many parts."""
    game = begin(cast, title="three-bridges", ruleset_slug="standard")
    at = START
    while fresh(game).is_running and fresh(game).round == 1:
        before = fresh(game)
        at += HOUR
        play_turn(before, at)
        after = fresh(game)
        if not after.is_running:
            break
        if after.turn == before.turn:
            assert (after.banks, after.deadline_at) == (before.banks, before.deadline_at)
        else:
            used = at - before.turn_started_at
            grown = min(before.banks[before.turn] - used + DAY, 5 * DAY)
            assert after.banks[before.turn] == grown


class TestFault50ClocksStandStillAtTheEnd:
    """Fault 50: the stored times are those of the end, whoever comes back and when."""

    @pytest.fixture
    def game(self, cast: Cast) -> Game:
        game = begin(cast)
        play_turn(game, START + HOUR)
        play_turn(game, START + 2 * HOUR)
        return fresh(game)

    def check(self, game: Game, left: timedelta) -> None:
        turn, waiting = game.turn, game.banks[1 - game.turn]
        game = fresh(game)
        assert (game.turn, game.deadline_at) == (None, None)
        assert (game.banks[turn], game.banks[1 - turn]) == (left, waiting)

    def test_resigned(self, game: Game) -> None:
        resign(game, game.turn, START + 12 * HOUR)
        self.check(game, game.banks[game.turn] - 10 * HOUR)

    def test_match_resigned_by_who_waits(self, game: Game) -> None:
        resign(game, 1 - game.turn, START + 12 * HOUR, match_resign)
        self.check(game, game.banks[game.turn] - 10 * HOUR)

    def test_lost_on_time(self, game: Game) -> None:
        assert deadline_settle(game_id=game.pk, now=game.deadline_at + 30 * DAY)
        self.check(game, timedelta(0))

    def test_aborted(self, cast: Cast) -> None:
        game = begin(cast)
        match_abort(match_id=game.match_id, user=cast.owner, now=START + HOUR)
        self.check(game, 3 * DAY - HOUR)

    def test_played_out(self, cast: Cast) -> None:
        game = begin(cast, n_rounds=1)
        play_out(game, START + HOUR)
        banks = fresh(game).banks
        assert all(timedelta(0) < bank <= 5 * DAY for bank in banks)


def test_time_is_never_below_nothing(cast: Cast) -> None:
    game = begin(cast)
    play_turn(game, START)
    play_turn(game, START)
    game = fresh(game)
    Game.objects.filter(pk=game.pk).update(deadline_at=START + 30 * DAY)  # a longer time off
    play_turn(game, START + 29 * DAY)
    assert fresh(game).banks[game.turn] == DAY
