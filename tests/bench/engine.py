"""Measures the engine beside the naive implementation, in one process: `make bench`.

Complete random games a second, base rules with claims by proof, through the public contract;
and prover questions a second on varied positions. Each number is the median of the rounds; the
two implementations take turns and processor time is counted, so that a busy machine does not
matter much.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from typing import Any

from games.engine.api import Json, Setup
from games.engine.records import write_record
from games.engine.registry import get_ruleset, get_title
from games.engine.schotten_totten.formations import strength_of
from games.engine.schotten_totten.proof import holds, judge, outline_of
from tests.engine.naive.compare import random_position, stone_and_unseen
from tests.engine.naive.game import NaiveGame
from tests.engine.naive.strength import claim_holds, worth

TITLE = get_title("schotten-totten")
RULESET = get_ruleset("schotten-totten", "after-play")
ROUNDS = 5
N_GAMES = 400
N_NAIVE_GAMES = 4
N_QUESTIONS = 20_000
N_NAIVE_QUESTIONS = 200


def deals(count: int) -> list[Setup]:
    """Deal games, the same every time."""
    rng = random.Random(1)
    return [Setup(RULESET, 0, TITLE.deal(RULESET, rng.randrange)) for _ in range(count)]


def play_games(setups: list[Setup], draw: Callable[[], float]) -> int:
    """Play games to their ends with the engine; give the number of actions."""
    legal_actions, apply = TITLE.legal_actions, TITLE.apply
    played = 0
    for setup in setups:
        state = TITLE.setup(setup)
        while actions := legal_actions(state):
            state = apply(state, actions[int(draw() * len(actions))])
            played += 1
    return played


def play_naive_games(records: list[Json], draw: Callable[[], float]) -> int:
    """Play games to their ends with the naive implementation; give the number of actions."""
    played = 0
    for record in records:
        game = NaiveGame(record)
        while actions := game.legal():
            game.do(actions[int(draw() * len(actions))])
            played += 1
    return played


def per_second(run: Callable[[], Any], count: int) -> float:
    """Time one run of `count` things."""
    start = time.process_time()
    run()
    return count / (time.process_time() - start)


def compared(
    name: str, engine: Callable[[], Any], n: int, naive: Callable[[], Any], n_naive: int
) -> None:
    """Time both in turns and print their medians and ratio."""
    fast, slow = [], []
    for _ in range(ROUNDS):
        fast.append(per_second(engine, n))
        slow.append(per_second(naive, n_naive))
    told, beside = statistics.median(fast), statistics.median(slow)
    print(f"{name:<44}{told:>12,.0f} /s{beside:>12,.1f} /s{told / beside:>10,.0f} x")


def bench_games() -> None:
    """Time complete random games."""
    setups = deals(N_GAMES)
    records = [write_record(TITLE, setup, []) for setup in setups[:N_NAIVE_GAMES]]
    draw, naive_draw = random.Random(2).random, random.Random(2).random
    compared(
        "complete random games",
        lambda: play_games(setups, draw),
        N_GAMES,
        lambda: play_naive_games(records, naive_draw),
        N_NAIVE_GAMES,
    )


def bench_prover() -> None:
    """Time the prover on varied positions: all sizes of sides, elite troops, the Bluff."""
    rng = random.Random(3)
    told = [random_position(rng, mud_fight=False) for _ in range(N_QUESTIONS)]
    questions = [(stone, 0, unseen) for stone, unseen in map(stone_and_unseen, told)]
    few = told[:N_NAIVE_QUESTIONS]

    def ask_naive() -> None:
        worth.cache_clear()
        for position in few:
            claim_holds(
                position["mine"],
                position["theirs"],
                size=3,
                bluff=position["blind_mans_bluff"],
                unseen=position["unseen"],
                mine_first=position["mine_first"],
            )

    def ask(prover: Callable[..., Any]) -> Callable[[], None]:
        def run() -> None:
            for stone, seat, unseen in questions:
                prover(stone, seat, unseen)

        return run

    def ask_cold() -> None:
        strength_of.cache_clear()
        outline_of.cache_clear()
        ask(holds)()

    for name, run in (
        ("prover: yes or no", ask(holds)),
        ("prover: with reasons and completion", ask(judge)),
        ("prover: yes or no, tables empty at first", ask_cold),
    ):
        compared(name, run, N_QUESTIONS, ask_naive, N_NAIVE_QUESTIONS)


def main() -> None:
    """Print the table."""
    print(f"{'':<44}{'engine':>15}{'naive':>15}{'ratio':>12}")
    bench_games()
    bench_prover()


if __name__ == "__main__":
    main()
