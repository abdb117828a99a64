"""Sets the engine and the naive implementation side by side, on random positions and games.

A disagreement is an `AssertionError` that ends in a record or a position;
`python -m tests.engine.naive.compare` compares what is given to it so again.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from typing import Any

from games.engine.api import Json, Seat, Setup
from games.engine.errors import IllegalAction
from games.engine.records import write_record
from games.engine.registry import get_title
from games.engine.schotten_totten.cards import BIT, CARD_OF
from games.engine.schotten_totten.proof import Verdict, judge
from games.engine.schotten_totten.state import Stone
from tests.engine.naive.game import NaiveGame
from tests.engine.naive.strength import CLAN as CLAN_CARDS
from tests.engine.naive.strength import ELITE, TYPES, best_completion, claim_holds, worth_of

TITLE = get_title("schotten-totten")
RULESETS = TITLE.meta.rulesets


# Positions: one stone, seen by seat 0.


def random_position(rng: random.Random, *, mud_fight: bool) -> Json:
    """Draw a position in which seat 0's side is full, with few or many cards unseen."""
    size = 4 if mud_fight else 3
    cards = rng.sample(CLAN_CARDS, 54)
    if rng.random() < 0.4:
        # Cards of one colour, or next to each other in value, meet at a stone far more often in
        # play than by chance.
        colour, value = rng.choice("ROYGBP"), rng.randint(1, 9)
        cards.sort(key=lambda card: card[0] != colour and abs(int(card[1]) - value) > 1)
    n_theirs = rng.randint(0, size)
    sides = [cards[:size], cards[size : size + n_theirs]]
    rest = cards[size + n_theirs :]
    for troop in rng.sample(ELITE, rng.choice([0, 0, 0, 1, 1, 2, 3])):
        _put(rng, troop, sides[rng.randint(0, 1)])
    if rng.random() < 0.02:
        # One player can lay three: one Joker alone is anybody's.
        for troop in ("JA", "SP", "SB"):
            _put(rng, troop, sides[0])
    n_unseen = rng.choice([rng.randint(0, 6), rng.randint(0, len(rest)), len(rest)])
    return {
        "mine": sides[0],
        "theirs": sides[1],
        "mud_fight": mud_fight,
        "blind_mans_bluff": rng.random() < 0.1,
        "mine_first": rng.random() < 0.5,
        "unseen": rng.sample(rest, min(n_unseen, len(rest))),
    }


def _put(rng: random.Random, troop: str, side: list[str]) -> None:
    """Let an elite troop take the place of a clan card, where the side has one."""
    plain = [number for number, card in enumerate(side) if card not in ELITE]
    if plain and troop not in side:
        side[rng.choice(plain)] = troop


def stone_and_unseen(position: Json) -> tuple[Stone, int]:
    """Lay a position out as the engine has it."""
    sides = [tuple(CARD_OF[card] for card in position[key]) for key in ("mine", "theirs")]
    size = 4 if position["mud_fight"] else 3
    first: Seat | None = 0 if len(sides[1]) < size or position["mine_first"] else 1
    stone = Stone((sides[0], sides[1]), first, size, position["blind_mans_bluff"], ())
    return stone, sum(BIT[CARD_OF[card]] for card in position["unseen"])


def judged(position: Json) -> Verdict:
    """Ask the engine's prover."""
    stone, unseen = stone_and_unseen(position)
    return judge(stone, 0, unseen)


def compare_position(position: Json) -> None:
    """Raise `AssertionError` unless both give the same verdict for the same reason."""
    try:
        _compare_position(position)
    except Exception as error:
        raise AssertionError(f"{error!r} in {json.dumps(position)}") from error


def _compare_position(position: Json) -> None:
    verdict = judged(position)
    size, bluff = 4 if position["mud_fight"] else 3, position["blind_mans_bluff"]
    mine, theirs, unseen = position["mine"], position["theirs"], position["unseen"]
    holds = claim_holds(
        mine, theirs, size=size, bluff=bluff, unseen=unseen, mine_first=position["mine_first"]
    )
    told = f"the prover says {verdict}"
    assert verdict.holds == holds, told
    assert verdict.own == named(worth_of(mine, bluff)), told
    if len(theirs) == size:
        assert verdict.theirs == named(worth_of(theirs, bluff)), told
        assert holds or verdict.completion == tuple(theirs), told
        return
    best = best_completion(theirs, size, bluff, unseen)
    assert verdict.theirs == (named(best[0]) if best else None), told
    if best and not holds:
        assert verdict.completion == (*theirs, *best[1]), told
        assert verdict.added == tuple(best[1]), told


def named(worth: tuple[int, int]) -> tuple[str, int]:
    """Write a naive worth as type and sum."""
    return TYPES[worth[0]], worth[1]


