"""The table of Three Bridges for one viewer: rows that face each other, hands, what to do now.

Everything is made from the viewer's own view of the state. A card that is planned is only drawn:
it is not tried out, for the card that it turns up may be the opponent's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext

from games.engine.api import Json, Seat
from games.engine.three_bridges.cards import BRIDGES, SUITS
from games.engine.three_bridges.scoring import RowPoints, explain_view, told_points
from games.presenters.faces import CardFace
from games.presenters.sight import Sight
from games.presenters.three_bridges.abilities import does, suit_does
from games.presenters.three_bridges.cards import SUIT_OF, card_face, in_hand_order
from games.presenters.three_bridges.labels import card_label, row_label, standing, target_label
from games.presenters.three_bridges.points import RowReason, row_reason
from games.presenters.three_bridges.prompts import ACTS, prompt

PLACING: Final = ("place", "extra")
"""Actions that lay a card from the hand at a bridge."""
MIN_COLUMNS: Final = 4


@dataclass(frozen=True, slots=True)
class LaidCard:
    """A card in a row. `face` is None for one that the viewer may not know."""

    face: CardFace | None
    is_face_up: bool
    is_turned: bool
    is_last: bool
    is_planned: bool
    is_asking: bool
    target: str
    """The value by which an ability can choose this card; empty where none can."""
    label: str
    """The card as it is read aloud within its row."""
    target_label: str
    points: str
    is_halved: bool

    @property
    def classes(self) -> str:
        """Give the styles of its state."""
        marks = (
            (self.is_turned, "card--turned"),
            (self.is_planned, "card--planned"),
            (self.is_last and not self.is_planned, "card--last"),
            (not self.is_face_up, "card--down"),
        )
        return " ".join(name for holds, name in marks if holds)


@dataclass(frozen=True, slots=True)
class Row:
    """One player's cards at a bridge, first position first. `why` explains its points."""

    cards: tuple[LaidCard, ...]
    points: str
    is_ahead: bool
    label: str
    why: RowReason


@dataclass(frozen=True, slots=True)
class Bridge:
    """A bridge with the two rows that face each other at it."""

    number: int
    face: CardFace
    n_columns: int
    top: Row
    bottom: Row
    label: str
    standing: str
    """Who is ahead, or who has won it, in words."""
    can_explain: bool
    """Whether anything lies open here that counts."""
    can_place: bool
    is_asked: bool
    """Whether the ability that is asked for is about the bridge card."""
    is_last: bool


@dataclass(frozen=True, slots=True)
class HandCard:
    """A card in hand; `can_choose` where it can be laid now, `does` tells what it is good for."""

    face: CardFace
    can_choose: bool
    is_new: bool
    does: str


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand: cards where the viewer may see them, else a number of backs."""

    cards: tuple[HandCard, ...] = ()
    n_hidden: int = 0

    @property
    def n_cards(self) -> int:
        """Give its size."""
        return self.n_hidden or len(self.cards)

    @property
    def backs(self) -> range:
        """Give something to draw the backs by."""
        return range(self.n_hidden)


@dataclass(frozen=True, slots=True)
class SuitChoice:
    """A suit that a Chronicler can be given; `slug` names its symbol, `does` tells its power."""

    code: str
    slug: str
    name: str
    does: str


@dataclass(frozen=True, slots=True)
class Table:
    """The whole table, and what the viewer can do at it now."""

    bridges: tuple[Bridge, ...]
    top: Hand
    bottom: Hand
    held_top: int
    """Bridges at which the player above is ahead, or which they have won."""
    held_bottom: int
    is_over: bool
    n_deck: int
    round_line: str
    prompt: str
    kind: str
    """The type of action that is asked of the viewer; empty where they are not to act."""
    act: str
    """What the button says that uses the ability; empty where a card is to be laid."""
    can_lay: bool
    can_decline: bool
    is_planned: bool
    plan_card: str
    plan_bridge: int
    plan_does: str
    """What the planned card is good for."""
    suits: tuple[SuitChoice, ...]


@dataclass(frozen=True, slots=True)
class _Laying:
    """What the parts of a table are made from, worked out once."""

    sight: Sight
    view: Json
    points: Sequence[tuple[RowPoints, RowPoints]]
    legal: Sequence[Json]
    planned: Json
    """The viewer's unconfirmed placing as an action, else empty."""
    targets: frozenset[str]
    last: frozenset[tuple[str, Any]]
    """Cards and bridges of the last turn, and seats that placed a card in it."""


