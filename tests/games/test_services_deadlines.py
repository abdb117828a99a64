"""Deadlines: one moment, one answer, on the page, on a move, and by the sweep."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client

from games import clock, clocks, tasks
from games.models import Game, Match
from games.paces import DAYS_PER_TURN, PACES, is_expired
from games.refusals import Code, Refusal
from games.services import deadlines
from games.services.bots import bot_turn
from games.services.deadlines import GRACE, deadline_settle, deadlines_sweep
from games.services.turns import turn_submit
from tests.games.boards import HIGH, LOW, stack
from tests.games.conftest import (
    Cast,
    client_of,
    make_match,
    make_user,
    play_turn,
    request_id,
    running_game,
)

MS = timedelta(milliseconds=1)
START = datetime(2026, 3, 2, 12, tzinfo=UTC)
PER_TURN = timedelta(days=3)


@pytest.fixture
def game(cast: Cast) -> Game:
    """A game that began at START; both have made a turn by a day later."""
    match = make_match(cast.owner, cast.opponent, at=START)
    game = running_game(match)
    play_turn(game, START)
    play_turn(game, START + timedelta(days=1))
    game.refresh_from_db()
    return game


@pytest.fixture
def deadline(game: Game) -> datetime:
    return game.deadline_at


def move(game: Game, now: datetime) -> None:
    """Make the turn of the seat to act at a moment."""
    turn_submit(
        game_id=game.pk,
        user=game.match.players[game.turn],
        actions=bot_turn(game),
        expected_version=game.version,
        request_id=request_id(),
        now=now,
    )


def is_lost(game: Game, at: datetime) -> bool:
    """Say whether the match was lost on time by the seat that was to act, as of a moment."""
    match = Match.objects.get(pk=game.match_id)
    stored = Game.objects.get(pk=game.pk)
    lost = (match.ending, match.winner, match.finished_at) == ("timeout", 1 - game.turn, at)
    return lost and (stored.reason, stored.finished_at, stored.turn) == ("timeout", at, None)


def test_deadline_is_so_many_hours_after_the_turn_began(game: Game, deadline: datetime) -> None:
    assert deadline == START + timedelta(days=1) + PER_TURN


@pytest.mark.parametrize("days", DAYS_PER_TURN)
def test_each_pace_gives_its_days(days: int) -> None:
    assert clocks.deadline(START, PACES[f"per-turn-{days}"].bank, ()) == START + timedelta(days)


@pytest.mark.parametrize("zone", ["Europe/Prague", "America/New_York", "Asia/Kathmandu", "UTC"])
@pytest.mark.parametrize("day", [datetime(2026, 3, 28, 12), datetime(2026, 10, 24, 12)])  # noqa: DTZ001
def test_fault_58_days_are_hours_across_changes_of_the_clock(zone: str, day: datetime) -> None:
    moved = day.replace(tzinfo=ZoneInfo(zone))
    deadline = clocks.deadline(moved, PACES["per-turn-2"].bank, ())
    assert deadline - moved.astimezone(UTC) == timedelta(hours=48)
    if zone == "Europe/Prague" and day.month == 3:
        assert deadline.astimezone(ZoneInfo(zone)).hour == 13


class TestFault56TheDeadlineItselfIsTooLate:
    @pytest.mark.parametrize(("after", "late"), [(-MS, False), (timedelta(0), True), (MS, True)])
    def test_one_rule(self, after: timedelta, late: bool) -> None:
        assert is_expired(START, START + after) == late
        assert not is_expired(None, START)

    def test_move_before_it_counts(self, game: Game, deadline: datetime) -> None:
        move(game, deadline - MS)
        assert not deadline_settle(game_id=game.pk, now=deadline + MS)
        assert Match.objects.get().status == Match.Status.RUNNING

    @pytest.mark.parametrize("after", [timedelta(0), MS])
    def test_move_at_it_or_after_loses_the_match(
        self, game: Game, deadline: datetime, after: timedelta
    ) -> None:
        with pytest.raises(Refusal) as refusal:
            move(game, deadline + after)
        assert refusal.value.code == Code.DEADLINE_PASSED
        deadlines_sweep(now=deadline + GRACE + MS)
        assert is_lost(game, deadline)

    @pytest.mark.parametrize("who", ["opponent", "owner", "stranger"])
    def test_fault_56_what_comes_a_moment_late_takes_nothing_from_a_move_in_time(
        self, cast: Cast, game: Game, deadline: datetime, who: str
    ) -> None:
        """The page is read, and a late form is sent, before the move gets its lock."""
        client = client_of(getattr(cast, who))
        with clock.shifted(deadline + MS - clock.now()):
            page = client.get(f"/games/{game.pk}/").content.decode()
            assert f"Time is up for {game.match.players[game.turn].name}" in page
            assert "data-confirm" not in page
            assert 'id="leave"' not in page
            form = {"version": game.version, "request_id": request_id(), "what": "match"}
            client.post(f"/games/{game.pk}/resign/", form)
            client.post(f"/matches/{game.match_id}/abort/")
        move(game, deadline - MS)
        assert Match.objects.get().status == Match.Status.RUNNING

    @pytest.mark.parametrize("after", [MS, timedelta(hours=1)])
    @pytest.mark.parametrize("what", ["plan", "submit", "resign"])
    def test_fault_56_a_late_form_is_told_so_on_the_board_as_it_is_then(
        self, game: Game, deadline: datetime, after: timedelta, what: str
    ) -> None:
        client = client_of(game.match.players[game.turn])
        action = bot_turn(game)[0]
        form = {"version": game.version, "request_id": request_id(), "what": "game"}
        form |= {"step": "lay", "card": action["card"], "stone": action["stone"]}
        with clock.shifted(deadline + after - clock.now()):
            answer = client.post(f"/games/{game.pk}/{what}/", form)
        assert answer.status_code == 409
        page = answer.content.decode()
        assert "The time for this turn had run out before it arrived." in page
        is_written = after > GRACE
        assert is_lost(game, deadline) == is_written
        assert ("You have lost" in page) == is_written

    @pytest.mark.parametrize(
        ("after", "is_written"),
        [(-MS, False), (timedelta(0), False), (GRACE - MS, False), (GRACE, True)],
    )
    def test_nobody_writes_it_while_a_move_may_wait_for_its_lock(
        self, game: Game, deadline: datetime, after: timedelta, is_written: bool
    ) -> None:
        assert deadline_settle(game_id=game.pk, now=deadline + after) == is_written
        assert is_lost(game, deadline) == is_written

    def test_job_first_then_the_move(self, game: Game, deadline: datetime) -> None:
        deadline_settle(game_id=game.pk, now=deadline + GRACE)
        with pytest.raises(Refusal) as refusal:
            move(game, deadline - MS)
        assert refusal.value.code == Code.GAME_OVER


class TestFault44PassedWhileTheWorkerWasAway:
    LATER = timedelta(hours=3)

    def test_the_board_page_writes_it_as_of_the_deadline(
        self, game: Game, deadline: datetime, client: Client
    ) -> None:
        with clock.shifted(deadline + self.LATER - clock.now()):
            page = client.get(f"/games/{game.pk}/").content.decode()
        assert is_lost(game, deadline)
        assert "data-deadline" not in page

    def test_the_sweep_writes_it_as_of_the_deadline(self, game: Game, deadline: datetime) -> None:
        assert deadlines_sweep(now=deadline + self.LATER) == 1
        assert is_lost(game, deadline)

    def test_twice_is_as_good_as_once(self, game: Game, deadline: datetime) -> None:
        assert deadlines_sweep(now=deadline + self.LATER) == 1
        assert deadlines_sweep(now=deadline + self.LATER) == 0
        assert not deadline_settle(game_id=game.pk, now=deadline + self.LATER)
        assert is_lost(game, deadline)


def test_fault_59_nobody_need_open_the_game(game: Game, deadline: datetime) -> None:
    with clock.shifted(deadline + timedelta(seconds=6) - clock.now()):
        tasks.deadlines_sweep()
    assert is_lost(game, deadline)


def test_sweep_leaves_a_move_on_its_way_five_seconds(game: Game, deadline: datetime) -> None:
    assert deadlines_sweep(now=deadline + timedelta(seconds=5)) == 0
    assert deadlines_sweep(now=deadline + timedelta(seconds=5) + MS) == 1


class TestFault51NobodyEverMoved:
    @pytest.fixture
    def fresh(self, cast: Cast) -> Game:
        return running_game(make_match(cast.owner, cast.opponent, at=START, pace_slug="per-turn-7"))

    def test_not_a_minute_earlier(self, fresh: Game) -> None:
        assert deadlines_sweep(now=START + timedelta(days=6, hours=23, minutes=59)) == 0

    def test_starter_loses_nothing_and_the_match_is_called_off(self, fresh: Game) -> None:
        assert deadlines_sweep(now=START + timedelta(days=7, minutes=1)) == 1
        match = Match.objects.get()
        assert (match.status, match.ending, match.winner) == (31, "abandoned", None)
        assert (match.points, match.finished_at) == ((0, 0), START + timedelta(days=7))
        assert Game.objects.get().status == Game.Status.ABORTED

    def test_who_never_moved_is_spared_though_the_other_did(self, fresh: Game) -> None:
        play_turn(fresh, START)
        assert deadlines_sweep(now=START + timedelta(days=8)) == 1
        assert Match.objects.get().ending == "abandoned"


class TestFault54OnlyWhoIsToActLoses:
    def test_two_of_many_games_are_due(self, cast: Cast) -> None:
        players = [make_user(f"Player{n}") for n in range(4)]
        games = []
        for number in range(10):
            late = number in (3, 7)
            at = START if late else START + timedelta(days=2)
            match = make_match(players[number % 3], players[3], at=at)
            games.append(running_game(match))
            play_turn(games[-1], at)
            play_turn(games[-1], at)
            games[-1].refresh_from_db()
        assert deadlines_sweep(now=START + timedelta(days=3, hours=1)) == 2
        for number, game in enumerate(games):
            assert is_lost(game, START + PER_TURN) == (number in (3, 7))
            running = Match.objects.get(pk=game.match_id).status == Match.Status.RUNNING
            assert running == (number not in (3, 7))

    def test_one_player_late_in_two_games_of_both_seats(self, cast: Cast) -> None:
        one = make_match(cast.owner, cast.opponent, at=START)
        two = make_match(cast.opponent, cast.owner, at=START)
        for match in (one, two):
            game = running_game(match)
            while game.turn != match.seat_of(cast.owner.pk) or game.version < 3:
                play_turn(game, START)
                game.refresh_from_db()
        assert deadlines_sweep(now=START + timedelta(days=4)) == 2
        winners = [Match.objects.get(pk=match.pk).winner for match in (one, two)]
        assert winners == [1, 0]


def test_fault_55_job_of_an_earlier_turn_does_nothing(game: Game, deadline: datetime) -> None:
    move(game, deadline - MS)
    assert not deadline_settle(game_id=game.pk, now=deadline + timedelta(hours=1))
    game.refresh_from_db()
    assert game.is_running
    assert game.deadline_at == deadline - MS + PER_TURN


def test_fault_81_job_run_twenty_times_changes_what_it_changes_once(
    game: Game, deadline: datetime
) -> None:
    settled = [deadline_settle(game_id=game.pk, now=deadline + GRACE) for _ in range(20)]
    assert settled == [True] + [False] * 19
    assert is_lost(game, deadline)


def test_fault_50_no_clock_runs_after_the_end(game: Game, deadline: datetime) -> None:
    deadline_settle(game_id=game.pk, now=deadline + GRACE)
    game.refresh_from_db()
    assert game.deadline_at is None
    assert deadlines_sweep(now=deadline + timedelta(days=400)) == 0
    assert is_lost(Game(pk=game.pk, match_id=game.match_id, turn=0), deadline) or is_lost(
        Game(pk=game.pk, match_id=game.match_id, turn=1), deadline
    )


def test_time_out_is_an_action_and_points_follow_the_rules(game: Game, deadline: datetime) -> None:
    loser = game.turn
    deadline_settle(game_id=game.pk, now=deadline + GRACE)
    last = game.actions.order_by("-version")[0]
    assert last.payload == {"seat": loser, "type": "timeout"}
    assert last.created_at == deadline
    match = Match.objects.get()
    assert match.points == ((0, 15) if loser == 0 else (15, 0))


def test_who_waits_cannot_move_after_the_other_is_late(game: Game, deadline: datetime) -> None:
    with pytest.raises(Refusal) as refusal:
        turn_submit(
            game_id=game.pk,
            user=game.match.players[1 - game.turn],
            actions=[],
            expected_version=game.version,
            request_id=request_id(),
            now=deadline + GRACE + MS,
        )
    assert refusal.value.code == Code.DEADLINE_PASSED
    assert is_lost(game, deadline)


def test_one_broken_game_keeps_no_other_waiting(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken, sound = (running_game(make_match(cast.owner, cast.opponent, at=START)) for _ in "12")
    settle = deadlines.deadline_settle

    def settle_or_fail(*, game_id: int, **rest: Any) -> bool:
        if game_id == broken.pk:
            raise RuntimeError("this game is broken")
        return settle(game_id=game_id, **rest)

    monkeypatch.setattr(deadlines, "deadline_settle", settle_or_fail)
    with caplog.at_level(logging.ERROR):
        assert deadlines_sweep(now=START + timedelta(days=4)) == 1
    sound.refresh_from_db()
    assert not sound.is_running
    assert f"deadline of game {broken.pk} not settled" in caplog.text


def test_fault_51_who_never_begins_has_the_whole_time_and_then_the_match_is_off(
    cast: Cast,
) -> None:
    match = make_match(cast.owner, cast.opponent, at=START, pace_slug="per-turn-7")
    minute = timedelta(minutes=1)
    assert deadlines_sweep(now=START + timedelta(days=7) - minute) == 0
    match.refresh_from_db()
    assert match.status == Match.Status.RUNNING
    assert deadlines_sweep(now=START + timedelta(days=7) + minute) == 1
    match.refresh_from_db()
    assert (match.status, match.ending) == (Match.Status.ABORTED, Match.Ending.ABANDONED)
    assert match.winner is None


def test_fault_54_of_a_hundred_games_only_the_two_that_are_due_are_lost(cast: Cast) -> None:
    """Each by the side to move, in that game alone, though its player has other games.

    The owner begins everywhere and is late in one of them, the opponent in the other.
    """
    games = []
    for number in range(100):
        is_due = number in (30, 61)
        begun = START if is_due else START + timedelta(days=1)
        game = running_game(make_match(cast.owner, cast.opponent, at=begun))
        stack(game, HIGH, LOW, first=0)
        for _ in range(3 if number == 61 else 2):
            play_turn(game, begun)
        game.refresh_from_db()
        games.append(game)
    due = {games[30].pk: 0, games[61].pk: 1}
    assert {game.pk: game.turn for game in games if game.pk in due} == due
    assert deadlines_sweep(now=START + PER_TURN + GRACE + MS) == 2
    for game in games:
        match = Match.objects.get(pk=game.match_id)
        if game.pk in due:
            assert (match.status, match.winner) == (Match.Status.FINISHED, 1 - due[game.pk])
            assert match.ending == Match.Ending.TIMEOUT
        else:
            assert (match.status, match.winner) == (Match.Status.RUNNING, None)
