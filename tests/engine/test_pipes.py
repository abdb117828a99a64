"""The engine's command line between pipes, closed streams and a terminal."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.engine.command_line import run
from tests.engine.test_command_line import RECORD, TEXT, finished


def test_a_reader_that_goes_away_is_no_error():
    command = f"{sys.executable} -m games.engine selfplay --game schotten-totten --count 300"
    shell = f"set -o pipefail; {command} | head -n 1 | wc -l"
    ran = subprocess.run(["bash", "-c", shell], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout.strip(), ran.stderr) == (0, "1", "")


def in_bash(script, **environment):
    """Run a script in which `$engine` is the command line; pipes give the engine's exit code."""
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {script}"],
        env={
            **os.environ,
            "PYTHONUNBUFFERED": "",  # what is left in a buffer counts too
            "engine": f"{sys.executable} -m games.engine",
            **environment,
        },
        capture_output=True,
        text=True,
    )


def test_a_reader_that_goes_away_does_not_make_a_difference_right(tmp_path):
    """Exit code 0 would say that the shuffle holds."""
    record = finished()
    record["shuffle"]["commitment"] = 64 * "0"
    path = tmp_path / "record.json"
    path.write_text(json.dumps(record))
    ran = in_bash(f"$engine verify {path} | true")
    assert (ran.returncode, ran.stderr) == (1, "")


@pytest.mark.parametrize("command", ["replay -", "replay --jsonl -", "verify -"])
def test_a_closed_standard_input_is_told_in_one_line(command):
    ran = in_bash(f"$engine {command} <&-")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "cannot read standard input: it is closed\n"


@pytest.mark.parametrize("closed", [">&-", "> /dev/full"])
@pytest.mark.parametrize(
    "command", ["replay $file", "replay --trace $file", "verify $file", "selfplay --game $game"]
)
def test_output_that_cannot_be_written_is_told_in_one_line(command, closed, tmp_path):
    path = tmp_path / "record.json"
    path.write_text(json.dumps(finished()))
    ran = in_bash(f"$engine {command} {closed}", file=str(path), game="three-bridges")
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
    assert ran.stderr.startswith("cannot write: ")


@pytest.mark.parametrize("closed", ["2>&-", "2> /dev/full"])
def test_complaints_that_nobody_can_read_do_not_change_the_rest(closed, tmp_path):
    path = tmp_path / "record.json"
    path.write_text(TEXT)
    bad = in_bash(f"$engine replay {tmp_path}/nothing {closed}")
    assert (bad.returncode, bad.stdout) == (2, "")
    good = in_bash(f"$engine replay --jsonl {path} {closed}")
    assert (good.returncode, good.stdout) == (0, run("replay", "-", data=TEXT).out)
    wrong = in_bash(f"$engine dance {closed}")
    assert (wrong.returncode, wrong.stdout) == (2, "")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["selfplay", "--game", "schotten-totten", "--count", "3"], "\r3 games\n"),
        (["replay", "--jsonl", "-"], "\r3 records\n"),
    ],
)
def test_progress_is_told_to_a_terminal_only(arguments, told):
    """A pipe gets records and nothing else; a person at a terminal sees how far it is."""
    code = (
        "import io, sys\n"
        "class Terminal(io.StringIO):\n"
        "    def isatty(self): return True\n"
        "sys.stderr = Terminal()\n"
        "from games.engine.__main__ import main\n"
        f"main({arguments})\n"
        "told = sys.stderr.getvalue()\n"
        "sys.stderr = sys.__stderr__\n"
        "print(repr(told), file=sys.stderr)\n"
    )
    run_it = [sys.executable, "-c", code]
    ran = subprocess.run(
        run_it, input=3 * f"{json.dumps(RECORD)}\n", capture_output=True, text=True
    )
    assert ran.stdout.count("\n") == 3
    assert ran.stderr.strip() == repr(told)
