"""What every title must keep, whatever its rules: checked on random games of any title.

The functions raise `AssertionError`. Nothing here knows a title; docs/spec/records.md gives the
keys that all states share.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

import pytest

from games.engine.api import AnyTitle, Event, Json, Outcome, Phrase, Ruleset, Setup, Viewer, other
from games.engine.errors import IllegalAction, MalformedRecord
from games.engine.records import PILES, parse_record, write_record

VIEWERS: tuple[Viewer, ...] = (0, 1, "spectator")
N_ACTIONS_MAX = 2_000


def round_trip(value: Any) -> Any:
    """Send a value through JSON."""
    return json.loads(json.dumps(value, allow_nan=False))


def random_setup(title: AnyTitle, ruleset: Ruleset, rng: random.Random) -> Setup:
    """Deal a game."""
    return Setup(ruleset, rng.choice((0, 1)), title.deal(ruleset, rng.randrange))


class Played:
    """A random game: every state, and the action that led to each but the first."""

    def __init__(self, title: AnyTitle, ruleset: Ruleset, seed: int) -> None:
        self.title = title
        self.rng = random.Random(f"{title.meta.slug} {ruleset.slug} {seed}")
        self.setup = random_setup(title, ruleset, self.rng)
        self.states: list[Any] = [title.setup(self.setup)]
        self.actions: list[Any] = []
        while title.to_act(self.states[-1]) is not None:
            assert len(self.actions) < N_ACTIONS_MAX, f"the game does not end: {self.record()}"
            action = self.rng.choice(title.legal_actions(self.states[-1]))
            self.states.append(title.apply(self.states[-1], action))
            self.actions.append(action)

    def record(self) -> Json:
        """Write the game."""
        actions = [self.title.action_json(action) for action in self.actions]
        return write_record(self.title, self.setup, actions)

    def steps(self) -> Iterator[tuple[Any, Any, Any]]:
        """Give the state before, the action and the state after, of each action."""
        return zip(self.states, self.actions, self.states[1:], strict=False)


def n_turns(game: Played) -> int:
    """Count the turns: the actions of one seat until another is to act are one."""
    seats = [game.title.to_act(state) for state in game.states]
    return sum(1 for seat, _ in groupby(seats) if seat is not None)


def check_states(game: Played) -> None:
    """Every state is sound, says one thing about whether it is over, and can be written."""
    title = game.title
    for state in game.states:
        title.check(state)
        is_over = title.to_act(state) is None
        assert is_over == (title.outcome(state) is not None)
        assert is_over == (not title.legal_actions(state))
        written = title.state_json(state)
        assert round_trip(written) == written
        assert (written["game"], written["turn"]) == (title.meta.slug, title.to_act(state))
        assert (written["phase"] == "over") == is_over == ("points" in written)
        assert hash(state) == hash(state)


def check_actions(game: Played) -> None:
    """Legal actions are all different, are by the seat to act, survive JSON, and are legal."""
    title = game.title
    for state in game.states:
        before = title.state_json(state)
        legal = title.legal_actions(state)
        assert len(set(legal)) == len(legal)
        for action in legal:
            written = title.action_json(action)
            assert written["seat"] == title.to_act(state)
            assert title.parse_action(round_trip(written)) == action
            assert title.parse_action({**written, "spent_s": 3, "?": [None]}) == action
        for action in game.rng.sample(list(legal), min(4, len(legal))):
            title.check(title.apply(state, action))
        assert title.state_json(state) == before, "apply or legal_actions changed the state"


def check_refusals(game: Played, n: int = 12) -> None:
    """An action that is not legal is refused by a known code in words, and nothing happens."""
    title = game.title
    pool = sorted(
        {action for state in game.states for action in title.legal_actions(state)},
        key=lambda action: json.dumps(title.action_json(action)),
    )
    for state in game.states:
        legal = set(title.legal_actions(state))
        before = title.state_json(state)
        for action in game.rng.sample(pool, min(n, len(pool))):
            if action not in legal:
                check_refused(title, state, action)
        assert title.state_json(state) == before


def check_refused(title: AnyTitle, state: Any, action: Any) -> None:
    """The action is refused, and the refusal can be told."""
    with pytest.raises(IllegalAction) as caught:
        title.apply(state, action)
    error = caught.value
    assert error.code in title.meta.refusals, error.code
    assert title.meta.refusals[error.code] % error.params
    assert round_trip(error.params) == error.params


def check_endings(game: Played) -> None:
    """Either seat may resign or run out of time at any moment, and then all is over."""
    title = game.title
    for n, state in enumerate(game.states[:-1]):
        for seat in (0, 1):
            for make, reason in ((title.resign, "resign"), (title.timeout, "timeout")):
                action = make(seat)
                assert title.action_json(action) == {"seat": seat, "type": reason}
                ended = title.apply(state, title.parse_action(title.action_json(action)))
                title.check(ended)
                outcome = title.outcome(ended)
                assert outcome is not None
                assert (outcome.winner, outcome.reason) == (other(seat), reason)
                check_points(outcome)
                assert ended != state
                events = title.events(state, action, ended)
                check_told(title, events)
                check_open(title, ended, [*game.actions[:n], action])
    last = game.states[-1]
    for seat in (0, 1):
        check_refused(title, last, title.resign(seat))
        check_refused(title, last, title.timeout(seat))


def check_open(title: AnyTitle, ended: Any, actions: Sequence[Any]) -> None:
    """However a game ended, everything is open to everybody."""
    written = [title.action_json(action) for action in actions]
    for viewer in VIEWERS:
        assert title.view(ended, viewer) == title.state_json(ended)
        assert title.redact(ended, actions, viewer) == written


def check_outcome(game: Played) -> None:
    """The outcome, the state and the next game's starter agree."""
    title, last = game.title, game.states[-1]
    outcome, written = title.outcome(last), title.state_json(last)
    assert outcome is not None
    assert written["winner"] == outcome.winner
    assert written["reason"] == outcome.reason
    assert written["drawn"] == (outcome.winner is None)
    assert written["points"] == list(outcome.points)
    assert re.fullmatch("[a-z]+(_[a-z]+)*", outcome.reason), f"no slug: {outcome.reason!r}"
    check_points(outcome)
    for first in (0, 1):
        assert title.next_first(first, outcome) in (0, 1)


