"""The only clock. Services are handed its answer; rules never ask it.

With `SIMULATED_CLOCK` it is that of a simulation: it runs from a row, at a rate of its own, and
all processes that share the database follow it at once.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from games.ledgers import SimulatedClock

LOOK_EVERY_S = 0.05
"""So often a process looks whether the simulation's clock was set anew."""

_offset: ContextVar[timedelta] = ContextVar("clock_offset", default=timedelta(0))


@dataclass(frozen=True, slots=True)
class Setting:
    """How a simulated clock runs: at `real_at` it showed `shown_at`, and `rate` times as fast."""

    real_at: datetime
    shown_at: datetime
    rate: float = 1.0

    def at(self, real: datetime) -> datetime:
        """Give what the clock shows at a real moment."""
        return self.shown_at + self.rate * (real - self.real_at)


@dataclass(slots=True)
class _Cache:
    setting: Setting | None = None
    looked_at: float = float("-inf")


_cache = _Cache()


def now() -> datetime:
    """Give the present moment, aware, in UTC."""
    real = timezone.now()
    setting = _setting() if settings.SIMULATED_CLOCK else None
    return (real if setting is None else setting.at(real)) + _offset.get()


@contextmanager
def shifted(by: timedelta) -> Iterator[None]:
    """Move the clock of this thread for a while: demo matches are played in the past."""
    token = _offset.set(by)
    try:
        yield
    finally:
        _offset.reset(token)


def clock_set(*, forward: timedelta = timedelta(0), rate: float = 1.0) -> datetime:
    """Set the simulation's clock forward from what it shows, and let it run at a rate.

    Gives what it shows then. Without a row it shows real time. Raises `ValueError` for a clock
    that would run backward, or where `SIMULATED_CLOCK` is not set.
    """
    if not settings.SIMULATED_CLOCK:
        raise ValueError("SIMULATED_CLOCK is not set: this clock shows real time")
    if forward < timedelta(0) or rate < 0:
        raise ValueError("a clock runs forward")
    _cache.looked_at = float("-inf")
    real = timezone.now()
    before = _setting()
    shown = (real if before is None else before.at(real)) + forward
    values = {"real_at": real, "shown_at": shown, "rate": rate}
    SimulatedClock.objects.update_or_create(pk=1, defaults=values)
    _cache.setting, _cache.looked_at = Setting(real, shown, rate), time.monotonic()
    return shown


def _setting() -> Setting | None:
    """Read the row, every now and then; an event loop goes on with what was read last."""
    if time.monotonic() - _cache.looked_at >= LOOK_EVERY_S and not _is_in_loop():
        row = SimulatedClock.objects.filter(pk=1).first()
        _cache.setting = None if row is None else Setting(row.real_at, row.shown_at, row.rate)
        _cache.looked_at = time.monotonic()
    return _cache.setting


def _is_in_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
