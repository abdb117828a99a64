"""Why rows count what they count, in words: for what lies open, at any time.

Source: docs/spec/three-bridges.md, Scoring, through the engine's own explanation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext, pgettext

from games.engine.three_bridges.scoring import CardPoints, RowPoints, told_points
from games.presenters.faces import CardFace
from games.presenters.three_bridges.cards import card_face


@dataclass(frozen=True, slots=True)
class PointsLine:
    """What brings points, and why: a card, or all Kings or Hearts of a row."""

    face: CardFace | None
    text: str
    points: str


@dataclass(frozen=True, slots=True)
class RowReason:
    """The points of one row, line by line; `hidden` says that a card is not counted yet."""

    lines: tuple[PointsLine, ...]
    total: str
    hidden: str


def row_reason(row: Sequence[Any], points: RowPoints) -> RowReason:
    """Explain a row of a view by its points; card by card, then Kings and Hearts."""
    lines = [
        PointsLine(
            card_face(counted.card, laid["suit"]), _steps(counted), told_points(counted.total)
        )
        for laid, counted in zip(row, points.cards, strict=True)
        if counted is not None
    ]
    if points.kings:
        text = gettext("Each King: +1 for every card of its row")
        lines.append(PointsLine(None, text, f"+{points.kings}"))
    if points.hearts:
        lines.append(PointsLine(None, gettext("Each Heart: +1 for its row"), f"+{points.hearts}"))
    hidden = gettext("The face-down card does not count yet.") if None in points.cards else ""
    return RowReason(tuple(lines), told_points(points.total), hidden)


def _steps(counted: CardPoints) -> str:
    """Tell how a card comes to its points: "10, +2 for the bridge's suit, halved by a Bell"."""
    steps = [str(counted.base)]
    if counted.suit_bonus:
        steps.append(gettext("+2 for the bridge's suit"))
    if counted.turned:
        steps.append(gettext("−2 turned sideways"))
    if counted.is_halved:
        steps.append(gettext("halved by the Bell it faces"))
    return pgettext("between two reasons", ", ").join(steps)
