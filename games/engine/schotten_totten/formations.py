"""What a side is worth: docs/spec/schotten-totten.md, "Strength of a formation".

Inside the engine a formation is one number, its strength: the rank of its type times 64 plus
its sum, so that the stronger formation is the greater number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from games.engine.api import gettext_noop
from games.engine.schotten_totten.cards import (
    ALL_VALUES,
    BIT,
    ELITE_BEST,
    ELITE_VALUES,
    N_CLAN,
    SB,
    SP,
    VALUE,
    Card,
    cards_in,
)

FORMATION_NAMES: Final[dict[str, str]] = {
    "sum": gettext_noop("Sum"),
    "run": gettext_noop("Run"),
    "colour": gettext_noop("Colour"),
    "three-of-a-kind": gettext_noop("Three of a Kind"),
    "colour-run": gettext_noop("Colour-Run"),
}
"""The five types with their English names, weakest first."""

FORMATION_TYPES: Final = tuple(FORMATION_NAMES)
SUM, RUN, COLOUR, KIND, COLOUR_RUN = (rank << 6 for rank in range(1, 6))
"""The strength of each type with nothing added."""

SideKey = tuple[Card, ...]
"""The cards of one side, in any order."""


class Formation(NamedTuple):
    """A reading of a side: its type, by the names of `FORMATION_TYPES`, and its sum."""

    type: str
    sum: int


_FORMATIONS: Final = (
    *(Formation("sum", 0) for _ in range(SUM)),
    *(Formation(kind, total) for kind in FORMATION_TYPES for total in range(64)),
)


def formation(strength: int) -> Formation:
    """Write a strength as type and sum."""
    return _FORMATIONS[strength]


def mask_of(values: Iterable[int]) -> int:
    """Give the set of these values."""
    mask = 0
    for value in values:
        mask |= 1 << (value - 1)
    return mask


def split(side: SideKey) -> tuple[list[Card], list[Card]]:
    """Part a side into clan cards and elite troops."""
    return [card for card in side if card < N_CLAN], [card for card in side if card >= N_CLAN]


_WINDOWS: Final = {
    size: tuple(
        (mask_of(range(start, start + size)), sum(range(start, start + size)))
        for start in range(10 - size, 0, -1)
    )
    for size in (3, 4)
}
"""Each run of three or four values as a set, with its sum, the highest first. A run never goes
round: 9-1 is not consecutive."""


def fits(troops: list[Card], values: int) -> bool:
    """Tell whether these troops can stand for exactly these values, one each.

    Both have the same number. A Joker stands for anything, so each of the others only needs a
    value of its own, and those of Spy and Shield-Bearer never meet.
    """
    return (SP not in troops or bool(values & ELITE_VALUES[SP])) and (
        SB not in troops or bool(values & ELITE_VALUES[SB])
    )


def openings(side: SideKey, size: int) -> Iterator[tuple[int, int]]:
    """Give what would make a run of this side: a set of values still to come, and the run's sum.

    The highest run comes first. A full side that is a run gives the empty set. Where elite
    troops leave a choice, each of their readings is given. Colours are not looked at.
    """
    clan, troops = split(side)
    lying = mask_of(VALUE[card] for card in clan)
    if lying.bit_count() < len(clan):
        return
    for window, total in _WINDOWS[size]:
        free = window & ~lying
        if lying & ~window:
            continue
        if not troops:
            yield free, total
            continue
        for chosen in combinations(cards_in(free), size - len(side)):
            to_come = sum(BIT[bit] for bit in chosen)
            if fits(troops, free & ~to_come):
                yield to_come, total


def kind_values(side: SideKey) -> int:
    """Give the set of values that all cards of this side can have at once."""
    clan, troops = split(side)
    values = ALL_VALUES
    for card in clan:
        values &= 1 << (VALUE[card] - 1)
    for troop in troops:
        values &= ELITE_VALUES[troop]
    return values


def plain_sum(side: SideKey) -> int:
    """Add up a side, elite troops at their highest value."""
    return sum(VALUE[card] if card < N_CLAN else ELITE_BEST[card] for card in side)


def colours(side: SideKey) -> frozenset[int]:
    """Give the colours of a side's clan cards, as places in `COLOURS`."""
    return frozenset(card // 9 for card in side if card < N_CLAN)


def _plain_strength(side: SideKey) -> int:
    """Give the strength of a full side without elite troops, which has one reading only."""
    values = [VALUE[card] for card in side]
    low, high, total = min(values), max(values), sum(values)
    one_colour = len(colours(side)) == 1
    if high - low == len(side) - 1 and len(set(values)) == len(side):
        return (COLOUR_RUN if one_colour else RUN) + total
    if high == low:
        return KIND + total
    return (COLOUR if one_colour else SUM) + total


@lru_cache(maxsize=1 << 16)
def strength_of(side: SideKey, bluff: bool) -> int:
    """Give the strength of a full side, in the best reading of its elite troops.

    The side's length is its size, three or four. `bluff`: only sums count at this stone.
    """
    if bluff:
        return SUM + plain_sum(side)
    if max(side) < N_CLAN:
        return _plain_strength(side)
    size = len(side)
    one_colour = len(colours(side)) <= 1
    run = next((total for _, total in openings(side, size)), 0)
    if run and one_colour:
        return COLOUR_RUN + run
    if values := kind_values(side):
        return KIND + size * values.bit_length()
    if one_colour:
        return COLOUR + plain_sum(side)
    return RUN + run if run else SUM + plain_sum(side)
