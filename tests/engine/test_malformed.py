"""Bad input to the command line: each gives exit code 2 and one line, and says what is wrong."""

from __future__ import annotations

import copy
import json
import subprocess
import sys

import pytest

from games.engine.errors import MalformedRecord
from games.engine.records import apply_payload, parse_record
from tests.engine.command_line import run
from tests.engine.positions import TITLE, claim, position
from tests.engine.test_vectors import GAMES


def record_of(game, **options):
    return next(
        line["record"]
        for line in GAMES
        if line["record"]["game"] == game
        and all(line["record"]["ruleset"].get(key) == value for key, value in options.items())
    )


BASE = record_of("schotten-totten", claims="after_play", tactics=False)
TACTICS = record_of("schotten-totten", tactics=True)
BRIDGES = record_of("three-bridges")
DEEP = 100_000
PLAY = {"seat": BASE["first"], "type": "play", "card": "R7", "stone": 3}


def changed(record, **keys):
    """Give the record with these keys, `...` taking one away."""
    copied = {**copy.deepcopy(record), **keys}
    return {key: value for key, value in copied.items() if value is not ...}


def first_action(record, **keys):
    """Give the record with its first action changed so."""
    actions = copy.deepcopy(record["actions"])
    actions[0] = {k: v for k, v in {**actions[0], **keys}.items() if v is not ...}
    return {**record, "actions": actions}


def swapped(pile, at, code):
    return [*pile[:at], code, *pile[at + 1 :]]


TEXTS = {
    "nothing": b"",
    "blanks": b"  \n ",
    "not JSON": b"record",
    "half an object": b'{"format": "marchstone-record/1"',
    "two values": b"{} {}",
    "single quotes": b"{'format': 1}",
    "a trailing comma": json.dumps(BASE).encode()[:-1] + b",}",
    "a comment": b"// record\n" + json.dumps(BASE).encode(),
    "not UTF-8": json.dumps(BASE).encode().replace(b"R7", b"\xff7", 1),
    "UTF-16": json.dumps(BASE).encode("utf-16"),
    "a byte order mark": b"\xef\xbb\xbf" + json.dumps(BASE).encode(),
    "NaN": json.dumps({**BASE, "spent": float("nan")}).encode(),
    "Infinity": json.dumps({**BASE, "spent": float("inf")}).encode(),
    "a list nested deep": b"[" * DEEP + b"]" * DEEP,
    "an object nested deep": b'{"a":' * DEEP + b"1" + b"}" * DEEP,
    "a ruleset nested deep": json.dumps({**BASE, "ruleset": "?"})
    .replace('"?"', "[" * DEEP + "]" * DEEP)
    .encode(),
    "a number of 5,000 digits": json.dumps({**BASE, "first": "?"})
    .replace('"?"', "9" * 5_000)
    .encode(),
    "a key twice": json.dumps(BASE).encode()[:-1] + b', "first": 1}',
    "a key twice in an action": json.dumps(changed(BASE, actions="?"))
    .replace('"?"', '[{"seat": 0, "type": "pass", "type": "end"}]')
    .encode(),
    "a null byte": json.dumps(BASE).encode() + b"\0",
}

