"""What rows are worth, and why. Inside, everything is whole numbers of half points.

Source: docs/spec/three-bridges.md, Scoring.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.engine.api import Seat
from games.engine.three_bridges.cards import BELLS, FIGURE, HEARTS, KING, SUIT, VALUE
from games.engine.three_bridges.state import Laid, Row, Rows, State, lay


@dataclass(frozen=True, slots=True)
class CardPoints:
    """Why a card counts what it counts: `base`, `suit_bonus` and `turned` in points.

    `turned` is 0 or -2; `total` is in half points, after halving.
    """

    card: str
    base: int
    suit_bonus: int
    turned: int
    is_halved: bool
    total: int


@dataclass(frozen=True, slots=True)
class RowPoints:
    """Why a row counts what it counts.

    `cards` has None for each card that lies face down; `kings` and `hearts` are in points,
    `total` in half points.
    """

    cards: tuple[CardPoints | None, ...]
    kings: int
    hearts: int
    total: int


def row_half_points(row: Row, facing: Row, bridge: str) -> int:
    """Count a row against the row that faces it, in half points."""
    suit = SUIT[bridge]
    n_facing, kings, total = len(facing), 0, 0
    for index, laid in enumerate(row):
        if not laid.face_up:
            continue
        points = VALUE[laid.card]
        if laid.suit == suit:
            points += 2
        if laid.turned:
            points -= 2
        total += points if _is_halved(index, facing, n_facing) else 2 * points
        if laid.suit == HEARTS:
            total += 2
        if FIGURE[laid.card] == KING:
            kings += 1
    return total + 2 * kings * len(row)


def _is_halved(index: int, facing: Row, n_facing: int) -> bool:
    """Say whether a Bell faces this position; a turned Bell still halves."""
    return index < n_facing and facing[index].suit == BELLS and facing[index].face_up


def explain_row(row: Row, facing: Row, bridge: str) -> RowPoints:
    """Give the points of a row card by card. Cards that lie face down count nothing yet."""
    cards = tuple(
        _explain_card(laid, bridge, is_halved=_is_halved(index, facing, len(facing)))
        for index, laid in enumerate(row)
    )
    up = [laid for laid in row if laid.face_up]
    kings = len(row) * sum(FIGURE[laid.card] == KING for laid in up)
    hearts = sum(laid.suit == HEARTS for laid in up)
    total = sum(card.total for card in cards if card) + 2 * (kings + hearts)
    return RowPoints(cards, kings, hearts, total)


def _explain_card(laid: Laid, bridge: str, *, is_halved: bool) -> CardPoints | None:
    if not laid.face_up:
        return None
    suit_bonus = 2 if laid.suit == SUIT[bridge] else 0
    turned = -2 if laid.turned else 0
    points = VALUE[laid.card] + suit_bonus + turned
    return CardPoints(
        card=laid.card,
        base=VALUE[laid.card],
        suit_bonus=suit_bonus,
        turned=turned,
        is_halved=is_halved,
        total=points if is_halved else 2 * points,
    )


def explain(bridges: Sequence[str], rows: Rows) -> tuple[tuple[RowPoints, RowPoints], ...]:
    """Give the points of both seats at each bridge, card by card."""
    return tuple(
        (explain_row(pair[0], pair[1], bridge), explain_row(pair[1], pair[0], bridge))
        for bridge, pair in zip(bridges, rows, strict=True)
    )


def explain_view(view: Mapping[str, Any]) -> tuple[tuple[RowPoints, RowPoints], ...]:
    """Give the points of what lies face up in a view (or a state's JSON), card by card."""
    return explain(view["bridges"], view_rows(view))


def view_rows(view: Mapping[str, Any]) -> Rows:
    """Read the rows of a view; a face-down card that its viewer may not know has no code."""
    return tuple((_view_row(pair[0]), _view_row(pair[1])) for pair in view["rows"])


def _view_row(cards: Sequence[Mapping[str, Any]]) -> Row:
    return tuple(
        lay(card["card"] or "", card["suit"], turned=card["turned"], face_up=card["face_up"])
        for card in cards
    )


def half_points(state: State) -> tuple[tuple[int, int], ...]:
    """Count both rows at each bridge, in half points."""
    return tuple(
        (row_half_points(pair[0], pair[1], bridge), row_half_points(pair[1], pair[0], bridge))
        for bridge, pair in zip(state.bridges, state.rows, strict=True)
    )


def bridges_won(state: State) -> tuple[int, int]:
    """Count the bridges at which each seat has more points."""
    winners = [higher(scores) for scores in half_points(state)]
    return winners.count(0), winners.count(1)


def higher(counts: tuple[int, int]) -> Seat | None:
    """Give the seat that has more, None where both have the same."""
    if counts[0] == counts[1]:
        return None
    return 0 if counts[0] > counts[1] else 1


def as_points(half: int) -> int | float:
    """Write half points as points for JSON: whole where they are whole, else with .5."""
    return half / 2 if half % 2 else half // 2


def told_points(half: int) -> str:
    """Write half points as points for a person, alike in every language: 7, 7½, ½."""
    whole = str(half // 2) if half >= 2 or half == 0 else ""
    return f"{whole}½" if half % 2 else whole
