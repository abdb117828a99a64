"""The engine's command line: docs/spec/records.md, "Command line".

Exit codes: 0 for success, 1 where `verify` finds a difference, 2 for bad input and for output
that cannot be written, which is told in one line on standard error.
"""

from __future__ import annotations

import argparse
import errno
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Any, Final, TypeVar

from games.engine.api import Json, Outcome, Phrase, Ruleset, other
from games.engine.arguments import bots, complain, drop, read_arguments
from games.engine.errors import MalformedRecord, shown
from games.engine.records import Record, parse_record, read_json
from games.engine.registry import get_ruleset, get_title
from games.engine.selfplay import Policy, bot_policy, play_record, random_policy
from games.engine.shuffle import parse_shuffle, verify

T = TypeVar("T")
PROGRESS_EVERY_S: Final = 0.2


def read_lines(file: str) -> Iterator[bytes]:
    """Give the lines of a file. Raises `MalformedRecord` where it cannot be read."""
    if file == "-" and sys.stdin is None:
        raise MalformedRecord("cannot read standard input: it is closed")
    try:
        if file == "-":
            yield from sys.stdin.buffer
        else:
            with open(file, "rb") as lines:
                yield from lines
    except OSError as error:
        name = "standard input" if file == "-" else file
        raise MalformedRecord(f"cannot read {name}: {error.strerror}") from None


def show(value: object) -> None:
    """Print one JSON value on a line."""
    print(json.dumps(value, separators=(",", ":")))


def counted(items: Iterable[T], noun: str) -> Iterator[T]:
    """Pass items on, and tell a terminal how many there were so far."""
    if sys.stderr is None or not sys.stderr.isatty() or sys.stdout.isatty():
        yield from items
        return
    told_at, count = time.monotonic(), 0
    for count, item in enumerate(items, start=1):
        yield item
        if time.monotonic() - told_at > PROGRESS_EVERY_S:
            told_at = time.monotonic()
            print(f"\r{count} {noun}", end="", file=sys.stderr, flush=True)
    print(f"\r{count} {noun}", file=sys.stderr)


def writer(record: Record, viewer: str | None) -> Callable[[Any], Json]:
    """Give what writes a state of this record for the viewer."""
    title = record.title
    if viewer is None:
        return title.state_json
    seat: Any = viewer if viewer == "spectator" else int(viewer)
    return lambda state: title.view(state, seat)


def check_at(record: Record, at: int | None) -> None:
    """Raise `MalformedRecord` where a record has fewer than `at` actions."""
    if at is not None and at > len(record.payloads):
        raise MalformedRecord(f"--at {at}: the record has {len(record.payloads)} actions")


def state_after(record: Record, at: int | None) -> Any:
    """Give the state after all, or the first `at`, actions. Raises `MalformedRecord`."""
    check_at(record, at)
    return record.final() if at is None else next(islice(record.states(), at, None))


def records_in(file: str) -> Iterator[tuple[int, bytes]]:
    """Give the lines of a file that are not blank, each with its number from 1."""
    for number, line in enumerate(read_lines(file), start=1):
        if line.strip():
            yield number, line


def bad_line(number: int, error: MalformedRecord) -> Json:
    """Tell in JSON what is wrong with a record in one line."""
    return {"error": f"line {number}: {error.message}", "action": error.action}


def replay_line(number: int, line: bytes, options: argparse.Namespace) -> Json:
    """Give the state of a record in one line, or what is wrong with it."""
    try:
        record = parse_record(read_json(line))
        return writer(record, options.viewer)(state_after(record, options.at))
    except MalformedRecord as error:
        return bad_line(number, error)


def sentence(phrase: Phrase) -> str:
    """Write a sentence with the seats for names and the codes of cards."""
    told = {key: " ".join(v) if isinstance(v, list | tuple) else v for key, v in phrase.params}
    return phrase.msgid % {"opponent": "the other seat", **told}


def replay_log(record: Record, at: int | None, viewer: str | None) -> None:
    """Print each action as the viewer may know it now, and what it brought about."""
    title = record.title
    states = list(islice(record.states(), None if at is None else at + 1))
    actions = record.actions_until(len(states) - 1)
    is_over = viewer is None or title.to_act(states[-1]) is None
    seat: Any = viewer if viewer in (None, "spectator") else int(viewer)
    written = [title.action_json(action) for action in actions]
    if seat is not None:
        written = title.redact(states[-1], actions, seat)
    for n, (action, before, after) in enumerate(zip(actions, states, states[1:], strict=False)):
        print(f"{n}: {json.dumps(written[n], separators=(',', ':'))}")
        for event in title.events(before, action, after):
            phrase = title.describe(event, "spectator" if seat is None else seat, is_over=is_over)
            names = {} if event.seat is None else {"player": f"Seat {event.seat}"}
            if event.seat is not None:
                names["opponent"] = f"seat {other(event.seat)}"
            print(f"   {sentence(Phrase(phrase.msgid, (*names.items(), *phrase.params)))}")


def replay(options: argparse.Namespace) -> int:
    """Print the state, or the states, that a record or several lead to."""
    if options.jsonl:
        for number, line in counted(records_in(options.file), "records"):
            show(replay_line(number, line, options))
        return 0
    record = parse_record(read_json(b"".join(read_lines(options.file))))
    check_at(record, options.at)
    if options.log:
        replay_log(record, options.at, options.viewer)
        return 0
    written = writer(record, options.viewer)
    if not options.trace:
        show(written(state_after(record, options.at)))
        return 0
    for state in islice(record.states(), None if options.at is None else options.at + 1):
        show(written(state))
    return 0


