"""Which actions are legal: docs/spec/schotten-totten.md, "A turn", "Claims", "Tactics cards"."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from games.engine.api import Seat, other
from games.engine.schotten_totten.actions import (
    CLAIM,
    DRAW_CLAN,
    DRAW_TACTICS,
    END,
    PASS,
    PLACE,
    RECRUITER,
    RETURN,
    Action,
    ruse,
)
from games.engine.schotten_totten.cards import BA, CODES, ELITE, JOKERS, MODES, N_CLAN, RE, ST, Card
from games.engine.schotten_totten.proof import holds
from games.engine.schotten_totten.state import State, places


@lru_cache(maxsize=1 << 10)
def placings(seat: Seat, room: int) -> tuple[tuple[Action, ...], ...]:
    """Give for each card its plays at these stones."""
    at = tuple(places(room))
    return tuple(tuple(plays[place] for place in at) for plays in PLACE[seat][: len(CODES)])


def legal_actions(state: State) -> list[Action]:
    """List every legal action but `resign` and `timeout`; empty when the game is over."""
    if state.phase == "play":
        return _in_play(state)
    if state.phase == "end":
        return _in_end(state)
    if state.phase == "recruit":
        return _in_recruit(state)
    return []


def _in_play(state: State) -> list[Action]:
    """List the plays, or the pass, and the claims that are made before a play."""
    seat = state.turn
    hand = state.hands[seat]
    rows = placings(seat, state.room[seat])
    actions: list[Action] = []
    for card in hand:
        if card < N_CLAN:
            actions += rows[card]
    if not actions:
        actions.append(PASS[seat])
    if state.rules.tactics:
        actions += _tactics_plays(state)
    if state.rules.claims == "start_of_turn":
        actions += _claims(state)
    return actions


def _claims(state: State) -> list[Action]:
    """List the claims that hold."""
    seat, stones, unseen = state.turn, state.stones, state.unseen
    claims = CLAIM[seat]
    return [claims[at] for at in places(state.ripe[seat]) if holds(stones[at], seat, unseen)]


def _draws(state: State) -> list[Action]:
    """List a draw for each deck that has cards."""
    seat = state.turn
    draws = [DRAW_CLAN[seat]] if state.deck else []
    if state.tactics.deck:
        draws.append(DRAW_TACTICS[seat])
    return draws


def must_draw(state: State) -> bool:
    """Tell whether the seat to act has to draw before its turn ends."""
    if len(state.hands[state.turn]) >= state.rules.hand_size:
        return False
    return bool(state.deck or state.tactics.deck)


def _in_end(state: State) -> list[Action]:
    """List the draws, or the end of the turn, and the claims that are made after a play."""
    seat = state.turn
    actions = _draws(state) if must_draw(state) else [END[seat]]
    if state.ripe[seat] and state.rules.claims == "after_play":
        actions += _claims(state)
    return actions


def _in_recruit(state: State) -> list[Action]:
    """List a Recruiter's draws while there are some to make, then its returns."""
    assert state.tactics.recruit is not None
    if state.tactics.recruit[0]:
        return _draws(state)
    return [RETURN[state.turn][card] for card in state.hands[state.turn]]


def may_play_tactics(state: State) -> bool:
    """Tell whether the limit lets the seat to act play a tactics card."""
    played = state.tactics.played
    return played[state.turn] <= played[1 - state.turn]


def targets(state: State, seat: Seat, highest: Card) -> Iterable[tuple[Card, int]]:
    """Give the cards below `highest` on the seat's sides of unclaimed stones, with their places."""
    for at in places(state.unclaimed):
        for card in state.stones[at].sides[seat]:
            if card < highest:
                yield card, at


def _tactics_plays(state: State) -> Iterable[Action]:
    """Give the plays of tactics cards."""
    hand = state.hands[state.turn]
    if hand and hand[-1] >= N_CLAN and may_play_tactics(state):
        for card in hand:
            if card >= N_CLAN:
                yield from _plays_of(state, card)


def _plays_of(state: State, card: Card) -> Iterable[Action]:
    """Give the plays of one tactics card, the limit left aside."""
    seat = state.turn
    if card in ELITE:
        if card not in JOKERS or not state.tactics.jokers[seat]:
            yield from placings(seat, state.room[seat])[card]
    elif card in MODES:
        yield from placings(seat, state.unclaimed)[card]
    elif card == RE:
        if state.deck or state.tactics.deck:
            yield RECRUITER[seat]
    else:
        yield from _takings(state, card)


def _takings(state: State, card: Card) -> Iterable[Action]:
    """Give the plays of a Strategist, Banshee or Traitor."""
    seat = state.turn
    room = tuple(places(state.room[seat]))
    if card == ST:
        for take, at in targets(state, seat, len(CODES)):
            yield ruse(seat, card, take)
            yield from (ruse(seat, card, take, to) for to in room if to != at)
    elif card == BA:
        for take, _ in targets(state, other(seat), len(CODES)):
            yield ruse(seat, card, take)
    else:
        for take, _ in targets(state, other(seat), N_CLAN):
            yield from (ruse(seat, card, take, to) for to in room)
