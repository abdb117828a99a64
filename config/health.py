"""`/healthz`: whether the site can do its work, for monitors and load balancers."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import redis
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import clock
from games.models import Heartbeat

log = logging.getLogger(__name__)

SLACK = timedelta(seconds=30)
NIGHTLY = timedelta(days=2)
REDIS_TIMEOUT_S = 2

_started = time.monotonic()


@require_safe
@never_cache
def healthz(request: HttpRequest) -> JsonResponse:
    """Answer 200 where everything works, else 503; the body says what does not."""
    checks = {"database": _checked(_database)}
    if settings.REDIS_URL:
        checks["redis"] = _checked(_redis)
    if checks["database"]["ok"]:
        checks["tasks"] = _checked(_tasks)
    is_ok = all(check["ok"] for check in checks.values())
    answer = {"status": "ok" if is_ok else "failing", "checks": checks}
    return JsonResponse(answer, status=200 if is_ok else 503)


def _checked(check: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Make one check. Whatever breaks it, a full disk too, is an answer, told without its words."""
    try:
        return check()
    except Exception:
        log.warning("health check failed", exc_info=True)
        return {"ok": False}


def _database() -> dict[str, Any]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return {"ok": True}


def _redis() -> dict[str, Any]:
    """Ask Redis, which carries tasks and news; without an answer soon it counts as away."""
    with redis.Redis.from_url(
        settings.REDIS_URL,
        socket_connect_timeout=REDIS_TIMEOUT_S,
        socket_timeout=REDIS_TIMEOUT_S,
    ) as client:
        return {"ok": bool(client.ping())}


def _limit(schedule: Any) -> timedelta:
    """Give after how long a task is late: three intervals, or two days for a nightly one."""
    return (3 * schedule if isinstance(schedule, timedelta) else NIGHTLY) + SLACK


def _tasks() -> dict[str, Any]:
    """Look when each periodic task last succeeded: worker and beat show in nothing else.

    What was missed before this process
    began does not count: a site that was switched off is not ill when it comes back.
    """
    succeeded: dict[str, datetime] = dict(Heartbeat.objects.values_list("job", "succeeded_at"))
    running = timedelta(seconds=time.monotonic() - _started)
    now = clock.now()
    jobs = {}
    entries: list[dict[str, Any]] = list(settings.CELERY_BEAT_SCHEDULE.values())
    for entry in entries:
        last = succeeded.get(entry["task"])
        age = None if last is None else now - last
        limit = _limit(entry["schedule"])
        is_ok = running < limit or (age is not None and age < limit)
        age_s = None if age is None else int(age.total_seconds())
        jobs[entry["task"]] = {"ok": is_ok, "age_s": age_s}
    return {"ok": all(job["ok"] for job in jobs.values()), "jobs": jobs}
