"""`python -m games.engine`: docs/spec/records.md, "Command line"."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from games.engine.records import parse_record, write_record
from games.engine.registry import TITLES, get_title
from games.engine.shuffle import deal_setup, parse_shuffle
from tests.engine.command_line import run
from tests.engine.test_vectors import GAMES, in_any_order

GAME = next(
    line
    for line in GAMES
    if line["record"]["ruleset"] == {"claims": "after_play", "tactics": False}
)
RECORD = GAME["record"]
TEXT = json.dumps(RECORD)


def test_replay_prints_the_state_after_all_actions():
    ran = run("replay", "-", data=TEXT)
    assert (ran.code, ran.err) == (0, "")
    assert in_any_order(json.loads(ran.out)) == in_any_order(GAME["final"])
    assert ran.out.count("\n") == 1


def test_replay_reads_a_file(tmp_path):
    path = tmp_path / "game.json"
    path.write_text(json.dumps(RECORD, indent=2))
    assert run("replay", str(path)) == run("replay", "-", data=TEXT)


def test_replay_at_prints_the_state_after_so_many_actions():
    states = run("replay", "--trace", "-", data=TEXT).out.splitlines()
    assert len(states) == len(RECORD["actions"]) + 1
    for at in (0, 1, 17, len(RECORD["actions"])):
        assert run("replay", "-", "--at", str(at), data=TEXT).out.splitlines() == [states[at]]


def test_replay_at_does_not_look_at_what_comes_later():
    bad = {**RECORD, "actions": [*RECORD["actions"][:4], {"seat": 0, "type": "bogus"}]}
    assert run("replay", "-", "--at", "4", data=json.dumps(bad)).code == 0
    assert run("replay", "-", data=json.dumps(bad)).code == 2


@pytest.mark.parametrize("beyond", [1, 5000])
@pytest.mark.parametrize("options", [(), ("--trace",)])
def test_replay_beyond_the_last_action_is_refused(beyond, options):
    size = len(RECORD["actions"])
    ran = run("replay", "-", "--at", str(size + beyond), *options, data=TEXT)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"--at {size + beyond}: the record has {size} actions\n"


def test_replay_of_many_records_tells_which_end_too_early():
    size = len(RECORD["actions"])
    line = json.dumps(RECORD)
    ran = run("replay", "-", "--jsonl", "--at", str(size + 1), data=f"{line}\n{line}\n")
    told = f"--at {size + 1}: the record has {size} actions"
    assert (ran.code, [json.loads(one) for one in ran.out.splitlines()]) == (
        0,
        [{"error": f"line {n}: {told}", "action": None} for n in (1, 2)],
    )


@pytest.mark.parametrize("viewer", ["0", "1", "spectator"])
def test_replay_for_a_viewer_hides_hands(viewer):
    state = json.loads(run("replay", "-", "--at", "8", "--viewer", viewer, data=TEXT).out)
    for seat in (0, 1):
        is_open = isinstance(state["hands"][seat], list)
        assert is_open == (viewer == str(seat))


@pytest.mark.parametrize("viewer", [(), ("--viewer", "0"), ("--viewer", "spectator")])
def test_one_state_is_the_same_alone_in_a_trace_and_in_many_records(viewer):
    alone = [run("replay", "-", "--at", str(at), *viewer, data=TEXT).out for at in range(9)]
    assert run("replay", "-", "--trace", "--at", "8", *viewer, data=TEXT).out == "".join(alone)
    many = run("replay", "-", "--jsonl", "--at", "8", *viewer, data=f"{TEXT}\n{TEXT}\n")
    assert many.out == 2 * alone[8]


def test_jsonl_answers_each_line_in_order_and_stops_at_nothing():
    bad = {**RECORD, "actions": [RECORD["actions"][1]]}
    lines = [TEXT, "{", json.dumps(bad), "", TEXT]
    ran = run("replay", "--jsonl", "-", data="\n".join(lines) + "\n")
    answers = [json.loads(line) for line in ran.out.splitlines()]
    assert (ran.code, ran.err, len(answers)) == (0, "", 4)
    assert answers[0] == answers[3] == json.loads(run("replay", "-", data=TEXT).out)
    assert answers[1].keys() == answers[2].keys() == {"error", "action"}
    assert (answers[1]["action"], answers[2]["action"]) == (None, 0)
    assert [answer["error"][:8] for answer in answers[1:3]] == ["line 2: ", "line 3: "]


def test_a_record_that_breaks_the_rules_names_the_action_and_the_reason():
    claim = {"seat": 0, "type": "claim", "stone": 1}
    bad = {**RECORD, "actions": [*RECORD["actions"][:2], {**claim, "seat": 1}]}
    ran = run("replay", "-", data=json.dumps(bad))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        "action 2: claim_after_play: In this game stones are claimed after the play.\n"
    )


def test_the_first_bad_action_is_named_even_if_a_later_one_cannot_be_read():
    actions = [*RECORD["actions"][:3], RECORD["actions"][0], 17]
    ran = run("replay", "-", data=json.dumps({**RECORD, "actions": actions}))
    assert ran.err.startswith("action 3: ")


@pytest.mark.parametrize(
    ("action", "n"),
    [
        ({"type": "play", "card": "ST", "take": "R7", "to": None}, 0),
        ({"type": "play", "card": "JA", "stone": 1}, 0),
        ({"type": "draw", "from": "tactics"}, 1),
    ],
)
def test_a_game_without_tactics_says_so(action, n):
    actions = [*RECORD["actions"][:n], {"seat": RECORD["first"], **action}]
    ran = run("replay", "-", data=json.dumps({**RECORD, "actions": actions}))
    assert ran.err == f"action {n}: no_tactics: This game is played without tactics cards.\n"


def test_trace_prints_states_up_to_a_bad_action():
    bad = {**RECORD, "actions": [*RECORD["actions"][:3], {"seat": 0, "type": "pass"}]}
    ran = run("replay", "--trace", "-", data=json.dumps(bad))
    assert (ran.code, ran.out.count("\n"), ran.err.count("\n")) == (2, 4, 1)


@pytest.mark.parametrize("slug", sorted(TITLES))
def test_selfplay_prints_finished_records_that_replay_and_verify(slug, tmp_path):
    ran = run("selfplay", "--game", slug, "--count", "5", "--seed", "7")
    records = [json.loads(line) for line in ran.out.splitlines()]
    assert len(records) == 5
    assert len({json.dumps(record.get("deck")) for record in records}) == 5
    for record in records:
        parsed = parse_record(record)
        assert parsed.title.outcome(parsed.final()) is not None
        checked = run("verify", "-", data=json.dumps(record))
        assert checked.code == 0
        assert checked.out.startswith("checked: commitment, ")


@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_selfplay_gives_the_same_lines_for_the_same_seed(policy):
    arguments = ("selfplay", "--game", "schotten-totten", "--policy", policy, "--count", "2")
    assert run(*arguments, "--seed", "5").out == run(*arguments, "--seed", "5").out
    assert run(*arguments, "--seed", "5").out != run(*arguments, "--seed", "6").out


@pytest.mark.parametrize("claims", ["after_play", "start_of_turn", "automatic"])
@pytest.mark.parametrize("tactics", [[], ["--tactics"]])
def test_selfplay_plays_every_ruleset(claims, tactics):
    ran = run("selfplay", "--game", "schotten-totten", "--claims", claims, *tactics)
    assert json.loads(ran.out)["ruleset"] == {"claims": claims, "tactics": bool(tactics)}


def test_selfplay_refuses_what_it_does_not_know():
    for arguments in (
        ["--game", "chess"],
        ["--game", "schotten-totten", "--policy", "deep blue"],
        ["--game", "schotten-totten", "--claims", "never"],
        ["--game", "schotten-totten", "--count", "-1"],
        ["--game", "schotten-totten", "--seed", "1e3"],
        ["--game", "three-bridges", "--tactics"],
        [],
    ):
        ran = run("selfplay", *arguments)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.count("\n") == 1


def test_an_unknown_command_is_told_in_one_line():
    for arguments in ([], ["dance"], ["replay"], ["replay", "-", "--viewer", "2"]):
        ran = run(*arguments)
        assert (ran.code, ran.err.count("\n")) == (2, 1)


def test_a_file_that_is_not_there_is_told_in_one_line(tmp_path):
    for command in ("replay", "verify"):
        for path in (tmp_path / "nothing.json", tmp_path):
            ran = run(command, str(path))
            assert (ran.code, ran.err.count("\n")) == (2, 1)
            assert ran.err.startswith(f"cannot read {path}: ")


@pytest.mark.parametrize("slug", sorted(TITLES))
def test_selfplay_plays_every_ruleset_by_its_slug(slug):
    for ruleset in TITLES[slug].meta.rulesets:
        ran = run("selfplay", "--game", slug, "--ruleset", ruleset.slug)
        assert json.loads(ran.out)["ruleset"] == ruleset.as_json()


def replayed(**changes):
    """What is said of a short record of Three Bridges with these changes."""
    record = json.loads(run("selfplay", "--game", "three-bridges").out)
    record |= changes
    told = {key: value for key, value in record.items() if value is not ...}
    return run("replay", "-", data=json.dumps(told)).err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["selfplay", "--game", "three-bridges", "--count", "-3"], "a number from 0, not '-3'"),
        (["selfplay", "--game", "three-bridges", "--counts=3", "--fast"], "there are -h, --help"),
        (["replay", "-", "--nowhere"], "unknown: --nowhere; there are -h, --help, --at, --viewer"),
        (["selfplay", "--game", "three-bridges", "--tactics"], "--ruleset is one of standard"),
        (["selfplay", "--game", "three-bridges", "--ruleset", "x"], "unknown ruleset 'x'"),
        (["selfplay", "--game", "three-bridges", "--ruleset", "standard", "--tactics"], "give one"),
    ],
)
def test_a_wrong_argument_is_told_with_what_there_is(arguments, told):
    ran = run(*arguments)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert told in ran.err


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"deck": ...}, "deck is missing"),
        ({"bridges": ...}, "bridges is missing"),
        ({"deck": ..., "bridges": ...}, "deck is missing"),
        ({"tactics_deck": []}, "tactics_deck: this ruleset has no such pile"),
        ({"ruleset": {"tactics": True}}, "has no option 'tactics'; there are none"),
        ({"ruleset": None}, "ruleset: must be an object, not None"),
        (
            {"actions": [{"seat": 0, "type": "name", "suit": "Q"}]},
            "action 0: suit must be H or B or L or A, not 'Q'",
        ),
        (
            {"game": "schotten-totten", "ruleset": {"claims": "never", "tactics": False}},
            'claims must be "after_play" or "start_of_turn" or "automatic", not \'never\'',
        ),
        ({"game": "schotten-totten", "ruleset": {"tactics": True}}, "claims is missing"),
        (
            {"game": "schotten-totten", "ruleset": {"claim": "never"}},
            "has no option 'claim'; there are claims, tactics",
        ),
    ],
)
def test_what_may_stand_there_is_told(changes, told):
    assert told in replayed(**changes)


def test_the_help_tells_options_defaults_policies_and_examples():
    assert "examples:" in run("--help").out
    told = " ".join(run("selfplay", "--help").out.split())
    for part in ("random, greedy (default: random)", "(default: 1)", "three-bridges: standard"):
        assert part in told


def test_the_log_tells_what_happened_in_words_as_a_viewer_may_know_it():
    text = run("selfplay", "--game", "three-bridges").out
    card = json.loads(text)["actions"][0]["card"]
    seat = json.loads(text)["actions"][0]["seat"]
    for viewer, is_told in ((str(seat), True), (str(1 - seat), False), ("spectator", False)):
        told = run("replay", "--log", "--at", "1", "--viewer", viewer, "-", data=text).out
        assert (card in told) == is_told
        assert f"Seat {seat} " in told
    whole = run("replay", "--log", "-", data=text).out
    assert card in whole
    assert sum(line[0].isdigit() for line in whole.splitlines()) == len(json.loads(text)["actions"])


def finished():
    return json.loads(run("selfplay", "--game", "schotten-totten", "--tactics").out)


@pytest.mark.parametrize(
    ("key", "change"),
    [
        ("commitment", lambda record: record["shuffle"].update(commitment=64 * "0")),
        ("deck", lambda record: record["shuffle"].update(round=2)),
        ("tactics_deck", lambda record: record["tactics_deck"].reverse()),
    ],
)
def test_verify_says_what_differs(key, change):
    record = finished()
    record["actions"] = []
    change(record)
    ran = run("verify", "-", data=json.dumps(record))
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.startswith("differs: ")
    assert key in ran.out


def test_verify_checks_who_starts_only_where_the_lot_decided():
    record = finished()
    record["actions"], record["first"] = [], 1 - record["first"]
    assert run("verify", "-", data=json.dumps(record)).out == "differs: first\n"
    record["shuffle"]["starter"] = "agreed"
    ran = run("verify", "-", data=json.dumps(record))
    assert (ran.code, ran.out.splitlines()[1:]) == (
        0,
        [
            "first: not checked, it was agreed",
            "the game is not over: the deal was checked, and the play so far",
        ],
    )
    record["shuffle"] |= {"starter": "rule", "round": 2}
    ran = run("verify", "-", data=json.dumps(record))
    assert ran.out.splitlines()[1] == "first: not checked, the rule decides"


def test_verify_checks_the_lot_of_a_later_round_too():
    record = finished()
    shuffle = parse_shuffle({**record["shuffle"], "round": 2})
    title = get_title(record["game"])
    ruleset = parse_record(record).setup.ruleset
    dealt = deal_setup(title, ruleset, shuffle.secret, shuffle.nonces, 2)
    other = replace(dealt, first=1 - dealt.first)
    for setup, told in (
        (dealt, "checked: commitment, deck, tactics_deck, first, play\n"),
        (other, None),
    ):
        written = write_record(title, setup, [], shuffle=shuffle.as_json())
        ran = run("verify", "-", data=json.dumps(written))
        assert ran.out.splitlines(keepends=True)[0] == (told or "differs: first\n")


@pytest.mark.parametrize(
    "shuffle",
    [
        None,
        "text",
        {},
        {"scheme": "marchstone-shuffle/2"},
        {"secret": 5},
        {"secret": 64 * "A"},
        {"secret": 64 * "0" + "\n"},
        {"secret": " " + 64 * "0"},
        {"secret": 62 * "0"},
        {"nonces": ["00"]},
        {"nonces": [32 * "0", 31 * "0"]},
        {"nonces": [32 * "0", 32 * "0" + "\n"]},
        {"nonces": 3 * [32 * "0"]},
        {"round": 0},
        {"round": True},
        {"starter": "me"},
        {"commitment": None},
        {"commitment": 64 * "0" + "\n"},
    ],
)
def test_verify_refuses_a_shuffle_that_cannot_be_checked(shuffle):
    record = finished()
    record["shuffle"] = record["shuffle"] | shuffle if isinstance(shuffle, dict) else shuffle
    if shuffle == {}:
        del record["shuffle"]["secret"]
    ran = run("verify", "-", data=json.dumps(record))
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)


def test_verify_refuses_a_record_without_a_shuffle_or_with_a_bad_action():
    ran = run("verify", "-", data=TEXT)
    assert (ran.code, ran.out) == (2, "")
    record = finished()
    record["actions"][0] = {"seat": 0, "type": "end"}
    assert run("verify", "-", data=json.dumps(record)).err.startswith("action 0: ")


def test_verify_remarks_on_a_result_that_the_play_does_not_give():
    record = finished()
    outcome = parse_record(record).title.outcome(parse_record(record).final())
    told = {"winner": outcome.winner, "reason": outcome.reason, "points": list(outcome.points)}
    for result, n_lines in ((told, 1), ("1-0", 1), ({**told, "points": [9, 9]}, 2)):
        ran = run("verify", "-", data=json.dumps({**record, "result": result}))
        assert (ran.code, ran.out.count("\n")) == (0, n_lines)
    assert ran.out.splitlines()[1].startswith("result: not what the play gives, {")


def test_verify_answers_many_records_one_line_each():
    good = finished()
    other = json.loads(json.dumps(good))
    other["tactics_deck"].reverse()
    ran = run("verify", "--jsonl", "-", data=f"{json.dumps(good)}\n\n{{\n{json.dumps(other)}\n")
    answers = [json.loads(line) for line in ran.out.splitlines()]
    piles = ["commitment", "deck", "tactics_deck", "first"]
    assert answers == [
        {"checked": [*piles, "play"], "differs": [], "remarks": []},
        {"error": answers[1]["error"], "action": None},
        {"checked": piles, "differs": ["tactics_deck"], "remarks": []},
    ]
    assert answers[1]["error"].startswith("line 3: not JSON")
    assert ran.code == 1
    assert run("verify", "--jsonl", "-", data=f"{json.dumps(good)}\n{{\n").code == 2
    assert run("verify", "--jsonl", "-", data=json.dumps(good)).code == 0
