"""The cards of Three Bridges that a viewer has not seen yet, suit by suit."""

from __future__ import annotations

from games.engine.api import Json, Ruleset
from games.engine.three_bridges.cards import ALL_CARDS, CHRONICLERS, SUITS
from games.presenters.faces import CardFace
from games.presenters.three_bridges.cards import card_face


def unseen(view: Json, ruleset: Ruleset) -> tuple[tuple[CardFace, ...], ...]:
    """List what the viewer knows to lie nowhere: not open, not in their hand, not laid by them.

    Made from their view: what the other player laid face down is among these cards.
    """
    seen = {*view["bridges"]}
    seen |= {laid["card"] for pair in view["rows"] for row in pair for laid in row}
    seen.update(*(hand for hand in view["hands"] if isinstance(hand, list)))
    kinds = [[code for code in ALL_CARDS if code[0] == suit] for suit in SUITS]
    kinds = [[code for code in kind if code not in CHRONICLERS] for kind in kinds]
    left = ([code for code in kind if code not in seen] for kind in (*kinds, list(CHRONICLERS)))
    return tuple(tuple(card_face(code) for code in codes) for codes in left if codes)
