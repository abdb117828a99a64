"""Paces: named ways of giving time. The one place that knows them.

Each game of a match starts both players with a full bank; a turn uses it up, and brings an
increment when it ends, up to a cap. "Per turn" is the case in which all three are the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

DAYS_PER_TURN = (1, 2, 3, 5, 7, 14)


@dataclass(frozen=True, slots=True)
class Pace:
    """A clock setting. `slug` is what rows store; a bank never holds more than its cap."""

    slug: str
    bank: timedelta
    """What a player has when a game begins."""
    increment: timedelta
    """What a player gets when a turn of theirs has ended."""
    cap: timedelta | None
    """None: a bank may grow as it likes."""
    is_live: bool = False
    """Whether it is meant for two who sit at the board together: nothing pauses its clocks."""

    @property
    def is_per_turn(self) -> bool:
        """Say whether each turn has the same time, and no time is saved."""
        return self.bank == self.increment == self.cap

    def bank_after(self, left: timedelta) -> timedelta:
        """Give the bank with which a player's next turn starts, from what is left of this one."""
        grown = max(left, timedelta(0)) + self.increment
        return grown if self.cap is None else min(grown, self.cap)


def _days(n: float) -> timedelta:
    return timedelta(days=n)


_ALL = (
    Pace("live", timedelta(minutes=10), timedelta(seconds=30), None, is_live=True),
    Pace("brisk", _days(1), _days(0.5), _days(3)),
    Pace("steady", _days(3), _days(1), _days(5)),
    Pace("relaxed", _days(7), _days(2), _days(14)),
    *(Pace(f"per-turn-{n}", _days(n), _days(n), _days(n)) for n in DAYS_PER_TURN),
)

PACES = {pace.slug: pace for pace in _ALL}
"""All paces by slug, in the order in which they are offered."""

CORRESPONDENCE = {pace.slug: pace for pace in _ALL if not pace.is_live}
"""The paces for which nobody need be there when a match begins."""


def slowest(slugs: frozenset[str]) -> str | None:
    """Give the pace among some that hurries least, by what a turn brings; None without one."""
    known = (PACES[slug] for slug in slugs if slug in CORRESPONDENCE)
    pace = max(known, key=lambda pace: (pace.increment, pace.bank), default=None)
    return None if pace is None else pace.slug


def is_expired(deadline_at: datetime | None, now: datetime) -> bool:
    """Say whether a turn is too late: it counts only if it arrived strictly before."""
    return deadline_at is not None and now >= deadline_at
