"""`make test`: the whole suite in its three runs, and one line with what came of it.

Browser tests need a process of their own (their event loop and pytest-asyncio's exclude each
other), and tests of PostgreSQL's locks need a run on PostgreSQL; all others run on SQLite.

Each run is shared by two processes, which have databases, folders and sites of their own. Where
a file has one site for all of its tests, the file stays in one process.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from tests.services import SERVICES, missing_services

ROOT = Path(__file__).parents[1]

NO_TESTS = 5
"""pytest's exit code where everything was deselected."""


class Run(NamedTuple):
    """One call of pytest."""

    title: str
    arguments: tuple[str, ...]
    environment: dict[str, str] = {}


SHARED = ("-n", "2", "--dist")
"""Share the tests of a run, as the next argument says."""

RUNS = (
    Run("The suite on SQLite", (*SHARED, "worksteal", "tests", "--ignore=tests/e2e")),
    Run(
        "What needs PostgreSQL",
        (*SHARED, "loadfile", "--postgres", "-m", "postgres", "tests", "--ignore=tests/e2e"),
    ),
    # Playwright's loop runs in this thread; Django would refuse the database calls beside it.
    Run(
        "In the browser",
        (*SHARED, "worksteal", "tests/e2e"),
        {"DJANGO_ALLOW_ASYNC_UNSAFE": "true"},
    ),
)


def main() -> int:
    """Make the runs and print the totals; give 0 only where all that ran passed."""
    if os.environ.get("REQUIRE_SERVICES") == "1" and missing_services():
        for service in missing_services():
            print(f"{service.name} is missing: {service.how}.")
        print(f"0 passed, {len(missing_services())} failed")
        return 1
    outcomes: Counter[str] = Counter()
    left_out: Counter[str] = Counter()
    broken = [run.title for run in RUNS if not _run(run, outcomes, left_out)]
    failed = outcomes["failed"] + outcomes["error"] + len(broken)
    print()
    for title in broken:
        print(f"{title}: pytest itself did not come to its end.")
    for service in SERVICES:
        if service in missing_services() and left_out[service.marker]:
            print(f"{left_out[service.marker]} left out: no {service.name}. To have them,")
            print(f"    {service.how}.")
    print(f"{outcomes['passed']} passed, {failed} failed")
    return 1 if failed else 0


def _run(run: Run, outcomes: Counter[str], left_out: Counter[str]) -> bool:
    """Add one run's counts; say whether it came to its end, whatever its tests said."""
    print(f"\n== {run.title} ==", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        counts_file = Path(folder) / "counts.json"
        code = subprocess.call(
            [sys.executable, "-m", "pytest", "-q", *run.arguments],
            cwd=ROOT,
            env={**os.environ, **run.environment, "TEST_COUNTS_FILE": str(counts_file)},
        )
        is_whole = counts_file.exists() and code in (0, 1, NO_TESTS)
        if not is_whole:
            print(f"pytest ended with {code}.")
        if counts_file.exists():
            counts = json.loads(counts_file.read_text(encoding="utf-8"))
            outcomes.update(counts["outcomes"])
            # PostgreSQL's are left out of the first run in any case, and then counted once.
            left_out.update(
                {
                    marker: count
                    for marker, count in counts["deselected"].items()
                    if marker != "postgres" or "--postgres" in run.arguments
                }
            )
    return is_whole


if __name__ == "__main__":
    sys.exit(main())
