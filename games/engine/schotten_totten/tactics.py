"""What the tactics cards do: docs/spec/schotten-totten.md, "Tactics cards"."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from games.engine.api import Seat, other
from games.engine.errors import IllegalAction
from games.engine.schotten_totten.actions import Action
from games.engine.schotten_totten.board import (
    find,
    lay,
    lay_mode,
    lift,
    put_down,
    refuse_place,
    without,
)
from games.engine.schotten_totten.cards import (
    BA,
    CODES,
    ELITE,
    JOKERS,
    MODES,
    N_CLAN,
    RE,
    ST,
    TR,
    Card,
)
from games.engine.schotten_totten.legal import may_play_tactics
from games.engine.schotten_totten.state import State, Tactics, put


def play_tactics(state: State, action: Action) -> State:
    """Play a tactics card of the hand of the seat to act. Raises `IllegalAction`."""
    assert action.card is not None
    card = action.card
    if not may_play_tactics(state):
        raise IllegalAction("tactics_limit")
    if card in JOKERS and state.tactics.jokers[state.turn]:
        raise IllegalAction("second_joker", {"card": CODES[card]})
    if card in ELITE:
        assert action.at is not None
        return lay(state, action.at, card, _counted(state, card))
    if card in MODES:
        assert action.at is not None
        return _play_mode(state, card, action.at)
    return _RUSES[card](state, action)


def _counted(state: State, card: Card) -> Tactics:
    """Count a tactics card as played; a ruse goes to the discard at once."""
    tactics, seat = state.tactics, state.turn
    played = put(tactics.played, seat, tactics.played[seat] + 1)
    if card in JOKERS:
        jokers = put(tactics.jokers, seat, tactics.jokers[seat] + 1)
        return tactics._replace(played=played, jokers=jokers)
    if card in _RUSES:
        return tactics._replace(played=played, discard=(*tactics.discard, card))
    return tactics._replace(played=played)


def _played(state: State, card: Card) -> State:
    """Take a mode or ruse from the hand of the seat to act; the play is done then."""
    hands = put(state.hands, state.turn, without(state.hands[state.turn], card))
    return state._replace(phase="end", hands=hands, tactics=_counted(state, card))


def _play_mode(state: State, card: Card, at: int) -> State:
    """Lay a combat mode at an unclaimed stone, also where both sides are full."""
    if not state.unclaimed >> at & 1:
        raise IllegalAction("stone_claimed", {"stone": at + 1})
    return lay_mode(_played(state, card), at, card)


def _play_recruiter(state: State, action: Action) -> State:
    """Begin a Recruiter: n draws and n - 1 returns, n being 3 or all the cards that are left."""
    left = min(3, len(state.deck) + len(state.tactics.deck))
    if not left:
        raise IllegalAction("decks_empty")
    after = _played(state, RE)
    return after._replace(phase="recruit", tactics=after.tactics._replace(recruit=(left, left - 1)))


def _target(state: State, seat: Seat, action: Action) -> tuple[Card, int]:
    """Give the card that a ruse takes and its place. Raises `IllegalAction` if it may not."""
    assert action.card is not None
    assert action.take is not None
    at = find(state, seat, action.take)
    if at is None:
        raise IllegalAction("no_target", {"card": CODES[action.card], "take": CODES[action.take]})
    return action.take, at


def _discarded(state: State, card: Card) -> State:
    """Put a lifted card in the discard."""
    tactics = state.tactics
    return state._replace(tactics=tactics._replace(discard=(*tactics.discard, card)))


def _play_strategist(state: State, action: Action) -> State:
    """Move one of one's own cards to another stone with room, or discard it."""
    take, at = _target(state, state.turn, action)
    if action.to is None:
        return _discarded(lift(_played(state, ST), state.turn, at, take), take)
    if action.to == at:
        raise IllegalAction("same_stone", {"stone": at + 1})
    if not state.room[state.turn] >> action.to & 1:
        refuse_place(state, action.to)
    return put_down(lift(_played(state, ST), state.turn, at, take), state.turn, action.to, take)


def _play_banshee(state: State, action: Action) -> State:
    """Discard one of the opponent's cards."""
    opponent = other(state.turn)
    take, at = _target(state, opponent, action)
    return _discarded(lift(_played(state, BA), opponent, at, take), take)


def _play_traitor(state: State, action: Action) -> State:
    """Take one of the opponent's clan cards to one's own side of a stone with room."""
    opponent = other(state.turn)
    take, at = _target(state, opponent, action)
    assert action.to is not None
    if take >= N_CLAN:
        raise IllegalAction("no_elite", {"take": CODES[take]})
    if not state.room[state.turn] >> action.to & 1:
        refuse_place(state, action.to)
    return put_down(lift(_played(state, TR), opponent, at, take), state.turn, action.to, take)


_RUSES: Final[dict[Card, Callable[[State, Action], State]]] = {
    RE: _play_recruiter,
    ST: _play_strategist,
    BA: _play_banshee,
    TR: _play_traitor,
}


def recruit_step(state: State, draws: int, returns: int) -> State:
    """Note what of a Recruiter is still to be made; with nothing left the play is done."""
    recruit = (draws, returns) if draws or returns else None
    return state._replace(
        phase="recruit" if recruit else "end", tactics=state.tactics._replace(recruit=recruit)
    )


def return_card(state: State, action: Action) -> State:
    """Put a card of the hand under its own deck. Raises `IllegalAction`."""
    assert action.card is not None
    card = action.card
    if state.tactics.recruit is None or state.tactics.recruit[0]:
        raise IllegalAction("recruiter_draws" if state.tactics.recruit else "no_return")
    if card not in state.hands[state.turn]:
        raise IllegalAction("not_in_hand", {"card": CODES[card]})
    hands = put(state.hands, state.turn, without(state.hands[state.turn], card))
    if card < N_CLAN:
        after = state._replace(hands=hands, deck=(*state.deck, card))
    else:
        tactics = state.tactics._replace(deck=(*state.tactics.deck, card))
        after = state._replace(hands=hands, tactics=tactics)
    return recruit_step(after, 0, state.tactics.recruit[1] - 1)
