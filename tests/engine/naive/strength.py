"""What a side is worth, by trying every card that an elite troop may stand for.

Written from docs/spec/schotten-totten.md alone. Slow on purpose: nothing here is clever.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, pairwise, product

COLOURS = "ROYGBP"
CLAN = [colour + str(value) for colour in COLOURS for value in range(1, 10)]
TACTICS = ["JA", "JB", "SP", "SB", "BB", "MF", "RE", "ST", "BA", "TR"]
ELITE = ["JA", "JB", "SP", "SB"]
TYPES = ["sum", "run", "colour", "three-of-a-kind", "colour-run"]

Worth = tuple[int, int]
"""The place of the type in `TYPES`, and the sum: the greater tuple is the stronger side."""


def may_be(card: str) -> list[tuple[str, int]]:
    """List what a card may be read as: colour and value."""
    if card in ("JA", "JB"):
        return [(colour, value) for colour in COLOURS for value in range(1, 10)]
    if card == "SP":
        return [(colour, 7) for colour in COLOURS]
    if card == "SB":
        return [(colour, value) for colour in COLOURS for value in (1, 2, 3)]
    return [(card[0], int(card[1]))]


def read(cards: tuple[tuple[str, int], ...]) -> Worth:
    """Judge plain cards."""
    values = sorted(value for _, value in cards)
    same_colour = all(colour == cards[0][0] for colour, _ in cards)
    consecutive = all(b == a + 1 for a, b in pairwise(values))
    if same_colour and consecutive:
        kind = "colour-run"
    elif values[0] == values[-1]:
        kind = "three-of-a-kind"
    elif same_colour:
        kind = "colour"
    elif consecutive:
        kind = "run"
    else:
        kind = "sum"
    return TYPES.index(kind), sum(values)


@cache
def worth(cards: tuple[str, ...], bluff: bool) -> Worth:
    """Judge a full side in its best reading."""
    if bluff:
        return 0, sum(max(value for _, value in may_be(card)) for card in cards)
    return max(read(cards) for cards in product(*map(may_be, cards)))


def worth_of(side: list[str], bluff: bool) -> Worth:
    """Judge a full side whose cards came in any order."""
    return worth(tuple(sorted(side)), bluff)


def best_completion(
    side: list[str], size: int, bluff: bool, unseen: list[str]
) -> tuple[Worth, list[str]] | None:
    """Try every completion; give the strongest, of equal ones the first in the order of cards."""
    best = None
    for added in combinations([card for card in CLAN if card in unseen], size - len(side)):
        reached = worth_of(side + list(added), bluff)
        if best is None or reached > best[0]:
            best = reached, list(added)
    return best


def claim_holds(
    mine: list[str],
    theirs: list[str],
    *,
    size: int,
    bluff: bool,
    unseen: list[str],
    mine_first: bool,
) -> bool:
    """Tell whether the claim of a full side holds, by trying all that the other may become."""
    own = worth_of(mine, bluff)
    if len(theirs) == size:
        other = worth_of(theirs, bluff)
        return own > other or (own == other and mine_first)
    return not any(
        worth_of(theirs + list(added), bluff) > own
        for added in combinations(unseen, size - len(theirs))
    )
