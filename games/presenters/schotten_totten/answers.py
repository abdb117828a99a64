"""Prepared answers of Schotten Totten in words."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext

from games.engine.api import Json, Ruleset, gettext_noop
from games.presenters.log import Sentence, pieces_of
from games.presenters.schotten_totten.cards import face_of

CLAN_NAMES: Final = {
    "R": gettext_noop("red"),
    "O": gettext_noop("orange"),
    "Y": gettext_noop("yellow"),
    "G": gettext_noop("green"),
    "B": gettext_noop("blue"),
    "P": gettext_noop("purple"),
}

_CONDITIONS: Final = {
    "any": gettext_noop("Whatever %(opponent)s does:"),
    "tactics": gettext_noop("If %(opponent)s plays a tactics card:"),
    "lays": gettext_noop("If %(opponent)s lays a card at any stone:"),
    "lays stone": gettext_noop("If %(opponent)s lays a card at stone %(stone)s:"),
    "lays clan": gettext_noop("If %(opponent)s lays a card of the clan %(clan)s at any stone:"),
    "lays clan stone": gettext_noop(
        "If %(opponent)s lays a card of the clan %(clan)s at stone %(stone)s:"
    ),
    "lays value": gettext_noop("If %(opponent)s lays a card of value %(value)s at any stone:"),
    "lays value stone": gettext_noop(
        "If %(opponent)s lays a card of value %(value)s at stone %(stone)s:"
    ),
    "lays clan value": gettext_noop("If %(opponent)s lays %(card)s at any stone:"),
    "lays clan value stone": gettext_noop("If %(opponent)s lays %(card)s at stone %(stone)s:"),
    "claims": gettext_noop("If %(opponent)s claims a stone:"),
    "claims stone": gettext_noop("If %(opponent)s claims stone %(stone)s:"),
    "claims_not stone": gettext_noop("If %(opponent)s does not claim stone %(stone)s:"),
}
_AUTOMATIC: Final = {
    "claims": gettext_noop("If a stone goes to %(opponent)s:"),
    "claims stone": gettext_noop("If stone %(stone)s goes to %(opponent)s:"),
    "claims_not stone": gettext_noop("If stone %(stone)s does not go to %(opponent)s:"),
}
"""What claims are called where stones go over by themselves."""


def tell_condition(condition: Json, opponent: str, ruleset: Ruleset) -> Sentence:
    """Tell on what an answer depends."""
    given = [key for key in ("clan", "value", "stone") if condition.get(key)]
    kind = " ".join([condition["when"], *given])
    msgid = _CONDITIONS[kind]
    if dict(ruleset.options)["claims"] == "automatic":
        msgid = _AUTOMATIC.get(kind, msgid)
    params: dict[str, Any] = {key: condition[key] for key in given}
    if "clan" in given and "value" in given:
        params["card"] = f"{condition['clan']}{condition['value']}"
    elif "clan" in given:
        params["clan"] = gettext(CLAN_NAMES[condition["clan"]])
    return pieces_of(msgid, params, {"opponent": opponent}, face_of)


def tell_plan(plan: Json, ruleset: Ruleset) -> tuple[Sentence, ...]:
    """Tell the turn that is played: the card, the claims, and the deck where there are two."""
    options = dict(ruleset.options)
    told = [_told(gettext_noop("Lay %(card)s at stone %(stone)s."), plan)]
    if options["claims"] != "automatic" and plan["claims"] != "none":
        told.append(_claims(plan))
    if options["tactics"]:
        clan, tactics = gettext_noop("Draw a clan card."), gettext_noop("Draw a tactics card.")
        told.append(_told(tactics if plan["draw"] == "tactics" else clan, plan))
    return tuple(told)


def _claims(plan: Json) -> Sentence:
    if plan["claims"] == "holds":
        return _told(gettext_noop("Claim every stone that can be claimed then."), plan)
    msgid = gettext_noop("Claim stone %(claims)s; if that is not possible, play nothing.")
    return _told(msgid, plan)


def _told(msgid: str, plan: Json) -> Sentence:
    return pieces_of(msgid, plan, {}, face_of)
