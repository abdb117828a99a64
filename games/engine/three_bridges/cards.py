"""The 34 cards of Three Bridges: the Hungarian (Tell) deck and two Chroniclers.

A card is its code: suit then rank (`HX`), `C1` and `C2` for the Chroniclers.
Source: docs/spec/three-bridges.md, Material.
"""

from __future__ import annotations

from typing import Final

SUITS: Final = ("H", "B", "L", "A")
HEARTS, BELLS, LEAVES, ACORNS = SUITS

UNTER, OBER, KING, ACE = "U", "O", "K", "A"
RANKS: Final = ("7", "8", "9", "X", UNTER, OBER, KING, ACE)

CHRONICLERS: Final = ("C1", "C2")

ALL_CARDS: Final[tuple[str, ...]] = (
    *(suit + rank for suit in SUITS for rank in RANKS),
    *CHRONICLERS,
)
"""Every card, in the order in which docs/spec/shuffle.md, 7 begins to shuffle."""

N_BRIDGES, N_DEALT = 3, 4

BRIDGES: Final = range(1, N_BRIDGES + 1)

SUIT: Final[dict[str, str | None]] = {
    card: None if card in CHRONICLERS else card[0] for card in ALL_CARDS
}
"""The suit printed on a card; a Chronicler has none until one is named."""

FIGURE: Final[dict[str, str | None]] = {
    **{card: card[1] if card[1] in (UNTER, OBER, KING, ACE) else None for card in ALL_CARDS},
    # A Chronicler is an Ace in every way once it has a suit.
    **dict.fromkeys(CHRONICLERS, ACE),
}

_PIPS = {"7": 7, "8": 8, "9": 9, "X": 10}

VALUE: Final[dict[str, int]] = {card: 4 if FIGURE[card] else _PIPS[card[1]] for card in ALL_CARDS}
"""What a card counts before anything else, in points (Scoring, 1)."""
