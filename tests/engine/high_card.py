"""High Card: a small third title that proves docs/adding-a-title.md. It is in the tests only.

Twelve cards, three in hand. Each trick, both seats lay one card face up, the leader first; the
higher card takes the trick and leads on; then both draw, while there are cards. Under `low` the
lower card takes. After six tricks more tricks win; three each is drawn. A title of the site would
mark its sentences with `gettext_noop`; these are to stay out of the translations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from games.engine.api import (
    Event,
    Json,
    Meta,
    Outcome,
    Phrase,
    Ruleset,
    Seat,
    Setup,
    Viewer,
    other,
)
from games.engine.errors import IllegalAction, MalformedRecord
from games.engine.shuffle import shuffled

SLUG: Final = "high-card"
CARDS: Final = tuple("ABCDEFGHIJKL")
HAND_SIZE: Final = 3

META: Final = Meta(
    slug=SLUG,
    name="High Card",
    designer="Nobody",
    rules_version=1,
    rulesets=(
        Ruleset(SLUG, "high", (("low", False),), "High Card", "The higher card.", 12),
        Ruleset(SLUG, "low", (("low", True),), "Low Card", "The lower card.", 12),
    ),
    default_rounds=2,
    refusals={
        "game_over": "The game is over.",
        "not_your_turn": "It is not your turn.",
        "not_in_hand": "%(card)s is not in your hand.",
    },
)


@dataclass(frozen=True, slots=True)
class Action:
    """A card laid, or the game given up."""

    type: str
    seat: Seat
    card: str | None = None


@dataclass(frozen=True, slots=True)
class State:
    """A position; `laid` is the card that awaits an answer."""

    low: bool
    turn: Seat
    hands: tuple[tuple[str, ...], tuple[str, ...]]
    deck: tuple[str, ...]
    laid: str | None = None
    taken: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    reason: str | None = None
    loser: Seat | None = None


def exchanged(pair: tuple[Any, Any], seat: Seat, value: Any) -> tuple[Any, Any]:
    """Give a pair with the seat's part exchanged."""
    return (value, pair[1]) if seat == 0 else (pair[0], value)


