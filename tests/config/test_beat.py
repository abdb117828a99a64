"""The schedule of periodic jobs over changed clocks: beat asks how long ago each job ran."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from celery import Celery
from celery.beat import Scheduler
from django.conf import settings

PRAGUE = ZoneInfo("Europe/Prague")
MINUTE = timedelta(minutes=1)
DOUBLED = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
"""In Prague it is 2:30 then, and half past two once more an hour later."""


class Beat:
    """Celery's own scheduler with the site's schedule, by a clock that the test moves."""

    def __init__(self, now: datetime, zone: str = "UTC") -> None:
        self.now = now
        app = Celery("beat", set_as_current=False)
        app.conf.timezone = zone
        app.conf.beat_schedule = settings.CELERY_BEAT_SCHEDULE
        app.now = self._local  # type: ignore[method-assign]
        self._app = app
        self.scheduler = Scheduler(app, lazy=True)
        self.scheduler.setup_schedule()
        for entry in self.scheduler.schedule.values():
            entry.schedule.nowfun = self._local
            entry.last_run_at = now.astimezone(app.timezone)

    def _local(self) -> datetime:
        return self.now.astimezone(self._app.timezone)

    def due(self) -> dict[str, bool]:
        """Say which jobs run now; they count as run then."""
        told = {}
        for name, entry in self.scheduler.schedule.items():
            told[name] = bool(entry.is_due().is_due)
            if told[name]:
                entry.last_run_at = self._local()
        return told

    def move_to_zone(self, zone: str) -> None:
        """Change the zone in the settings; what ran last stays as it was noted."""
        self._app.conf.timezone = zone
        self._app.__dict__.pop("timezone", None)


@pytest.mark.parametrize("zone", ["UTC", "Europe/Prague"])
def test_fault_86_beat_goes_on_over_the_doubled_hour(zone: str) -> None:
    """Fault 86: started inside it, each job runs as often as real time says."""
    beat, runs = Beat(DOUBLED, zone), dict.fromkeys(settings.CELERY_BEAT_SCHEDULE, 0)
    for _ in range(180):
        beat.now += MINUTE
        for name, is_due in beat.due().items():
            runs[name] += is_due
    assert runs["deadlines"] == runs["notices"] == runs["offers"] == 180
    assert runs["pairings"] == 12
    assert runs["drawn"] == 3


@pytest.mark.parametrize("zone", ["America/New_York", "Asia/Kathmandu", "Europe/Prague"])
def test_fault_87_a_change_of_zone_brings_one_run_at_most(zone: str) -> None:
    """Fault 87: nothing is made up for run by run, and no job runs without end."""
    beat = Beat(DOUBLED)
    beat.move_to_zone(zone)
    counts: dict[str, Any] = dict.fromkeys(settings.CELERY_BEAT_SCHEDULE, 0)
    for _ in range(50):
        for name, is_due in beat.due().items():
            counts[name] += is_due
    assert max(counts.values()) <= 1
    beat.now += MINUTE
    assert beat.due()["deadlines"]
