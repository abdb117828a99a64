"""The nine stones as they are drawn and read aloud: both sides, modes, owner, and their worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext, pgettext_lazy

from games.engine.api import Seat
from games.engine.schotten_totten.proof import best_reachable
from games.presenters.faces import CardFace
from games.presenters.schotten_totten.cards import card_face, name_cards
from games.presenters.schotten_totten.claims import Claim, formation_type
from games.presenters.schotten_totten.laying import Laying
from games.presenters.schotten_totten.reasons import why_no_stone
from games.presenters.schotten_totten.steps import Steps, side_size

SHORT_NAMES: Final[dict[str, Promise | str]] = {
    "sum": pgettext_lazy("short for a formation", "S"),
    "run": pgettext_lazy("short for a formation", "R"),
    "colour": pgettext_lazy("short for a formation", "C"),
    "three-of-a-kind": pgettext_lazy("short for a formation", "3K"),
    "colour-run": pgettext_lazy("short for a formation", "CR"),
}
"""Formations where a phone leaves no room for their names; the rules summary explains them."""


@dataclass(frozen=True, slots=True)
class LaidCard:
    """A card at a stone: of the last turn, of the viewer's plan, or neither."""

    face: CardFace
    is_last: bool
    is_planned: bool
    target: str = ""
    """The field that a tap on it chooses, for the ruse that is being played."""

    @property
    def classes(self) -> str:
        """Give the style of the mark it bears."""
        mark = "card--planned" if self.is_planned else "card--last" if self.is_last else ""
        return f"{mark} card--target".strip() if self.target else mark


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a stone, first card first; a full one says what it is."""

    cards: tuple[LaidCard, ...]
    n_free: int
    formation: str = ""
    short: str = ""
    total: int = 0

    @property
    def free(self) -> range:
        """Give something to draw the free places by."""
        return range(self.n_free)

    @property
    def from_afar(self) -> tuple[LaidCard, ...]:
        """Give the cards last card first, as they lie above the border."""
        return self.cards[::-1]

    @property
    def text(self) -> str:
        """Name the cards, and what they are: "red 7, red 8, red 9 (Colour-Run 24)"."""
        if not self.cards:
            return pgettext("side of a stone", "empty")
        named = name_cards(card.face.code for card in self.cards)
        return f"{named} ({self.formation} {self.total})" if self.formation else named


@dataclass(frozen=True, slots=True)
class Stone:
    """A column of the border. `owner` is `top`, `bottom` or empty."""

    number: int
    top: Side
    bottom: Side
    modes: tuple[LaidCard, ...]
    owner: str
    label: str
    """The whole column as it is read aloud."""
    can_choose: bool
    why_not: str
    """Why it cannot be chosen now, for a player who tries."""
    claim: Claim | None
    is_last: bool
    size: int
    """How many cards fill a side."""


def stones_of(laying: Laying, steps: Steps, claims: Sequence[Claim]) -> tuple[Stone, ...]:
    """Lay the nine stones."""
    return tuple(_stone(laying, steps, claims, number) for number in range(1, 10))


def _stone(laying: Laying, steps: Steps, claims: Sequence[Claim], number: int) -> Stone:
    sight, stone = laying.sight, laying.view["stones"][number - 1]
    top, bottom = (_side(laying, steps, number, seat) for seat in (sight.top, sight.bottom))
    claim = next((claim for claim in claims if claim.stone == number), None)
    return Stone(
        number=number,
        top=top,
        bottom=bottom,
        modes=_laid_cards(laying, steps, stone["modes"]),
        owner={None: "", sight.top: "top", sight.bottom: "bottom"}[stone["owner"]],
        label=_label(laying, number, top, bottom, claim),
        can_choose=number in steps.stones,
        why_not=why_no_stone(laying, steps, number),
        claim=claim,
        is_last=number in laying.last_stones,
        size=side_size(stone),
    )


def _laid_cards(laying: Laying, steps: Steps, codes: Sequence[str]) -> tuple[LaidCard, ...]:
    targets = {take.face.code for take in steps.takes}
    planned = {action.get("take", action.get("card")) for action in laying.sight.plan.laid}
    return tuple(
        LaidCard(
            face=card_face(code),
            is_last=code in laying.last_cards,
            is_planned=code in planned,
            target=f"take-{code}" if code in targets else "",
        )
        for code in codes
    )


def _side(laying: Laying, steps: Steps, number: int, seat: Seat) -> Side:
    stone = laying.view["stones"][number - 1]
    codes = stone["sides"][seat]
    cards = _laid_cards(laying, steps, codes)
    size = side_size(stone)
    if len(codes) < size:
        return Side(cards, size - len(codes))
    told = best_reachable(laying.state, seat, number)
    assert told is not None
    short = SHORT_NAMES[told.type]
    if told.type == "three-of-a-kind" and size == 4:
        short = pgettext("short for a formation", "4K")
    return Side(cards, 0, formation_type(told, size), str(short), told.sum)


def _label(laying: Laying, number: int, top: Side, bottom: Side, claim: Claim | None) -> str:
    sight, stone = laying.sight, laying.view["stones"][number - 1]
    msgid = (
        gettext("Stone %(stone)s: %(bottom)s has %(own)s; %(top)s has %(theirs)s")
        if sight.seat is None
        else gettext("Stone %(stone)s: your side %(own)s; opponent's side %(theirs)s")
    )
    names = {"bottom": sight.names[sight.bottom], "top": sight.names[sight.top]}
    label = msgid % {"stone": number, "own": bottom.text, "theirs": top.text, **names}
    if stone["modes"]:
        label += gettext("; here %(modes)s counts") % {"modes": name_cards(stone["modes"])}
    if stone["owner"] is not None:
        return label + gettext("; held by %(player)s") % {"player": sight.names[stone["owner"]]}
    return label + gettext("; claimable") if claim and claim.holds else label
