"""The cards of Three Bridges as pages show them, with names that can be read aloud.

Suits have a colour, a symbol of their own and a name; no one of them stands alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from games.engine.api import gettext_noop
from games.engine.three_bridges.cards import ALL_CARDS, CHRONICLERS, RANKS, SUITS
from games.presenters.faces import CardFace

SPRITE: Final = "tell_suits"


@dataclass(frozen=True, slots=True)
class Suit:
    """A suit. `slug` names its style and its symbol, `hungarian` is what the deck's home says."""

    slug: str
    name: str | Promise
    msgid: str
    """What a card of this suit is called, with a place for its rank."""
    hungarian: str


@dataclass(frozen=True, slots=True)
class Rank:
    """A rank; `short` is what the card bears. Figures have a Hungarian name."""

    short: str | Promise
    name: str | Promise
    hungarian: str = ""


SUIT_OF: Final[dict[str, Suit]] = {
    "H": Suit("hearts", gettext_lazy("Hearts"), gettext_noop("%(rank)s of Hearts"), "piros"),
    "B": Suit("bells", gettext_lazy("Bells"), gettext_noop("%(rank)s of Bells"), "tök"),
    "L": Suit("leaves", gettext_lazy("Leaves"), gettext_noop("%(rank)s of Leaves"), "zöld"),
    "A": Suit("acorns", gettext_lazy("Acorns"), gettext_noop("%(rank)s of Acorns"), "makk"),
}

RANK_OF: Final[dict[str, Rank]] = {
    "7": Rank("7", gettext_lazy("Seven")),
    "8": Rank("8", gettext_lazy("Eight")),
    "9": Rank("9", gettext_lazy("Nine")),
    "X": Rank("10", gettext_lazy("Ten")),
    "U": Rank(pgettext_lazy("short for Unter", "U"), gettext_lazy("Unter"), "alsó"),
    "O": Rank(pgettext_lazy("short for Ober", "O"), gettext_lazy("Ober"), "felső"),
    "K": Rank(pgettext_lazy("short for King", "K"), gettext_lazy("King"), "király"),
    "A": Rank(pgettext_lazy("short for Ace", "A"), gettext_lazy("Ace"), "ász"),
}

_CHRONICLER: Final = "chronicler"


def face_of(value: object) -> CardFace | None:
    """Give the face of a card by its code, None for whatever is no card of this title."""
    return card_face(value) if isinstance(value, str) and value in _KNOWN else None


_KNOWN: Final = frozenset(ALL_CARDS)


def card_face(code: str, suit: str | None = None) -> CardFace:
    """Give the face of a card by its code; `suit` is what a Chronicler has been named."""
    if code not in CHRONICLERS:
        return CardFace(
            code,
            SUIT_OF[code[0]].slug,
            SUIT_OF[code[0]].slug,
            str(RANK_OF[code[1]].short),
            card_name(code),
            sprite=SPRITE,
        )
    caption = gettext("Chronicler")
    if suit is None:
        return CardFace(code, _CHRONICLER, _CHRONICLER, "✦", caption, caption, sprite=SPRITE)
    ace = str(RANK_OF["A"].short)
    slug = SUIT_OF[suit].slug
    return CardFace(code, slug, slug, ace, card_name(code, suit), caption, sprite=SPRITE)


def card_name(code: str, suit: str | None = None) -> str:
    """Name a card: "Ten of Hearts", "Chronicler", "Chronicler as Ace of Hearts"."""
    if code not in CHRONICLERS:
        return gettext(SUIT_OF[code[0]].msgid) % {"rank": RANK_OF[code[1]].name}
    if suit is None:
        return gettext("Chronicler")
    ace = gettext(SUIT_OF[suit].msgid) % {"rank": RANK_OF["A"].name}
    return gettext("Chronicler as %(ace)s") % {"ace": ace}


def in_hand_order(hand: Iterable[str]) -> tuple[str, ...]:
    """Sort a hand as players hold it: by suit, then by rank; Chroniclers come last."""
    return tuple(sorted(hand, key=_ORDER.__getitem__))


_ORDER: Final = {
    code: (SUITS.index(code[0]), RANKS.index(code[1])) if code not in CHRONICLERS else (4, at)
    for at, code in enumerate(ALL_CARDS)
}
