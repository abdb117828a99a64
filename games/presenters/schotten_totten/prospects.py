"""What open sides can become, from public cards alone: nobody's hand is asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext, pgettext

from games.engine.api import Json, Seat
from games.engine.schotten_totten.proof import best_reachable
from games.presenters.schotten_totten.claims import formation_name
from games.presenters.schotten_totten.laying import Laying
from games.presenters.schotten_totten.steps import side_size


@dataclass(frozen=True, slots=True)
class Prospect:
    """What both sides of an unclaimed stone are or could still become at best."""

    stone: int
    bottom: str
    top: str


def prospects_of(laying: Laying) -> tuple[Prospect, ...]:
    """Tell of each unclaimed stone that has an open side with a card, or faces one that has."""
    return tuple(_prospects(laying))


def _prospects(laying: Laying) -> Iterator[Prospect]:
    sight = laying.sight
    if not sight.is_running:
        return
    for number, stone in enumerate(laying.view["stones"], start=1):
        sides, size = stone["sides"], side_size(stone)
        is_open = any(len(side) < size for side in sides)
        if stone["owner"] is None and is_open and any(sides):
            texts = (_text(laying, stone, number, seat) for seat in (sight.bottom, sight.top))
            yield Prospect(number, *texts)


def _text(laying: Laying, stone: Json, number: int, seat: Seat) -> str:
    size = side_size(stone)
    best = best_reachable(laying.state, seat, number)
    if len(stone["sides"][seat]) == size:
        return formation_name(best, size)
    if best is None:
        return gettext("cannot be filled any more")
    return pgettext("of what a side could become", "at best %(formation)s") % {
        "formation": formation_name(best, size)
    }
