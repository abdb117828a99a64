"""Every Three Bridges line of the vectors: final states, legal sets, counts at every step."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games.engine.api import Setup
from games.engine.three_bridges import THREE_BRIDGES
from tests.engine.naive_three_bridges import naive_states
from tests.engine.three_bridges.table import STANDARD

VECTORS = Path(__file__).parents[2] / "fixtures" / "vectors"


def lines() -> Iterator[Any]:
    with (VECTORS / "games.jsonl").open() as file:
        for number, line in enumerate(file, start=1):
            vector = json.loads(line)
            if vector["record"]["game"] == "three-bridges":
                yield pytest.param(vector, id=f"{number}: {vector.get('guards', 'game')}")


LINES = list(lines())


def sorted_legal(state: Any) -> Any:
    state["legal"].sort(key=lambda action: json.dumps(action, sort_keys=True))
    return state


def states(record: Any) -> Iterator[Any]:
    piles = (("bridges", tuple(record["bridges"])), ("deck", tuple(record["deck"])))
    state = THREE_BRIDGES.setup(Setup(STANDARD, record["first"], piles))
    yield state
    for payload in record["actions"]:
        state = THREE_BRIDGES.apply(state, THREE_BRIDGES.parse_action(payload))
        yield state


@pytest.mark.parametrize("vector", LINES)
def test_vector(vector: Any) -> None:
    passed = list(states(vector["record"]))
    assert sorted_legal(THREE_BRIDGES.state_json(passed[-1])) == sorted_legal(vector["final"])
    counts = [len(THREE_BRIDGES.legal_actions(state)) for state in passed]
    assert counts == vector["legal_counts"]


@pytest.mark.parametrize("vector", LINES)
def test_naive_reference_reads_the_vectors_alike(vector: Any) -> None:
    passed = list(naive_states(vector["record"]))
    assert sorted_legal(passed[-1]) == sorted_legal(vector["final"])
    assert [len(state["legal"]) for state in passed] == vector["legal_counts"]


def test_vectors_were_found() -> None:
    assert len(LINES) == 30
