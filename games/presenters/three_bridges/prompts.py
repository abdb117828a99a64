"""What is asked for now, in one line: of the viewer, or of somebody they watch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.utils.translation import gettext

from games.engine.api import Json, gettext_noop
from games.presenters.sight import Sight
from games.presenters.three_bridges.cards import card_name

_EXTRA: Final[dict[str, str]] = {
    "H": gettext_noop(
        "After your %(card)s you may play one more card of Hearts, or a Chronicler, face up"
        " at any bridge."
    ),
    "B": gettext_noop(
        "After your %(card)s you may play one more card of Bells, or a Chronicler, face up"
        " at any bridge."
    ),
    "L": gettext_noop(
        "After your %(card)s you may play one more card of Leaves, or a Chronicler, face up"
        " at any bridge."
    ),
    "A": gettext_noop(
        "After your %(card)s you may play one more card of Acorns, or a Chronicler, face up"
        " at any bridge."
    ),
}
_NO_EXTRA: Final[dict[str, str]] = {
    "H": gettext_noop("No card of Hearts in your hand can follow your %(card)s: decline."),
    "B": gettext_noop("No card of Bells in your hand can follow your %(card)s: decline."),
    "L": gettext_noop("No card of Leaves in your hand can follow your %(card)s: decline."),
    "A": gettext_noop("No card of Acorns in your hand can follow your %(card)s: decline."),
}

_OWN: Final[dict[str, str]] = {
    "name": gettext_noop("Your Chronicler at bridge %(bridge)s becomes an Ace: name its suit."),
    "turn": gettext_noop(
        "Your %(card)s may turn a card at bridge %(bridge)s sideways, which then counts 2 less."
        " Choose one that is lit, or decline."
    ),
    "swap": gettext_noop(
        "Your %(card)s may change places with %(old)s: it becomes bridge %(bridge)s, and"
        " %(old)s lies in your row."
    ),
    "move": gettext_noop(
        "Your %(card)s may fetch one of your cards from another bridge to the end of its row."
        " Choose one that is lit, or decline."
    ),
}
_OTHERS: Final[dict[str, str]] = {
    "name": gettext_noop("a Chronicler at bridge %(bridge)s is to be given a suit."),
    "turn": gettext_noop("%(card)s may turn a card at bridge %(bridge)s sideways."),
    "swap": gettext_noop("%(card)s may change places with %(old)s, bridge %(bridge)s."),
    "move": gettext_noop("%(card)s may fetch a card from another bridge to bridge %(bridge)s."),
    "extra": gettext_noop("after %(card)s one more card of its suit may be played."),
}


def prompt(sight: Sight, view: Json, planned: Json) -> str:
    """Say in one line what can be done now; nothing where the game does not go on.

    `planned` is the card that the viewer has laid out and not confirmed, or empty.
    """
    if view["phase"] == "over" or not (sight.is_running or sight.is_open):
        return ""
    if planned:
        return _planned(planned)
    if view["phase"] == "place":
        return _placing(sight, view) if sight.is_to_act else gettext("a card is to be placed.")
    return _asked(sight, view)


def _planned(planned: Json) -> str:
    msgid = (
        gettext("%(card)s at bridge %(bridge)s, face down. Confirm it, or take it back.")
        if planned["type"] == "place"
        else gettext("%(card)s at bridge %(bridge)s, face up. Confirm it, or take it back.")
    )
    return msgid % {"card": card_name(planned["card"]), "bridge": planned["bridge"]}


def _placing(sight: Sight, view: Json) -> str:
    if view["turn"] == view["starter"]:
        return gettext("Choose a card, then the bridge where you place it face down.")
    told = gettext(
        "Choose a card, then a bridge for it. Both cards are turned up then, %(player)s's first."
    )
    return told % {"player": sight.names[view["starter"]]}


def _asked(sight: Sight, view: Json) -> str:
    asked, asker = view["asked"], view["asker"]
    suit = asking_suit(view)
    params = {
        "card": card_name(asker["card"], suit),
        "bridge": asker["bridge"],
        "old": card_name(view["bridges"][asker["bridge"] - 1]),
    }
    if not sight.is_to_act:
        return gettext(_OTHERS[asked]) % params
    if asked != "extra":
        return gettext(_OWN[asked]) % params
    has_card = any(action["type"] == "extra" for action in view["legal"])
    return gettext((_EXTRA if has_card else _NO_EXTRA)[suit or ""]) % params


def asking_suit(view: Json) -> str | None:
    """Give the suit of the card whose ability is asked for; a new Chronicler has none."""
    asker = view["asker"]
    suit: str | None = view["rows"][asker["bridge"] - 1][view["turn"]][asker["index"]]["suit"]
    return suit


ACTS: Final[dict[str, Callable[[], Any]]] = {
    "name": lambda: gettext("Name this suit"),
    "turn": lambda: gettext("Turn it sideways"),
    "swap": lambda: gettext("Change places"),
    "move": lambda: gettext("Fetch it"),
}
"""What the button says that uses an ability."""
