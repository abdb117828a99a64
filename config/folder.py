"""The lock on the data folder: without Redis, one process alone may serve the site.

Tasks and news live in that process's memory, so a second one would show stale boards and
leave its tasks undone.
"""

from __future__ import annotations

import fcntl
import sys
from typing import IO

from django.conf import settings

_held: list[IO[str]] = []


def hold_data_folder() -> None:
    """Take the lock until this process ends; taking it twice in one process is once.

    Raises `SystemExit` with one sentence where another process holds it.
    """
    if _held:
        return
    settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
    lock = (settings.DATA_DIR / "serve.lock").open("a+", encoding="ascii")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.seek(0)
        url = lock.read().strip()
        lock.close()
        sys.exit(
            f"Marchstone is already being served from {settings.DATA_DIR}"
            f"{f', at {url}' if url else ''}: "
            "stop that process, or set REDIS_URL to run several."
        )
    lock.truncate(0)
    _held.append(lock)


def tell_address(url: str) -> None:
    """Leave the address in the lock, for whoever is refused because of it."""
    for lock in _held:
        lock.write(url)
        lock.flush()
