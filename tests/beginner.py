"""A beginner at the board, for tests that play through pages: judges by what a page names.

Nothing here knows the engine: cards and stones are known by the names that are read aloud, such
as "red 7" and "Stone 3: your side red 8, red 9; opponent's side empty".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_STONE = re.compile(
    r"Stone (?P<number>\d): your side (?P<own>.*?); opponent's side (?P<theirs>.*?)"
    r"(?P<held>; held by .*)?(; claimable)?$"
)
_CARD = re.compile(r"(red|orange|yellow|green|blue|purple) (\d)")

Card = tuple[str, int]


@dataclass(frozen=True, slots=True, order=True)
class Choice:
    """A card in hand and the stone to lay it at, by the values of their radio buttons."""

    card: str
    stone: str


def best_choice(cards: Mapping[str, str], stones: Mapping[str, str]) -> Choice:
    """Choose from what a page offers (values to names): what builds the strongest rows."""
    return max(_options(cards, stones))[1]


def careless_choice(cards: Mapping[str, str], stones: Mapping[str, str]) -> Choice:
    """Choose what adds least: against such a player games are over soon."""
    return min(_options(cards, stones))[1]


def held_by(player: str, stones: Iterable[str]) -> int:
    """Count the stones that a player holds, by the names of all nine."""
    return sum(name.endswith(f"; held by {player}") for name in stones)


def _options(cards: Mapping[str, str], stones: Mapping[str, str]) -> list[tuple[float, Choice]]:
    sides = {stone: _own_side(name) for stone, name in stones.items()}
    return [
        (_gain(side, _cards(name)[0]), Choice(card, stone))
        for card, name in cards.items()
        for stone, side in sides.items()
    ]


def _own_side(name: str) -> list[Card]:
    found = _STONE.match(name)
    assert found is not None, name
    return _cards(found["own"])


def _cards(text: str) -> list[Card]:
    return [(colour, int(value)) for colour, value in _CARD.findall(text)]


def _gain(side: list[Card], card: Card) -> float:
    return _rank([*side, card]) - _rank(side) * 1.2


def _rank(side: list[Card]) -> float:
    """Value a side: rows of one colour first, then equals, then one colour, then rows."""
    colours, values = {colour for colour, _ in side}, [value for _, value in side]
    if len(side) < 2:
        return sum(values) / 2
    is_row = len(set(values)) == len(values) and max(values) - min(values) <= 2
    if len(set(values)) == 1:
        return 30 + sum(values)
    kind = (20 if len(colours) == 1 else 0) + (10 if is_row else 0)
    return kind + (10 if kind == 30 else 0) + sum(values)
