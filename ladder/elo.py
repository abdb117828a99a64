"""Elo: what a match does to two ratings. Pure numbers: no clock, no database, no settings.

Ratings and changes are whole thousandths of a point (`POINT` of them are one point). A score is
counted in halves: 2 for a win, 1 for a draw, 0 for a loss.

Sources:
- FIDE Handbook B.02, FIDE Rating Regulations in force from 1 March 2024, section 8.3: the change
  is K times (score minus expected score), and the table of K. The unit is our match.
- M. E. Glickman, "A Comprehensive Guide to Chess Ratings" (1995), section 2: the expected score
  as the logistic curve with base 10 and scale 400, of which FIDE's table 8.1.2 is the older
  sister (the normal curve in steps of a hundredth; they differ by less than 0.02).

We do otherwise than FIDE in three things: no difference is cut off at 400 points (8.3.1), nothing
is rounded to a whole point (8.3.4), and each match is rated by itself as soon as it ends.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from enum import IntEnum
from typing import Final, NamedTuple

FORMULA: Final = 1
"""The version of everything below; the ledger says by which version each change was made."""

POINT: Final = 1000
START: Final = 1500 * POINT
SCALE: Final = 400 * POINT
TOP: Final = 2400 * POINT
"""Whoever reached this once is a top player for good (8.3.3)."""

NEW_MATCHES: Final = 30
PROVISIONAL_MATCHES: Final = 10

K_NEW: Final = 40
K_USUAL: Final = 20
K_TOP: Final = 10

_DOUBT: Final = 1e-6
_CONTEXT: Final = Context(prec=40, rounding=ROUND_HALF_EVEN)
_LN_10: Final = _CONTEXT.ln(Decimal(10))


class Score(IntEnum):
    """What a match brought one player, in half points."""

    LOSS = 0
    DRAW = 1
    WIN = 2

    @property
    def other(self) -> Score:
        """Give what it brought the opponent."""
        return Score(2 - self)


class Side(NamedTuple):
    """All that the formula wants to know of a player. `peak` is the highest rating so far.

    A tuple, because a rebuild makes two for every match.
    """

    rating: int = START
    n_matches: int = 0
    peak: int = START


@dataclass(frozen=True, slots=True)
class Step:
    """One player's part of a rated match: what went into the formula and what came out.

    `expected_ppm` is the expected score in millionths, rounded for readers; the change is
    computed from the exact one.
    """

    before: Side
    opponent_rating: int
    k: int
    score: Score
    expected_ppm: int
    change: int
    after: Side


def rate(first: Side, second: Side, score: Score) -> tuple[Step, Step]:
    """Rate one match: `score` is the first player's. With equal K the changes sum to zero."""
    return _step(first, second, score), _step(second, first, score.other)


def after(first: Side, second: Side, halves: int) -> tuple[Side, Side]:
    """Give both players after a match, and nothing else: what a rebuild needs, in less time.

    `halves` is the first player's score.
    """
    k, other_k = k_factor(first), k_factor(second)
    change = _change(first.rating - second.rating, k, halves)
    # With equal K the changes are exact opposites, as `expected_part` says.
    opposite = (
        -change if k == other_k else _change(second.rating - first.rating, other_k, 2 - halves)
    )
    return _moved(first, change), _moved(second, opposite)


def k_factor(side: Side) -> int:
    """Give K. Source: 8.3.3, without its rules for juniors and for many games in a month."""
    # K = 40 for a player new to the rating list until ... at least 30 games
    if side.n_matches < NEW_MATCHES:
        return K_NEW
    # K = 20 as long as a player's rating remains under 2400
    # K = 10 once [it] has reached 2400 and remains at that level subsequently
    return K_USUAL if side.peak < TOP else K_TOP


def is_provisional(n_matches: int) -> bool:
    """Say whether a rating still rests on too few matches to say much; shown with "?"."""
    return n_matches < PROVISIONAL_MATCHES


def expected_part(difference: int, whole: int) -> int:
    """Give the expected share of `whole` for who is `difference` above the opponent.

    The exact value is rounded once, half to even, so each machine gives the same integer: where
    a float is too close to a half to be trusted, decimals of forty digits decide. A true half
    cannot occur: 10**(d/400) is rational for multiples of 400 alone, and 1 + 10**n has no factor
    in common with 10, whereas twice a `whole` of ours has no other factors than 2 and 5.
    Both sides' parts make up the whole exactly, because one is defined through the other.
    """
    lead = difference if difference >= 0 else -difference
    part = whole / (1.0 + math.pow(10.0, -lead / SCALE))
    rounded = round(part)
    if abs(part - rounded) > 0.5 - _DOUBT:
        rounded = _expected_part_exactly(lead, whole)
    return rounded if difference >= 0 else whole - rounded


def _expected_part_exactly(difference: int, whole: int) -> int:
    """Compute the same in decimals, whose exp and ln are correctly rounded everywhere."""
    exponent = _CONTEXT.divide(_CONTEXT.multiply(Decimal(-difference), _LN_10), Decimal(SCALE))
    odds = _CONTEXT.exp(exponent)
    part = _CONTEXT.divide(Decimal(whole), _CONTEXT.add(Decimal(1), odds))
    return int(part.to_integral_value(ROUND_HALF_EVEN))


def _step(side: Side, opponent: Side, score: Score) -> Step:
    """Apply 8.3.2: the change is K times the score less the expected score."""
    k = k_factor(side)
    difference = side.rating - opponent.rating
    change = _change(difference, k, score)
    expected_ppm = expected_part(difference, 1_000_000)
    return Step(side, opponent.rating, k, score, expected_ppm, change, _moved(side, change))


def _change(difference: int, k: int, halves: int) -> int:
    """Give K times the score less the expected score, in thousandths of a point."""
    return k * POINT * halves // 2 - expected_part(difference, k * POINT)


def _moved(side: Side, change: int) -> Side:
    rating = side.rating + change
    return Side(rating, side.n_matches + 1, rating if rating > side.peak else side.peak)
