"""Complete games played by code, the same for the same seed: for tests and measurements."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, Final

from games.engine.api import AnyTitle, Json, Ruleset, Setup
from games.engine.records import write_record
from games.engine.shuffle import (
    NO_NONCE,
    Shuffle,
    Stream,
    commitment,
    deal_setup,
)

Policy = Callable[[AnyTitle, Any, Callable[[int], int]], Any]
"""Chooses one legal action of a state, with numbers below n if it wants some."""

N_ACTIONS_MAX: Final = 2_000
"""A game of any title ends long before this."""


def random_policy(title: AnyTitle, state: Any, below: Callable[[int], int]) -> Any:
    """Choose any legal action."""
    legal = title.legal_actions(state)
    return legal[below(len(legal))]


def bot_policy(choose: Callable[[Json], Json]) -> Policy:
    """Let a bot choose, which sees its seat's view and nothing else."""

    def policy(title: AnyTitle, state: Any, below: Callable[[int], int]) -> Any:
        seat = title.to_act(state)
        assert seat is not None
        return title.parse_action(choose(title.view(state, seat)))

    return policy


def play(title: AnyTitle, setup: Setup, policy: Policy, below: Callable[[int], int]) -> list[Any]:
    """Play one game to its end and give its actions."""
    state = title.setup(setup)
    actions: list[Any] = []
    while title.to_act(state) is not None:
        assert len(actions) < N_ACTIONS_MAX, "this game does not end"
        action = policy(title, state, below)
        state = title.apply(state, action)
        actions.append(action)
    return actions


def play_record(title: AnyTitle, ruleset: Ruleset, seed: int, number: int, policy: Policy) -> Json:
    """Play game `number` of a seed and write it as a finished record that can be verified."""
    drawn = f"marchstone-selfplay/1\n{title.meta.slug}\n{ruleset.slug}\n{seed}\n{number}"
    secret = hashlib.sha256(drawn.encode()).digest()
    nonces = (NO_NONCE, NO_NONCE)
    setup = deal_setup(title, ruleset, secret, nonces, 1)
    actions = play(title, setup, policy, Stream(hashlib.sha256(secret).digest()).below)
    return write_record(
        title,
        setup,
        [title.action_json(action) for action in actions],
        shuffle=Shuffle(commitment(secret), secret, nonces, 1, "lot").as_json(),
    )
