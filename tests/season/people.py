"""Who plays the season: where they live, how fast they answer, and what they have chosen."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from accounts.models import NoticeChoice, User
from accounts.names import name_key
from games.models import VacationChoice
from games.paces import PACES, Pace

ZONES: Final = (
    "Europe/Budapest",
    "Europe/Prague",
    "Europe/Kyiv",
    "America/New_York",
    "America/Sao_Paulo",
    "Asia/Kathmandu",
    "Asia/Tokyo",
    "Pacific/Auckland",
)
AWAKE: Final = range(7, 23)
"""The hours of the day, by one's own clock, in which somebody answers."""


@dataclass(frozen=True, slots=True)
class Person:
    """A player of the season. `slowness` is the mean time of an answer in parts of an increment."""

    user: User
    zone: ZoneInfo
    slowness: float
    forgets: float
    """How likely a turn is forgotten until long after its deadline."""

    def answers_at(self, now: datetime, pace: Pace, rng: random.Random) -> datetime:
        """Choose when to answer a turn that begins now."""
        if pace.is_live:
            return now + timedelta(seconds=rng.expovariate(1 / 20))
        if rng.random() < self.forgets:
            return self._awake(now + pace.bank * 3)
        delay = pace.increment * self.slowness * rng.expovariate(1)
        return self._awake(now + max(delay, timedelta(seconds=20)))

    def _awake(self, at: datetime) -> datetime:
        local = at.astimezone(self.zone)
        return at if local.hour in AWAKE else at + timedelta(hours=9)


def cast_make(count: int, rng: random.Random, now: datetime) -> list[Person]:
    """Make the players, spread evenly over the zones."""
    users = User.objects.bulk_create(
        User(
            name=f"Player{number}",
            name_key=name_key(f"Player{number}"),
            email=f"player{number}@season.example",
            time_zone=ZONES[number % len(ZONES)],
            date_joined=now - timedelta(days=90),
        )
        for number in range(count)
    )
    NoticeChoice.objects.bulk_create(
        NoticeChoice(user=user, mail=rng.choice(NoticeChoice.Mail.values)) for user in users
    )
    VacationChoice.objects.bulk_create(
        VacationChoice(user=user, is_automatic=rng.random() < 0.4, chosen_at=now) for user in users
    )
    return [_person(user, rng) for user in users]


def _person(user: User, rng: random.Random) -> Person:
    zone = ZoneInfo(user.time_zone)
    return Person(user, zone, slowness=rng.uniform(0.02, 0.35), forgets=rng.choice((0, 0, 0.004)))


def pace_of(number: int) -> str:
    """Give the pace of the season's match of this number: all of them take turns."""
    slugs: Sequence[str] = tuple(PACES)
    return slugs[number % len(slugs)]
