"""Vacations that are given up, chosen late or planned by the dozen give no time and take none."""

from __future__ import annotations

from datetime import timedelta

import pytest

from games.models import Vacation
from games.refusals import Code, Refusal
from games.services.deadlines import deadlines_sweep
from games.services.vacations import (
    MAX_PLANS,
    vacation_choose,
    vacation_end,
    vacation_plan,
    vacation_start,
)
from tests.games.conftest import Cast
from tests.games.test_pauses import DAY, HOUR, START, begin, fresh, to_act

MINUTE = timedelta(minutes=1)


class TestAfterTheDeadline:
    """What a player does once the flag has fallen, and no sweep has come by yet."""

    def test_a_choice_comes_too_late(self, cast: Cast) -> None:
        game = begin(cast)
        vacation_choose(user=to_act(game), is_automatic=True, now=game.deadline_at + MINUTE)
        assert deadlines_sweep(now=game.deadline_at + HOUR) == 1
        assert not Vacation.objects.exists()

    def test_the_same_choice_once_more_changes_nothing(self, cast: Cast) -> None:
        game = begin(cast)
        for at in (START, game.deadline_at + MINUTE):
            vacation_choose(user=to_act(game), is_automatic=True, now=at)
        assert deadlines_sweep(now=game.deadline_at + HOUR) == 0

    def test_days_of_a_plan_given_up_come_too_late(self, cast: Cast) -> None:
        game = begin(cast)
        vacation_choose(user=to_act(game), is_automatic=True, now=START)
        plan = vacation_plan(
            user=to_act(game), starts_at=START + 10 * DAY, ends_at=START + 40 * DAY, now=START
        )
        at = game.deadline_at + MINUTE
        vacation_end(user=to_act(game), vacation_id=plan.pk, now=at)
        assert deadlines_sweep(now=game.deadline_at + HOUR) == 1

    def test_days_of_a_plan_given_up_before_count(self, cast: Cast) -> None:
        game = begin(cast)
        vacation_choose(user=to_act(game), is_automatic=True, now=START)
        plan = vacation_plan(
            user=to_act(game), starts_at=START + 10 * DAY, ends_at=START + 40 * DAY, now=START
        )
        vacation_end(user=to_act(game), vacation_id=plan.pk, now=game.deadline_at - MINUTE)
        assert deadlines_sweep(now=game.deadline_at + HOUR) == 0
        assert fresh(game).deadline_at == game.deadline_at + 30 * DAY


class TestPlans:
    def test_a_plan_given_up_leaves_its_time_free(self, cast: Cast) -> None:
        plan = take_later(cast, 10, 2)
        vacation_end(user=cast.owner, vacation_id=plan.pk, now=START)
        assert take_later(cast, 9, 3).ends_at == START + 12 * DAY

    def test_a_plan_given_up_ends_no_other_vacation(self, cast: Cast) -> None:
        plan = take_later(cast, 10, 2)
        vacation_end(user=cast.owner, vacation_id=plan.pk, now=START)
        assert vacation_start(user=cast.owner, now=START).ends_at == START + 30 * DAY

    def test_there_is_a_most(self, cast: Cast) -> None:
        plans = [take_later(cast, n, 0.5) for n in range(1, MAX_PLANS + 1)]
        with pytest.raises(Refusal) as refusal:
            take_later(cast, 50, 0.5)
        assert (refusal.value.code, refusal.value.params) == (
            Code.TOO_MANY_PLANS,
            {"limit": MAX_PLANS},
        )
        vacation_end(user=cast.owner, vacation_id=plans[3].pk, now=START)
        take_later(cast, 50, 0.5)


def take_later(cast: Cast, day: float, days: float) -> Vacation:
    """Plan some days off, from a day on."""
    begin_at = START + day * DAY
    return vacation_plan(
        user=cast.owner, starts_at=begin_at, ends_at=begin_at + days * DAY, now=START
    )
