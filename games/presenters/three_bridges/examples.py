"""Positions laid by hand for the rules of Three Bridges, drawn as a board would draw them.

What a drawing says of points, and what an ability brings about, is the engine's own answer.

A row is written as codes with blanks between: `L7/` is turned sideways, `(B9)` lies face down,
`C1=H` is a Chronicler that has been named.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext

from games.engine.api import Json, Seat
from games.engine.registry import get_title
from games.engine.three_bridges.cards import ALL_CARDS, BRIDGES, SUIT
from games.engine.three_bridges.meta import SLUG, STANDARD
from games.engine.three_bridges.state import Ability, Asked, Laid, Row, State, lay
from games.presenters.sight import Sight
from games.presenters.three_bridges.table import Bridge, present

YOU: Final[Seat] = 0

Rows = tuple[str, str]
"""What lies at a bridge: the opponent's row, then one's own."""


def position(
    bridges: str,
    rows: Mapping[int, Rows],
    *,
    hand: str = "",
    asked: tuple[Ability, int] | None = None,
) -> State:
    """Lay a position out, in the middle of a game.

    `asked` is an ability and the bridge at which the last card of one's own row asks for it.
    Seat 0 is to act, as the second of the round to turn a card up.
    """
    laid = tuple(_pair(rows.get(number, ("", ""))) for number in BRIDGES)
    lying = {card.card for pair in laid for row in pair for card in row}
    known = {*lying, *hand.split(), *bridges.split()}
    rest = tuple(card for card in ALL_CARDS if card not in known)
    return State(
        first=1,
        deck=(*sorted(known - {*bridges.split()}), *rest),
        n_drawn=len(known) - len(bridges.split()),
        round=3,
        hands=(tuple(sorted(hand.split())), ()),
        bridges=tuple(bridges.split()),
        rows=laid,
        turn=0,
        asked=_asked(asked, laid) if asked else None,
        reason=None,
        winner=None,
    )


def played(state: State, action: Json) -> State:
    """Play one action of seat 0."""
    title = get_title(SLUG)
    after: State = title.apply(state, title.parse_action({"seat": YOU, **action}))
    return after


def drawn(state: State, *numbers: int) -> tuple[Bridge, ...]:
    """Draw some of the bridges as seat 0 sees them; nothing can be chosen."""
    sight = Sight(
        title=get_title(SLUG),
        ruleset=STANDARD,
        state=state,
        seats=(),
        events=(),
        viewer=YOU,
        is_running=False,
        names=(gettext("you"), gettext("your opponent")),
    )
    bridges = present(sight).bridges
    return tuple(bridges[number - 1] for number in numbers)


def _pair(rows: Rows) -> tuple[Row, Row]:
    theirs, own = rows
    return (_row(own), _row(theirs))


def _row(words: str) -> Row:
    return tuple(_laid(word) for word in words.split())


def _laid(word: str) -> Laid:
    turned, face_up = word.endswith("/"), not word.startswith("(")
    card, _sign, suit = word.strip("()/").partition("=")
    return lay(card, suit or SUIT[card], turned=turned, face_up=face_up)


def _asked(asked: tuple[Ability, int], rows: tuple[tuple[Row, Row], ...]) -> Asked:
    ability, bridge = asked
    row = rows[bridge - 1][YOU]
    return Asked(ability, row[-1].card, bridge, len(row) - 1)
