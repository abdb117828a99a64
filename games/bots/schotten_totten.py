"""An easy opponent at Schotten Totten: looks one play ahead, claims what it can, forgets all.

The same view always gets the same answer.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable
from typing import Final, NamedTuple

from games.engine.api import Json
from games.engine.schotten_totten.cards import BIT, CARD_OF, CLAN, N_CLAN, Card
from games.engine.schotten_totten.formations import strength_of
from games.engine.schotten_totten.proof import reach

SLOPE: Final = 60.0
"""By how much a side has to be stronger to be rather sure of its stone."""
HOPE: Final = 0.93
"""What a formation keeps of its strength for each card that has yet to be drawn."""
HELD: Final = 0.98
"""What it keeps when all those cards are in hand: they still have to be laid."""
FEAR: Final = 0.85
"""The same for the opponent, whose hand is not known."""
RESERVE: Final = 0.3
"""What keeping a tactics card is worth, in stones."""


class Border(NamedTuple):
    """One stone as a seat sees it: both sides and what counts there.

    A tuple, since it is a key of `_chance`: a data class computes its hash ten times as slowly.
    """

    mine: tuple[Card, ...]
    theirs: tuple[Card, ...]
    size: int
    bluff: bool
    owner: int | None
    """1 when the seat holds the stone, 0 when the opponent does, None while nobody does."""
    is_mine_first: bool


class Table(NamedTuple):
    """What a seat knows: the nine stones, its own hand, and the cards that lie nowhere open."""

    stones: tuple[Border, ...]
    hand: int
    unseen: int


def choose(view: Json) -> Json:
    """Choose one of the legal actions of a view whose seat is to act."""
    legal: list[Json] = view["legal"]
    if claims := [action for action in legal if action["type"] == "claim"]:
        return claims[0]
    seat = legal[0]["seat"]
    if draws := [action for action in legal if action["type"] == "draw"]:
        return draws[-1] if _wants_tactics(view, seat) else draws[0]
    table = _read(view, seat)
    return max(legal, key=lambda action: _worth(_after(table, action)) - _cost(action))


def _wants_tactics(view: Json, seat: int) -> bool:
    """Keep pace with the opponent: with none in hand, answer each tactics card that they play."""
    played = view["tactics_played"]
    holds_one = any(CARD_OF[code] >= N_CLAN for code in view["hands"][seat])
    return bool(played[1 - seat] > played[seat]) and not holds_one


def _cards(codes: Iterable[str]) -> tuple[Card, ...]:
    """Read codes."""
    return tuple(CARD_OF[code] for code in codes)


def _clan(cards: Iterable[Card]) -> int:
    """Give the set of the clan cards among these."""
    return sum(BIT[card] for card in cards if card < N_CLAN)


def _read_stone(stone: Json, seat: int) -> Border:
    """Read one stone of a view."""
    owner, modes = stone["owner"], stone["modes"]
    return Border(
        mine=_cards(stone["sides"][seat]),
        theirs=_cards(stone["sides"][1 - seat]),
        size=4 if "MF" in modes else 3,
        bluff="BB" in modes,
        owner=None if owner is None else int(owner == seat),
        is_mine_first=stone["completed_first"] in (None, seat),
    )


def _read(view: Json, seat: int) -> Table:
    """Read what the seat's view tells."""
    stones = tuple(_read_stone(stone, seat) for stone in view["stones"])
    face_up = [card for stone in stones for card in stone.mine + stone.theirs]
    face_up += _cards(view["discard"])
    return Table(stones, _clan(_cards(view["hands"][seat])), CLAN & ~_clan(face_up))


def _after(table: Table, action: Json) -> Table:
    """Give the table as the action would leave it."""
    if action["type"] == "return":
        return table._replace(hand=table.hand & ~_clan(_cards([action["card"]])))
    if action["type"] != "play" or action["card"] == "RE":
        return table
    card = CARD_OF[action["card"]]
    if "take" in action:
        return _after_ruse(table, CARD_OF[action["take"]], action.get("to"))
    stone = table.stones[action["stone"] - 1]
    if action["card"] == "BB":
        changed = stone._replace(bluff=True)
    elif action["card"] == "MF":
        changed = stone._replace(size=4)
    else:
        changed = stone._replace(mine=(*stone.mine, card))
    played = _clan([card])
    stones = _exchange(table.stones, action["stone"], changed)
    return Table(stones, table.hand & ~played, table.unseen & ~played)


def _exchange(stones: tuple[Border, ...], number: int, stone: Border) -> tuple[Border, ...]:
    """Exchange stone 1 to 9."""
    return (*stones[: number - 1], stone, *stones[number:])


def _after_ruse(table: Table, take: Card, to: int | None) -> Table:
    """Give the table after a ruse has taken a card, and has put it on one's own side or away."""
    stones = tuple(
        stone._replace(
            mine=tuple(card for card in stone.mine if card != take),
            theirs=tuple(card for card in stone.theirs if card != take),
        )
        for stone in table.stones
    )
    if to is not None:
        stone = stones[to - 1]
        stones = _exchange(stones, to, stone._replace(mine=(*stone.mine, take)))
    return table._replace(stones=stones)


def _cost(action: Json) -> float:
    """Give what an action spends that does not show on the table."""
    spends = action["type"] == "play" and CARD_OF[action["card"]] >= N_CLAN
    return RESERVE if spends else 0.0


def _worth(table: Table) -> float:
    """Add up how likely the seat is to win each stone; the middle ones join more rows."""
    return sum(
        _chance(stone, table.hand, table.unseen) * (1 + 0.05 * min(at, 8 - at))
        for at, stone in enumerate(table.stones)
    )


@functools.lru_cache(maxsize=1024)
def _chance(stone: Border, hand: int, unseen: int) -> float:
    """Guess how likely the seat is to win a stone.

    Kept for a while: wherever a card is played, the other eight stones are as they were.
    """
    if stone.owner is not None:
        return float(stone.owner)
    others = unseen & ~hand
    best = _best(stone.mine, stone, unseen)
    reply = _best(stone.theirs, stone, others)
    if len(stone.mine) == stone.size and best >= reply + (not stone.is_mine_first):
        return 1.0
    if len(stone.theirs) == stone.size and best <= reply:
        return 0.0
    held = HELD * _best(stone.mine, stone, hand)
    hoped = best * HOPE ** (stone.size - len(stone.mine))
    feared = reply * FEAR ** (stone.size - len(stone.theirs))
    return 1 / (1 + math.exp((feared - max(held, hoped)) / SLOPE))


def _best(side: tuple[Card, ...], stone: Border, cards: int) -> int:
    """Give the strength of the best that a side is, or could become with these cards."""
    if len(side) == stone.size:
        return strength_of(side, stone.bluff)
    return reach(side, stone.size, stone.bluff, cards)
