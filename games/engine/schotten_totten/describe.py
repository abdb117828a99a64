"""What an action brought about, in order, and in words that a player understands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from games.engine.api import Event, Phrase, Seat, Viewer, gettext_noop, other
from games.engine.schotten_totten.actions import Action, deck_of
from games.engine.schotten_totten.board import find
from games.engine.schotten_totten.cards import BA, CODES, RE, ST, TR
from games.engine.schotten_totten.state import State, places

_SENTENCES: Final[dict[str, str]] = {
    "play": gettext_noop("%(player)s lays %(card)s at stone %(stone)s."),
    "recruiter": gettext_noop("%(player)s plays the Recruiter."),
    "strategist_moves": gettext_noop(
        "%(player)s plays the Strategist and moves %(take)s from stone %(stone)s to stone %(to)s."
    ),
    "strategist_discards": gettext_noop(
        "%(player)s plays the Strategist and discards %(take)s from stone %(stone)s."
    ),
    "banshee": gettext_noop(
        "%(player)s plays the Banshee and discards %(take)s of %(opponent)s from stone %(stone)s."
    ),
    "traitor": gettext_noop(
        "%(player)s plays the Traitor and brings %(take)s of %(opponent)s"
        " from stone %(stone)s to stone %(to)s."
    ),
    "claim": gettext_noop("%(player)s claims stone %(stone)s."),
    "goes_over": gettext_noop("Stone %(stone)s goes to %(player)s."),
    "pass": gettext_noop("%(player)s passes."),
    "draw": gettext_noop("%(player)s draws a card."),
    "draw_clan": gettext_noop("%(player)s draws a clan card."),
    "draw_tactics": gettext_noop("%(player)s draws a tactics card."),
    "return_clan": gettext_noop("%(player)s puts a card back under the clan deck."),
    "return_tactics": gettext_noop("%(player)s puts a card back under the tactics deck."),
    "end": gettext_noop("%(player)s has nothing to draw."),
    "resign": gettext_noop("%(player)s resigns."),
    "timeout": gettext_noop("%(player)s has run out of time."),
    "won_adjacent": gettext_noop("%(player)s wins with three adjacent stones."),
    "won_five": gettext_noop("%(player)s wins with five stones."),
    "won_blocked": gettext_noop("Nobody can go on: %(player)s wins with more stones."),
    "won_resign": gettext_noop("%(player)s wins."),
    "won_timeout": gettext_noop("%(player)s wins."),
    "drawn": gettext_noop("Nobody can go on, and both hold as many stones: the game is drawn."),
}
"""Every kind of event with its sentence."""

_OPEN_SENTENCES: Final[dict[str, str]] = {
    "draw": gettext_noop("%(player)s draws %(card)s."),
    "draw_clan": gettext_noop("%(player)s draws %(card)s."),
    "draw_tactics": gettext_noop("%(player)s draws %(card)s."),
    "return_clan": gettext_noop("%(player)s puts %(card)s back under the clan deck."),
    "return_tactics": gettext_noop("%(player)s puts %(card)s back under the tactics deck."),
}
"""Events that show a card to their own seat, and to all when the game is over."""


def _event(kind: str, seat: Seat | None, **params: Any) -> Event:
    """Make an event, its params in the order given."""
    return Event(kind, seat, tuple(params.items()))


def events(before: State, action: Action, after: State) -> tuple[Event, ...]:
    """Tell what the action brought about, in order."""
    told = [_event_of(before, action, after)]
    told += _gone_over(before, action, after)
    if after.ending is not None:
        winner, reason = after.ending
        told.append(_event("drawn" if winner is None else f"won_{reason}", winner))
    return tuple(told)


def _event_of(before: State, action: Action, after: State) -> Event:
    """Tell the action itself."""
    if action.type == "play":
        return _event_of_play(before, action)
    if action.type == "claim":
        assert action.at is not None
        return _event("claim", action.seat, stone=action.at + 1)
    if action.type == "return":
        assert action.card is not None
        return _event(f"return_{deck_of(action.card)}", action.seat, card=CODES[action.card])
    if action.type == "draw":
        (card,) = set(after.hands[action.seat]) - set(before.hands[action.seat])
        kind = f"draw_{action.deck}" if before.rules.tactics else "draw"
        return _event(kind, action.seat, card=CODES[card])
    return _event(action.type, action.seat)


def _event_of_play(before: State, action: Action) -> Event:
    """Tell the play of a card."""
    assert action.card is not None
    if action.card == RE:
        return _event("recruiter", action.seat)
    if action.take is None:
        assert action.at is not None
        return _event("play", action.seat, card=CODES[action.card], stone=action.at + 1)
    loser = action.seat if action.card == ST else other(action.seat)
    at = find(before, loser, action.take)
    assert at is not None
    params: dict[str, Any] = {"take": CODES[action.take], "stone": at + 1}
    if action.to is not None:
        params["to"] = action.to + 1
    kinds = {BA: "banshee", TR: "traitor"}
    strategist = "strategist_discards" if action.to is None else "strategist_moves"
    return _event(kinds.get(action.card, strategist), action.seat, **params)


def _gone_over(before: State, action: Action, after: State) -> Iterator[Event]:
    """Tell which stones changed hands without a claim, in the order in which they did."""
    if action.type not in ("play", "end"):
        return
    first = action.seat if action.type == "play" else other(action.seat)
    for seat in (first, other(first)):
        for at in places(after.owned[seat] & ~before.owned[seat]):
            yield _event("goes_over", seat, stone=at + 1)


def describe(event: Event, viewer: Viewer, *, is_over: bool) -> Phrase:
    """Tell an event in words for this viewer; `is_over` opens what was hidden."""
    may_see = is_over or viewer == event.seat
    if event.kind in _OPEN_SENTENCES:
        if may_see:
            return Phrase(_OPEN_SENTENCES[event.kind], event.params)
        return Phrase(_SENTENCES[event.kind])
    return Phrase(_SENTENCES[event.kind], event.params)
