"""Fast settings for every test, and which tests can run here."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.core.cache import caches
from django.db import connection

from tests.services import SERVICES, missing_services

if TYPE_CHECKING:
    from tests.workers import Workers

DESELECTED = pytest.StashKey[Counter[str]]()
PLAIN_FILES = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}


def pytest_configure(config: pytest.Config) -> None:
    """Hash passwords quickly, and serve static files under their plain names."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.STORAGES = {**settings.STORAGES, "staticfiles": PLAIN_FILES}
    settings.WHITENOISE_AUTOREFRESH = True
    config.stash[DESELECTED] = Counter()


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    """Forget rate limits that another test used up, and who was where."""
    for name in settings.CACHES:
        caches[name].clear()


@pytest.fixture
def workers(tmp_path: Path) -> Iterator[Workers]:
    """Processes of Celery that share this test's database; killed at its end."""
    from tests.workers import Workers

    assert connection.vendor == "postgresql"
    workers = Workers(tmp_path)
    yield workers
    workers.close()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect what needs a missing service, and PostgreSQL's tests on another database."""
    absent = {service.marker for service in missing_services()}
    if not config.getoption("postgres"):
        absent.add("postgres")
    out = [item for item in items if _markers(item) & absent]
    if out:
        config.stash[DESELECTED].update(
            marker for item in out for marker in sorted(_markers(item) & absent)[:1]
        )
        config.hook.pytest_deselected(items=out)
        items[:] = [item for item in items if not _markers(item) & absent]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand the counts from a process of pytest-xdist to the one that started it."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["deselected"] = dict(session.config.stash[DESELECTED])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take the counts over; every process collects all tests, so they are all the same."""
    counts = getattr(node, "workeroutput", {}).get("deselected", {})
    node.config.stash[DESELECTED] = Counter(counts)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say what was left out and how to have it, and write the counts down for tests/run.py."""
    for service in SERVICES:
        count = config.stash[DESELECTED][service.marker]
        if count and service in missing_services():
            terminalreporter.write_line(
                f"{count} tests left out: no {service.name}. To have them, {service.how}."
            )
        elif count:
            terminalreporter.write_line(f"{count} tests left out: they run with --postgres.")
    if path := os.environ.get("TEST_COUNTS_FILE"):
        stats = {outcome: len(reports) for outcome, reports in terminalreporter.stats.items()}
        counts = {"outcomes": stats, "deselected": dict(config.stash[DESELECTED])}
        Path(path).write_text(json.dumps(counts), encoding="utf-8")


def _markers(item: pytest.Item) -> set[str]:
    return {service.marker for service in SERVICES if item.get_closest_marker(service.marker)}
