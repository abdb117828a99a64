"""How the ratings of a ladder's active members are spread, as the numbers of a drawing.

From the ladder's counters, and what is counted within one of their buckets: nothing here depends on
how many members there are. Pure.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ladder import elo
from ladder.counters import BUCKET, Counters, bucket_of

WIDTH: Final = 640
HEIGHT: Final = 160
FOOT: Final = 24
"""Room for the ratings under the bars."""

HEAD: Final = 18
"""Room for the mark above them."""

STEP: Final = 50
"""How many points share a bar."""

MIN_MEMBERS: Final = 5
MAX_LABELS: Final = 8


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of the drawing: members with a rating from `low`, in points, and below the next."""

    low: int
    high: int
    n: int
    x: float
    y: float
    width: float
    height: float
    is_here: bool
    has_label: bool

    @property
    def middle(self) -> float:
        """Give where the mark stands."""
        return round(self.x + self.width / 2, 1)


@dataclass(frozen=True, slots=True)
class Distribution:
    """The bars from the lowest rating to the highest, and the percentage below one of them."""

    bars: Sequence[Bar]
    n_active: int
    percent_below: int
    width: int = WIDTH
    height: int = HEIGHT
    base: int = HEIGHT - FOOT


def distribution_shown(counters: Counters, rating: int, n_lower_near: int) -> Distribution | None:
    """Spread the active members of a ladder, and mark a rating; None where they are too few.

    `n_lower_near` says how many of them are below the rating within its bucket.
    """
    total = counters.total.active
    if total < MIN_MEMBERS:
        return None
    heights: dict[int, int] = defaultdict(int)
    n_below = n_lower_near
    for bucket, tally in counters.buckets:
        heights[bucket * BUCKET // elo.POINT // STEP] += tally.active
        n_below += tally.active * (bucket < bucket_of(rating))
    here = rating // elo.POINT // STEP
    used = [step for step, n in heights.items() if n] + [here]
    steps = range(min(used), max(used) + 1)
    every = -(-len(steps) // MAX_LABELS)
    width, top = WIDTH / len(steps), max(heights.values())
    bars = []
    for place, step in enumerate(steps):
        tall = (HEIGHT - FOOT - HEAD) * heights[step] / top
        bars.append(
            Bar(
                low=step * STEP,
                high=step * STEP + STEP - 1,
                n=heights[step],
                x=round(place * width + 1, 1),
                y=round(HEIGHT - FOOT - tall, 1),
                width=round(width - 2, 1),
                height=round(tall, 1),
                is_here=step == here,
                has_label=place % every == 0,
            )
        )
    return Distribution(bars, total, _percent(n_below, total))


def _percent(n: int, total: int) -> int:
    """Round to a whole percentage; only none are 0 %, and only all are 100 %."""
    if n in (0, total):
        return 100 * (n == total)
    return min(max(round(n * 100 / total), 1), 99)
