"""A small season, played by the command itself: what it counts is what it prints."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

pytestmark = [pytest.mark.postgres, pytest.mark.redis]

ROOT = Path(__file__).parents[2]


def test_a_season_ends_with_every_count_at_nought_that_must_be() -> None:
    """The paces that end soonest, with a vacation, an outage, and workers killed as they work."""
    command = [sys.executable, "-m", "tests.season", "--players", "8", "--matches", "6"]
    small = ["--days", "2", "--outages", "1", "--kill-every", "60", "--step", "6"]
    run = subprocess.run([*command, *small], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    found = re.findall(r"^ *(\d+)  (\D.*)$", run.stdout, re.M)
    counts = Counter({name: int(n) for n, name in found})
    ended = sum(n for name, n in counts.items() if name.startswith("ended: "))
    assert ended == 6
    assert counts["turns of a clock checked"] > 30
    assert counts["notices told"] > 0
    assert counts["outages"] == 1
    assert counts["workers killed"] > 0
    assert counts["vacations"] + counts["vacations begun by themselves"] > 0
    assert counts["clocks to which time was given back"] == 0
    assert counts["notices told twice"] == 0