def present(sight: Sight) -> Table:
    """Lay the table for one viewer, their plan on it."""
    laying = _laying(sight)
    view, planned = laying.view, laying.planned
    bridges = tuple(_bridge(laying, number) for number in BRIDGES)
    kind = _kind(laying)
    types = {action["type"] for action in laying.legal}
    return Table(
        bridges=bridges,
        top=_hand(laying, sight.top),
        bottom=_hand(laying, sight.bottom),
        held_top=sum(bridge.top.is_ahead for bridge in bridges),
        held_bottom=sum(bridge.bottom.is_ahead for bridge in bridges),
        is_over=view["phase"] == "over",
        n_deck=view["deck"],
        round_line=_round_line(sight, view),
        prompt=prompt(sight, view, planned),
        kind=kind,
        act=ACTS[kind]() if kind in ACTS else "",
        can_lay=not planned and not types.isdisjoint(PLACING),
        can_decline=not planned and "skip" in types,
        is_planned=bool(planned),
        plan_card=planned.get("card", ""),
        plan_bridge=planned.get("bridge", 0),
        plan_does=does(planned["card"]) if planned else "",
        suits=_suits() if kind == "name" else (),
    )


def _laying(sight: Sight) -> _Laying:
    view = sight.view_of(sight.state)
    legal = view["legal"] if sight.is_to_act else ()
    planned: Json = next((action for action in legal if _is_picked(action, sight.plan.picked)), {})
    return _Laying(
        sight=sight,
        view=view,
        points=explain_view(view),
        legal=legal,
        planned=planned,
        targets=frozenset(target_of(action) for action in legal),
        last=frozenset(_last(sight)),
    )


def _is_picked(action: Json, picked: Json) -> bool:
    return action["type"] in PLACING and all(
        picked.get(key) == action[key] for key in ("type", "card", "bridge")
    )


def target_of(action: Json) -> str:
    """Write what an ability is used on, as a form says it: bridge, seat and index, or nothing."""
    if action["type"] == "turn":
        return f"{action['side']}-{action['index']}"
    if action["type"] == "move":
        return f"{action['bridge']}-{action['index']}"
    return ""


def _last(sight: Sight) -> list[tuple[str, Any]]:
    """Give what the last turn touched, as far as everybody may know it."""
    touched: list[tuple[str, Any]] = []
    for event in sight.last_turn():
        if event.kind == "placed":
            touched.append(("placed", event.seat))
        elif event.kind in ("turned_up", "turned", "moved", "played"):
            touched.append(("card", event.get("card")))
        elif event.kind == "swapped":
            touched += [("card", event.get("old")), ("bridge", event.get("bridge"))]
    return touched


def _kind(laying: _Laying) -> str:
    if not laying.legal:
        return ""
    return str(laying.view["asked"] or "place")


def _round_line(sight: Sight, view: Json) -> str:
    if view["phase"] == "over":
        return gettext("Round %(round)s of 6") % {"round": view["round"]}
    return gettext("Round %(round)s of 6 · %(player)s places first") % {
        "round": view["round"],
        "player": sight.names[view["starter"]],
    }


def _suits() -> tuple[SuitChoice, ...]:
    suits = ((code, SUIT_OF[code]) for code in SUITS)
    return tuple(
        SuitChoice(code, suit.slug, str(suit.name), suit_does(code)) for code, suit in suits
    )


def _hand(laying: _Laying, seat: Seat) -> Hand:
    hand = laying.view["hands"][seat]
    if isinstance(hand, dict):
        return Hand(n_hidden=hand["cards"])
    can_lay = {action["card"] for action in laying.legal if action["type"] in PLACING}
    new = _new_card(laying.sight, seat)
    return Hand(
        cards=tuple(
            HandCard(
                card_face(code), code in can_lay and not laying.planned, code == new, does(code)
            )
            for code in in_hand_order(hand)
            if code != laying.planned.get("card")
        )
    )


