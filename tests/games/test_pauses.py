"""Vacations and weekends in running games: clocks stand, and nothing is given back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.core import mail
from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.models import User
from games import clock, tasks, vacations
from games.clocks import Span
from games.models import Game, Match, Vacation
from games.pauses import game_clock, vacation_spans
from games.refusals import Code, Refusal
from games.services.deadlines import deadline_settle, deadlines_sweep
from games.services.vacations import (
    vacation_choose,
    vacation_end,
    vacation_plan,
    vacation_start,
)
from tests.games.conftest import Cast, make_match, play_turn, running_game

START = datetime(2026, 3, 2, 12, tzinfo=UTC)  # a Monday
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
SOON = timedelta(seconds=6)


def begin(cast: Cast, n_turns: int = 2, **rest: Any) -> Game:
    """Start a match and make some turns at once; gives the game."""
    terms = {"pace_slug": "per-turn-3", **rest}
    game = running_game(make_match(cast.owner, cast.opponent, at=START, **terms))
    for _ in range(n_turns):
        play_turn(game, START)
    return fresh(game)


def fresh(game: Game) -> Game:
    return Game.objects.select_related("match__player_0", "match__player_1").get(pk=game.pk)


def to_act(game: Game) -> User:
    return game.match.players[game.turn]


def waiting(game: Game) -> User:
    return game.match.players[1 - game.turn]


def take(user: User, days: float, at: datetime) -> Vacation:
    return vacation_plan(user=user, starts_at=at, ends_at=at + days * DAY, now=at)


class TestLedger:
    NEW_YEAR = datetime(2027, 1, 1, tzinfo=UTC)

    def test_a_year_has_thirty_days(self) -> None:
        assert vacations.left_in(2026, []) == 30 * DAY
        ledger = [Span(START, START + 4 * DAY), Span(START + 10 * DAY, START + 10.5 * DAY)]
        assert vacations.left_in(2026, ledger) == 25.5 * DAY
        assert vacations.left_in(2027, ledger) == 30 * DAY

    def test_a_vacation_over_new_year_counts_for_both(self) -> None:
        ledger = [Span(self.NEW_YEAR - 2 * DAY, self.NEW_YEAR + 3 * DAY)]
        assert vacations.left_in(2026, ledger) == 28 * DAY
        assert vacations.left_in(2027, ledger) == 27 * DAY

    def test_with_the_days_used_up_it_goes_on_in_the_new_year_only_without_a_gap(self) -> None:
        spent = [Span(START, START + 24 * DAY)]
        six_before = self.NEW_YEAR - 6 * DAY
        assert vacations.longest_end(six_before, spent) == six_before + 30 * DAY
        week_before = self.NEW_YEAR - 7 * DAY
        assert vacations.longest_end(week_before, spent) == self.NEW_YEAR - DAY

    def test_it_ends_where_the_next_begins(self) -> None:
        planned = [Span(START + 5 * DAY, START + 9 * DAY)]
        assert vacations.longest_end(START, planned) == START + 5 * DAY
        assert vacations.longest_end(START + 6 * DAY, planned) == START + 6 * DAY

    @settings(max_examples=100, deadline=None)
    @given(
        plans=st.lists(
            st.tuples(st.floats(0, 700), st.floats(0.05, 40), st.booleans()), max_size=12
        )
    )
    def test_no_series_of_vacations_takes_more_than_there_is(
        self, plans: list[tuple[float, float, bool]]
    ) -> None:
        ledger: list[Span] = []
        for start, length, is_longest in plans:
            begin = START + start * DAY
            latest = vacations.longest_end(begin, sorted(ledger))
            end = latest if is_longest else min(begin + length * DAY, latest)
            if end > begin:
                ledger.append(Span(begin, end))
        for year in range(2026, 2030):
            begin, end = datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC)
            taken = [min(s.end, end) - max(s.start, begin) for s in ledger]
            total = sum((t for t in taken if t > timedelta(0)), timedelta(0))
            assert total <= vacations.ALLOWANCE
            assert vacations.left_in(year, ledger) == vacations.ALLOWANCE - total
        spans = sorted(ledger)
        assert all(a.end <= b.start for a, b in pairwise(spans))


class TestVacation:
    def test_the_clock_of_who_is_to_act_stands(self, cast: Cast) -> None:
        game = begin(cast)
        take(to_act(game), 5, START + DAY)
        assert fresh(game).deadline_at == START + 3 * DAY + 5 * DAY
        assert deadlines_sweep(now=START + 7 * DAY) == 0
        assert deadlines_sweep(now=START + 8 * DAY + SOON) == 1

    def test_that_of_the_other_runs(self, cast: Cast) -> None:
        game = begin(cast)
        take(waiting(game), 5, START + DAY)
        assert fresh(game).deadline_at == START + 3 * DAY

    def test_it_counts_for_a_turn_that_begins_in_it(self, cast: Cast) -> None:
        game = begin(cast)
        take(waiting(game), 5, START + DAY)
        play_turn(game, START + 2 * DAY)
        assert fresh(game).deadline_at == START + 6 * DAY + 3 * DAY

    def test_who_is_on_vacation_can_play(self, cast: Cast) -> None:
        game = begin(cast, pace_slug="steady")
        player = game.turn
        before = game.banks[player]
        take(to_act(game), 5, START + DAY)
        play_turn(game, START + 3 * DAY)
        assert fresh(game).banks[player] == min(before - DAY + DAY, 5 * DAY)

    def test_fault_46_after_it_exactly_as_much_is_left_as_before(self, cast: Cast) -> None:
        """Fault 46: no old job ends the game in the pause, and none of it is lost or won."""
        game = begin(cast)
        at = game.deadline_at - timedelta(minutes=10)
        old_deadline = game.deadline_at
        vacation = take(to_act(game), 1, at)
        assert not deadline_settle(game_id=game.pk, now=old_deadline + HOUR)
        assert game_clock(fresh(game), at + 20 * HOUR).lefts[game.turn] == timedelta(minutes=10)
        clock_then = game_clock(fresh(game), at + 20 * HOUR)
        assert (clock_then.stands_until, clock_then.is_vacation) == (vacation.ends_at, True)
        assert fresh(game).deadline_at == vacation.ends_at + timedelta(minutes=10)

    def test_fault_47_it_ends_by_itself_when_the_days_are_used_up(self, cast: Cast) -> None:
        """Fault 47: six days left, back after nine: the clock runs again after six."""
        game = begin(cast, pace_slug="relaxed")
        player = to_act(game)
        Vacation.objects.create(
            user=player,
            starts_at=START - 40 * DAY,
            ends_at=START - 16 * DAY,
            planned_end_at=START - 16 * DAY,
            created_at=START - 40 * DAY,
            is_applied=True,
        )
        vacation = vacation_start(user=player, now=START + DAY)
        assert vacation.ends_at == START + 7 * DAY
        left = game_clock(game, START + 10 * DAY).lefts[game.turn]
        assert left == game.banks[game.turn] - 4 * DAY
        assert vacations.left_in(2026, vacation_spans(player.pk)) == timedelta(0)
        ended = vacation_end(user=player, vacation_id=vacation.pk, now=START + 10 * DAY)
        assert ended.ends_at == START + 7 * DAY
        with pytest.raises(Refusal) as refusal:
            vacation_start(user=player, now=START + 10 * DAY)
        assert refusal.value.code == Code.NO_VACATION_LEFT

    def test_coming_back_early_saves_the_rest_and_leaves_what_was_left(self, cast: Cast) -> None:
        game = begin(cast)
        player = to_act(game)
        vacation = vacation_start(user=player, now=START + DAY)
        assert fresh(game).deadline_at == vacation.ends_at + 2 * DAY
        for _ in "twice":
            vacation_end(user=player, vacation_id=vacation.pk, now=START + 4 * DAY)
        assert fresh(game).deadline_at == START + 6 * DAY
        assert vacations.left_in(2026, vacation_spans(player.pk)) == 27 * DAY

    def test_a_plan_that_is_given_up_takes_no_days(self, cast: Cast) -> None:
        game = begin(cast)
        player = to_act(game)
        vacation = vacation_plan(
            user=player, starts_at=START + DAY, ends_at=START + 9 * DAY, now=START
        )
        assert fresh(game).deadline_at == START + 11 * DAY
        vacation_end(user=player, vacation_id=vacation.pk, now=START + HOUR)
        assert fresh(game).deadline_at == START + 3 * DAY
        assert vacations.left_in(2026, vacation_spans(player.pk)) == 30 * DAY

    def test_it_is_not_ended_where_a_game_would_be_lost_at_once(self, cast: Cast) -> None:
        game = begin(cast)
        player = to_act(game)
        at = game.deadline_at - timedelta(minutes=59)
        vacation = vacation_start(user=player, now=at)
        with pytest.raises(Refusal) as refusal:
            vacation_end(user=player, vacation_id=vacation.pk, now=at + DAY)
        assert refusal.value.code == Code.TIME_IS_SHORT
        assert refusal.value.params == {"opponent": waiting(game).name}
        play_turn(game, at + DAY)
        vacation_end(user=player, vacation_id=vacation.pk, now=at + DAY)

    def test_what_cannot_be_is_refused_and_changes_nothing(self, cast: Cast) -> None:
        owner = cast.owner
        take(owner, 2, START + 10 * DAY)
        for start, end, code in (
            (-1, 5, Code.BAD_VACATION),
            (5, 5, Code.BAD_VACATION),
            (5, 4, Code.BAD_VACATION),
            (400, 401, Code.BAD_VACATION),
            (9, 11, Code.VACATION_RUNNING),
            (11, 13, Code.VACATION_RUNNING),
            (10.5, 11, Code.VACATION_RUNNING),
            (20, 49, Code.NO_VACATION_LEFT),
        ):
            with pytest.raises(Refusal) as refusal:
                vacation_plan(
                    user=owner,
                    starts_at=START + start * DAY,
                    ends_at=START + end * DAY,
                    now=START,
                )
            assert refusal.value.code == code
        with pytest.raises(Refusal) as refusal:
            vacation_end(
                user=cast.opponent, vacation_id=Vacation.objects.get().pk, now=START + 11 * DAY
            )
        assert refusal.value.code == Code.NOT_A_PLAYER
        assert Vacation.objects.count() == 1


class TestWeekends:
    def test_the_clock_stands_from_saturday_to_monday(self, cast: Cast) -> None:
        game = begin(cast, weekend_zone="UTC", pace_slug="per-turn-5")
        assert game.deadline_at == START + 7 * DAY
        saturday = datetime(2026, 3, 7, 9, tzinfo=UTC)
        shown = game_clock(game, saturday)
        assert shown.stands_until == datetime(2026, 3, 9, tzinfo=UTC)
        assert not shown.is_vacation
        assert shown.lefts[game.turn] == timedelta(hours=12)
        assert game_clock(game, START).runs_for == timedelta(days=4, hours=12)

    def test_a_vacation_over_a_weekend_counts_once(self, cast: Cast) -> None:
        game = begin(cast, weekend_zone="UTC", pace_slug="per-turn-5")
        take(to_act(game), 7, datetime(2026, 3, 6, 12, tzinfo=UTC))
        # Four days until Friday noon, a vacation until the next, twelve hours, a weekend, twelve.
        assert fresh(game).deadline_at == datetime(2026, 3, 16, 12, tzinfo=UTC)

    def test_fault_58_by_the_zone_agreed_whatever_the_night(self, cast: Cast) -> None:
        game = begin(cast, weekend_zone="Europe/Prague", pace_slug="per-turn-5")
        at = datetime(2026, 3, 27, 12, tzinfo=UTC)  # the Friday before the change to summer time
        Game.objects.filter(pk=game.pk).update(deadline_at=at + DAY)
        play_turn(game, at)
        weekend = timedelta(hours=47)
        assert fresh(game).deadline_at == at + 5 * DAY + weekend


class TestRescue:
    """A vacation that begins by itself when a game would otherwise be lost."""

    def test_it_saves_the_game_as_of_the_deadline_and_says_so(self, cast: Cast) -> None:
        game = begin(cast)
        player = to_act(game)
        vacation_choose(user=player, is_automatic=True, now=START)
        assert deadlines_sweep(now=game.deadline_at + HOUR) == 0
        vacation = Vacation.objects.get()
        assert (vacation.user, vacation.game, vacation.is_automatic) == (player, game, True)
        assert (vacation.starts_at, vacation.ends_at) == (
            game.deadline_at,
            game.deadline_at + 30 * DAY,
        )
        assert fresh(game).deadline_at == vacation.ends_at
        with clock.shifted(game.deadline_at + HOUR - clock.now()):
            tasks.notices_sweep()
            tasks.notices_sweep()
        told = [m for m in mail.outbox if "your vacation has begun" in m.body]
        assert [m.to for m in told] == [[player.email]]
        assert waiting(game).name in told[0].body
        assert f"/games/{game.pk}/" in told[0].body

    def test_the_next_turn_has_its_time_again(self, cast: Cast) -> None:
        game = begin(cast, pace_slug="steady")
        player, seat = to_act(game), game.turn
        vacation_choose(user=player, is_automatic=True, now=START)
        deadlines_sweep(now=game.deadline_at + HOUR)
        play_turn(game, game.deadline_at + 2 * DAY)
        assert fresh(game).banks[seat] == DAY

    def test_a_late_move_finds_it_begun(self, cast: Cast) -> None:
        game = begin(cast)
        vacation_choose(user=to_act(game), is_automatic=True, now=START)
        play_turn(game, game.deadline_at + timedelta(seconds=2))
        assert Vacation.objects.get().starts_at == game.deadline_at
        assert Match.objects.get().status == Match.Status.RUNNING

    def test_other_games_follow(self, cast: Cast) -> None:
        game, later = begin(cast), begin(cast, pace_slug="per-turn-5")
        player = to_act(game)
        if to_act(later) != player:
            play_turn(later, START)
        vacation_choose(user=player, is_automatic=True, now=START)
        deadlines_sweep(now=game.deadline_at + HOUR)
        deadlines_sweep(now=game.deadline_at + HOUR)
        vacation = Vacation.objects.get()
        assert fresh(later).deadline_at == vacation.ends_at + 2 * DAY

    def test_when_the_days_are_used_up_the_game_is_lost_as_of_then(self, cast: Cast) -> None:
        game = begin(cast)
        vacation_choose(user=to_act(game), is_automatic=True, now=START)
        assert deadlines_sweep(now=game.deadline_at + 50 * DAY) == 1
        match = Match.objects.get()
        assert (match.ending, match.finished_at) == ("timeout", game.deadline_at + 30 * DAY)
        assert Vacation.objects.count() == 1

    @pytest.mark.parametrize(
        ("terms", "is_chosen", "days_left", "is_saved"),
        [
            ({}, True, 30, True),
            ({}, True, 1, True),
            ({}, True, 0, False),
            ({}, False, 30, False),
            ({}, None, 30, False),
            ({"pace_slug": "live"}, True, 30, False),
            ({"allows_vacation": False}, True, 30, False),
            ({"allows_vacation": False, "weekend_zone": "UTC"}, True, 30, False),
            ({"pace_slug": "brisk", "weekend_zone": "UTC"}, True, 30, True),
        ],
    )
    def test_fault_48_the_table_of_when_one_begins(
        self,
        cast: Cast,
        terms: dict[str, Any],
        is_chosen: bool | None,
        days_left: int,
        is_saved: bool,
    ) -> None:
        """Fault 48: only where the match allows it, the player agreed, and days are left."""
        game = begin(cast, **terms)
        player = to_act(game)
        if is_chosen is not None:
            vacation_choose(user=player, is_automatic=is_chosen, now=START)
        if days_left < 30:
            span = (START - 60 * DAY, START - 60 * DAY + (30 - days_left) * DAY)
            Vacation.objects.create(
                user=player,
                starts_at=span[0],
                ends_at=span[1],
                planned_end_at=span[1],
                created_at=span[0],
                is_applied=True,
            )
        n_lost = deadlines_sweep(now=game.deadline_at + HOUR)
        assert n_lost == (0 if is_saved else 1)
        assert Vacation.objects.filter(is_automatic=True).exists() == is_saved

    def test_a_match_that_forbids_vacations_is_not_paused_by_one(self, cast: Cast) -> None:
        strict, live = begin(cast, allows_vacation=False), begin(cast, pace_slug="live")
        for game in (strict, live):
            take(to_act(game), 0.5, START)
            assert fresh(game).deadline_at == game.deadline_at
            vacation_end(user=to_act(game), vacation_id=Vacation.objects.latest("pk").pk, now=START)
