"""A rating's curve as the numbers of a drawing: the page draws it as SVG, without script.

Who cannot see it has the same in the table beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ladder import elo

WIDTH: Final = 640
HEIGHT: Final = 200
TOP: Final = 12
"""Room above and below the curve, so that its ends are not cut."""

GUTTER: Final = 56
"""Room beside the curve for the ratings that the lines stand for."""

STEPS: Final = (10, 20, 25, 50, 100, 200, 250, 500, 1000)
"""How far apart the lines may be, in points."""

MAX_LINES: Final = 6
MIN_RATINGS: Final = 3


@dataclass(frozen=True, slots=True)
class Line:
    """A horizontal line: its height in the drawing, and the rating it stands for in points."""

    y: float
    rating: int


@dataclass(frozen=True, slots=True)
class Curve:
    """The curve: points "x,y x,y …", where it ends, and the lines behind it."""

    points: str
    end_x: float
    end_y: float
    lines: Sequence[Line]
    width: int = WIDTH
    height: int = HEIGHT
    gutter: int = GUTTER


def curve_shown(ratings: Sequence[int]) -> Curve | None:
    """Draw ratings in thousandths of a point, oldest first; None where so few tell nothing."""
    if len(ratings) < MIN_RATINGS:
        return None
    low, high, step = _bounds(min(ratings) / elo.POINT, max(ratings) / elo.POINT)

    def y_of(rating: float) -> float:
        return round(HEIGHT - TOP - (rating - low) / (high - low) * (HEIGHT - 2 * TOP), 1)

    last = len(ratings) - 1
    spots = [
        (round(GUTTER + n / last * (WIDTH - GUTTER), 1), y_of(rating / elo.POINT))
        for n, rating in enumerate(ratings)
    ]
    return Curve(
        points=" ".join(f"{x},{y}" for x, y in spots),
        end_x=spots[-1][0],
        end_y=spots[-1][1],
        lines=[Line(y_of(rating), rating) for rating in range(low, high + 1, step)],
    )


def _bounds(lowest: float, highest: float) -> tuple[int, int, int]:
    """Choose round bounds in points around a range, and how far apart the lines are."""
    for step in STEPS:
        low, high = int(lowest // step * step), int(-(-highest // step) * step)
        if (high - low) // step < MAX_LINES:
            break
    return low, max(high, low + step), step
