"""The prover: does a claim hold? docs/spec/schotten-totten.md, "Claims".

There is one prover for claims, automatic claims, hints and bots. It knows public cards only:
both sides of the stone, its modes, who was full first, and which clan cards are unseen. It is
exact and lists no completions. A partial side has an `Outline`, worked out once: for each type,
what would still have to come. Against the unseen cards each type is then one or a few
operations on sets, from the strongest type down.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal, NamedTuple

from games.engine.api import Seat
from games.engine.schotten_totten.cards import OF_VALUE, Card, cards_in, codes_of
from games.engine.schotten_totten.formations import (
    COLOUR,
    COLOUR_RUN,
    KIND,
    RUN,
    SUM,
    Formation,
    SideKey,
    colours,
    formation,
    kind_values,
    openings,
    plain_sum,
    strength_of,
)
from games.engine.schotten_totten.state import State, Stone

Reason = Literal[
    "unbeatable",
    "too_few_unseen",
    "stronger",
    "completed_first",
    "not_full",
    "not_proven",
    "weaker",
    "completed_later",
]
"""Why a claim holds (the first four) or does not (the others)."""


class Verdict(NamedTuple):
    """The prover's answer about one seat's claim of one stone. All of it is public.

    `own` is the claimant's formation, None when their side is not full. `theirs` is the
    opponent's: as it lies when their side is full; otherwise the best they can still reach,
    None when too few cards are unseen to fill it. `completion` is the opponent's whole side as
    it would beat the claim: what lies there, then the unseen cards of `added`; both are empty
    when the claim holds. When a full side beats the claim, it is that side and `added` is empty.
    """

    holds: bool
    reason: Reason
    own: Formation | None = None
    theirs: Formation | None = None
    completion: tuple[str, ...] = ()
    added: tuple[str, ...] = ()

    @property
    def best_reply(self) -> Formation | None:
        """The best the opponent can still reach, where the claim holds against an open side."""
        return self.theirs if self.reason == "unbeatable" else None

    @property
    def tie_completed_first(self) -> bool:
        """Whether both sides are equal and the opponent's was full first."""
        return self.reason == "completed_later"


class Outline(NamedTuple):
    """What a partial side could still become, whatever is unseen.

    Each list has the strongest first, and of equal ones the first in the order of cards.
    """

    missing: int
    """How many cards the side still needs."""
    colour_runs: tuple[tuple[int, int], ...]
    """Cards that would have to come, and the strength they would make."""
    kinds: tuple[tuple[int, int], ...]
    """Cards of which `missing` would have to come, and the strength they would make."""
    colours: tuple[int, ...]
    """Where in the set of clan cards the nine cards of each possible colour begin."""
    runs: tuple[tuple[int, int], ...]
    """Values that would have to come, in any colours, and the strength they would make."""
    base: int
    """The sum of what lies, elite troops at their highest."""
    highest: tuple[int, ...]
    """For each set of values the sum of its `missing` highest, 0 where it has fewer."""


def _highest_sums(count: int) -> tuple[int, ...]:
    """Give for each set of values the sum of its `count` highest, 0 where it has fewer."""
    sums = []
    for values in range(512):
        members = [bit + 1 for bit in range(8, -1, -1) if values >> bit & 1]
        sums.append(sum(members[:count]) if len(members) >= count else 0)
    return tuple(sums)


_HIGHEST: Final = tuple(_highest_sums(count) for count in range(5))


@lru_cache(maxsize=1 << 15)
def outline_of(side: SideKey, size: int) -> Outline:
    """Work out what a partial side of a stone of this size, three or four, can become."""
    one_colour = colours(side)
    possible = tuple(9 * c for c in (one_colour or range(6))) if len(one_colour) <= 1 else ()
    runs = list(openings(side, size))
    coloured = [
        (values << shift, COLOUR_RUN + total) for values, total in runs for shift in possible
    ]
    values = kind_values(side)
    return Outline(
        missing=size - len(side),
        colour_runs=tuple(sorted(coloured, key=lambda run: (-run[1], cards_in(run[0])))),
        kinds=tuple(
            (OF_VALUE[value], KIND + size * value)
            for value in range(9, 0, -1)
            if values >> (value - 1) & 1
        ),
        colours=possible,
        runs=tuple((values, RUN + total) for values, total in runs),
        base=plain_sum(side),
        highest=_HIGHEST[size - len(side)],
    )


def _presence(unseen: int) -> int:
    """Give the set of values that at least one unseen card has."""
    folded = unseen | unseen >> 27
    return (folded | folded >> 9 | folded >> 18) & 511


def _highest_of_all(unseen: int, count: int) -> tuple[Card, ...]:
    """List the `count` highest of the unseen cards, of equal ones the first in order."""
    cards: tuple[Card, ...] = ()
    for value in range(9, 0, -1):
        cards += cards_in(unseen & OF_VALUE[value])[: count - len(cards)]
        if len(cards) == count:
            break
    return cards


def _highest_total(unseen: int, count: int) -> int:
    """Add up the `count` highest of the unseen cards."""
    total = 0
    for value in range(9, 0, -1):
        here = (unseen & OF_VALUE[value]).bit_count()
        if here >= count:
            return total + count * value
        total += here * value
        count -= here
    return total


