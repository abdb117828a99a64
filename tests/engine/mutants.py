"""Puts plausible faults into a copy of the engine and runs its tests on it: `make mutants`.

Every fault must be caught; one that survives is a hole in the tests. A run without a fault goes
along, unless single faults are asked for, and must pass, or nothing would be shown. Exit code 1
where either is not so.

    python -m tests.engine.mutants [--jobs N] [WORD …]

Only faults whose name holds all the words are tried.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.engine.mutant_list import MUTANTS, Mutant

ROOT = Path(__file__).parents[2]
COPIED = ("games/engine", "games/bots", "tests/engine", "tests/fixtures/vectors")
# The quickest to fail come first; the naive implementation has the last word.
TESTS = (
    "test_vectors.py",
    "schotten_totten",
    "test_faults.py",
    "test_command_line.py",
    "test_malformed.py",
    "three_bridges",
    "test_contract.py",
    "test_bots.py",
    "test_naive.py",
)
TIME_LIMIT_S = 1_200
NO_FAULT = Mutant("(no fault: must pass)", "games/engine/api.py", "", "")


@dataclass(frozen=True)
class Tried:
    """What the tests said of one fault: the first test that failed, None where all passed."""

    mutant: Mutant
    caught_by: str | None
    seconds: float

    @property
    def is_as_it_should_be(self) -> bool:
        """Whether a fault was caught, or a run without one passed."""
        return (self.caught_by is None) == (self.mutant is NO_FAULT)


def copy_tree(to: Path) -> None:
    """Copy the engine and its tests, nothing of the site."""
    for folder in COPIED:
        shutil.copytree(ROOT / folder, to / folder)
    for package in ("games", "tests"):
        if (init := ROOT / package / "__init__.py").exists():
            shutil.copy2(init, to / package)
    (to / "pytest.ini").write_text("[pytest]\naddopts = --import-mode=importlib\n")


def put_in(mutant: Mutant, to: Path) -> None:
    """Put a fault into the copy. Its place must be there exactly once."""
    path = to / mutant.file
    source = path.read_text()
    if mutant is not NO_FAULT:
        found = source.count(mutant.right)
        assert found == 1, f"{mutant.name}: found {found} times in {mutant.file}"
        path.write_text(source.replace(mutant.right, mutant.wrong))


def run_tests(to: Path) -> str | None:
    """Run the tests on a copy; give the first that failed."""
    folder = to / "tests" / "engine"
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(to),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--tb=line"]
    try:
        ran = subprocess.run(
            command + [str(folder / name) for name in TESTS],
            cwd=to,
            env=environment,
            capture_output=True,
            text=True,
            timeout=TIME_LIMIT_S,
        )
    except subprocess.TimeoutExpired:
        return "(hung)"
    if ran.returncode == 0:
        return None
    failed = re.search(r"^(?:FAILED|ERROR) (?:\S*/)?(\S+)", ran.stdout, re.MULTILINE)
    return failed[1] if failed else "(did not start)"


def try_out(mutant: Mutant) -> Tried:
    """Run the tests with one fault."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="mutant-") as folder:
        copy_tree(Path(folder))
        put_in(mutant, Path(folder))
        caught_by = run_tests(Path(folder))
    return Tried(mutant, caught_by, time.monotonic() - start)


def chosen(words: list[str]) -> Iterator[Mutant]:
    """Give the faults whose name holds all the words; without words, also the run without one."""
    for mutant in MUTANTS:
        if all(word.lower() in mutant.name.lower() for word in words):
            yield mutant
    if not words:
        yield NO_FAULT


def main() -> int:
    """Try the faults and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    tried = []
    with ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(try_out, chosen(options.words)):
            tried.append(result)
            mark = "ok  " if result.is_as_it_should_be else "FAIL"
            told = result.caught_by or "nothing failed"
            print(f"{mark} {result.mutant.name:<66} {result.seconds:5.0f} s  {told}", flush=True)
    holes = [result for result in tried if not result.is_as_it_should_be]
    print(f"{len(tried)} runs, {len(holes)} not as they should be")
    return 1 if holes else 0


if __name__ == "__main__":
    sys.exit(main())
