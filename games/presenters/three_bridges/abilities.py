"""What a card counts and can do, in a few words: for whoever holds it and does not know it yet.

Source: docs/spec/three-bridges.md, Abilities and Scoring.
"""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext, pgettext

from games.engine.api import gettext_noop
from games.engine.three_bridges.cards import CHRONICLERS, VALUE
from games.presenters.three_bridges.cards import card_name

_BY_SUIT: Final[dict[str, str]] = {
    "H": gettext_noop("brings its row 1 point"),
    "B": gettext_noop("halves the card that faces it"),
    "L": gettext_noop("may turn a card at its bridge sideways"),
    "A": gettext_noop("draws you a card"),
}
_BY_RANK: Final[dict[str, str]] = {
    "U": gettext_noop("may change places with a bridge of its suit"),
    "O": gettext_noop("may fetch one of your cards from another bridge"),
    "K": gettext_noop("brings 1 point for each card of its row"),
    "A": gettext_noop("lets you play one more card of its suit"),
}


def does(code: str) -> str:
    """Tell what a card counts and does: "Ober of Bells: counts 4, halves …, may fetch …"."""
    told = [gettext("counts %(n)s") % {"n": VALUE[code]}]
    if code in CHRONICLERS:
        told.append(gettext("becomes the Ace of a suit that you name"))
    else:
        told.append(suit_does(code[0]))
        told += [gettext(_BY_RANK[code[1]])] if code[1] in _BY_RANK else []
    parts = pgettext("between two things that a card does", ", ").join(told)
    return gettext("%(card)s: %(does)s.") % {"card": card_name(code), "does": parts}


def suit_does(suit: str) -> str:
    """Tell what every card of a suit does."""
    return gettext(_BY_SUIT[suit])
