"""The clock of a simulation: a row that all processes follow; it never runs backward."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from games import clock
from games.ledgers import SimulatedClock

DAY = timedelta(days=1)
BIT = timedelta(seconds=30)
"""Longer than these tests take."""

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    clock._cache.setting, clock._cache.looked_at = None, float("-inf")
    yield
    clock._cache.setting, clock._cache.looked_at = None, float("-inf")


def test_without_the_setting_it_shows_real_time_and_is_not_to_be_set(settings: Any) -> None:
    settings.SIMULATED_CLOCK = False
    real = timezone.now()
    SimulatedClock.objects.create(pk=1, real_at=real, shown_at=real + DAY, rate=0)
    assert abs(clock.now() - real) < BIT
    with pytest.raises(ValueError, match="SIMULATED_CLOCK"):
        clock.clock_set(forward=DAY)


def test_it_is_set_forward_and_stands_still_at_rate_nought(settings: Any) -> None:
    settings.SIMULATED_CLOCK = True
    assert abs(clock.now() - timezone.now()) < BIT
    shown = clock.clock_set(forward=10 * DAY, rate=0)
    assert abs(shown - timezone.now() - 10 * DAY) < BIT
    assert clock.now() == clock.now() == shown
    assert clock.clock_set(forward=DAY, rate=0) == shown + DAY
    assert SimulatedClock.objects.get().shown_at == shown + DAY


def test_another_process_follows_the_row(settings: Any) -> None:
    settings.SIMULATED_CLOCK = True
    shown = clock.clock_set(forward=DAY, rate=0)
    SimulatedClock.objects.update(shown_at=shown + DAY)
    clock._cache.looked_at = float("-inf")
    assert clock.now() == shown + DAY


@pytest.mark.parametrize("how", [{"forward": -DAY}, {"rate": -1.0}])
def test_it_never_runs_backward(settings: Any, how: dict[str, Any]) -> None:
    settings.SIMULATED_CLOCK = True
    with pytest.raises(ValueError, match="runs forward"):
        clock.clock_set(**how)
    now = timezone.now()
    with pytest.raises(IntegrityError), transaction.atomic():
        SimulatedClock.objects.create(pk=1, real_at=now, shown_at=now, rate=-1)


def test_a_setting_runs_at_its_rate() -> None:
    at = timezone.now()
    setting = clock.Setting(at, at + DAY, rate=60.0)
    assert setting.at(at) == at + DAY
    assert setting.at(at + timedelta(minutes=1)) == at + DAY + timedelta(hours=1)
