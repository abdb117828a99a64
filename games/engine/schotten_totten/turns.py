"""What an action does: everything is checked first, then the new state is built.

docs/spec/schotten-totten.md, "A turn", "Claims", "End".
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable
from typing import Final, NoReturn

from games.engine.api import Seat, check_action, other
from games.engine.errors import IllegalAction
from games.engine.schotten_totten.actions import Action
from games.engine.schotten_totten.board import lay
from games.engine.schotten_totten.cards import CODES, N_CLAN
from games.engine.schotten_totten.formations import Formation
from games.engine.schotten_totten.legal import must_draw
from games.engine.schotten_totten.proof import Verdict, holds, judge
from games.engine.schotten_totten.state import (
    Cards,
    Ending,
    Reason,
    State,
    Tactics,
    as_state,
    places,
    put,
)
from games.engine.schotten_totten.tactics import play_tactics, recruit_step, return_card


def apply(state: State, action: Action) -> State:
    """Give the state after the action. Raises `IllegalAction`, and then nothing happened."""
    check_action(action, Action)
    if state.ending is not None:
        raise IllegalAction("game_over")
    if action.seat != state.turn and action.type not in ("resign", "timeout"):
        raise IllegalAction("not_your_turn")
    return _HANDLERS[action.type](state, action)


def _end_game(state: State, winner: Seat | None, reason: Reason) -> State:
    """End the game. What was begun, a Recruiter say, is not gone on with."""
    tactics = state.tactics._replace(recruit=None) if state.tactics.recruit else state.tactics
    return state._replace(phase="over", ending=Ending(winner, reason), tactics=tactics)


def _resign(state: State, action: Action) -> State:
    """Let the other seat win, whoever's turn it is."""
    return _end_game(state, other(action.seat), "resign")


def _time_out(state: State, action: Action) -> State:
    """Let the other seat win, whoever's turn it is."""
    return _end_game(state, other(action.seat), "timeout")


def _refuse_phase(state: State) -> NoReturn:
    """Refuse an action that is not due, saying what is."""
    if state.tactics.recruit:
        raise IllegalAction("recruiter_draws" if state.tactics.recruit[0] else "recruiter_returns")
    raise IllegalAction("play_first" if state.phase == "play" else "already_played")


def _play(state: State, action: Action) -> State:
    """Play a card; under `automatic` the stones that are decided then go over."""
    card = action.card
    assert card is not None
    if state.phase != "play":
        _refuse_phase(state)
    if card not in state.hands[state.turn]:
        if card >= N_CLAN and not state.rules.tactics:
            raise IllegalAction("no_tactics")
        raise IllegalAction("not_in_hand", {"card": CODES[card]})
    if card < N_CLAN:
        assert action.at is not None
        after = lay(state, action.at, card, state.tactics)
    else:
        after = play_tactics(state, action)
    if state.rules.claims == "automatic":
        after = _go_over(_go_over(after, after.turn), other(after.turn))
    return after


def _go_over(state: State, seat: Seat) -> State:
    """Hand the seat every stone for which their claim would hold, until the game is won."""
    for at in places(state.ripe[seat]):
        if state.ending is None and holds(state.stones[at], seat, state.unseen):
            state = _take(state, seat, at, state.claimed)
    return state


def _pass(state: State, action: Action) -> State:
    """Pass, which is legal only where no clan card of the hand has a place."""
    if state.phase != "play":
        _refuse_phase(state)
    hand = state.hands[state.turn]
    if state.room[state.turn] and any(card < N_CLAN for card in hand):
        raise IllegalAction("must_play")
    return state._replace(phase="end", passed=True)


def _take(state: State, seat: Seat, at: int, claimed: bool) -> State:
    """Hand the seat a stone, and end the game if that wins it."""
    left = ~(1 << at)
    mine = state.owned[seat] | 1 << at
    room, ripe = state.room, state.ripe
    after = state._replace(
        owned=put(state.owned, seat, mine),
        room=(room[0] & left, room[1] & left),
        ripe=(ripe[0] & left, ripe[1] & left),
        claimed=claimed,
    )
    if mine & mine >> 1 & mine >> 2:
        return _end_game(after, seat, "adjacent")
    return _end_game(after, seat, "five") if mine.bit_count() == 5 else after


def _claim(state: State, action: Action) -> State:
    """Claim a stone by proof. Raises `IllegalAction`; the opponent is not told."""
    assert action.at is not None
    _check_claims_are_due(state)
    at, seat = action.at, state.turn
    if not state.unclaimed >> at & 1:
        raise IllegalAction("stone_claimed", {"stone": at + 1})
    if not holds_for(state, seat, at):
        _refuse_claim(at, judge(state.stones[at], seat, state.unseen))
    return _take(state, seat, at, True)


