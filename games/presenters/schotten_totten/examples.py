"""Positions laid by hand for the rules of Schotten Totten, drawn as a board would draw them.

What a drawing says of a side, a claim or a card's effect is the engine's own answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext

from games.engine.api import Json, Seat, other
from games.engine.registry import get_title
from games.engine.schotten_totten.cards import (
    BIT,
    CARD_OF,
    CLAN,
    CLAN_CODES,
    N_CLAN,
    TACTICS_CODES,
)
from games.engine.schotten_totten.meta import SLUG
from games.engine.schotten_totten.state import (
    ALL_STONES,
    EMPTY_STONE,
    NO_TACTICS,
    RULES,
    Cards,
    State,
    Stone,
)
from games.presenters.log import Sentence
from games.presenters.schotten_totten.claims import Claim, claims_of
from games.presenters.schotten_totten.laying import lay
from games.presenters.schotten_totten.steps import Steps
from games.presenters.schotten_totten.stones import Stone as DrawnStone
from games.presenters.schotten_totten.stones import stones_of
from games.presenters.sight import Sight

YOU: Final[Seat] = 0

Laid = tuple[str, str]
"""What lies at a stone: the opponent's cards, then one's own, by codes with blanks between."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """Stones side by side as a board shows them. `verdict` is the prover's word on a claim."""

    stones: tuple[DrawnStone, ...]
    verdict: Sentence = ()
    holds: bool = False


def position(
    stones: Mapping[int, Laid],
    *,
    hand: str = "",
    deck: str = "",
    owned: tuple[tuple[int, ...], tuple[int, ...]] = ((), ()),
    first: Seat = 0,
) -> State:
    """Lay a position out; cards that are not named are in the deck, `deck` on top.

    Where both sides of a stone are full, `first` says who filled theirs first. Seat 0 is to act.
    """
    laid = [_stone(stones.get(number, ("", "")), first) for number in range(1, 10)]
    on_table = [card for stone in laid for side in stone.sides for card in side]
    held, top = _cards(hand), _cards(deck)
    rest = {*range(len(CARD_OF))} - {*on_table, *held, *top}
    mine = [sum(1 << (number - 1) for number in numbers) for numbers in owned]
    free = ALL_STONES & ~(mine[0] | mine[1])
    full = [_full(laid, seat) & free for seat in (0, 1)]
    return State(
        rules=RULES["after_play", True],
        phase="play",
        turn=0,
        hands=(held, ()),
        deck=_pile(top, rest, CLAN_CODES),
        stones=tuple(laid),
        owned=(mine[0], mine[1]),
        room=(free & ~full[0], free & ~full[1]),
        ripe=(full[0], full[1]),
        unseen=CLAN & ~sum(BIT[card] for card in on_table if card < N_CLAN),
        passed=False,
        claimed=False,
        idle_turns=0,
        tactics=NO_TACTICS._replace(deck=_pile(top, rest, TACTICS_CODES)),
        ending=None,
    )


def played(state: State, *actions: Json) -> State:
    """Play actions of seat 0."""
    title = get_title(SLUG)
    for action in actions:
        state = title.apply(state, title.parse_action({"seat": YOU, **action}))
    return state


def drawn(state: State, *numbers: int, judged: int = 0) -> Drawing:
    """Draw some of the stones from below; `judged` is the stone whose claim is told of."""
    laying = lay(_sight(state))
    stones = stones_of(laying, Steps(), ())
    claim = claim_at(state, judged) if judged else None
    return Drawing(
        tuple(stones[number - 1] for number in numbers),
        claim.why if claim else (),
        holds=bool(claim and claim.holds),
    )


def claim_at(state: State, number: int) -> Claim:
    """Give the prover's word on seat 0's claim of a stone."""
    title = get_title(SLUG)
    claims = claims_of(title, state, title.state_json(state), YOU, (), is_due=False)
    return next(claim for claim in claims if claim.stone == number)


def _sight(state: State) -> Sight:
    title = get_title(SLUG)
    return Sight(
        title=title,
        ruleset=next(r for r in title.meta.rulesets if dict(r.options)["tactics"]),
        state=state,
        seats=(),
        events=(),
        viewer=YOU,
        is_running=False,
        names=(gettext("you"), gettext("your opponent")),
        is_open=True,
    )


def _cards(codes: str) -> Cards:
    return tuple(CARD_OF[code] for code in codes.split())


def _pile(top: Cards, rest: set[int], codes: tuple[str, ...]) -> Cards:
    kind = {CARD_OF[code] for code in codes}
    return tuple(card for card in top if card in kind) + tuple(sorted(rest & kind))


def _stone(laid: Laid, first: Seat) -> Stone:
    theirs, own = (_cards(codes) for codes in laid)
    full = [seat for seat, side in ((YOU, own), (other(YOU), theirs)) if len(side) == 3]
    done: Seat | None = first if len(full) == 2 else 0 if full == [YOU] else 1 if full else None
    return EMPTY_STONE._replace(sides=(own, theirs), first=done)


def _full(laid: list[Stone], seat: Seat) -> int:
    return sum(1 << at for at, stone in enumerate(laid) if len(stone.sides[seat]) == stone.size)
