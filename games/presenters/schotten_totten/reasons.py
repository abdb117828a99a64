"""Why a stone or a card cannot be chosen now: told where somebody tries."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext

from games.presenters.log import plain
from games.presenters.schotten_totten.cards import is_tactics
from games.presenters.schotten_totten.hands import Blocked
from games.presenters.schotten_totten.laying import Laying
from games.presenters.schotten_totten.steps import Steps, side_size


def why_no_stone(laying: Laying, steps: Steps, number: int) -> str:
    """Say why no card of the viewer can go to this stone now; nothing where one can."""
    seat = laying.sight.seat
    if seat is None or not laying.sight.is_running or number in steps.stones:
        return ""
    stone = laying.view["stones"][number - 1]
    if stone["owner"] is not None:
        told = gettext("Stone %(stone)s is held by %(player)s: no more cards go there.")
        return told % {"stone": number, "player": laying.sight.names[stone["owner"]]}
    if always := _why_nothing(laying):
        return always
    if len(stone["sides"][seat]) >= side_size(stone):
        return gettext("Your side of stone %(stone)s is full.") % {"stone": number}
    return gettext("Nothing can go to stone %(stone)s now.") % {"stone": number}


def why_no_card(laying: Laying, steps: Steps, code: str, blocked: Sequence[Blocked]) -> str:
    """Say why a card of the viewer's hand cannot be chosen now; nothing where it can."""
    if laying.sight.seat is None or not laying.sight.is_running:
        return ""
    if code in steps.cards | steps.backs:
        return ""
    if always := _why_nothing(laying):
        return always
    for group in blocked:
        if any(face.code == code for face in group.cards):
            return plain(group.why)
    if laying.phase == "play" and not is_tactics(code):
        return gettext("No stone has room for it.")
    return gettext("This card cannot be chosen now.")


def _why_nothing(laying: Laying) -> str:
    """Say why nothing at all can be laid now, if so."""
    sight = laying.sight
    if not sight.is_to_act:
        actor = sight.title.to_act(sight.state)
        name = sight.names[actor] if actor is not None else ""
        return gettext("It is not your turn: %(player)s is to play.") % {"player": name}
    if sight.plan.laid and laying.phase != "recruit":
        return gettext("All of it is laid out: confirm it, or take it back first.")
    if laying.phase == "recruit" and laying.view["recruit"]["draws"]:
        return gettext("The Recruiter is at work: draw first.")
    return ""
