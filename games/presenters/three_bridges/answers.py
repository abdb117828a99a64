"""Prepared answers of Three Bridges in words."""

from __future__ import annotations

from typing import Any, Final

from games.engine.api import Json, Ruleset, gettext_noop
from games.presenters.log import Sentence, pieces_of
from games.presenters.three_bridges.cards import RANK_OF, SUIT_OF, face_of

_CONDITIONS: Final = {
    "any": gettext_noop("Whatever %(opponent)s does:"),
    "places": gettext_noop("If %(opponent)s places a card at any bridge:"),
    "places bridge": gettext_noop("If %(opponent)s places a card at bridge %(bridge)s:"),
    "turned_up": gettext_noop("If a card of %(opponent)s is turned up at any bridge:"),
    "turned_up bridge": gettext_noop(
        "If a card of %(opponent)s is turned up at bridge %(bridge)s:"
    ),
    "turned_up suit": gettext_noop(
        "If a card of %(opponent)s is turned up at any bridge, of the suit %(suit)s:"
    ),
    "turned_up suit bridge": gettext_noop(
        "If a card of %(opponent)s is turned up at bridge %(bridge)s, of the suit %(suit)s:"
    ),
    "turned_up rank": gettext_noop(
        "If a card of %(opponent)s is turned up at any bridge, of the rank %(rank)s:"
    ),
    "turned_up rank bridge": gettext_noop(
        "If a card of %(opponent)s is turned up at bridge %(bridge)s, of the rank %(rank)s:"
    ),
    "turned_up suit rank": gettext_noop("If %(card)s of %(opponent)s is turned up at any bridge:"),
    "turned_up suit rank bridge": gettext_noop(
        "If %(card)s of %(opponent)s is turned up at bridge %(bridge)s:"
    ),
}


def tell_condition(condition: Json, opponent: str, ruleset: Ruleset) -> Sentence:
    """Tell on what an answer depends."""
    given = [key for key in ("suit", "rank", "bridge") if condition.get(key)]
    params: dict[str, Any] = {key: condition[key] for key in given}
    if "suit" in given and "rank" in given:
        params["card"] = condition["suit"] + condition["rank"]
    elif "suit" in given:
        params["suit"] = str(SUIT_OF[condition["suit"]].name)
    elif "rank" in given:
        params["rank"] = str(RANK_OF[condition["rank"]].name)
    msgid = _CONDITIONS[" ".join([condition["when"], *given])]
    return pieces_of(msgid, params, {"opponent": opponent}, face_of)


def tell_plan(plan: Json, ruleset: Ruleset) -> tuple[Sentence, ...]:
    """Tell the turn that is played."""
    msgid = gettext_noop("Place %(card)s face down at bridge %(bridge)s.")
    return (pieces_of(msgid, plan, {}, face_of),)