def check_points(outcome: Outcome) -> None:
    """The points say who has won."""
    if outcome.winner is not None:
        won, lost = outcome.points[outcome.winner], outcome.points[other(outcome.winner)]
        assert won == 5 > lost, f"a winner has 5 points and a loser fewer, not {won} and {lost}"


def check_deal(game: Played) -> None:
    """Records can keep every pile, and `open_piles` names piles only."""
    title = game.title
    for key, _ in game.setup.piles:
        assert key in PILES, f"{key} is missing in PILES of games/engine/records.py"
    unknown = title.meta.open_piles - set(PILES)
    assert not unknown, f"open_piles: no such pile: {sorted(unknown)}"


def check_shows(games: Sequence[Played]) -> None:
    """`Meta.shows` names only types of action that can be met in a title's games."""
    met = {
        game.title.action_json(action)["type"]
        for game in games
        for state in game.states
        for action in game.title.legal_actions(state)
    }
    for game in games[:1]:
        unknown = (game.title.meta.shows or frozenset()) - met
        assert not unknown, f"shows: no such type of action: {sorted(unknown)}"


def check_events(game: Played) -> None:
    """Every action brings about events, and each can be told to every viewer."""
    for before, action, after in game.steps():
        events = game.title.events(before, action, after)
        assert events
        check_told(game.title, events)


def check_told(title: AnyTitle, events: Sequence[Event]) -> None:
    """Each event is told in a sentence whose places can all be filled."""
    for event in events:
        for viewer in VIEWERS:
            for is_over in (False, True):
                phrase = title.describe(event, viewer, is_over=is_over)
                names = {"player": "Ann", "opponent": "Bob"}
                sentence = phrase.msgid % {**names, **dict(phrase.params)}
                assert sentence
                assert "%" not in sentence
                assert event.seat is not None or "%(player)s" not in phrase.msgid


def check_views(game: Played) -> None:
    """A view survives JSON, offers actions to the seat to act alone, and opens at the end."""
    title = game.title
    for state in game.states:
        for viewer in VIEWERS:
            seen = title.view(state, viewer)
            assert round_trip(seen) == seen
            if title.to_act(state) is None:
                assert seen == title.state_json(state)
            elif viewer != title.to_act(state):
                assert seen["legal"] == []
            else:
                assert seen["legal"] == title.state_json(state)["legal"]
    check_open(title, game.states[-1], game.actions)


def check_replay(game: Played) -> None:
    """The record leads to the same states, one by one."""
    record = parse_record(round_trip(game.record()))
    assert dict(record.setup.piles) == dict(game.setup.piles)
    assert (record.setup.ruleset, record.setup.first) == (game.setup.ruleset, game.setup.first)
    assert list(record.states()) == game.states
    assert [hash(state) for state in record.states()] == [hash(state) for state in game.states]
    assert record.actions() == game.actions


def mentioned(value: Any, known: frozenset[str]) -> set[str]:
    """Give the cards that stand anywhere in a JSON value."""
    if isinstance(value, dict):
        return {card for part in value.values() for card in mentioned(part, known)}
    if isinstance(value, list | tuple):
        return {card for part in value for card in mentioned(part, known)}
    return {value} & known if isinstance(value, str) else set()


