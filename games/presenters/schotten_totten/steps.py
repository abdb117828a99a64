"""What the viewer can choose now, step by step: a card, what it takes, where it goes.

docs/spec/schotten-totten.md, "A turn" and "Tactics cards". All of it is read from the legal
actions of the viewer's own view.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from games.engine.api import AnyTitle, Json, Seat
from games.engine.errors import IllegalAction
from games.engine.schotten_totten.cards import CODES, MODES, RUSES
from games.presenters.faces import CardFace
from games.presenters.schotten_totten.cards import card_face
from games.presenters.schotten_totten.laying import Laying

TAKERS: Final = ("ST", "BA", "TR")
"""Strategist, Banshee, Traitor: first it is asked what they take."""
MOVERS: Final = ("ST", "TR")
"""Those of them that bring what they take to a stone."""
OWN_STEP: Final = frozenset(CODES[card] for card in MODES | RUSES)
"""Cards that may go elsewhere than clan cards and elite troops: where is asked once they are
chosen."""
DISCARD: Final = "discard"
"""Where a Strategist may send a card instead of to a stone."""

OF_PLACES: Final = frozenset({"stone_claimed", "side_full", "same_stone"})
"""Refusals that tell of one place only: another may do."""
OF_TARGETS: Final = frozenset({"no_target", "no_elite"})
"""Refusals that tell of one card only."""


@dataclass(frozen=True, slots=True)
class Take:
    """A card at a stone that the chosen ruse may take."""

    face: CardFace
    stone: int


@dataclass(frozen=True, slots=True)
class Steps:
    """What can be chosen now. Empty for all but the seat to act."""

    cards: frozenset[str] = frozenset()
    """Cards of the hand that may be played."""
    backs: frozenset[str] = frozenset()
    """Cards of the hand that the Recruiter may put back."""
    picked: str = ""
    """The card that has been chosen."""
    taken: str = ""
    """The card that it takes."""
    takes: tuple[Take, ...] = ()
    stones: frozenset[int] = frozenset()
    can_discard: bool = False
    can_pass: bool = False
    draws: tuple[str, ...] = ()
    """Decks that the Recruiter may draw from; a press on one is sent at once."""
    closings: tuple[str, ...] = ()
    """How the turn can be confirmed: by a draw from `clan` or `tactics`, or by `confirm`."""
    is_play_over: bool = False
    """Whether the turn, as it stands, only has to be ended."""

    @property
    def has_own_step(self) -> bool:
        """Say whether a card has been chosen that is asked about by itself."""
        return self.picked in OWN_STEP

    @property
    def is_choosing(self) -> bool:
        """Say whether there is anything to choose but how to go on."""
        return bool(self.cards or self.backs)


def steps_of(laying: Laying) -> Steps:
    """Say what the viewer can choose."""
    if not laying.sight.is_to_act:
        return Steps()
    if laying.phase == "play":
        return _in_play(laying)
    if laying.phase == "recruit":
        return _in_recruit(laying)
    return Steps(closings=_closings(laying), is_play_over=laying.now["phase"] == "end")


def _in_play(laying: Laying) -> Steps:
    plays = laying.plays
    cards = frozenset(action["card"] for action in plays)
    picked = str(laying.sight.plan.picked.get("card", ""))
    picked = picked if picked in cards else ""
    own = [action for action in plays if action["card"] == picked]
    taken = str(laying.sight.plan.picked.get("take", ""))
    taken = taken if any(action.get("take") == taken for action in own) else ""
    goals = _goals(plays, picked, taken)
    return Steps(
        cards=cards,
        picked=picked,
        taken=taken,
        takes=() if taken else tuple(_takes(laying, own)),
        stones=frozenset(goal for goal in goals if goal is not None),
        can_discard=None in goals,
        can_pass=not picked and any(action["type"] == "pass" for action in laying.legal),
    )


def _goals(plays: Iterable[Json], picked: str, taken: str) -> set[int | None]:
    """Give the stones that can be chosen now, None for the discard."""
    if picked not in OWN_STEP:
        return {action["stone"] for action in plays if action["card"] not in OWN_STEP}
    own = [action for action in plays if action["card"] == picked]
    if picked in MOVERS:
        return {action["to"] for action in own if action["take"] == taken}
    return {action["stone"] for action in own if "stone" in action}


def _takes(laying: Laying, plays: Iterable[Json]) -> Iterator[Take]:
    """Give what may be taken, stone by stone, in the order in which the cards lie."""
    codes = {action["take"] for action in plays if "take" in action}
    for number, stone in enumerate(laying.view["stones"], start=1):
        for code in (*stone["sides"][0], *stone["sides"][1]):
            if code in codes:
                yield Take(card_face(code), number)


def _in_recruit(laying: Laying) -> Steps:
    draws = tuple(action["from"] for action in laying.legal if action["type"] == "draw")
    backs = frozenset(action["card"] for action in laying.legal if action["type"] == "return")
    return Steps(draws=draws, backs=backs)


def _closings(laying: Laying) -> tuple[str, ...]:
    """Say how the turn ends: where two decks have cards the player chooses one."""
    draws = tuple(action["from"] for action in laying.legal if action["type"] == "draw")
    return draws if len(draws) > 1 else ("confirm",)


def side_size(stone: Json) -> int:
    """Say how many cards fill a side of a stone."""
    return 4 if "MF" in stone["modes"] else 3


def pick_refusal(title: AnyTitle, state: Any, seat: Seat, picked: Json) -> IllegalAction | None:
    """Say why a chosen card, and what it is to take, can lead to no legal play.

    None where it can. A reason that tells of one place or target is given where there is no
    other. Raises `MalformedRecord`.
    """
    last = None
    for payload in _probes(picked):
        action = title.parse_action({"seat": seat, "type": "play", **payload})
        try:
            title.apply(state, action)
        except IllegalAction as refused:
            if refused.code not in OF_PLACES | OF_TARGETS:
                return refused
            last = refused if last is None or last.code in OF_PLACES else last
        else:
            return None
    return last


def _probes(picked: Json) -> Iterator[Json]:
    """Give the plays that a chosen card could become."""
    card = picked["card"]
    if card not in TAKERS:
        yield from ({"card": card, "stone": stone} for stone in range(1, 10))
        return
    goals = (None, *range(1, 10)) if card == "ST" else range(1, 10)
    for take in [picked["take"]] if "take" in picked else CODES:
        yield from ({"card": card, "take": take, "to": to} for to in goals)
