"""The greedy bot at Three Bridges: tries each action on a table of its own and takes the best.

It sees its seat's view only, plays its own abilities out as well as it can see, guesses at
nothing but the face-down card, and remembers nothing. The same view gets the same answer.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from games.engine.api import Json, Seat
from games.engine.three_bridges.cards import (
    ACE,
    ACORNS,
    BRIDGES,
    FIGURE,
    LEAVES,
    OBER,
    SUIT,
    SUITS,
    UNTER,
)
from games.engine.three_bridges.scoring import row_half_points, view_rows
from games.engine.three_bridges.state import N_ROUNDS, SEATS, Laid, Row, Rows, lay

HIDDEN: Final = 16
"""What a face-down card of the opponent may bring, in half points."""
SLOPE: Final = 4.0
"""By how many half points a row has to lead to be rather sure of its bridge, at the end."""
DOUBT: Final = 6.0
"""How much more that is for each round that is still to come."""
CARD_WORTH: Final = 0.01
"""What a card in hand is worth, in games won, for each round that is still to come."""


@dataclass(frozen=True, slots=True)
class Table:
    """What a seat knows and may change: bridges, rows, its hand, and cards it would draw."""

    seat: Seat
    bridges: tuple[str, ...]
    rows: Rows
    hand: tuple[str, ...]
    rounds_left: int
    n_drawn: int = 0

    def row(self, bridge: int, seat: Seat) -> Row:
        """Give the row of a seat at a bridge from 1 to 3."""
        return self.rows[bridge - 1][seat]


def choose(view: Json) -> Json:
    """Choose one of the legal actions of a view whose seat is to act."""
    legal: list[Json] = view["legal"]
    table = _read(view, legal[0]["seat"])
    # The first of equals is taken, and declining stands first: it keeps what one has.
    legal = sorted(legal, key=lambda action: action["type"] != "skip")
    return max(legal, key=lambda action: _worth(_after(table, view["asker"], action)))


def _read(view: Json, seat: Seat) -> Table:
    """Read what the seat's view tells."""
    return Table(
        seat=seat,
        bridges=tuple(view["bridges"]),
        rows=view_rows(view),
        hand=tuple(view["hands"][seat]),
        rounds_left=N_ROUNDS - view["round"],
    )


def _after(table: Table, asker: Json | None, action: Json) -> Table:
    """Give the table as the action would leave it, abilities that follow at once included."""
    kind = action["type"]
    if kind == "place":
        return _played(table, action["bridge"], lay(action["card"], SUIT[action["card"]]))
    if asker is None or kind == "skip":
        return table
    bridge, index = asker["bridge"], asker["index"]
    if kind == "turn":
        return _turned(table, bridge, action["side"], action["index"])
    if kind == "swap":
        return _swapped(table, bridge, index)
    if kind == "move":
        return _moved(table, action["bridge"], action["index"], bridge)
    if kind == "name":
        named = lay(asker["card"], action["suit"])
        return _used(_with_card(table, bridge, table.seat, index, named), bridge, named)
    return _played(table, action["bridge"], lay(action["card"], _ace_suit(table, bridge, index)))


def _ace_suit(table: Table, bridge: int, index: int) -> str | None:
    """Give the suit of an Ace that asks."""
    return table.row(bridge, table.seat)[index].suit


def _with_row(table: Table, bridge: int, seat: Seat, row: Row) -> Table:
    """Give the table with another row."""
    pair = table.rows[bridge - 1]
    pair = (row, pair[1]) if seat == 0 else (pair[0], row)
    return replace(table, rows=(*table.rows[: bridge - 1], pair, *table.rows[bridge:]))


def _with_card(table: Table, bridge: int, seat: Seat, index: int, laid: Laid) -> Table:
    """Give the table with another card at a place in a row."""
    row = table.row(bridge, seat)
    return _with_row(table, bridge, seat, (*row[:index], laid, *row[index + 1 :]))


def _turned(table: Table, bridge: int, side: Seat, index: int) -> Table:
    """Give the table after a Leaf."""
    laid = table.row(bridge, side)[index]
    return _with_card(table, bridge, side, index, lay(laid.card, laid.suit, turned=True))