def compare_positions(seed: int, count: int, *, mud_fight: bool = False) -> int:
    """Compare so many random positions; give how many there were."""
    rng = random.Random(seed)
    for _ in range(count):
        compare_position(random_position(rng, mud_fight=mud_fight))
    return count


# Games: every state and every set of legal actions, from the deal to the end.


def random_record(rng: random.Random, number: int) -> Json:
    """Deal a game of one of the rulesets; with tactics, sometimes most of the cards are gone."""
    ruleset = RULESETS[number % len(RULESETS)]
    setup = Setup(ruleset, rng.choice((0, 1)), TITLE.deal(ruleset, rng.randrange))
    return write_record(TITLE, setup, [])


def preference(rng: random.Random) -> dict[str, float]:
    """Draw how much this game's players like each type of action, so that games differ."""
    return {
        # Who never claims comes to two idle turns.
        "claim": rng.choice([0.0002, 1.0, 5.0]),
        "tactics": rng.choice([0.05, 1.0, 20.0]),
        "pass": rng.choice([1.0, 20.0]),
    }


def choose(rng: random.Random, legal: list[Json], likes: dict[str, float]) -> Json:
    """Choose a legal action by weight."""
    weights = [
        likes["tactics"]
        if action.get("card") in ("JA", "JB", "SP", "SB", "BB", "MF", "RE", "ST", "BA", "TR")
        else likes.get(action["type"], 1.0)
        for action in legal
    ]
    return rng.choices(legal, weights)[0]


def canonical(legal: list[Json]) -> Counter[frozenset[tuple[str, Any]]]:
    """Count legal actions, so that they can be compared in any order."""
    return Counter(frozenset(action.items()) for action in legal)


class GamePair:
    """One game played by both implementations."""

    def __init__(self, record: Json) -> None:
        self.record = record
        self.naive = NaiveGame(record)
        ruleset = next(r for r in RULESETS if r.as_json() == record["ruleset"])
        piles = tuple((k, tuple(record[k])) for k in ("deck", "tactics_deck") if k in record)
        self.state: Any = TITLE.setup(Setup(ruleset, record["first"], piles))

    def check(self) -> list[Json]:
        """Raise `AssertionError` where the two differ; give the legal actions."""
        told = self.naive.state()
        engine = TITLE.state_json(self.state)
        legal: list[Json] = engine.pop("legal")
        differing = {
            key: (engine.get(key), told.get(key))
            for key in engine.keys() | told.keys()
            if engine.get(key) != told.get(key)
        }
        assert not differing, differing
        naive_legal = self.naive.legal()
        assert canonical(legal) == canonical(naive_legal), f"{legal}; naive: {naive_legal}"
        return legal

    def do(self, action: Json) -> None:
        """Do an action in both."""
        self.record["actions"].append(action)
        self.naive.do(action)
        self.state = TITLE.apply(self.state, TITLE.parse_action(action))

    def check_refused(self, action: Json) -> None:
        """Raise `AssertionError` if the engine lets an action pass that is not legal."""
        try:
            TITLE.apply(self.state, TITLE.parse_action(action))
        except IllegalAction:
            return
        raise AssertionError(f"{action} was not refused")


def compare_game(rng: random.Random, number: int) -> str:
    """Play one random game in both, comparing after every action; say how it ended.

    Raises `AssertionError` with the record as far as they agree.
    """
    pair = GamePair(random_record(rng, number))
    try:
        return _play_game(rng, pair)
    except Exception as error:
        raise AssertionError(f"{error!r} in {json.dumps(pair.record)}") from error


def _play_game(rng: random.Random, pair: GamePair) -> str:
    likes = preference(rng)
    offered: list[Json] = []
    for _ in range(1000):
        legal = pair.check()
        if not legal:
            return "two idle turns" if pair.naive.idle == 2 else str(pair.naive.reason)
        if rng.random() < 0.0005:
            pair.do({"seat": rng.choice((0, 1)), "type": rng.choice(("resign", "timeout"))})
            continue
        if offered and (stale := rng.choice(offered)) not in legal:
            pair.check_refused(stale)
        offered = (offered + rng.sample(legal, min(3, len(legal))))[-200:]
        pair.do(choose(rng, legal, likes))
    raise AssertionError("the game does not end")


def compare_games(seed: int, count: int) -> Counter[str]:
    """Compare so many random games, of all rulesets in turn; count how they ended."""
    rng = random.Random(seed)
    return Counter(compare_game(rng, number) for number in range(count))


def compare_again(told: Json) -> None:
    """Compare a position once more, or a record action by action. Raises `AssertionError`."""
    if "unseen" in told:
        compare_position(told)
        return
    pair = GamePair({**told, "actions": []})
    pair.check()
    for action in told["actions"]:
        pair.do(action)
        pair.check()


if __name__ == "__main__":
    compare_again(json.load(sys.stdin))
