"""/healthz: what a monitor is told."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

import pytest
from celery import current_app
from django.conf import settings
from django.db import DatabaseError
from django.test import Client
from django.utils import timezone

from config import health
from games.models import Heartbeat

JOBS = [entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()]


@pytest.fixture
def _long_running(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "_started", time.monotonic() - 4 * 24 * 3600)


@pytest.fixture
def _beating(db: None) -> None:
    for job in JOBS:
        Heartbeat.objects.create(job=job, succeeded_at=timezone.now())


def ask(client: Client) -> tuple[int, dict[str, Any]]:
    answer = client.get("/healthz")
    assert answer["Cache-Control"] == "max-age=0, no-cache, no-store, must-revalidate, private"
    return answer.status_code, answer.json()


@pytest.mark.usefixtures("_beating", "_long_running")
def test_all_is_well(client: Client) -> None:
    status, told = ask(client)
    assert (status, told["status"]) == (200, "ok")
    assert set(told["checks"]) == {"database", "tasks"}
    assert {job: check["ok"] for job, check in told["checks"]["tasks"]["jobs"].items()} == (
        dict.fromkeys(JOBS, True)
    )


@pytest.mark.usefixtures("_beating", "_long_running")
@pytest.mark.parametrize("job", JOBS)
def test_a_task_that_no_longer_succeeds_is_told(client: Client, job: str) -> None:
    Heartbeat.objects.filter(job=job).update(succeeded_at=timezone.now() - timedelta(days=3))
    status, told = ask(client)
    assert (status, told["status"]) == (503, "failing")
    jobs = told["checks"]["tasks"]["jobs"]
    assert [name for name, check in jobs.items() if not check["ok"]] == [job]
    assert 0 <= jobs[job]["age_s"] - 3 * 86_400 < 60


@pytest.mark.usefixtures("db", "_long_running")
def test_tasks_that_never_ran_are_told(client: Client) -> None:
    status, told = ask(client)
    assert status == 503
    assert all(check["age_s"] is None for check in told["checks"]["tasks"]["jobs"].values())


@pytest.mark.usefixtures("_beating")
def test_a_site_that_was_off_is_not_ill_when_it_comes_back(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "_started", time.monotonic())
    Heartbeat.objects.update(succeeded_at=timezone.now() - timedelta(days=3))
    assert ask(client)[0] == 200


@pytest.mark.usefixtures("_beating")
def test_database_away_is_told_without_its_words(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise DatabaseError("password of marchstone at db.internal is wrong")

    with monkeypatch.context() as away:
        away.setattr(health.connection, "cursor", fail)
        status, told = ask(client)
    assert (status, told) == (503, {"status": "failing", "checks": {"database": {"ok": False}}})


@pytest.mark.usefixtures("_beating")
@pytest.mark.parametrize("fault", [DatabaseError, OSError])
def test_a_disk_that_fails_is_told(
    client: Client, monkeypatch: pytest.MonkeyPatch, fault: type[Exception]
) -> None:
    def fail(*_: object) -> None:
        raise fault("disk I/O error")

    with monkeypatch.context() as broken:
        broken.setattr(Heartbeat.objects, "values_list", fail)
        status, told = ask(client)
    assert (status, told["checks"]["tasks"]) == (503, {"ok": False})


@pytest.mark.usefixtures("_beating")
def test_redis_away_is_told(client: Client, settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    status, told = ask(client)
    assert status == 503
    assert told["checks"]["redis"] == {"ok": False}
    assert told["checks"]["database"] == {"ok": True}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("job", JOBS)
def test_every_periodic_task_leaves_its_heartbeat(job: str) -> None:
    current_app.loader.import_default_modules()
    current_app.tasks[job]()
    assert Heartbeat.objects.filter(job=job).exists()


def test_only_reading_is_allowed(client: Client) -> None:
    assert client.post("/healthz").status_code == 405
