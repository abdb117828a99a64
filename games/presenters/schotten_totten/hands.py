"""Hands: faces where the viewer may see them, with what can be chosen; else backs by their kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from games.engine.api import Seat, gettext_noop
from games.presenters.faces import CardFace
from games.presenters.log import Sentence, pieces_of
from games.presenters.refusals import illegal_sentence
from games.presenters.schotten_totten.cards import card_face, face_of, in_hand_order, is_tactics
from games.presenters.schotten_totten.laying import Laying
from games.presenters.schotten_totten.steps import (
    OF_PLACES,
    OF_TARGETS,
    OWN_STEP,
    Steps,
    pick_refusal,
)


@dataclass(frozen=True, slots=True)
class HandCard:
    """A card of a hand, and whether it can be chosen now."""

    face: CardFace
    field: str = ""
    """The name of the field by which it is chosen: to be played, or put back; empty for none."""
    is_picked: bool = False
    is_at_once: bool = False
    """Whether choosing it is a step by itself."""
    is_new: bool = False
    """Whether it was drawn last."""
    why_not: str = ""
    """Why it cannot be chosen now, for a player who tries."""


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand: cards, or numbers of backs of the two kinds."""

    cards: tuple[HandCard, ...] = ()
    n_clan: int = 0
    n_tactics: int = 0

    @property
    def n_hidden(self) -> int:
        """Count the cards that show their backs."""
        return self.n_clan + self.n_tactics

    @property
    def clan_backs(self) -> range:
        """Give something to draw the backs of clan cards by."""
        return range(self.n_clan)

    @property
    def tactics_backs(self) -> range:
        """Give something to draw the backs of tactics cards by."""
        return range(self.n_tactics)


@dataclass(frozen=True, slots=True)
class Blocked:
    """Cards of the hand that cannot be played now, for one reason."""

    cards: tuple[CardFace, ...]
    why: Sentence


def hand_of(
    laying: Laying, steps: Steps, seat: Seat, why_not: Callable[[str], str] = lambda code: ""
) -> Hand:
    """Lay a seat's hand; `why_not` tells of a card of the viewer's why it cannot be chosen."""
    hand: Any = laying.hands[seat]
    if isinstance(hand, dict):
        return Hand(n_clan=hand["clan"], n_tactics=hand["tactics"])
    is_own = seat == laying.sight.seat
    new = _new_cards(laying) if is_own else frozenset()
    own = steps if is_own else Steps()
    return Hand(
        tuple(
            _hand_card(code, own, new, why_not(code) if is_own else "")
            for code in in_hand_order(hand)
        )
    )


def _hand_card(code: str, steps: Steps, new: frozenset[str], why_not: str) -> HandCard:
    return HandCard(
        face=card_face(code),
        field="card" if code in steps.cards else "back" if code in steps.backs else "",
        is_picked=code == steps.picked,
        is_at_once=steps.has_own_step or code in OWN_STEP or code in steps.backs,
        is_new=code in new,
        why_not=why_not,
    )


_DRAWS = ("draw", "draw_clan", "draw_tactics")


def _new_cards(laying: Laying) -> frozenset[str]:
    """Find what the viewer drew last: what is new in a hand is worth a mark.

    While a Recruiter is at work these are all the cards that it brought.
    """
    drawn: list[str] = []
    is_recruiting = laying.view["recruit"] is not None
    for _, event in reversed(laying.sight.events):
        if drawn and (event.seat != laying.sight.viewer or event.kind == "recruiter"):
            break
        if event.seat == laying.sight.viewer and event.kind in _DRAWS:
            drawn.append(str(event.get("card")))
            if not is_recruiting:
                break
    return frozenset(drawn)


def blocked_of(laying: Laying, steps: Steps) -> tuple[Blocked, ...]:
    """Say of the tactics cards in the viewer's hand that cannot be played now why."""
    seat = laying.sight.seat
    if seat is None or laying.phase != "play" or not laying.sight.is_to_act:
        return ()
    cards: dict[Sentence, list[CardFace]] = {}
    for code in in_hand_order(laying.hands[seat]):
        if is_tactics(code) and code not in steps.cards:
            cards.setdefault(_why(laying, seat, code), []).append(card_face(code))
    return tuple(Blocked(tuple(faces), why) for why, faces in cards.items())


def _why(laying: Laying, seat: Seat, code: str) -> Sentence:
    """Tell why a tactics card cannot be played, in the engine's words where they fit the card."""
    title = laying.sight.title
    refused = pick_refusal(title, laying.state, seat, {"card": code})
    assert refused is not None
    if refused.code in OF_TARGETS:
        return pieces_of(
            gettext_noop("Nothing lies on the table that it could take."), {}, {}, face_of
        )
    if refused.code in OF_PLACES:
        return pieces_of(gettext_noop("No stone has room for it."), {}, {}, face_of)
    return illegal_sentence(face_of, title.meta.slug, refused.code, refused.params)
