"""The cards of Schotten Totten as small numbers, and as bits of a number.

Clan cards are 0 to 53 in the order R1…R9 O1…O9 Y1…Y9 G1…G9 B1…B9 P1…P9, tactics cards 54 to 63
in the order JA JB SP SB BB MF RE ST BA TR (docs/spec/shuffle.md, step 7). A set of cards is a
number whose bit `c` stands for card `c`; a set of values is one whose bit 0 stands for a 1.
"""

from __future__ import annotations

from typing import Final

Card = int
"""A card's number. Its code, as records and pages write it, is `CODES[card]`."""

COLOURS: Final = "ROYGBP"
CLAN_CODES: Final[tuple[str, ...]] = tuple(
    f"{colour}{value}" for colour in COLOURS for value in range(1, 10)
)
TACTICS_CODES: Final[tuple[str, ...]] = (
    *("JA", "JB", "SP", "SB"),
    *("BB", "MF"),
    *("RE", "ST", "BA", "TR"),
)
CODES: Final = CLAN_CODES + TACTICS_CODES
CARD_OF: Final[dict[str, Card]] = {code: card for card, code in enumerate(CODES)}

N_CLAN: Final = len(CLAN_CODES)
JA, JB, SP, SB, BB, MF, RE, ST, BA, TR = range(N_CLAN, N_CLAN + len(TACTICS_CODES))
"""Jokers, Spy, Shield-Bearer; Blind-Man's Bluff, Mud Fight; Recruiter, Strategist, Banshee,
Traitor."""

JOKERS: Final = frozenset({JA, JB})
ELITE: Final = frozenset({JA, JB, SP, SB})
MODES: Final = frozenset({BB, MF})
RUSES: Final = frozenset({RE, ST, BA, TR})

BIT: Final[tuple[int, ...]] = tuple(1 << card for card in range(len(CODES)))
CLAN: Final = (1 << N_CLAN) - 1
"""The set of all clan cards."""
ALL_VALUES: Final = (1 << 9) - 1
VALUE: Final[tuple[int, ...]] = tuple(card % 9 + 1 for card in range(N_CLAN))
OF_VALUE: Final[tuple[int, ...]] = (
    0,
    *(sum(1 << (9 * colour + value - 1) for colour in range(6)) for value in range(1, 10)),
)
"""The six clan cards of each value; nothing at 0."""

ELITE_VALUES: Final[dict[Card, int]] = {
    JA: ALL_VALUES,
    JB: ALL_VALUES,
    SP: 1 << 6,
    SB: 0b111,
}
"""The values that each elite troop may take."""
ELITE_BEST: Final[dict[Card, int]] = {
    troop: values.bit_length() for troop, values in ELITE_VALUES.items()
}
"""The highest value of each elite troop, which is also what it counts under the Bluff."""


def codes_of(cards: tuple[Card, ...]) -> list[str]:
    """Write cards as their codes, in the order given."""
    return [CODES[card] for card in cards]


def cards_in(mask: int) -> tuple[Card, ...]:
    """List the cards of a set in their order."""
    cards = []
    while mask:
        lowest = mask & -mask
        cards.append(lowest.bit_length() - 1)
        mask ^= lowest
    return tuple(cards)
