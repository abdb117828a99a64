"""The contract between a title's rules and everything that plays, shows or stores it.

A title is one package with one object that meets `Title`, and one line in `registry.py`.
States and actions are frozen, slotted values: equal when they mean the same, hashable, and
opaque to everybody but their title. What crosses a border (database, socket, file) is the
JSON of docs/spec/records.md, made and read by the methods below.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeVar

Seat = Literal[0, 1]
"""A place in a game. `other` gives the one across the table."""

Viewer = Literal[0, 1, "spectator"]
"""Who looks: a seat, or somebody who holds no cards."""

Json = dict[str, Any]
"""An object of plain JSON values, in the form of docs/spec/records.md."""


def check_viewer(viewer: object) -> None:
    """Raise `ValueError` for who is no `Viewer`."""
    if viewer not in (0, 1, "spectator"):
        raise ValueError(f"a viewer is 0, 1 or 'spectator', not {viewer!r}")


def check_action(action: object, kind: type) -> None:
    """Raise `TypeError` for what is no action of a title: JSON, say, or another title's."""
    if type(action) is not kind:
        raise TypeError(f"not an action, which parse_action reads, but {type(action).__name__}")


def other(seat: Seat) -> Seat:
    """Give the seat across the table."""
    return 1 if seat == 0 else 0


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A title with its options fixed; what a match, a ladder and a rules page are of.

    `slug` is unique within its title and never changes; `options` is the record's `ruleset`
    object as pairs; `name` and `summary` are English msgids, one line each.
    """

    title: str
    slug: str
    options: tuple[tuple[str, str | bool], ...]
    name: str
    summary: str
    max_turns: int
    """No game has more turns, of both seats together: by it a match's length is foretold."""

    def as_json(self) -> Json:
        """Give the `ruleset` object of a record."""
        return dict(self.options)


@dataclass(frozen=True, slots=True)
class Meta:
    """What can be said of a title without its rules: names, credits, limits."""

    slug: str
    name: str
    designer: str
    rules_version: int
    rulesets: tuple[Ruleset, ...]
    default_rounds: int
    refusals: Mapping[str, str] = field(hash=False)
    """Each code of an `IllegalAction`, with an English msgid that says why, in named
    %(param)s placeholders."""
    shows: frozenset[str] | None = None
    """The types of action that may show their seat a card: what comes after one must be decided
    with that card in sight. None: all of them."""
    open_piles: frozenset[str] = frozenset()
    """The piles of the deal that lie open from the start, by their keys."""

    def may_show(self, action_type: object) -> bool:
        """Say whether an action of this type may show a card to who makes it."""
        if self.shows is None:
            return True
        return isinstance(action_type, str) and action_type in self.shows


@dataclass(frozen=True, slots=True)
class Setup:
    """All that is fixed before the first action: who starts, and every card's place.

    `piles` is the deal in the record's own keys: `deck`, `tactics_deck`, `bridges`, each top
    (or first) first. Never leaves the server while the game runs.
    """

    ruleset: Ruleset
    first: Seat
    piles: tuple[tuple[str, tuple[str, ...]], ...]

    def pile(self, key: str) -> tuple[str, ...]:
        """Give one pile, empty where the ruleset has none."""
        return dict(self.piles).get(key, ())


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended. `winner` is None for a drawn game; `points` are match points by seat."""

    winner: Seat | None
    reason: str
    points: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Event:
    """Something an action brought about, told in order. `kind` is from the title's own list.

    `params` may hold what not everybody may know: only `describe` shows an event to a viewer.
    """

    kind: str
    seat: Seat | None
    params: tuple[tuple[str, Any], ...] = ()

    def get(self, key: str) -> Any:
        """Give one parameter, None where it is absent."""
        return dict(self.params).get(key)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A sentence for a person: an English msgid with %(name)s places, and what goes there.

    Values are str, int, or lists of card codes. `%(player)s` and `%(opponent)s` are always
    left open: the shower fills them with names. Cards stay codes (`R7`): the shower draws them.
    """

    msgid: str
    params: tuple[tuple[str, Any], ...] = ()


def gettext_noop(msgid: str) -> str:
    """Mark a msgid for extraction; translation itself is not the engine's business."""
    return msgid


S = TypeVar("S")
A = TypeVar("A")


class Title(Protocol[S, A]):
    """The rules of one title. All methods are pure; none reads a clock or draws a number."""

    meta: Meta

    def setup(self, setup: Setup) -> S:
        """Give the state before the first action. Raises `MalformedRecord` for a bad deal."""

    def deal(
        self, ruleset: Ruleset, below: Callable[[int], int]
    ) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Draw the piles with `below(n)`, a number from 0 to n - 1 (docs/spec/shuffle.md, 7)."""

    def to_act(self, state: S) -> Seat | None:
        """Give the seat to act, None when the game is over."""

    def legal_actions(self, state: S) -> Sequence[A]:
        """List every legal action but `resign` and `timeout`; empty when the game is over."""

    def forced_turn(self, ruleset: Ruleset, view: Json) -> tuple[Json, ...]:
        """Give the whole turn of the seat to act where everybody can see that it is the only one.

        `view` is a spectator's, and nothing else is asked. Empty where there is a choice or a
        hand decides; never the skip of an ability. Each action of a turn is then the only legal
        one in its place, whatever cards are hidden.
        """

    def apply(self, state: S, action: A) -> S:
        """Give the state after the action. Raises `IllegalAction`, and then nothing happened."""

    def events(self, before: S, action: A, after: S) -> tuple[Event, ...]:
        """Tell what the action brought about, in order, to be shown through `describe`."""

    def outcome(self, state: S) -> Outcome | None:
        """Say how the game ended, None while it runs."""

    def next_first(self, first: Seat, outcome: Outcome) -> Seat:
        """Say who starts the next game of a match after one that `first` started."""

    def parse_action(self, payload: object) -> A:
        """Read an action's JSON, further keys left aside. Raises `MalformedRecord`."""

    def action_json(self, action: A) -> Json:
        """Write an action in the form of docs/spec/records.md."""

    def resign(self, seat: Seat) -> A:
        """Give the action by which the seat gives the game up."""

    def timeout(self, seat: Seat) -> A:
        """Give the action by which the seat loses the game on time."""

    def state_json(self, state: S) -> Json:
        """Write everything about a state, for those who may know everything."""

    def view(self, state: S, viewer: Viewer) -> Json:
        """Write what this viewer may know, built up from nothing; all of it when it is over."""

    def redact(self, state: S, actions: Sequence[A], viewer: Viewer) -> list[Json]:
        """Write the actions that led to `state` as this viewer may know them now."""

    def describe(self, event: Event, viewer: Viewer, *, is_over: bool) -> Phrase:
        """Tell an event in words for this viewer; `is_over` opens what was hidden."""

    def check(self, state: S) -> None:
        """Raise `AssertionError` unless every card is in exactly one place and all else holds."""


AnyTitle = Title[Any, Any]
