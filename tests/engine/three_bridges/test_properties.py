"""What always holds, over random play."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from games.engine.api import Event, Setup
from games.engine.errors import IllegalAction
from games.engine.three_bridges import THREE_BRIDGES
from games.engine.three_bridges.actions import Action, act
from games.engine.three_bridges.cards import ALL_CARDS
from games.engine.three_bridges.state import State, lay
from tests.engine.three_bridges.table import STANDARD

VIEWERS: tuple[Any, ...] = (0, 1, "spectator")
SEEDS = range(40)

EVERY_ACTION: tuple[Any, ...] = tuple(
    THREE_BRIDGES.parse_action({"seat": seat, **payload})
    for seat in (0, 1)
    for payload in (
        *(
            {"type": kind, "card": card, "bridge": bridge}
            for kind in ("place", "extra")
            for card in ALL_CARDS
            for bridge in (1, 2, 3)
        ),
        *({"type": "name", "suit": suit} for suit in "HBLA"),
        *({"type": "turn", "side": side, "index": i} for side in (0, 1) for i in range(13)),
        *(
            {"type": "move", "bridge": bridge, "index": i}
            for bridge in (1, 2, 3)
            for i in range(13)
        ),
        {"type": "swap"},
        {"type": "skip"},
    )
)
"""Every action that anybody could ask for, but giving up."""


def new_game(rng: Random) -> State:
    piles = THREE_BRIDGES.deal(STANDARD, rng.randrange)
    state: State = THREE_BRIDGES.setup(Setup(STANDARD, rng.choice((0, 1)), piles))
    return state


def course(rng: Random) -> Iterator[tuple[State, Action, State]]:
    """Play a random game, step by step."""
    state = new_game(rng)
    while actions := THREE_BRIDGES.legal_actions(state):
        action = rng.choice(actions)
        after = THREE_BRIDGES.apply(state, action)
        yield state, action, after
        state = after


@pytest.mark.parametrize("seed", SEEDS)
def test_every_game_ends_with_every_card_in_one_place(seed: int) -> None:
    steps = list(course(Random(seed)))
    for before, _, after in steps:
        THREE_BRIDGES.check(before)
        THREE_BRIDGES.check(after)
        assert (THREE_BRIDGES.to_act(after) is None) == (THREE_BRIDGES.outcome(after) is not None)
        assert bool(THREE_BRIDGES.legal_actions(after)) == (THREE_BRIDGES.to_act(after) is not None)
    assert steps[-1][2].reason == "bridges"
    assert len(steps) <= 12 + 3 * 34  # places, and at most three questions a card


@pytest.mark.parametrize("seed", SEEDS[:10])
def test_legal_actions_are_those_that_are_not_refused(seed: int) -> None:
    for before, _, _ in course(Random(seed)):
        legal = THREE_BRIDGES.legal_actions(before)
        assert len(set(legal)) == len(legal)
        told = THREE_BRIDGES.state_json(before)
        taken, reasons = [], set()
        for action in EVERY_ACTION:
            try:
                THREE_BRIDGES.apply(before, action)
            except IllegalAction as refused:
                reasons.add(THREE_BRIDGES.meta.refusals[refused.code] % refused.params)
            else:
                taken.append(action)
        assert set(taken) == set(legal)
        assert all(reasons)
        assert THREE_BRIDGES.state_json(before) == told


@pytest.mark.parametrize("seed", SEEDS[:10])
def test_views_and_actions_survive_json(seed: int) -> None:
    for _, action, after in course(Random(seed)):
        for viewer in VIEWERS:
            view = THREE_BRIDGES.view(after, viewer)
            assert json.loads(json.dumps(view)) == view
        for one in (action, *THREE_BRIDGES.legal_actions(after)):
            written = json.loads(json.dumps(THREE_BRIDGES.action_json(one)))
            assert THREE_BRIDGES.parse_action(written) == one


@pytest.mark.parametrize("seed", SEEDS[:10])
def test_equal_states_are_equal_and_hash_alike(seed: int) -> None:
    once, again = (list(course(Random(seed))) for _ in range(2))
    assert once == again
    assert [hash(step) for step in once] == [hash(step) for step in again]


@pytest.mark.parametrize("seed", SEEDS[:10])
@pytest.mark.parametrize("kind", ["resign", "timeout"])
def test_either_seat_may_give_up_at_any_point(seed: int, kind: Any) -> None:
    for before, _, _ in course(Random(seed)):
        for seat in (0, 1):
            over = THREE_BRIDGES.apply(before, act(kind, seat))
            THREE_BRIDGES.check(over)
            assert (over.winner, over.turn, THREE_BRIDGES.legal_actions(over)) == (
                1 - seat,
                None,
                (),
            )


def permuted(state: State, viewer: Any, rng: Random) -> tuple[State, dict[str, str]]:
    """Exchange all cards that a viewer cannot know; tell which became which."""
    down = {
        laid.card
        for pair in state.rows
        for seat in (0, 1)
        for laid in pair[seat]
        if seat != viewer and not laid.face_up
    }
    hidden = sorted(
        {*state.deck[state.n_drawn :], *down}.union(
            *(state.hands[seat] for seat in (0, 1) if seat != viewer)
        )
    )
    to = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))
    hands = tuple(tuple(sorted(to.get(card, card) for card in hand)) for hand in state.hands)
    deck = tuple(to.get(card, card) for card in state.deck)
    rows = tuple(
        tuple(
            tuple(
                lay(to[laid.card], printed(to[laid.card]), face_up=False)
                if laid.card in down
                else laid
                for laid in row
            )
            for row in pair
        )
        for pair in state.rows
    )
    return replace(state, hands=hands, deck=deck, rows=rows), to


def printed(card: str) -> str | None:
    return None if card[0] == "C" else card[0]


@pytest.mark.parametrize("seed", SEEDS)
def test_permuting_hidden_cards_changes_nothing_for_the_viewer(seed: int) -> None:
    rng = Random(seed)
    taken: list[Any] = []
    for before, action, _ in course(Random(seed)):
        for viewer in VIEWERS:
            twin, to = permuted(before, viewer, rng)
            THREE_BRIDGES.check(twin)
            view = THREE_BRIDGES.view(before, viewer)
            assert json.dumps(view) == json.dumps(THREE_BRIDGES.view(twin, viewer))
            twin_taken = [swap_card(one, to) if is_hidden(one, before) else one for one in taken]
            told = THREE_BRIDGES.redact(before, taken, viewer)
            assert told == THREE_BRIDGES.redact(twin, twin_taken, viewer)
            if before.turn == viewer:
                assert before.hands[viewer] == twin.hands[viewer]
                legal = THREE_BRIDGES.legal_actions(before)
                assert legal == THREE_BRIDGES.legal_actions(twin)
                assert heard(before, action, viewer) == heard(twin, action, viewer)
            elif action.type == "place":
                twin_action = swap_card(action, to)
                assert heard(before, action, viewer) == heard(twin, twin_action, viewer)
        taken.append(action)


def swap_card(action: Any, to: dict[str, str]) -> Any:
    return replace(action, card=to.get(action.card, action.card))


def is_hidden(action: Any, state: State) -> bool:
    down = {laid.card for pair in state.rows for row in pair for laid in row if not laid.face_up}
    return action.type == "place" and action.card in down


def heard(state: State, action: Any, viewer: Any) -> list[Any]:
    """What a viewer is told, until another's card is turned up; own draws without the card."""
    told: list[Any] = []
    events: tuple[Event, ...] = THREE_BRIDGES.events(state, action, state)
    for event in events:
        if event.kind == "turned_up" and event.seat != viewer:
            break
        phrase = THREE_BRIDGES.describe(event, viewer, is_over=False)
        is_own_draw = event.kind in ("drew", "acorn_drew") and event.seat == viewer
        told.append(phrase.msgid if is_own_draw else phrase)
    return told


def test_deal_follows_the_numbers_alone() -> None:
    """With the highest number each time nothing moves; with 0 everything goes round."""
    still = dict(THREE_BRIDGES.deal(STANDARD, lambda n: n - 1))
    assert still["bridges"] == ("H7", "H8", "H9")
    assert still["deck"] == ALL_CARDS[3:]
    round_about = dict(THREE_BRIDGES.deal(STANDARD, lambda _: 0))
    assert round_about["bridges"] == ("H8", "H9", "HX")
    rest = tuple(card for card in ALL_CARDS if card not in round_about["bridges"])
    assert round_about["deck"] == (*rest[1:], rest[0])


def test_chronicler_is_never_dealt_as_a_bridge() -> None:
    rng = Random(7)
    for _ in range(200):
        bridges = dict(THREE_BRIDGES.deal(STANDARD, rng.randrange))["bridges"]
        assert {"C1", "C2"}.isdisjoint(bridges)
