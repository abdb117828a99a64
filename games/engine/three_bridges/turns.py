"""The course of a turn of Three Bridges: what an action does, and what follows by itself.

Draws, cards turned up, abilities without a target, new rounds and the scoring happen without
an action; the table goes on until a seat is asked, must place a card, or the game is over.
Source: docs/spec/three-bridges.md, Six rounds and Abilities.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from games.engine.api import Event, Seat, other
from games.engine.three_bridges import scoring
from games.engine.three_bridges.actions import Action
from games.engine.three_bridges.cards import ACE, ACORNS, BRIDGES, FIGURE, LEAVES, OBER, SUIT, UNTER
from games.engine.three_bridges.legal import refuse
from games.engine.three_bridges.state import N_ROUNDS, Ability, Asked, Laid, State, lay

_T = TypeVar("_T")


def apply(state: State, action: Action) -> State:
    """Give the state after the action. Raises `IllegalAction`, and then nothing happened."""
    refuse(state, action)
    table = _Table(state, None)
    table.carry_out(action)
    return table.freeze()


def events(before: State, action: Action, after: State) -> tuple[Event, ...]:
    """Tell what the action brings about, in order. Raises `IllegalAction`."""
    refuse(before, action)
    log: list[Event] = []
    _Table(before, log).carry_out(action)
    return tuple(log)


class _Table:
    """A state under way: changed in place by one legal action, then frozen again."""

    __slots__ = (
        "asked",
        "bridges",
        "hands",
        "log",
        "n_drawn",
        "reason",
        "round",
        "rows",
        "state",
        "turn",
        "winner",
    )

    def __init__(self, state: State, log: list[Event] | None) -> None:
        self.state = state
        self.log = log
        self.n_drawn = state.n_drawn
        self.round = state.round
        self.hands = [*state.hands]
        self.bridges = state.bridges
        self.rows = [[*pair] for pair in state.rows]
        self.turn: Seat | None = state.turn
        self.asked: Asked | None = None
        self.reason: str | None = None
        self.winner: Seat | None = None

    def freeze(self) -> State:
        """Give the state that the table now shows."""
        rows = self.rows
        return State(
            self.state.first,
            self.state.deck,
            self.n_drawn,
            self.round,
            (self.hands[0], self.hands[1]),
            self.bridges,
            ((rows[0][0], rows[0][1]), (rows[1][0], rows[1][1]), (rows[2][0], rows[2][1])),
            self.turn,
            self.asked,
            self.reason,
            self.winner,
        )

    def tell(self, kind: str, seat: Seat | None, **params: Any) -> None:
        """Keep an event, if somebody wants to hear of it."""
        if self.log is not None:
            self.log.append(Event(kind, seat, tuple(params.items())))

    # Actions.

    def carry_out(self, action: Action) -> None:
        """Do what a legal action says, and all that follows by itself."""
        if action.type in ("resign", "timeout"):
            self.give_up(action)
        elif self.state.asked is None:
            self.place(action)
        else:
            _CARRY_OUT[action.type](self, action, self.state.asked)

    def give_up(self, action: Action) -> None:
        self.reason, self.winner, self.turn = action.type, other(action.seat), None
        self.tell("resigned" if action.type == "resign" else "timed_out", action.seat)

    def place(self, action: Action) -> None:
        seat, card, bridge = action.seat, _given(action.card), _given(action.bridge)
        self.leave_hand(seat, card)
        self.add(seat, bridge, lay(card, SUIT[card], face_up=False))
        self.tell("placed", seat, card=card, bridge=bridge)
        if seat == self.state.starter:
            self.turn = other(seat)
        else:
            self.turn_up(self.state.starter)

    def name(self, action: Action, asked: Asked) -> None:
        suit = _given(action.suit)
        self.replace(action.seat, asked.bridge, asked.index, lay(asked.card, suit))
        self.tell("named", action.seat, card=asked.card, suit=suit, bridge=asked.bridge)
        self.use_suit(action.seat, asked, suit)

    def turn_card(self, action: Action, asked: Asked) -> None:
        side: Seat = _given(action.side)
        index = _given(action.index)
        laid = self.rows[asked.bridge - 1][side][index]
        self.replace(side, asked.bridge, index, lay(laid.card, laid.suit, turned=True))
        self.tell("turned", action.seat, card=laid.card, side=side, bridge=asked.bridge)
        self.use_figure(action.seat, asked)

    def swap(self, action: Action, asked: Asked) -> None:
        at = asked.bridge - 1
        old = self.bridges[at]
        # The old bridge card lies upright, whether or not the Unter was turned.
        self.replace(action.seat, asked.bridge, asked.index, lay(old, SUIT[old]))
        self.bridges = (*self.bridges[:at], asked.card, *self.bridges[at + 1 :])
        self.tell("swapped", action.seat, card=asked.card, old=old, bridge=asked.bridge)
        self.finish(action.seat)

    def move(self, action: Action, asked: Asked) -> None:
        seat, source, index = action.seat, _given(action.bridge), _given(action.index)
        row = self.rows[source - 1][seat]
        laid = row[index]
        self.rows[source - 1][seat] = row[:index] + row[index + 1 :]
        self.add(seat, asked.bridge, laid)
        self.tell("moved", seat, card=laid.card, source=source, bridge=asked.bridge)
        self.finish(seat)

    def play_extra(self, action: Action, asked: Asked) -> None:
        seat, card, bridge = action.seat, _given(action.card), _given(action.bridge)
        # A Chronicler becomes an Ace of the suit without being asked.
        suit = _given(self.rows[asked.bridge - 1][seat][asked.index].suit)
        self.leave_hand(seat, card)
        self.add(seat, bridge, lay(card, suit))
        self.tell("played", seat, card=card, suit=suit, bridge=bridge)
        asker = Asked("extra", card, bridge, len(self.rows[bridge - 1][seat]) - 1)
        self.use_suit(seat, asker, suit)

    def skip(self, action: Action, asked: Asked) -> None:
        self.tell("declined", action.seat, ability=asked.ability, card=asked.card)
        if asked.ability == "turn":
            self.use_figure(action.seat, asked)
        else:
            self.finish(action.seat)

    # What follows by itself.

    def turn_up(self, seat: Seat) -> None:
        """Turn up the seat's face-down card and begin to use its abilities."""
        for bridge in BRIDGES:
            row = self.rows[bridge - 1][seat]
            if row and not row[-1].face_up:
                break
        card, suit = row[-1].card, row[-1].suit
        asker = Asked("name", card, bridge, len(row) - 1)
        self.replace(seat, bridge, asker.index, lay(card, suit))
        self.tell("turned_up", seat, card=card, bridge=bridge)
        if suit is None:
            self.ask(seat, "name", asker)
        else:
            self.use_suit(seat, asker, suit)

    def use_suit(self, seat: Seat, asker: Asked, suit: str) -> None:
        """Use the ability of the suit, then that of the figure."""
        if suit == LEAVES:
            # The Leaf itself can be turned, so there is always a card to ask about.
            self.ask(seat, "turn", asker)
            return
        if suit == ACORNS:
            self.draw(seat, "acorn_drew")
        self.use_figure(seat, asker)

    def use_figure(self, seat: Seat, asker: Asked) -> None:
        """Ask for the ability of the figure, or go on where there is none or no target."""
        figure = FIGURE[asker.card]
        if figure == ACE and self.hands[seat]:
            self.ask(seat, "extra", asker)
        elif figure == UNTER and SUIT[asker.card] == SUIT[self.bridges[asker.bridge - 1]]:
            self.ask(seat, "swap", asker)
        elif figure == OBER and self.has_other_card(seat, asker.bridge):
            self.ask(seat, "move", asker)
        else:
            self.finish(seat)

    def has_other_card(self, seat: Seat, bridge: int) -> bool:
        """Say whether the seat has a face-up card at another bridge."""
        return any(
            laid.face_up
            for at, pair in enumerate(self.rows, start=1)
            if at != bridge
            for laid in pair[seat]
        )

    def ask(self, seat: Seat, ability: Ability, asker: Asked) -> None:
        self.turn = seat
        self.asked = Asked(ability, asker.card, asker.bridge, asker.index)

    def finish(self, seat: Seat) -> None:
        """Go on after the last ability of a seat: the other card, or the next round."""
        if seat == self.state.starter:
            self.turn_up(other(seat))
        elif self.round == N_ROUNDS:
            self.score()
        else:
            self.begin_round(other(self.state.starter))

    def begin_round(self, starter: Seat) -> None:
        self.round += 1
        self.turn = starter
        self.tell("round_began", starter, round=self.round)
        self.draw(starter, "drew")
        self.draw(other(starter), "drew")

    def score(self) -> None:
        self.reason, self.turn = "bridges", None
        final = self.freeze()
        self.winner = scoring.higher(scoring.bridges_won(final))
        for bridge, scores in zip(BRIDGES, scoring.half_points(final), strict=True):
            self.tell("bridge_scored", scoring.higher(scores), bridge=bridge, half_points=scores)
        self.tell("scored", self.winner, bridges=scoring.bridges_won(final))

    # Single steps.

    def draw(self, seat: Seat, kind: str) -> None:
        card = self.state.deck[self.n_drawn]
        self.n_drawn += 1
        self.hands[seat] = tuple(sorted((*self.hands[seat], card)))
        self.tell(kind, seat, card=card)

    def leave_hand(self, seat: Seat, card: str) -> None:
        self.hands[seat] = tuple(held for held in self.hands[seat] if held != card)

    def add(self, seat: Seat, bridge: int, laid: Laid) -> None:
        self.rows[bridge - 1][seat] = (*self.rows[bridge - 1][seat], laid)

    def replace(self, seat: Seat, bridge: int, index: int, laid: Laid) -> None:
        row = self.rows[bridge - 1][seat]
        self.rows[bridge - 1][seat] = (*row[:index], laid, *row[index + 1 :])


_CARRY_OUT: dict[str, Callable[[_Table, Action, Asked], None]] = {
    "name": _Table.name,
    "turn": _Table.turn_card,
    "swap": _Table.swap,
    "move": _Table.move,
    "extra": _Table.play_extra,
    "skip": _Table.skip,
}


def _given(value: _T | None) -> _T:
    """Narrow a field that this type of action always has."""
    assert value is not None
    return value