RECORDS = {
    "a list": [BASE],
    "text": "record",
    "a number": 7,
    "null": None,
    "true": True,
    "an empty object": {},
    "no format": changed(BASE, format=...),
    "another format": changed(BASE, format="marchstone-record/2"),
    "a format that is a list": changed(BASE, format=["marchstone-record/1"]),
    "no game": changed(BASE, game=...),
    "an unknown game": changed(BASE, game="chess"),
    "a game that is a number": changed(BASE, game=1),
    "a game that is an object": changed(BASE, game={"schotten-totten": 1}),
    "another game's deal": changed(BASE, game="three-bridges", ruleset={}),
    "no ruleset": changed(BASE, ruleset=...),
    "a ruleset that is text": changed(BASE, ruleset="after_play"),
    "a ruleset that is a list": changed(BASE, ruleset=[["claims", "after_play"]]),
    "an empty ruleset": changed(BASE, ruleset={}),
    "a ruleset without tactics": changed(BASE, ruleset={"claims": "after_play"}),
    "a ruleset without claims": changed(BASE, ruleset={"tactics": False}),
    "tactics that are 0": changed(BASE, ruleset={"claims": "after_play", "tactics": 0}),
    "tactics that are text": changed(BASE, ruleset={"claims": "after_play", "tactics": "no"}),
    "unknown claims": changed(BASE, ruleset={"claims": "never", "tactics": False}),
    "an unknown option": changed(BASE, ruleset={**BASE["ruleset"], "stones": 9}),
    "an option of Three Bridges": changed(BRIDGES, ruleset={"tactics": False}),
    "no first": changed(BASE, first=...),
    "first is 2": changed(BASE, first=2),
    "first is -1": changed(BASE, first=-1),
    "first is true": changed(BASE, first=True),
    "first is text": changed(BASE, first="0"),
    "first is 0.0": changed(BASE, first=0.0),
    "first is null": changed(BASE, first=None),
    "first is huge": changed(BASE, first=10**400),
    "no deck": changed(BASE, deck=...),
    "a deck that is text": changed(BASE, deck=" ".join(BASE["deck"])),
    "a deck that is an object": changed(BASE, deck=dict.fromkeys(BASE["deck"], 1)),
    "an empty deck": changed(BASE, deck=[]),
    "a deck with a card too few": changed(BASE, deck=BASE["deck"][1:]),
    "a deck with a card twice": changed(BASE, deck=swapped(BASE["deck"], 0, BASE["deck"][1])),
    "a deck with a card too many": changed(BASE, deck=[*BASE["deck"], "R1"]),
    "a deck with an unknown card": changed(BASE, deck=swapped(BASE["deck"], 5, "R10")),
    "a deck with a card in small letters": changed(BASE, deck=[c.lower() for c in BASE["deck"]]),
    "a deck with a tactics card": changed(BASE, deck=swapped(BASE["deck"], 5, "JA")),
    "a deck with a number": changed(BASE, deck=swapped(BASE["deck"], 5, 7)),
    "a deck with null": changed(BASE, deck=swapped(BASE["deck"], 5, None)),
    "a deck with a list": changed(BASE, deck=swapped(BASE["deck"], 5, ["R7"])),
    "a tactics deck without tactics": changed(BASE, tactics_deck=TACTICS["tactics_deck"]),
    "a tactics deck that is null": changed(BASE, tactics_deck=None),
    "no tactics deck with tactics": changed(TACTICS, tactics_deck=...),
    "a tactics deck of nine": changed(TACTICS, tactics_deck=TACTICS["tactics_deck"][1:]),
    "a tactics deck with a clan card": changed(
        TACTICS, tactics_deck=swapped(TACTICS["tactics_deck"], 0, "R1")
    ),
    "bridges in Schotten Totten": changed(BASE, bridges=BRIDGES["bridges"]),
    "no bridges in Three Bridges": changed(BRIDGES, bridges=...),
    "two bridges": changed(BRIDGES, bridges=BRIDGES["bridges"][:2]),
    "a bridge that is in the deck": changed(
        BRIDGES, bridges=swapped(BRIDGES["bridges"], 0, BRIDGES["deck"][0])
    ),
    "a Chronicler as a bridge": changed(
        BRIDGES,
        bridges=swapped(BRIDGES["bridges"], 0, "C1"),
        deck=[BRIDGES["bridges"][0] if card == "C1" else card for card in BRIDGES["deck"]],
    ),
    "no actions": changed(BASE, actions=...),
    "actions that are an object": changed(BASE, actions={"0": BASE["actions"][0]}),
    "actions that are null": changed(BASE, actions=None),
    "actions beyond all games": changed(BASE, actions=BASE["actions"] * 500),
}

BAD_ACTIONS = {
    "an action that is null": changed(BASE, actions=[None]),
    "an action that is text": changed(BASE, actions=["pass"]),
    "an action that is a list": changed(BASE, actions=[["play", "R7", 3]]),
    "an empty action": changed(BASE, actions=[{}]),
    "no seat": first_action(BASE, seat=...),
    "a seat that is true": first_action(BASE, seat=True),
    "a seat that is text": first_action(BASE, seat="0"),
    "a seat that is 0.0": first_action(BASE, seat=0.0),
    "a seat that is 2": first_action(BASE, seat=2),
    "the other seat": first_action(BASE, seat=1 - BASE["first"]),
    "no type": first_action(BASE, type=...),
    "an unknown type": first_action(BASE, type="dance"),
    "a type in capitals": first_action(BASE, type="PLAY"),
    "a type that is a list": first_action(BASE, type=["play"]),
    "a type that is null": first_action(BASE, type=None),
    "a type of Three Bridges": first_action(BASE, type="place"),
    "no card": first_action(BASE, card=...),
    "a card that is a number": first_action(BASE, card=7),
    "a card that is an object": first_action(BASE, card={"R7": 1}),
    "a card with a blank": first_action(BASE, card="R7 "),
    "a card that is not in hand": first_action(BASE, card=BASE["deck"][-1]),
    "a tactics card without tactics": first_action(BASE, card="JA"),
    "a ruse without tactics": first_action(BASE, card="RE"),
    "no stone": first_action(BASE, stone=...),
    "stone 0": first_action(BASE, stone=0),
    "stone 10": first_action(BASE, stone=10),
    "stone -1": first_action(BASE, stone=-1),
    "a stone that is text": first_action(BASE, stone="3"),
    "a stone that is 1e1": first_action(BASE, stone=1e1),
    "a stone that is 3.0": first_action(BASE, stone=3.0),
    "a stone that is true": first_action(BASE, stone=True),
    "a stone that is null": first_action(BASE, stone=None),
    "a huge stone": first_action(BASE, stone=10**400),
    "a draw from nowhere": first_action(BASE, type="draw"),
    "a draw from a number": first_action(BASE, type="draw", **{"from": 1}),
    "a draw from a list": first_action(BASE, type="draw", **{"from": ["clan"]}),
    "a draw before the play": first_action(BASE, type="draw", **{"from": "clan"}),
    "a pass where a card fits": first_action(BASE, type="pass"),
    "an end before the play": first_action(BASE, type="end"),
    "a claim of an empty stone": first_action(BASE, type="claim"),
    "a return without a Recruiter": first_action(BASE, type="return"),
    "a Strategist without a target": first_action(TACTICS, card="ST", to=None),
    "a Strategist to nowhere": first_action(TACTICS, card="ST", take="R7"),
    "a Strategist to text": first_action(TACTICS, card="ST", take="R7", to="5"),
    "a Traitor to null": first_action(TACTICS, card="TR", take="R7", to=None),
    "a Banshee that takes a number": first_action(TACTICS, card="BA", take=7),
    "a bridge that is text": first_action(BRIDGES, bridge="1"),
    "a bridge that is true": first_action(BRIDGES, bridge=True),
    "bridge 4": first_action(BRIDGES, bridge=4),
    "a card of the other game": first_action(BRIDGES, card="R7"),
}

