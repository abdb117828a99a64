"""Quarters of a year, in UTC: the seasons of the ladders. Pure: the moment is handed in."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final


class Part(StrEnum):
    """A quarter by its slug, as the addresses have it; January begins with winter."""

    WINTER = "winter"
    SPRING = "spring"
    SUMMER = "summer"
    AUTUMN = "autumn"


PARTS: Final = tuple(Part)
FIRST_YEAR: Final = 2000
LAST_YEAR: Final = 2999


@dataclass(frozen=True, slots=True, order=True)
class Quarter:
    """A quarter; `number` is 0 to 3. It begins with `starts_at` and is over at `ends_at`."""

    year: int
    number: int

    @property
    def part(self) -> Part:
        """Give its name."""
        return PARTS[self.number]

    @property
    def slug(self) -> str:
        """Give what stands in addresses: 2026-autumn."""
        return f"{self.year}-{self.part}"

    @property
    def starts_at(self) -> datetime:
        """Give its first moment."""
        return datetime(self.year, 3 * self.number + 1, 1, tzinfo=UTC)

    @property
    def ends_at(self) -> datetime:
        """Give the first moment that is no more of it."""
        return self.next.starts_at

    @property
    def next(self) -> Quarter:
        """Give the one after it."""
        return Quarter(self.year + self.number // 3, (self.number + 1) % 4)


def quarter_of(moment: datetime) -> Quarter:
    """Give the quarter of an aware moment."""
    there = moment.astimezone(UTC)
    return Quarter(there.year, (there.month - 1) // 3)


def quarter_named(slug: str) -> Quarter | None:
    """Find a quarter by its slug; None for what is none."""
    year, _dash, name = slug.partition("-")
    if not (len(year) == 4 and year.isascii() and year.isdecimal() and name in PARTS):
        return None
    quarter = Quarter(int(year), PARTS.index(Part(name)))
    return quarter if FIRST_YEAR <= quarter.year <= LAST_YEAR else None
