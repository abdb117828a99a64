"""Two at once at a board: one is served, the other is told the truth."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Action, Match, Submission
from games.services.deadlines import GRACE, deadlines_sweep
from games.services.turns import match_resign
from tests.games.conftest import Cast, make_match, play_turn, running_game
from tests.games.races import (
    ROUNDS,
    aborter,
    check_sound,
    mover,
    quitter,
    race,
    reader,
    settler,
    told,
)

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


class TestTurns:
    def test_fault_62_same_form_twice_plays_once(self, cast: Cast) -> None:
        game = running_game(make_match(cast.owner, cast.opponent))
        for _ in range(ROUNDS):
            call = mover(game)
            before = Action.objects.count()
            results = race(call, call, call)
            assert told(results) == {"ok": 3}
            assert sorted(result.is_repeated for result in results) == [False, True, True]
            assert len({result.version for result in results}) == 1
            game.refresh_from_db()
            assert Action.objects.count() == game.version > before
        check_sound(game)
        assert Submission.objects.count() == ROUNDS

    def test_fault_63_two_tabs_play_one_turn(self, cast: Cast) -> None:
        game = running_game(make_match(cast.owner, cast.opponent))
        for number in range(1, ROUNDS + 1):
            assert told(race(mover(game), mover(game))) == {"ok": 1, "stale": 1}
            assert Submission.objects.count() == number
        check_sound(game)

    def test_fault_63_turn_and_the_opponents_resignation(self, cast: Cast) -> None:
        for _ in range(ROUNDS):
            game = running_game(make_match(cast.owner, cast.opponent))
            waits = game.match.players[1 - game.turn]
            results = race(mover(game), quitter(game, waits))
            assert told(results) in ({"ok": 1, "stale": 1}, {"ok": 1, "game_over": 1})
            game.refresh_from_db()
            assert game.is_running == (results[1] == "stale")
            check_sound(game)

    def test_both_resign_at_once_and_one_wins(self, cast: Cast) -> None:
        for _ in range(ROUNDS):
            match = make_match(cast.owner, cast.opponent)
            game = running_game(match)
            calls = [quitter(game, player, match_resign) for player in match.players]
            results = race(*calls)
            assert told(results) == {"ok": 1, "game_over": 1}
            match.refresh_from_db()
            assert match.winner == results.index("game_over")
            assert match.status == Match.Status.FINISHED
            check_sound(game)

    def test_last_turn_of_two_starts_one_next_game(self, cast: Cast) -> None:
        for _ in range(ROUNDS):
            match = make_match(cast.owner, cast.opponent)
            game = running_game(match)
            call = quitter(game, cast.owner)
            assert told(race(call, call, quitter(game, cast.opponent)))["game_over"] in (1, 2)
            assert match.games.count() == 2
            match.refresh_from_db()
            assert sum(match.points) == 5


class TestDeadlines:
    @pytest.mark.parametrize("after_ms", [-1, 0, 1])
    def test_move_against_time_out(self, cast: Cast, after_ms: int) -> None:
        for _ in range(ROUNDS // 2):
            match = make_match(cast.owner, cast.opponent)
            game = running_game(match)
            play_turn(game)
            play_turn(game)
            game.refresh_from_db()
            moment = game.deadline_at + timedelta(milliseconds=after_ms)
            late = game.deadline_at + timedelta(minutes=1)
            move = mover(game, moment)
            results = race(move, settler(game, late))
            match.refresh_from_db()
            check_sound(game)
            if results[0] not in ("deadline_passed", "game_over"):
                assert after_ms < 0
                assert results[1] is False
                assert match.status == Match.Status.RUNNING
            else:
                assert (match.ending, match.winner) == ("timeout", 1 - game.turn)
                assert match.finished_at == game.deadline_at

    def test_fault_56_move_in_time_against_a_read_and_a_form_a_moment_late(
        self, cast: Cast
    ) -> None:
        for _ in range(ROUNDS):
            match = make_match(cast.owner, cast.opponent)
            game = running_game(match)
            play_turn(game)
            play_turn(game)
            game.refresh_from_db()
            moment = game.deadline_at
            late = moment + timedelta(milliseconds=1)
            waits = match.players[1 - game.turn]
            results = race(
                mover(game, moment - timedelta(milliseconds=1)),
                reader(game, late),
                quitter(game, waits, match_resign, late),
            )
            assert not isinstance(results[0], str)
            assert results[1] == 200
            assert results[2] in ("deadline_passed", "stale")
            match.refresh_from_db()
            assert match.status == Match.Status.RUNNING
            check_sound(game)

    def test_fault_88_two_sweeps_end_each_game_once(self, cast: Cast) -> None:
        games = [running_game(make_match(cast.owner, cast.opponent)) for _ in range(6)]
        for game in games:
            play_turn(game)
            play_turn(game)
        now = timezone.now() + timedelta(days=30)
        results = race(*[lambda: deadlines_sweep(now=now)] * 3)
        assert sum(results) == len(games)
        for game in games:
            match = Match.objects.get(pk=game.match_id)
            assert sorted(match.points) == [0, 15]
            assert game.actions.filter(payload__type="timeout").count() == 1
            check_sound(game)

    def test_resignation_against_time_out(self, cast: Cast) -> None:
        for _ in range(ROUNDS):
            match = make_match(cast.owner, cast.opponent)
            game = running_game(match)
            play_turn(game)
            play_turn(game)
            game.refresh_from_db()
            waits = match.players[1 - game.turn]
            in_time = game.deadline_at - timedelta(milliseconds=1)
            results = race(
                quitter(game, waits, match_resign, in_time), settler(game, game.deadline_at + GRACE)
            )
            match.refresh_from_db()
            by_time = results[1] is True
            assert results[0] == "game_over" if by_time else results[1] is False
            assert match.ending == ("timeout" if by_time else "resign")
            assert match.winner == (1 - game.turn if by_time else game.turn)
            assert sorted(match.points) == [0, 15]

    def test_calling_off_against_the_turn_that_forbids_it(self, cast: Cast) -> None:
        for _ in range(ROUNDS):
            match = make_match(cast.owner, cast.opponent)
            game = running_game(match)
            play_turn(game)
            results = race(mover(game), aborter(match, match.players[game.turn]))
            assert told(results) in ({"ok": 1, "game_over": 1}, {"ok": 1, "abort_too_late": 1})
            match.refresh_from_db()
            assert (match.status == Match.Status.ABORTED) == (results[0] == "game_over")
            check_sound(game)

    def test_both_call_off(self, cast: Cast) -> None:
        for _ in range(ROUNDS):
            match = make_match(cast.owner, cast.opponent)
            calls = [aborter(match, user) for user in match.players]
            assert told(race(*calls)) == {"ok": 2}
            match.refresh_from_db()
            assert match.status == Match.Status.ABORTED
