"""Waiting for what other threads and processes do."""

from __future__ import annotations

import time
from collections.abc import Callable

from django.db import connection


def wait_for(is_so: Callable[[], bool], patience_s: float = 120) -> None:
    """Wait until something is so; a test that waits in vain fails."""
    deadline = time.monotonic() + patience_s
    while not is_so():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)


def is_another_waiting() -> bool:
    """Say whether another connection to this database waits for a lock."""
    with connection.cursor() as cursor:
        # Within a transaction the server would go on telling what it told first.
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return bool(cursor.fetchone()[0])
