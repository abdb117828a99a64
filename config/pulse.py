"""The pulse of a web process: a row that says that pages are being served (games/services/outages).

A thread of its own, so that it beats where nobody asks for a page, and falls silent where the
process does or the database is away.
"""

from __future__ import annotations

import logging
import threading

from django.db import connections

from games import clock
from games.services.outages import site_pulse

log = logging.getLogger(__name__)

EVERY_S = 20.0

_stop = threading.Event()
_threads: list[threading.Thread] = []


def start_pulse() -> None:
    """Let this process beat until it ends; a second call changes nothing."""
    if not _threads:
        _threads.append(threading.Thread(target=_beat, name="pulse", daemon=True))
        _threads[0].start()


def stop_pulse() -> None:
    """Let the thread end, if there is one; a beat under way is waited for."""
    _stop.set()
    for thread in _threads:
        thread.join(timeout=5)


def _beat() -> None:
    while True:
        try:
            site_pulse(now=clock.now())
        except Exception:
            log.warning("no pulse", exc_info=True)
        finally:
            connections.close_all()
        if _stop.wait(EVERY_S):
            return