def reach(side: SideKey, size: int, bluff: bool, unseen: int) -> int:
    """Give the strength of the best formation that a partial side can still reach.

    It is 0 where fewer cards are unseen than the side needs. Types are tried from the strongest
    down, so a completion that is more than the type looked at has been found before.
    """
    missing, colour_runs, kinds, shifts, runs, base, highest = outline_of(side, size)
    if unseen.bit_count() < missing:
        return 0
    if bluff:
        return SUM + base + _highest_total(unseen, missing)
    for mask, strength in colour_runs:
        if mask & unseen == mask:
            return strength
    for mask, strength in kinds:
        if (mask & unseen).bit_count() >= missing:
            return strength
    best = 0
    for shift in shifts:
        total = highest[unseen >> shift & 511]
        if total > best:
            best = total
    if best:
        return COLOUR + base + best
    if runs:
        presence = _presence(unseen)
        for mask, strength in runs:
            if mask & presence == mask:
                return strength
    return SUM + base + _highest_total(unseen, missing)


def completion(side: SideKey, size: int, strength: int, unseen: int) -> tuple[Card, ...]:
    """List the unseen cards that bring a partial side to the strength that `reach` gave.

    Of equal completions it is the first in the order of the cards.
    """
    outline = outline_of(side, size)
    rank = strength & ~63
    if rank == COLOUR_RUN:
        runs = outline.colour_runs
        return cards_in(next(m for m, s in runs if s == strength and m & unseen == m))
    if rank == KIND:
        mask = next(m for m, s in outline.kinds if s == strength)
        return cards_in(mask & unseen)[: outline.missing]
    if rank == COLOUR:
        return _best_of_one_colour(outline, unseen)
    if rank == RUN:
        return _first_run(outline, strength, unseen)
    return tuple(sorted(_highest_of_all(unseen, outline.missing)))


def _best_of_one_colour(outline: Outline, unseen: int) -> tuple[Card, ...]:
    """List the highest cards of the colour whose highest add up to most, the first such."""
    shift = max(outline.colours, key=lambda c: (outline.highest[unseen >> c & 511], -c))
    return cards_in(unseen & 511 << shift)[-outline.missing :]


def _first_run(outline: Outline, strength: int, unseen: int) -> tuple[Card, ...]:
    """List the first cards that make the run of this strength."""
    presence = _presence(unseen)
    return min(
        tuple(sorted(cards_in(unseen & OF_VALUE[bit + 1])[0] for bit in cards_in(values)))
        for values, s in outline.runs
        if s == strength and values & presence == values
    )


def _needed(stone: Stone, seat: Seat, unseen: int) -> int:
    """Give the strength that the seat's full side must have at least for a claim to hold.

    An open side would be completed later, so it has to be stronger to stop the claim; of two
    full sides the one that was full first wins a tie.
    """
    sides, first, size, bluff, _ = stone
    theirs = sides[1 - seat]
    if len(theirs) < size:
        return reach(theirs, size, bluff, unseen)
    return strength_of(theirs, bluff) + (first != seat)


def holds(stone: Stone, seat: Seat, unseen: int) -> bool:
    """Tell whether the seat's claim of a stone where their side is full holds.

    The quick form of `judge`, for those who need no reasons.
    """
    return strength_of(stone.sides[seat], stone.bluff) >= _needed(stone, seat, unseen)


def judge(stone: Stone, seat: Seat, unseen: int) -> Verdict:
    """Say whether the seat's claim of this stone holds, and why.

    `unseen` is the set of clan cards that lie nowhere face up. Whether the stone has been
    claimed before, and whose turn it is, is not asked here.
    """
    sides, first, size, bluff, _ = stone
    mine, theirs = sides[seat], sides[1 - seat]
    if len(mine) < size:
        return Verdict(False, "not_full")
    strength, needed = strength_of(mine, bluff), _needed(stone, seat, unseen)
    own = formation(strength)
    if len(theirs) < size:
        if not needed:
            return Verdict(True, "too_few_unseen", own)
        if strength >= needed:
            return Verdict(True, "unbeatable", own, formation(needed))
        added = codes_of(completion(theirs, size, needed, unseen))
        whole = codes_of(theirs) + added
        return Verdict(False, "not_proven", own, formation(needed), tuple(whole), tuple(added))
    other = formation(needed - (first != seat))
    if strength >= needed:
        return Verdict(True, "completed_first" if own == other else "stronger", own, other)
    reason: Reason = "completed_later" if own == other else "weaker"
    return Verdict(False, reason, own, other, tuple(codes_of(theirs)))


def _check_place(seat: Seat, stone: int) -> None:
    """Raise `ValueError` for a seat or stone that there is not."""
    if seat not in (0, 1):
        raise ValueError(f"a seat is 0 or 1, not {seat!r}")
    if stone not in range(1, 10):
        raise ValueError(f"a stone is a number from 1 to 9, not {stone!r}")


def judge_claim(state: State, seat: Seat, stone: int) -> Verdict:
    """Say whether the seat could claim stone 1 to 9 as the board lies, and why.

    Whose turn it is and whether the stone was claimed before is not asked here. Raises
    `ValueError` for a seat or stone that there is not.
    """
    _check_place(seat, stone)
    return judge(state.stones[stone - 1], seat, state.unseen)


def best_reachable(state: State, seat: Seat, stone: int) -> Formation | None:
    """Give the best that the seat's side of stone 1 to 9 is or can still become.

    It is told from public cards only. None where too few cards are unseen to fill the side.
    Raises `ValueError` for a seat or stone that there is not.
    """
    _check_place(seat, stone)
    sides, _, size, bluff, _ = state.stones[stone - 1]
    side = sides[seat]
    if len(side) == size:
        return formation(strength_of(side, bluff))
    best = reach(side, size, bluff, state.unseen)
    return formation(best) if best else None


def formation_of(side: SideKey, bluff: bool) -> Formation:
    """Read a full side of three or four cards at its best; `bluff` where only sums count."""
    return formation(strength_of(side, bluff))
