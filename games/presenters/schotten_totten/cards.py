"""The cards of Schotten Totten as pages show them, with names that can be read aloud."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext, pgettext

from games.engine.api import gettext_noop
from games.engine.schotten_totten.cards import CARD_OF
from games.engine.schotten_totten.meta import TACTICS_NAMES
from games.presenters.faces import CardFace


@dataclass(frozen=True, slots=True)
class Clan:
    """A colour of cards. `slug` names its style, `emblem` its symbol in img/emblems.svg."""

    slug: str
    emblem: str
    msgid: str
    """What a card of this clan is called, with a place for its value."""


CLANS: Final[dict[str, Clan]] = {
    "R": Clan("red", "rowan", gettext_noop("red %(value)s")),
    "O": Clan("orange", "oak", gettext_noop("orange %(value)s")),
    "Y": Clan("yellow", "sun", gettext_noop("yellow %(value)s")),
    "G": Clan("green", "pine", gettext_noop("green %(value)s")),
    "B": Clan("blue", "wave", gettext_noop("blue %(value)s")),
    "P": Clan("purple", "thistle", gettext_noop("purple %(value)s")),
}

_TACTICS: Final[dict[str, tuple[str, str, str]]] = {
    "JA": ("elite", "joker", "1–9"),
    "JB": ("elite", "joker", "1–9"),
    "SP": ("elite", "spy", "7"),
    "SB": ("elite", "shield", "1–3"),
    "BB": ("mode", "blindfold", "Σ"),
    "MF": ("mode", "mud", "4"),
    "RE": ("ruse", "horn", ""),
    "ST": ("ruse", "arrows", ""),
    "BA": ("ruse", "banshee", ""),
    "TR": ("ruse", "dagger", ""),
}
"""Style, emblem and value of each tactics card; a mode's value is what it changes at a stone."""


def face_of(value: object) -> CardFace | None:
    """Give the face of a card by its code, None for whatever is no card of this title."""
    return card_face(value) if isinstance(value, str) and value in CARD_OF else None


def card_face(code: str) -> CardFace:
    """Give the face of a card by its code."""
    if code in _TACTICS:
        name = gettext(TACTICS_NAMES[code])
        return CardFace(code, *_TACTICS[code], name, caption=name)
    clan, value = CLANS[code[0]], code[1]
    return CardFace(code, clan.slug, clan.emblem, value, gettext(clan.msgid) % {"value": value})


def card_faces(codes: Iterable[str]) -> tuple[CardFace, ...]:
    """Give the faces of cards in the order given."""
    return tuple(card_face(code) for code in codes)


def is_tactics(code: str) -> bool:
    """Say whether a card is a tactics card."""
    return code in _TACTICS


def name_cards(codes: Iterable[str]) -> str:
    """Name cards in a row: "red 7, red 8"."""
    return pgettext("between two cards", ", ").join(card_face(code).name for code in codes)


def in_hand_order(codes: Iterable[str]) -> list[str]:
    """Sort a hand as players hold it: by clan, then by value; tactics cards come last."""
    return sorted(codes, key=CARD_OF.__getitem__)
