"""The engine and the naive reference, side by side over random games.

`FUZZ_GAMES` says how many games, `FUZZ_SEED` which; a disagreement prints a record that replays it.
"""

from __future__ import annotations

import json
import os
from random import Random
from typing import Any

import pytest

from games.engine.api import Setup
from games.engine.three_bridges import THREE_BRIDGES
from games.engine.three_bridges.scoring import explain, half_points
from tests.engine.naive_three_bridges import seen_by, tell
from tests.engine.three_bridges.table import STANDARD

N_GAMES = int(os.environ.get("FUZZ_GAMES", "300"))
SEED = int(os.environ.get("FUZZ_SEED", "1"))
N_BATCHES = 10


def alike(state: Any) -> Any:
    """Put legal actions in one order, so that states can be compared."""
    key = lambda action: sorted((name, str(value)) for name, value in action.items())  # noqa: E731
    return {**state, "legal": sorted(state["legal"], key=key)}


def new_record(rng: Random) -> dict[str, Any]:
    piles = THREE_BRIDGES.deal(STANDARD, rng.randrange)
    return {
        "format": "marchstone-record/1",
        "game": "three-bridges",
        "ruleset": {},
        "first": rng.choice((0, 1)),
        **{key: list(pile) for key, pile in piles},
        "actions": [],
    }


def compare(rng: Random, record: dict[str, Any]) -> None:
    """Play one random game in both; now and then somebody gives up."""
    piles = tuple((key, tuple(record[key])) for key in ("bridges", "deck"))
    state = THREE_BRIDGES.setup(Setup(STANDARD, record["first"], piles))
    story = tell(record)
    theirs = next(story)
    while True:
        assert alike(THREE_BRIDGES.state_json(state)) == alike(theirs)
        for viewer in (0, 1, "spectator"):
            assert alike(THREE_BRIDGES.view(state, viewer)) == alike(seen_by(theirs, viewer))
        if theirs["phase"] == "over":
            break
        action = rng.choice(theirs["legal"])
        if rng.random() < 0.005:
            action = {"seat": rng.choice((0, 1)), "type": rng.choice(("resign", "timeout"))}
        record["actions"].append(action)
        state = THREE_BRIDGES.apply(state, THREE_BRIDGES.parse_action(action))
        theirs = story.send(action)
    for told, counted in zip(explain(state.bridges, state.rows), half_points(state), strict=True):
        assert (told[0].total, told[1].total) == counted


@pytest.mark.parametrize("batch", range(N_BATCHES))
def test_engine_agrees_with_the_naive_reference(batch: int) -> None:
    for number in range(batch, N_GAMES, N_BATCHES):
        rng = Random(f"three-bridges {SEED} {number}")
        record = new_record(rng)
        try:
            compare(rng, record)
        except Exception as disagreement:
            pytest.fail(f"{disagreement}\nreplay with: {json.dumps(record)}")
