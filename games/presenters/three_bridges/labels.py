"""What is told of a table of Three Bridges in words: cards, rows, and how a bridge stands."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext, pgettext

from games.engine.api import Json, Seat
from games.engine.three_bridges.scoring import RowPoints, told_points
from games.presenters.faces import CardFace
from games.presenters.sight import Sight


def card_label(face: CardFace | None, laid: Json) -> str:
    """Name a card as it lies; one that the viewer may not know is only told to be there."""
    if face is None:
        return gettext("face-down card")
    if not laid["face_up"]:
        return gettext("%(card)s, face down") % {"card": face.name}
    if laid["turned"]:
        return gettext("%(card)s, turned sideways") % {"card": face.name}
    return face.name


def target_label(sight: Sight, number: int, seat: Seat, label: str) -> str:
    """Name a card that an ability can choose, with its row."""
    msgid = (
        gettext("%(card)s in your row at bridge %(bridge)s")
        if seat == sight.seat
        else gettext("%(card)s in your opponent's row at bridge %(bridge)s")
    )
    return msgid % {"card": label, "bridge": number}


def row_label(sight: Sight, number: int, seat: Seat, cards: Sequence[str], points: str) -> str:
    """Tell a row card by card, as it is read aloud."""
    if sight.seat is None:
        msgid = gettext("Bridge %(bridge)s, row of %(player)s: %(cards)s; %(points)s points")
    elif seat == sight.seat:
        msgid = gettext("Bridge %(bridge)s, your row: %(cards)s; %(points)s points")
    else:
        msgid = gettext("Bridge %(bridge)s, opponent's row: %(cards)s; %(points)s points")
    comma = pgettext("between two cards", ", ")
    named = comma.join(cards) or pgettext("row at a bridge", "empty")
    return msgid % {
        "bridge": number,
        "player": sight.names[seat],
        "cards": named,
        "points": points,
    }


def standing(
    sight: Sight, view: Json, points: Sequence[tuple[RowPoints, RowPoints]], number: int
) -> str:
    """Tell who is ahead at a bridge with what lies open, or who has won it."""
    names, counts = sight.names, [row.total for row in points[number - 1]]
    if counts[0] == counts[1]:
        if not any(laid["face_up"] for row in view["rows"][number - 1] for laid in row):
            return gettext("Nothing lies open here yet.")
        return gettext("%(points)s points each.") % {"points": told_points(counts[0])}
    ahead = 0 if counts[0] > counts[1] else 1
    is_own = sight.seat == ahead
    if view["reason"] == "bridges":
        own = gettext("You win this bridge, %(points)s to %(others)s.")
        theirs = gettext("%(player)s wins this bridge, %(points)s to %(others)s.")
    else:
        own = gettext("You are ahead, %(points)s to %(others)s.")
        theirs = gettext("%(player)s is ahead, %(points)s to %(others)s.")
    return (own if is_own else theirs) % {
        "player": names[ahead],
        "points": told_points(counts[ahead]),
        "others": told_points(counts[1 - ahead]),
    }