def _new_card(sight: Sight, seat: Seat) -> str:
    """Find the viewer's last draw: what is new in a hand is worth a mark."""
    if seat != sight.seat:
        return ""
    for _, event in reversed(sight.events):
        if event.kind in ("drew", "acorn_drew") and event.seat == seat:
            return str(event.get("card"))
    return ""


def _bridge(laying: _Laying, number: int) -> Bridge:
    sight, view = laying.sight, laying.view
    top, bottom = (_row(laying, number, seat) for seat in (sight.top, sight.bottom))
    face = card_face(view["bridges"][number - 1])
    can_place = any(
        action["type"] in PLACING and action["bridge"] == number for action in laying.legal
    )
    is_asked = bool(laying.legal) and view["asked"] == "swap"
    return Bridge(
        number=number,
        face=face,
        n_columns=max(MIN_COLUMNS, len(top.cards), len(bottom.cards) + 1),
        top=top,
        bottom=bottom,
        label=gettext("Bridge %(bridge)s, %(card)s") % {"bridge": number, "card": face.name},
        standing=standing(sight, view, laying.points, number),
        can_explain=bool(top.why.lines or bottom.why.lines),
        can_place=can_place and not laying.planned,
        is_asked=is_asked and view["asker"]["bridge"] == number,
        is_last=("bridge", number) in laying.last,
    )


def _row(laying: _Laying, number: int, seat: Seat) -> Row:
    view, pair = laying.view, laying.points[number - 1]
    row, points = view["rows"][number - 1][seat], pair[seat]
    cards = [_laid_card(laying, number, seat, index) for index in range(len(row))]
    if laying.planned.get("bridge") == number and seat == laying.sight.seat:
        cards.append(_planned_card(laying.planned))
    return Row(
        cards=tuple(cards),
        points=told_points(points.total),
        is_ahead=points.total > pair[1 - seat].total,
        label=row_label(
            laying.sight, number, seat, [card.label for card in cards], told_points(points.total)
        ),
        why=row_reason(row, points),
    )


def _laid_card(laying: _Laying, number: int, seat: Seat, index: int) -> LaidCard:
    view = laying.view
    laid, counted = view["rows"][number - 1][seat][index], laying.points[number - 1][seat]
    points = counted.cards[index]
    face = card_face(laid["card"], laid["suit"]) if laid["card"] else None
    target = _target(laying, number, seat, index)
    label = card_label(face, laid)
    asker = {"bridge": number, "index": index} if view["turn"] == seat else {}
    is_placed = not laid["face_up"] and ("placed", seat) in laying.last
    return LaidCard(
        face=face,
        is_face_up=laid["face_up"],
        is_turned=laid["turned"],
        is_last=is_placed or (laid["face_up"] and ("card", laid["card"]) in laying.last),
        is_planned=False,
        is_asking=bool(view["asker"]) and asker.items() <= view["asker"].items() and bool(asker),
        target=target,
        label=label,
        target_label=target_label(laying.sight, number, seat, label) if target else "",
        points=told_points(points.total) if points else "",
        is_halved=bool(points and points.is_halved),
    )


def _target(laying: _Laying, number: int, seat: Seat, index: int) -> str:
    """Give the value by which the ability that is asked for can choose a card."""
    asker = laying.view["asker"]
    if not laying.legal or asker is None:
        return ""
    told = ""
    if laying.view["asked"] == "turn" and asker["bridge"] == number:
        told = f"{seat}-{index}"
    elif laying.view["asked"] == "move" and seat == laying.sight.seat:
        told = f"{number}-{index}"
    return told if told in laying.targets else ""


def _planned_card(planned: Json) -> LaidCard:
    face, is_face_up = card_face(planned["card"]), planned["type"] == "extra"
    label = card_label(face, {"face_up": is_face_up, "turned": False})
    return LaidCard(face, is_face_up, False, False, True, False, "", label, "", "", False)
