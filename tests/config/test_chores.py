"""Every periodic task, however often it runs and by however many: the state is that of once."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from django.conf import settings

from tests.config.chores import ALIVE, Site, chore, cleared, site_at_work
from tests.games.races import race

PERIODIC = sorted({line["task"] for line in settings.CELERY_BEAT_SCHEDULE.values()})
LOOKS_ONLY = {"ladder.rebuild_check"}
N_RACES = 2


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Site:
    return site_at_work(monkeypatch)


def without_signs_of_life(state: dict[str, Any]) -> dict[str, Any]:
    return {label: rows for label, rows in state.items() if label != ALIVE}


@pytest.mark.django_db
@pytest.mark.parametrize("task", PERIODIC)
def test_fault_81_a_task_run_twenty_times_leaves_the_state_of_once(site: Site, task: str) -> None:
    run = chore(site, task)
    before = site.state()
    run()
    once = site.state()
    changed = without_signs_of_life(once) != without_signs_of_life(before)
    assert changed == (task not in LOOKS_ONLY)
    assert once[ALIVE] != before[ALIVE]
    for _ in range(19):
        run()
    assert site.state() == once


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("task", PERIODIC)
def test_fault_88_a_task_run_twice_at_once_leaves_the_state_of_once(site: Site, task: str) -> None:
    """Fault 88: two beats by mistake, and no mail, vacation day or season comes twice."""
    cleared(site)
    chore(site, task)()
    once = site.likeness()
    for _ in range(N_RACES):
        cleared(site)
        run = chore(site, task)
        race(run, run)
        twice = site.likeness()
        assert (twice - once, once - twice) == (Counter(), Counter())