def find_ruleset(options: argparse.Namespace) -> Ruleset:
    """Find the ruleset that the options name; without options it is the title's first.

    Raises `MalformedRecord` where there is none.
    """
    if options.ruleset is not None:
        if options.claims or options.tactics:
            raise MalformedRecord("--ruleset stands for --claims and --tactics: give one or other")
        return get_ruleset(options.game, options.ruleset)
    rulesets = get_title(options.game).meta.rulesets
    asked: Json = {"claims": options.claims} if options.claims else {}
    if options.tactics or asked:
        asked = dict(rulesets[0].options) | asked | {"tactics": options.tactics}
        rulesets = tuple(ruleset for ruleset in rulesets if ruleset.as_json() == asked)
    if not rulesets:
        known = ", ".join(ruleset.slug for ruleset in get_title(options.game).meta.rulesets)
        raise MalformedRecord(f"{options.game} has no such options; --ruleset is one of {known}")
    return rulesets[0]


def find_policy(name: str) -> Policy:
    """Find a policy by name. Raises `MalformedRecord` for an unknown one."""
    if name == "random":
        return random_policy
    if name not in bots():
        raise MalformedRecord(f"unknown policy {shown(name)}; known: random, {', '.join(bots())}")
    return bot_policy(bots()[name])


def selfplay(options: argparse.Namespace) -> int:
    """Print complete legal games as records."""
    title, ruleset = get_title(options.game), find_ruleset(options)
    policy = find_policy(options.policy)
    for number in counted(range(options.count), "games"):
        show(play_record(title, ruleset, options.seed, number, policy))
    return 0


UNCHECKED_FIRST: Final = {
    "agreed": "first: not checked, it was agreed",
    "rule": "first: not checked, the rule decides",
}


def check_record(text: bytes) -> tuple[dict[str, bool], list[str]]:
    """Check a record's deal and, where that holds, its play; give the checks, and remarks.

    The deal comes first: where it differs, so may the play, which then says nothing. Raises
    `MalformedRecord` where nothing can be checked or the play breaks the rules.
    """
    record = parse_record(read_json(text))
    if "shuffle" not in record.further:
        raise MalformedRecord("the record has no shuffle: there is nothing to check")
    shuffle = parse_shuffle(record.further["shuffle"])
    checked = verify(record.title, record.setup, shuffle)
    remarks = [] if "first" in checked else [UNCHECKED_FIRST[shuffle.starter]]
    if all(checked.values()):
        outcome = record.title.outcome(record.final())
        checked["play"] = True
        if outcome is None:
            remarks.append("the game is not over: the deal was checked, and the play so far")
        elif _is_told_otherwise(record.further.get("result"), outcome):
            remarks.append(f"result: not what the play gives, {json.dumps(_as_result(outcome))}")
    return checked, remarks


def _as_result(outcome: Outcome) -> Json:
    """Write an outcome as the site writes the result of a record."""
    return {
        "winner": outcome.winner,
        "reason": outcome.reason,
        "points": list(outcome.points),
    }


def _is_told_otherwise(result: object, outcome: Outcome) -> bool:
    """Say whether a result in the site's own form tells another ending than the play.

    It is a remark, not a difference: the format leaves `result` to whoever writes the record.
    """
    played = _as_result(outcome)
    return isinstance(result, dict) and result.keys() == played.keys() and result != played


def verify_line(number: int, line: bytes) -> tuple[int, Json]:
    """Check a record in one line; give its exit code and what to print."""
    try:
        checked, remarks = check_record(line)
    except MalformedRecord as error:
        return 2, bad_line(number, error)
    different = [key for key, is_same in checked.items() if not is_same]
    told = {"checked": list(checked), "differs": different, "remarks": remarks}
    return (1 if different else 0), told


def verify_lines(file: str) -> int:
    """Check many records; give 1 where a deal differs, else 2 where a record is bad, else 0."""
    codes = set()
    for number, line in counted(records_in(file), "records"):
        code, told = verify_line(number, line)
        codes.add(code)
        show(told)
    return next((code for code in (1, 2) if code in codes), 0)


def verify_record(options: argparse.Namespace) -> int:
    """Check a record's deal against its shuffle, and that its game is played by the rules."""
    if options.jsonl:
        return verify_lines(options.file)
    checked, remarks = check_record(b"".join(read_lines(options.file)))
    different = [key for key, is_same in checked.items() if not is_same]
    told = f"differs: {', '.join(different)}" if different else f"checked: {', '.join(checked)}"
    with suppress(BrokenPipeError):  # the exit code tells it all the same
        print("\n".join([told, *remarks]))
    return 1 if different else 0


COMMANDS: Final = {"replay": replay, "selfplay": selfplay, "verify": verify_record}


def say(error: MalformedRecord) -> str:
    """Tell in one line what is wrong, and with which action."""
    where = "" if error.action is None else f"action {error.action}: "
    return f"{where}{error.message}"


def run(options: argparse.Namespace) -> int:
    """Run a command, telling bad input in one line; give its exit code."""
    if sys.stdout is None:
        raise OSError(errno.EBADF, "standard output is closed")
    code = 0
    try:
        code = COMMANDS[options.command](options)
    except MalformedRecord as error:
        complain(say(error))
        code = 2
    except BrokenPipeError:
        drop(sys.stdout)
        return 0
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        drop(sys.stdout)
    return code


def main(arguments: list[str] | None = None) -> int:
    """Run a command and give its exit code. That a reader of the output went away is no error."""
    options = read_arguments(arguments)
    try:
        return run(options)
    except OSError as error:
        drop(sys.stdout)
        complain(f"cannot write: {error.strerror}")
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
