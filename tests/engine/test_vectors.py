"""Every line of the conformance vectors, through the registry: a title that is there is tested."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from games.engine.api import Setup
from games.engine.records import parse_record
from games.engine.registry import TITLES, get_title
from games.engine.schotten_totten.cards import BIT, CARD_OF, CLAN, N_CLAN
from games.engine.schotten_totten.proof import formation_of, judge
from games.engine.schotten_totten.state import Stone
from games.engine.shuffle import Stream, commitment, deal_setup, seed

VECTORS = Path(__file__).parents[1] / "fixtures" / "vectors"
POSITIONS = json.loads((VECTORS / "positions.json").read_text())
GAMES = [json.loads(line) for line in (VECTORS / "games.jsonl").read_text().splitlines()]
SHUFFLES = json.loads((VECTORS / "shuffles.json").read_text())


def asked(ask):
    return [pytest.param(p, id=f"{p['id']} {p['why']}") for p in POSITIONS if p["ask"] == ask]


def cards(codes):
    return tuple(CARD_OF[code] for code in codes)


def verdict_of(position):
    mine, theirs = cards(position["mine"]), cards(position["theirs"])
    face_up = {*mine, *theirs, *cards(position["visible_elsewhere"])}
    seen = sum(BIT[card] for card in face_up if card < N_CLAN)
    first = {"mine": 0, "theirs": 1, None: None}[position.get("completed_first")]
    size = 4 if position["mud_fight"] else 3
    stone = Stone((mine, theirs), first, size, position["blind_mans_bluff"], ())
    return judge(stone, 0, CLAN & ~seen)


@pytest.mark.parametrize("position", asked("best"))
def test_best_reading(position):
    read = formation_of(cards(position["mine"]), position["blind_mans_bluff"])
    assert list(read) == position["expect"]


@pytest.mark.parametrize("position", asked("winner"))
def test_winner_of_two_full_sides(position):
    assert ("mine" if verdict_of(position).holds else "theirs") == position["expect"]


@pytest.mark.parametrize("position", asked("claim"))
def test_claim(position):
    assert verdict_of(position).holds == position["expect"]


def in_any_order(state):
    key = lambda action: json.dumps(action, sort_keys=True)  # noqa: E731
    return {**state, "legal": sorted(state["legal"], key=key)}


def games():
    for number, line in enumerate(GAMES, start=1):
        if line["record"]["game"] in TITLES:
            yield pytest.param(line, id=f"{number} {line.get('guards', 'game')}")


@pytest.mark.parametrize("line", list(games()))
def test_game(line):
    record = parse_record(line["record"])
    states = list(record.states())
    assert in_any_order(record.title.state_json(states[-1])) == in_any_order(line["final"])
    counts = [len(record.title.legal_actions(state)) for state in states]
    assert counts == line["legal_counts"]
    for state in states:
        record.title.check(state)


def shuffle_rulesets():
    for number, line in enumerate(SHUFFLES):
        for ruleset in get_title(line["game"]).meta.rulesets if line["game"] in TITLES else ():
            if dict(ruleset.options).get("tactics", False) == line["tactics"]:
                yield pytest.param(line, ruleset, id=f"{number} {ruleset.slug}")


@pytest.mark.parametrize(("line", "ruleset"), list(shuffle_rulesets()))
def test_shuffle(line, ruleset):
    secret = bytes.fromhex(line["secret"])
    nonces = (bytes.fromhex(line["nonces"][0]), bytes.fromhex(line["nonces"][1]))
    assert commitment(secret) == line["commitment"]
    setup = deal_setup(get_title(line["game"]), ruleset, secret, nonces, line["round"])
    piles = {key: list(pile) for key, pile in setup.piles}
    assert {"lot": setup.first, **piles} == line["deal"]
    assert isinstance(setup, Setup)
    assert len(seed(secret, nonces, line["round"])) == 32


def test_a_word_beyond_the_last_whole_range_is_rejected():
    stream = Stream(bytes(32))
    words = iter([0xFFFFFFFF, 5])
    stream.word = lambda: next(words)
    assert stream.below(3) == 2


def test_the_vectors_are_all_there():
    assert len(POSITIONS) == 107
    assert len(GAMES) == 113
    assert len(SHUFFLES) == 11