def holds_for(state: State, seat: Seat, at: int) -> bool:
    """Tell whether the seat's side of an unclaimed stone is full and their claim holds."""
    return bool(state.ripe[seat] >> at & 1) and holds(state.stones[at], seat, state.unseen)


def _check_claims_are_due(state: State) -> None:
    """Refuse a claim at a moment at which this ruleset has none."""
    if state.rules.claims == "automatic":
        raise IllegalAction("claims_automatic")
    if state.phase == "recruit":
        _refuse_phase(state)
    due = "play" if state.rules.claims == "start_of_turn" else "end"
    if state.phase != due:
        raise IllegalAction("claim_before_play" if due == "play" else "claim_after_play")


_CLAIM_REFUSALS: Final = {
    "not_full": "side_not_full",
    "not_proven": "claim_not_proven",
    "weaker": "claim_beaten",
    "completed_later": "claim_tied",
}


def _told(key: str, told: Formation | None) -> dict[str, object]:
    """Write a formation as the params of a refusal."""
    return {f"{key}_type": told.type, f"{key}_sum": told.sum} if told else {}


def _refuse_claim(at: int, verdict: Verdict) -> NoReturn:
    """Refuse a claim with what would beat it, built from public cards only."""
    params: dict[str, object] = {"stone": at + 1}
    params |= _told("own", verdict.own) | _told("their", verdict.theirs)
    if verdict.completion:
        params |= {"completion": list(verdict.completion), "added": list(verdict.added)}
    raise IllegalAction(_CLAIM_REFUSALS[verdict.reason], params)


def _draw(state: State, action: Action) -> State:
    """Draw a card, which ends the turn unless a Recruiter draws it."""
    seat, hands, tactics = state.turn, state.hands, state.tactics
    hand = hands[seat]
    _check_draw(state, len(hand))
    deck = state.deck if action.deck == "clan" else tactics.deck
    if not deck:
        if action.deck == "tactics" and not state.rules.tactics:
            raise IllegalAction("no_tactics")
        raise IllegalAction("deck_empty", {"deck": action.deck})
    at = bisect(hand, deck[0])
    hand = (*hand[:at], deck[0], *hand[at:])
    hands = (hand, hands[1]) if seat == 0 else (hands[0], hand)
    if action.deck == "clan":
        deck = deck[1:]
    else:
        tactics, deck = tactics._replace(deck=deck[1:]), state.deck
    if tactics.recruit is None:
        return _next_turn(state, hands, deck, tactics, 0)
    draws, returns = tactics.recruit
    after = state._replace(hands=hands, deck=deck, tactics=tactics)
    return recruit_step(after, draws - 1, returns)


def _check_draw(state: State, n_cards: int) -> None:
    """Refuse a draw where none is due, the hand holding so many cards."""
    if state.phase == "end":
        if n_cards >= state.rules.hand_size:
            raise IllegalAction("hand_full")
    elif state.tactics.recruit is None or not state.tactics.recruit[0]:
        _refuse_phase(state)


def _end(state: State, action: Action) -> State:
    """End a turn in which nothing can be drawn."""
    if state.phase != "end":
        _refuse_phase(state)
    if must_draw(state):
        raise IllegalAction("must_draw")
    idle = state.idle_turns + 1 if state.passed and not state.claimed else 0
    after = _next_turn(state, state.hands, state.deck, state.tactics, idle)
    return _resolve_blocked(after) if idle == 2 else after


def _next_turn(
    state: State, hands: tuple[Cards, Cards], deck: Cards, tactics: Tactics, idle: int
) -> State:
    """Let the other seat act, with what a turn keeps of itself cleared."""
    rules, _, seat, _, _, stones, owned, room, ripe, unseen, *_ = state
    new = (False, False, idle, tactics, None)
    return as_state((rules, "play", 1 - seat, hands, deck, stones, owned, room, ripe, unseen, *new))


def _resolve_blocked(state: State) -> State:
    """End a blocked game after two idle turns in a row (ruling: blocked).

    First the seat whose turn would come, then the other, takes the stones at which their side is
    full and either a claim would hold or the opponent's side is not full.
    """
    for seat in (state.turn, other(state.turn)):
        for at in places(state.ripe[seat]):
            is_theirs_open = bool(state.room[other(seat)] >> at & 1)
            if state.ending is None and (is_theirs_open or holds_for(state, seat, at)):
                state = _take(state, seat, at, state.claimed)
    if state.ending is not None:
        return state
    held = (state.owned[0].bit_count(), state.owned[1].bit_count())
    winner: Seat | None = None if held[0] == held[1] else 0 if held[0] > held[1] else 1
    return _end_game(state, winner, "blocked")


_HANDLERS: Final[dict[str, Callable[[State, Action], State]]] = {
    "play": _play,
    "claim": _claim,
    "pass": _pass,
    "draw": _draw,
    "end": _end,
    "return": return_card,
    "resign": _resign,
    "timeout": _time_out,
}
