"""Events of Three Bridges in words, for one viewer.

Where a language would bend a suit's or an ability's name, each has a sentence of its own.
"""

from __future__ import annotations

from collections.abc import Callable

from games.engine.api import Event, Phrase, Viewer, gettext_noop
from games.engine.three_bridges.cards import CHRONICLERS
from games.engine.three_bridges.scoring import told_points


def describe(event: Event, viewer: Viewer, *, is_over: bool) -> Phrase:
    """Tell an event in words for this viewer; `is_over` opens what was hidden."""
    return _TELL[event.kind](event, is_over or event.seat == viewer)


def _phrase(event: Event, msgid: str, *keys: str) -> Phrase:
    return Phrase(msgid, tuple((key, event.get(key)) for key in keys))


def _placed(event: Event, knows: bool) -> Phrase:
    if knows:
        told = gettext_noop("%(player)s places %(card)s face down at bridge %(bridge)s.")
        return _phrase(event, told, "card", "bridge")
    told = gettext_noop("%(player)s places a card face down at bridge %(bridge)s.")
    return _phrase(event, told, "bridge")


def _turned_up(event: Event, _knows: bool) -> Phrase:
    told = gettext_noop("%(player)s turns up %(card)s at bridge %(bridge)s.")
    return _phrase(event, told, "card", "bridge")


def _drew(event: Event, knows: bool) -> Phrase:
    if knows:
        return _phrase(event, gettext_noop("%(player)s draws %(card)s."), "card")
    return Phrase(gettext_noop("%(player)s draws a card."))


def _acorn_drew(event: Event, knows: bool) -> Phrase:
    if knows:
        return _phrase(event, gettext_noop("%(player)s draws %(card)s for the Acorn."), "card")
    return Phrase(gettext_noop("%(player)s draws a card for the Acorn."))


_NAMED = {
    "H": gettext_noop("%(player)s names Hearts: %(card)s becomes the Ace of Hearts."),
    "B": gettext_noop("%(player)s names Bells: %(card)s becomes the Ace of Bells."),
    "L": gettext_noop("%(player)s names Leaves: %(card)s becomes the Ace of Leaves."),
    "A": gettext_noop("%(player)s names Acorns: %(card)s becomes the Ace of Acorns."),
}


def _named(event: Event, _knows: bool) -> Phrase:
    return _phrase(event, _NAMED[event.get("suit")], "card")


def _turned(event: Event, _knows: bool) -> Phrase:
    if event.get("side") == event.seat:
        told = gettext_noop("%(player)s turns their own %(card)s sideways at bridge %(bridge)s.")
    else:
        told = gettext_noop(
            "%(player)s turns %(card)s of %(opponent)s sideways at bridge %(bridge)s."
        )
    return _phrase(event, told, "card", "bridge")


def _swapped(event: Event, _knows: bool) -> Phrase:
    told = gettext_noop(
        "%(player)s exchanges %(card)s with bridge %(bridge)s; %(old)s now lies in the row."
    )
    return _phrase(event, told, "card", "bridge", "old")


def _moved(event: Event, _knows: bool) -> Phrase:
    told = gettext_noop("%(player)s moves %(card)s from bridge %(source)s to bridge %(bridge)s.")
    return _phrase(event, told, "card", "source", "bridge")


_PLAYED_AS = {
    "H": gettext_noop("%(player)s plays %(card)s as an Ace of Hearts at bridge %(bridge)s."),
    "B": gettext_noop("%(player)s plays %(card)s as an Ace of Bells at bridge %(bridge)s."),
    "L": gettext_noop("%(player)s plays %(card)s as an Ace of Leaves at bridge %(bridge)s."),
    "A": gettext_noop("%(player)s plays %(card)s as an Ace of Acorns at bridge %(bridge)s."),
}


def _played(event: Event, _knows: bool) -> Phrase:
    told = gettext_noop("%(player)s plays %(card)s after the Ace, at bridge %(bridge)s.")
    if event.get("card") in CHRONICLERS:
        told = _PLAYED_AS[event.get("suit")]
    return _phrase(event, told, "card", "bridge")


_DECLINED = {
    "turn": gettext_noop("%(player)s turns no card with %(card)s."),
    "swap": gettext_noop("%(player)s does not exchange %(card)s with the bridge."),
    "move": gettext_noop("%(player)s moves no card to %(card)s."),
    "extra": gettext_noop("%(player)s plays no further card after %(card)s."),
}


def _declined(event: Event, _knows: bool) -> Phrase:
    return _phrase(event, _DECLINED[event.get("ability")], "card")


def _round_began(event: Event, _knows: bool) -> Phrase:
    told = gettext_noop("Round %(round)s begins; %(player)s places first.")
    return _phrase(event, told, "round")


def _bridge_scored(event: Event, _knows: bool) -> Phrase:
    told = (
        gettext_noop("Bridge %(bridge)s: %(mine)s points against %(theirs)s for %(player)s.")
        if event.seat is not None
        else gettext_noop("Bridge %(bridge)s: %(mine)s points each; nobody wins it.")
    )
    scores = event.get("half_points")
    mine, theirs = reversed(scores) if event.seat == 1 else scores
    params = {"bridge": event.get("bridge"), "mine": told_points(mine)}
    if event.seat is not None:
        params["theirs"] = told_points(theirs)
    return Phrase(told, tuple(params.items()))


def _scored(event: Event, _knows: bool) -> Phrase:
    mine, theirs = reversed(event.get("bridges")) if event.seat == 1 else event.get("bridges")
    if event.seat is None:
        told = gettext_noop("The game is drawn; bridges won: %(mine)s each.")
        return Phrase(told, (("mine", mine),))
    told = gettext_noop("%(player)s wins the game; bridges won: %(mine)s to %(theirs)s.")
    return Phrase(told, (("mine", mine), ("theirs", theirs)))


def _resigned(_event: Event, _knows: bool) -> Phrase:
    return Phrase(gettext_noop("%(player)s resigns; %(opponent)s wins the game."))


def _timed_out(_event: Event, _knows: bool) -> Phrase:
    return Phrase(gettext_noop("%(player)s has run out of time; %(opponent)s wins the game."))


_TELL: dict[str, Callable[[Event, bool], Phrase]] = {
    "placed": _placed,
    "turned_up": _turned_up,
    "drew": _drew,
    "acorn_drew": _acorn_drew,
    "named": _named,
    "turned": _turned,
    "swapped": _swapped,
    "moved": _moved,
    "played": _played,
    "declined": _declined,
    "round_began": _round_began,
    "bridge_scored": _bridge_scored,
    "scored": _scored,
    "resigned": _resigned,
    "timed_out": _timed_out,
}
"""How each kind of event is told; the flag says whether the viewer knows what was hidden."""