def hidden_cards(game: Played, n: int, viewer: Viewer) -> dict[str, list[str]]:
    """Give, by pile they were dealt from, the cards a viewer must not know after n actions.

    All are hidden but those in the viewer's own hand, those that the viewer's own actions name,
    those of the piles that `Meta.open_piles` declares, and those that both the actions of others,
    as redacted for the viewer, and the state name openly: one writer that tells too much makes
    nothing public.
    """
    title, setup = game.title, game.setup
    piles = {key: list(pile) for key, pile in setup.piles}
    known = frozenset(card for pile in piles.values() for card in pile)
    written = title.state_json(game.states[n])
    hands = written.pop("hands")
    written.pop("legal")
    table = mentioned(written, known) - face_down(written, viewer)
    own = [title.action_json(action) for action in game.actions[:n]]
    told = mentioned(title.redact(game.states[n], game.actions[:n], viewer), known)
    open_cards = told & table
    open_cards |= mentioned([action for action in own if action["seat"] == viewer], known)
    open_cards |= {card for key in title.meta.open_piles for card in piles.get(key, ())}
    for seat in (0, 1):
        if seat == viewer:
            open_cards |= set(hands[seat])
    return {key: [card for card in pile if card not in open_cards] for key, pile in piles.items()}


def check_hands(title: AnyTitle, state: Any) -> None:
    """A hand is in one seat's keeping alone, and others see how many cards it has, no more."""
    hands = title.state_json(state)["hands"]
    assert not set(hands[0]) & set(hands[1]), "a card is in both hands"
    if title.to_act(state) is None:
        return
    for viewer in VIEWERS:
        for seat, shown in enumerate(title.view(state, viewer)["hands"]):
            if seat == viewer:
                assert shown == hands[seat], "a seat's own hand differs from the state's"
            else:
                assert isinstance(shown, dict), "another seat's hand is shown"
                assert sum(shown.values()) == len(hands[seat])


def moments(game: Played, seed: int, stride: int = 7) -> range:
    """Give the numbers of actions to look after: all of a short game, else every so many.

    Seeds that follow one another look at different ones, so that none is left out.
    """
    size = len(game.actions)
    return range(size) if size <= 4 * stride else range(seed % stride, size, stride)


def face_down(written: Json, viewer: Viewer) -> set[str]:
    """Give the cards in the rows of other seats that are not turned up, where there are rows."""
    return {
        card["card"]
        for rows in written.get("rows", [])
        for seat, row in enumerate(rows)
        for card in row
        if seat != viewer and not card["face_up"]
    }


def renamed(value: Any, names: dict[str, str]) -> Any:
    """Exchange cards in a JSON value."""
    if isinstance(value, dict):
        return {key: renamed(part, names) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [renamed(part, names) for part in value]
    return names.get(value, value) if isinstance(value, str) else value


def seen_by(title: AnyTitle, states: Sequence[Any], actions: Sequence[Any], viewer: Viewer) -> Any:
    """Give all that a viewer is shown of a running game: view, actions, and events in words."""
    phrases: list[list[Phrase]] = [
        [title.describe(event, viewer, is_over=False) for event in title.events(*step)]
        for step in zip(states, actions, states[1:], strict=False)
    ]
    return title.view(states[-1], viewer), title.redact(states[-1], actions, viewer), phrases


def check_secrets(game: Played, n: int, viewer: Viewer) -> None:
    """Exchange the cards that a viewer must not know: nothing that they are shown changes."""
    title = game.title
    names: dict[str, str] = {}
    for hidden in hidden_cards(game, n, viewer).values():
        order = game.rng.sample(hidden, len(hidden))
        names |= dict(zip(order, order[1:] + order[:1], strict=True))  # none stays in its place
    record = game.record()
    for key, pile in game.setup.piles:
        record[key] = renamed(pile, names)
    record["actions"] = renamed(record["actions"][:n], names)
    try:
        changed = parse_record(record)
        states, actions = list(changed.states()), changed.actions()
    except MalformedRecord as error:
        raise AssertionError(f"hidden cards change what is legal: {error} {record}") from error
    told = seen_by(title, states, actions, viewer)
    assert told == seen_by(title, game.states[: n + 1], game.actions[:n], viewer), record
    check_hands(title, game.states[n])
    if viewer == title.to_act(states[-1]):
        tries = {a for state in game.states for a in title.legal_actions(state) if a.seat == viewer}
        assert answers(title, states[-1], tries) == answers(title, game.states[n], tries), record


def answers(title: AnyTitle, state: Any, tries: set[Any]) -> dict[Any, Json | None]:
    """Give the refusal of each action that is refused, with all that it tells."""
    refused = {}
    for action in tries:
        try:
            title.apply(state, action)
        except IllegalAction as error:
            refused[action] = {"code": error.code, **error.params}
    return refused


def check_forced(game: Played) -> int:
    """A turn that is called forced is the only one, whatever is hidden; gives how many there were.

    A spectator's view is all that is asked, and that view is the same for all hidden cards
    (`check_secrets`); each action is the only legal one in its place, and they make a whole turn.
    """
    title, n_forced = game.title, 0
    for state in game.states:
        seat = title.to_act(state)
        forced = title.forced_turn(game.setup.ruleset, title.view(state, "spectator"))
        if not forced:
            continue
        n_forced += 1
        for payload in forced:
            assert title.to_act(state) == seat
            action = title.parse_action(payload)
            assert list(title.legal_actions(state)) == [action]
            state = title.apply(state, action)
        assert title.to_act(state) != seat
    return n_forced