ALL = TEXTS | {
    name: json.dumps(record).encode() for name, record in {**RECORDS, **BAD_ACTIONS}.items()
}


@pytest.mark.parametrize("text", ALL.values(), ids=ALL)
def test_malformed_record_gives_exit_code_2_and_one_line(text):
    ran = run("replay", "-", data=text)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.endswith("\n")
    assert ran.err.count("\n") == 1
    assert ran.err[:-1].isprintable()
    assert len(ran.err) < 250
    assert "Traceback" not in ran.err


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("nothing", "not JSON: Expecting value at line 1, column 1"),
        ("not UTF-8", "not JSON: not in UTF-8"),
        ("NaN", "not JSON: NaN is no number"),
        ("a number of 5,000 digits", "not a record: a number is too long"),
        ("a key twice", "not a record: a key stands twice in one object"),
        ("a key twice in an action", "not a record: a key stands twice in one object"),
        ("a list", "a record must be an object"),
        ("an unknown game", "unknown game 'chess'"),
        ("first is true", "first must be 0 or 1, not True"),
        ("tactics that are 0", "ruleset: tactics must be false or true, not 0"),
        ("a deck with a card too few", f"deck: card {BASE['deck'][0]} is missing"),
        ("a deck with a card twice", f"deck: card {BASE['deck'][1]} is there twice"),
        ("a deck with an unknown card", "deck: unknown card 'R10'"),
        ("a tactics deck without tactics", "tactics_deck: this ruleset has no such pile"),
        ("a stone that is true", "action 0: stone must be a stone from 1 to 9, not True"),
        ("no seat", "action 0: seat is missing"),
        ("a Strategist to nowhere", "action 0: to is missing"),
        ("a Traitor to null", "action 0: to must be a stone from 1 to 9, not None"),
        ("the other seat", "action 0: not_your_turn: It is not your turn."),
    ],
)
def test_what_is_wrong_is_said(name, told):
    assert run("replay", "-", data=ALL[name]).err == f"{told}\n"


@pytest.mark.parametrize("record", BAD_ACTIONS.values(), ids=BAD_ACTIONS)
def test_bad_action_is_named_by_its_index(record):
    assert run("replay", "-", data=json.dumps(record)).err.startswith("action 0: ")


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
def test_fault_outside_the_actions_names_no_action(record):
    ran = run("replay", "--jsonl", "-", data=json.dumps(record) + "\n")
    assert json.loads(ran.out)["action"] is None
    assert ran.code == 0


def test_an_action_after_the_end_is_bad():
    record = changed(BASE, actions=[*BASE["actions"], BASE["actions"][-1]])
    ran = run("replay", "-", data=json.dumps(record))
    assert ran.err == f"action {len(BASE['actions'])}: game_over: The game is over.\n"


def test_further_keys_are_kept_and_not_interpreted():
    further = {"players": ["Ann", "Bob"], "date": "2026-11-30", "event": {"name": None}}
    record = first_action({**BASE, **further}, time_s=12.5, note="well")
    assert run("replay", "-", data=json.dumps(record)).code == 0
    assert parse_record(record).further == further


def test_a_claim_that_does_not_hold_is_told_with_the_cards_that_beat_it():
    state = position({5: ("R6 R7 R8", "")}, phase="end")
    with pytest.raises(MalformedRecord) as caught:
        apply_payload(TITLE, state, {"seat": 0, **claim(5)}, 17)
    assert caught.value.action == 17
    assert caught.value.message == (
        "claim_not_proven: Stone 5 cannot be claimed yet: O7 O8 O9 could still beat your side."
    )


def test_a_real_process_survives_depth():
    command = [sys.executable, "-m", "games.engine", "replay", "-"]
    ran = subprocess.run(command, input=TEXTS["a list nested deep"], capture_output=True)
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert ran.stderr == b"not a record: nested too deep\n"
