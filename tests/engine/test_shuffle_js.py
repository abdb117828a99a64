"""The verifier of shuffles in JavaScript, static/js/verify-shuffle.mjs, run by Node."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.engine.records import write_record
from games.engine.registry import TITLES
from games.engine.shuffle import Shuffle, commitment, deal_setup
from tests.engine.command_line import run

pytestmark = pytest.mark.node

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "static" / "js" / "verify-shuffle.mjs"
PLAY = "play: not checked, python -m games.engine verify does that\n"
CHECKED = f"checked: commitment, bridges, deck, first\n{PLAY}"
VECTORS = json.loads((ROOT / "tests/fixtures/vectors/shuffles.json").read_text())

CRYPTO = pytest.mark.parametrize("web_crypto", [True, False], ids=["Web Crypto", "own SHA-256"])


def node(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["node", *arguments], input=stdin, capture_output=True, text=True, check=False, timeout=60
    )


def evaluate(code: str, told: Any, *, web_crypto: bool = True) -> Any:
    """Run code that gets the module as `verifier` and JSON as `told`; give what it returns."""
    program = f"""
        import {{ readFileSync }} from "node:fs";
        if (!{json.dumps(web_crypto)}) {{
            Object.defineProperty(globalThis, "crypto", {{ value: undefined }});
        }}
        const verifier = await import({json.dumps(SCRIPT.as_uri())});
        const told = JSON.parse(readFileSync(0, "utf8"));
        const answer = await (async () => {{ {code} }})();
        console.log(JSON.stringify(answer));
    """
    done = node("--input-type=module", "--eval", program, stdin=json.dumps(told))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def ruleset_of(vector: dict[str, Any]) -> dict[str, Any]:
    if vector["game"] == "three-bridges":
        return {}
    return {"claims": "after_play", "tactics": vector["tactics"]}


@CRYPTO
def test_vectors(web_crypto: bool) -> None:
    told = [{**vector, "ruleset": ruleset_of(vector)} for vector in VECTORS]
    deals = evaluate(
        "return Promise.all(told.map(verifier.recompute));", told, web_crypto=web_crypto
    )
    assert deals == [{"commitment": v["commitment"], **v["deal"]} for v in VECTORS]


def test_words_that_would_favour_a_number_are_rejected() -> None:
    number = evaluate("return verifier.numberBelow(3, () => told.shift());", [0xFFFFFFFF, 5])
    assert number == 2


@pytest.mark.parametrize(
    ("words", "n", "number"),
    [
        ([0xFFFFFFFE], 3, 2),
        ([0], 3, 0),
        ([0xFFFFFFFF], 2, 1),
        ([0xFFFFFFFF], 1, 0),
        ([4294967274, 7], 54, 7),
        ([4294967273], 54, 53),
    ],
)
def test_numbers_at_the_edges(words: list[int], n: int, number: int) -> None:
    code = "const [words, n] = told; return verifier.numberBelow(n, () => words.shift());"
    assert evaluate(code, [words, n]) == number


def test_own_sha256_is_sha256() -> None:
    messages = [bytes(Random(length).randbytes(length)) for length in (*range(131), 1000, 5000)]
    code = """
        return told.map((hex) => {
            const bytes = Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));
            return Array.from(verifier.ownSha256(bytes));
        });
    """
    digests = evaluate(code, [message.hex() for message in messages])
    assert [bytes(digest) for digest in digests] == [
        hashlib.sha256(message).digest() for message in messages
    ]


def records() -> list[Any]:
    """A finished record of every ruleset, resigned at once."""
    made = []
    for title in TITLES.values():
        for ruleset in title.meta.rulesets:
            rng = Random(f"{title.meta.slug} {ruleset.slug}")
            nonces = (rng.randbytes(16), rng.randbytes(16))
            shuffle = Shuffle(
                commitment=commitment(secret := rng.randbytes(32)),
                secret=secret,
                nonces=nonces,
                round_number=rng.randrange(1, 10),
                starter="lot",
            )
            setup = deal_setup(title, ruleset, secret, nonces, shuffle.round_number)
            resigned = [{"seat": 0, "type": "resign"}]
            made.append(write_record(title, setup, resigned, shuffle=shuffle.as_json()))
    return made


@CRYPTO
def test_records_of_the_engine_hold(web_crypto: bool) -> None:
    checked = evaluate(
        "return Promise.all(told.map(verifier.verifyRecord));", records(), web_crypto=web_crypto
    )
    assert len(checked) == sum(len(title.meta.rulesets) for title in TITLES.values())
    for record, answer in zip(records(), checked, strict=True):
        piles = {"deck", "tactics_deck", "bridges"} & record.keys()
        assert answer == dict.fromkeys({"commitment", "first", *piles}, True)


def three_bridges() -> Any:
    return next(record for record in records() if record["game"] == "three-bridges")


class TestCommandLine:
    def test_good_record(self, tmp_path: Path) -> None:
        file = tmp_path / "record.json"
        file.write_text(json.dumps(three_bridges()))
        done = node(str(SCRIPT), str(file))
        assert (done.returncode, done.stdout) == (
            0,
            CHECKED,
        )

    def test_standard_input(self) -> None:
        assert node(str(SCRIPT), "-", stdin=json.dumps(three_bridges())).returncode == 0

    def test_agreed_starter_is_not_checked(self) -> None:
        record = three_bridges()
        record["shuffle"]["starter"] = "agreed"
        record["first"] = 1 - record["first"]
        done = node(str(SCRIPT), "-", stdin=json.dumps(record))
        assert done.returncode == 0
        assert done.stdout == (
            f"checked: commitment, bridges, deck\nfirst: not checked, it was agreed\n{PLAY}"
        )

    @pytest.mark.parametrize(
        ("key", "value", "differs"),
        [
            ("first", lambda old: 1 - old, "first"),
            ("deck", lambda old: [old[1], old[0], *old[2:]], "deck"),
            ("bridges", lambda old: old[::-1], "bridges"),
        ],
    )
    def test_other_deal(self, key: str, value: Any, differs: str) -> None:
        record = three_bridges()
        record[key] = value(record[key])
        done = node(str(SCRIPT), "-", stdin=json.dumps(record))
        assert (done.returncode, done.stdout) == (1, f"differs: {differs}\n")

    @pytest.mark.parametrize(
        ("key", "value", "differs"),
        [
            ("commitment", "0" * 64, "commitment"),
            ("secret", "0" * 64, "commitment, bridges, deck"),
            ("nonces", ["0" * 32, "0" * 32], "bridges, deck"),
            ("round", 11, "bridges, deck"),
        ],
    )
    def test_other_shuffle(self, key: str, value: Any, differs: str) -> None:
        record = three_bridges()
        record["shuffle"] |= {key: value, "starter": "agreed"}
        done = node(str(SCRIPT), "-", stdin=json.dumps(record))
        told = f"differs: {differs}\nfirst: not checked, it was agreed\n"
        assert (done.returncode, done.stdout) == (1, told)

    @pytest.mark.parametrize(
        ("changes", "complaint"),
        [
            ({"format": "other/1"}, 'format must be "marchstone-record/1"'),
            ({"game": "chess"}, "unknown game"),
            ({"game": "toString"}, "unknown game"),
            ({"ruleset": {"tactics": True}}, "unknown ruleset"),
            ({"ruleset": None}, "unknown ruleset"),
            ({"first": "0"}, "first must be 0 or 1"),
            ({"deck": "HX"}, "deck must be a list of cards"),
            ({"bridges": [1, 2, 3]}, "bridges must be a list of cards"),
            ({"bridges": ["HX,B7,L8"]}, "bridges must hold 3 cards"),
            ({"actions": None}, "actions must be a list"),
            ({"tactics_deck": []}, "tactics_deck is out of place"),
            ({"shuffle": None}, "shuffle must be an object"),
        ],
    )
    def test_bad_record(self, changes: dict[str, Any], complaint: str) -> None:
        self.refused(json.dumps({**three_bridges(), **changes}), complaint)

    @pytest.mark.parametrize(
        ("changes", "complaint"),
        [
            ({"scheme": "dice"}, 'shuffle: scheme must be "marchstone-shuffle/1"'),
            ({"secret": "AB" * 32}, "shuffle: secret must be 32 bytes in lower-case hex"),
            ({"secret": 7}, "shuffle: secret must be 32 bytes in lower-case hex"),
            ({"commitment": ""}, "shuffle: commitment must be 32 bytes in lower-case hex"),
            ({"nonces": ["0" * 32]}, "shuffle: nonces must be two"),
            ({"nonces": ["0" * 32, 0]}, "shuffle: each nonce must be 16 bytes in lower-case hex"),
            ({"round": 0}, "shuffle: round must be a number from 1"),
            ({"round": "1"}, "shuffle: round must be a number from 1"),
            ({"starter": "me"}, "shuffle: starter must be lot, agreed or rule"),
        ],
    )
    def test_bad_shuffle(self, changes: dict[str, Any], complaint: str) -> None:
        record = three_bridges()
        record["shuffle"] |= changes
        self.refused(json.dumps(record), complaint)

    @pytest.mark.parametrize(
        "further",
        [
            {"game": "schotten-totten"},
            {"game": "chess"},
            {"ruleset": {"claims": "after_play", "tactics": False}},
            {"first": 0, "deck": [], "bridges": []},
        ],
    )
    def test_further_keys_of_a_shuffle_say_nothing(self, further: dict[str, Any]) -> None:
        record = three_bridges()
        record["shuffle"] |= further
        done = node(str(SCRIPT), "-", stdin=json.dumps(record))
        assert (done.returncode, done.stdout) == (
            0,
            CHECKED,
        )

    def test_a_shuffle_cannot_hide_a_pile_from_the_check(self) -> None:
        record = next(made for made in records() if "tactics_deck" in made)
        record["tactics_deck"].reverse()
        record["shuffle"]["ruleset"] = {**record["ruleset"], "tactics": False}
        done = node(str(SCRIPT), "-", stdin=json.dumps(record))
        assert (done.returncode, done.stdout) == (1, "differs: tactics_deck\n")

    def test_text_that_is_not_utf_8(self, tmp_path: Path) -> None:
        file = tmp_path / "record.json"
        text = json.dumps({**three_bridges(), "players": ["?", "?"]}).encode()
        file.write_bytes(text.replace(b"?", b"\xff"))
        done = node(str(SCRIPT), str(file))
        assert (done.returncode, done.stdout, done.stderr) == (2, "", "not JSON: not in UTF-8\n")

    def test_running_game(self) -> None:
        record = three_bridges()
        del record["shuffle"]["secret"]
        self.refused(json.dumps(record), "shuffle: the secret has not been published")

    def test_record_without_a_shuffle(self) -> None:
        record = three_bridges()
        del record["shuffle"], record["deck"]
        self.refused(json.dumps(record), "deck is missing")
        record = three_bridges()
        del record["shuffle"]
        self.refused(json.dumps(record), "the record has no shuffle: there is nothing to check")

    @pytest.mark.parametrize("text", ["", "{", "\x00", "[" * 100_000])
    def test_no_json(self, text: str) -> None:
        self.refused(text, "not JSON")

    @pytest.mark.parametrize("text", ["[]", "7", "null", '"record"'])
    def test_no_object(self, text: str) -> None:
        self.refused(text, "a record must be an object")

    def test_no_file(self) -> None:
        done = node(str(SCRIPT), "no/such/file.json")
        told = "cannot read no/such/file.json: No such file or directory\n"
        assert (done.returncode, done.stderr) == (2, told)
        assert node(str(SCRIPT)).stderr == "usage: node verify-shuffle.mjs FILE\n"

    def refused(self, text: str, complaint: str) -> None:
        done = node(str(SCRIPT), "-", stdin=text)
        assert (done.returncode, done.stdout, done.stderr) == (2, "", f"{complaint}\n")


def changed(change: str) -> str:
    """A record of three bridges, changed; as text, since not all of it is what JSON can say."""
    record = three_bridges()
    shuffle, deck = record["shuffle"], record["deck"]
    if change == "swapped deck":
        deck[0], deck[1] = deck[1], deck[0]
    elif change == "swapped deck that cannot be played":
        record["actions"] = [{"seat": 0, "type": "place", "card": deck[-1], "bridge": 1}]
        deck.reverse()
    elif change == "flipped first":
        record["first"] = 1 - record["first"]
    elif change == "doubled card":
        deck[0] = deck[1]
    elif change == "missing card":
        deck.pop()
    elif change == "unfinished":
        record["actions"] = []
    elif change == "no actions":
        del record["actions"]
    elif change == "rule in round 1":
        shuffle |= {"starter": "rule", "round": 1}
    elif change == "rule in a later round":
        shuffle["starter"] = "rule"
        shuffle["round"] = max(shuffle["round"], 2)
    elif change == "missing pile":
        del record["deck"]
    text = json.dumps(record)
    number = f'"round": {shuffle["round"]}'
    texts = {
        "round 1.0": text.replace(number, number + ".0"),
        "round 1e0": text.replace(number, number + "e0"),
        "round 2^53": text.replace(number, f'"round": {2**53}'),
        "round 2^60": text.replace(number, f'"round": {2**60}'),
        "first 1.0": text.replace(f'"first": {record["first"]}', f'"first": {record["first"]}.0'),
        "double keys": text[:-1] + ', "first": 0}',
        "double keys in disguise": text[:-1] + ', "f\\u0069rst": 0}',
        "double keys deep down": text[:-1] + ', "event": [{"a": 1, "b": ["a"], "a": 2}]}',
        "keys that only look double": text[:-1] + ', "event": [{"a": "a"}, {"a": ", \\"a\\": 1"}]}',
    }
    return texts.get(change, text)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ("nothing", 0),
        ("unfinished", 0),
        ("keys that only look double", 0),
        ("swapped deck", 1),
        ("swapped deck that cannot be played", 1),
        ("flipped first", 1),
        ("rule in a later round", 1),
        ("doubled card", 2),
        ("missing card", 2),
        ("missing pile", 2),
        ("no actions", 2),
        ("rule in round 1", 2),
        ("round 1.0", 2),
        ("round 1e0", 2),
        ("round 2^53", 2),
        ("round 2^60", 2),
        ("first 1.0", 2),
        ("double keys", 2),
        ("double keys in disguise", 2),
        ("double keys deep down", 2),
    ],
)
def test_both_verifiers_agree(change: str, code: int) -> None:
    text = changed(change)
    theirs, ours = node(str(SCRIPT), "-", stdin=text), run("verify", "-", data=text)
    assert theirs.returncode == ours.code
    assert ours.code == code
    remark = "the game is not over: the deal was checked, and the play so far\n"
    told = ours.out.removesuffix(remark).replace(", play\n", "\n")
    assert theirs.stdout.removesuffix(PLAY) == told
    assert len(theirs.stderr.splitlines()) == len(ours.err.splitlines()) == (ours.code == 2)
