"""The cards of Schotten Totten that a viewer has not seen yet, clan by clan."""

from __future__ import annotations

from games.engine.api import Json, Ruleset
from games.engine.schotten_totten.cards import CLAN_CODES, TACTICS_CODES
from games.presenters.faces import CardFace
from games.presenters.schotten_totten.cards import CLANS, card_faces


def unseen(view: Json, ruleset: Ruleset) -> tuple[tuple[CardFace, ...], ...]:
    """List what neither lies face up nor is in the viewer's own hand, made from their view."""
    seen = {*view["discard"]}
    for stone in view["stones"]:
        seen.update(*stone["sides"], stone["modes"])
    seen.update(*(hand for hand in view["hands"] if isinstance(hand, list)))
    clans = [[code for code in CLAN_CODES if code[0] == clan] for clan in CLANS]
    tactics = [list(TACTICS_CODES)] if ruleset.as_json().get("tactics") else []
    left = ([code for code in codes if code not in seen] for codes in (*clans, *tactics))
    return tuple(card_faces(codes) for codes in left if codes)
