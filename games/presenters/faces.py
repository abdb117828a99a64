"""Cards as pages show them, whatever the title: a style, an emblem, a value, and a name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CardFace:
    """A card that lies face up. Face-down cards have no face: they are only counted."""

    code: str
    clan: str
    """Names the card's style, `clan-…`."""
    emblem: str
    """Names its symbol in the title's sprite."""
    value: str
    name: str
    """The card in the viewer's language, as it is read aloud: "red 7"."""
    caption: str = ""
    """What the card has written on it, where emblem and value do not say it all."""
    sprite: str = "emblems"
    """Names the file of symbols in img."""


Faces = Callable[[object], CardFace | None]
"""Gives the face of a title's card by its code, and None for whatever is no card of it."""


def no_faces(value: object) -> None:
    """Give no face: for sentences that name no card."""