class HighCard:
    """The title, meeting `games.engine.api.Title`."""

    meta = META

    def setup(self, setup: Setup) -> State:
        deck = setup.pile("deck")
        if sorted(deck) != list(CARDS) or len(setup.piles) > 1:
            raise MalformedRecord("deck must hold each card once")
        hands = (deck[:HAND_SIZE], deck[HAND_SIZE : 2 * HAND_SIZE])
        low = bool(dict(setup.ruleset.options)["low"])
        return State(low, setup.first, hands, deck[2 * HAND_SIZE :])

    def deal(
        self, ruleset: Ruleset, below: Callable[[int], int]
    ) -> tuple[tuple[str, tuple[str, ...]], ...]:
        return (("deck", shuffled(CARDS, below)),)

    def to_act(self, state: State) -> Seat | None:
        return None if state.reason else state.turn

    def legal_actions(self, state: State) -> Sequence[Action]:
        if state.reason:
            return ()
        return tuple(Action("lay", state.turn, card) for card in sorted(state.hands[state.turn]))

    def forced_turn(self, ruleset: Ruleset, view: Json) -> tuple[Json, ...]:
        return ()

    def apply(self, state: State, action: Action) -> State:
        if state.reason:
            raise IllegalAction("game_over")
        if action.type != "lay":
            return replace(state, reason=action.type, loser=action.seat)
        if action.seat != state.turn:
            raise IllegalAction("not_your_turn")
        if action.card not in state.hands[action.seat]:
            raise IllegalAction("not_in_hand", {"card": action.card})
        hand = tuple(card for card in state.hands[action.seat] if card != action.card)
        after = replace(state, hands=exchanged(state.hands, action.seat, hand))
        if state.laid is None:
            return replace(after, laid=action.card, turn=other(action.seat))
        return self._take(after, state.laid, str(action.card))

    def _take(self, state: State, led: str, answer: str) -> State:
        seat = state.turn if (answer > led) != state.low else other(state.turn)
        taken = exchanged(state.taken, seat, (*state.taken[seat], led, answer))
        hands = state.hands
        for n, drawer in enumerate((seat, other(seat))):
            if state.deck:
                hands = exchanged(hands, drawer, (*hands[drawer], state.deck[n]))
        is_last = not any(hands)
        return replace(
            state,
            turn=seat,
            hands=hands,
            deck=state.deck[2:],
            laid=None,
            taken=taken,
            reason="tricks" if is_last else None,
        )

    def events(self, before: State, action: Action, after: State) -> tuple[Event, ...]:
        card = (("card", action.card),) if action.card else ()
        told = [Event(action.type, action.seat, card)]
        if after.taken != before.taken:
            told.append(Event("take", after.turn))
        return tuple(told)

    def outcome(self, state: State) -> Outcome | None:
        if state.reason is None:
            return None
        tricks = [len(taken) // 2 for taken in state.taken]
        winner: Seat | None = 0 if tricks[0] > tricks[1] else 1
        if state.loser is not None:
            winner = other(state.loser)
        elif tricks[0] == tricks[1]:
            winner = None
        points = [min(n, 4) if seat != winner else 5 for seat, n in enumerate(tricks)]
        return Outcome(winner, state.reason, (points[0], points[1]))

    def next_first(self, first: Seat, outcome: Outcome) -> Seat:
        return other(first)

    def parse_action(self, payload: object) -> Action:
        if not isinstance(payload, dict):
            raise MalformedRecord("an action must be an object")
        kind, seat, card = (payload.get(key) for key in ("type", "seat", "card"))
        if type(seat) is not int or seat not in (0, 1):
            raise MalformedRecord("seat must be 0 or 1")
        if kind in ("resign", "timeout"):
            return Action(kind, seat)  # type: ignore[arg-type]  # checked above
        if kind != "lay" or card not in CARDS:
            raise MalformedRecord("an action lays a card")
        return Action("lay", seat, card)  # type: ignore[arg-type]  # checked above

    def action_json(self, action: Action) -> Json:
        written: Json = {"seat": action.seat, "type": action.type}
        return written | {"card": action.card} if action.card else written

    def resign(self, seat: Seat) -> Action:
        return Action("resign", seat)

    def timeout(self, seat: Seat) -> Action:
        return Action("timeout", seat)

    def state_json(self, state: State) -> Json:
        return self._write(state, [sorted(hand) for hand in state.hands], state.turn)

    def view(self, state: State, viewer: Viewer) -> Json:
        if state.reason:
            return self.state_json(state)
        hands = [
            sorted(hand) if seat == viewer else {"cards": len(hand)}
            for seat, hand in enumerate(state.hands)
        ]
        return self._write(state, hands, viewer)

    def _write(self, state: State, hands: list[Any], actor: Viewer) -> Json:
        outcome = self.outcome(state)
        legal = self.legal_actions(state) if actor == state.turn else ()
        written: Json = {
            "game": SLUG,
            "turn": self.to_act(state),
            "phase": "over" if outcome else "lay",
            "hands": hands,
            "deck": len(state.deck),
            "laid": state.laid,
            "taken": [list(taken) for taken in state.taken],
            "winner": outcome.winner if outcome else None,
            "reason": state.reason,
            "drawn": outcome is not None and outcome.winner is None,
            "legal": [self.action_json(action) for action in legal],
        }
        return written | {"points": list(outcome.points)} if outcome else written

    def redact(self, state: State, actions: Sequence[Action], viewer: Viewer) -> list[Json]:
        return [self.action_json(action) for action in actions]

    def describe(self, event: Event, viewer: Viewer, *, is_over: bool) -> Phrase:
        sentences = {
            "lay": "%(player)s lays %(card)s.",
            "take": "%(player)s takes the trick.",
            "resign": "%(player)s resigns.",
            "timeout": "%(player)s has run out of time.",
        }
        return Phrase(sentences[event.kind], event.params)

    def check(self, state: State) -> None:
        laid = (state.laid,) if state.laid else ()
        cards = (*state.hands[0], *state.hands[1], *state.deck, *laid)
        assert sorted((*cards, *state.taken[0], *state.taken[1])) == list(CARDS)


HIGH_CARD: Final = HighCard()