def _swapped(table: Table, bridge: int, index: int) -> Table:
    """Give the table after an Unter."""
    old, unter = table.bridges[bridge - 1], table.row(bridge, table.seat)[index].card
    bridges = (*table.bridges[: bridge - 1], unter, *table.bridges[bridge:])
    changed = _with_card(table, bridge, table.seat, index, lay(old, SUIT[old]))
    return replace(changed, bridges=bridges)


def _moved(table: Table, source: int, index: int, bridge: int) -> Table:
    """Give the table after an Ober."""
    row = table.row(source, table.seat)
    left = _with_row(table, source, table.seat, row[:index] + row[index + 1 :])
    return _with_row(left, bridge, table.seat, (*left.row(bridge, table.seat), row[index]))


def _played(table: Table, bridge: int, laid: Laid) -> Table:
    """Give the table after a card from hand, its abilities used as well as can be."""
    hand = tuple(card for card in table.hand if card != laid.card)
    row = (*table.row(bridge, table.seat), laid)
    played = replace(_with_row(table, bridge, table.seat, row), hand=hand)
    if laid.suit is not None:
        return _used(played, bridge, laid)
    named = (lay(laid.card, suit) for suit in SUITS)
    return _best(
        _used(_with_card(played, bridge, table.seat, len(row) - 1, ace), bridge, ace)
        for ace in named
    )


def _used(table: Table, bridge: int, laid: Laid) -> Table:
    """Give the table after the abilities of a card that lies last in its row."""
    if laid.suit == ACORNS:
        table = replace(table, n_drawn=table.n_drawn + 1)
    elif laid.suit == LEAVES:
        table = _best(_leaf_choices(table, bridge))
    figure = FIGURE[laid.card]
    if figure == UNTER and SUIT[laid.card] == SUIT[table.bridges[bridge - 1]]:
        table = _best((table, _swapped(table, bridge, len(table.row(bridge, table.seat)) - 1)))
    elif figure == OBER:
        table = _best(_ober_choices(table, bridge))
    elif figure == ACE:
        table = _best(_ace_choices(table, laid.suit))
    return table


def _leaf_choices(table: Table, bridge: int) -> Iterator[Table]:
    yield table
    for side in SEATS:
        for index, laid in enumerate(table.row(bridge, side)):
            if laid.face_up and not laid.turned:
                yield _turned(table, bridge, side, index)


def _ober_choices(table: Table, bridge: int) -> Iterator[Table]:
    yield table
    for source in BRIDGES:
        if source != bridge:
            for index in range(len(table.row(source, table.seat))):
                yield _moved(table, source, index, bridge)


def _ace_choices(table: Table, suit: str | None) -> Iterator[Table]:
    yield table
    for card in table.hand:
        if SUIT[card] in (suit, None):
            for bridge in BRIDGES:
                yield _played(table, bridge, lay(card, suit))


def _best(tables: Iterator[Table] | tuple[Table, ...]) -> Table:
    """Give the best table, the first of equals."""
    return max(tables, key=_worth)


def _worth(table: Table) -> float:
    """Guess how likely the seat is to win the game, and add what its hand is good for."""
    one, two, three = (_chance(table, bridge) for bridge in BRIDGES)
    two_of_three = one * two + one * three + two * three - 2 * one * two * three
    n_cards = len(table.hand) + table.n_drawn
    return two_of_three + CARD_WORTH * table.rounds_left * n_cards


def _chance(table: Table, bridge: int) -> float:
    """Guess how likely the seat is to win a bridge."""
    seat = table.seat
    mine, theirs = table.row(bridge, seat), table.row(bridge, 1 if seat == 0 else 0)
    lead = row_half_points(mine, theirs, table.bridges[bridge - 1])
    lead -= row_half_points(theirs, mine, table.bridges[bridge - 1])
    lead -= HIDDEN * sum(not laid.face_up for laid in theirs)
    return 1 / (1 + math.exp(-lead / (SLOPE + DOUBT * table.rounds_left)))
