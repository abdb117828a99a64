"""The site as a process of its own, started as users start it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


def site_environment(folder: Path, **variables: str) -> dict[str, str]:
    """Give the environment of a site whose data lies in the folder."""
    return {
        **os.environ,
        "DATA_DIR": str(folder),
        "SECRET_KEY": "only-for-tests-" * 4,
        "PYTHONUNBUFFERED": "1",
        **variables,
    }


def manage(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run one command to its end."""
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=site_environment(folder, **variables),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@dataclass
class Served:
    """A running site: its address, its data folder and its process."""

    url: str
    folder: Path
    process: subprocess.Popen[str]

    def get(self, path: str) -> tuple[int, str]:
        """Give status and body of a page."""
        try:
            with urllib.request.urlopen(self.url + path, timeout=30) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refusal:
            return refusal.code, refusal.read().decode()

    def health(self) -> dict[str, Any]:
        """Give what the health page says."""
        return dict(json.loads(self.get("/healthz")[1]))

    def stop(self, number: signal.Signals = signal.SIGINT) -> int:
        """Send a signal and give the exit code."""
        self.process.send_signal(number)
        return self.process.wait(timeout=30)


@contextmanager
def served(folder: Path, *arguments: str, **variables: str) -> Iterator[Served]:
    """Serve on a free port until the block ends; what it wrote besides must stay empty."""
    process = subprocess.Popen(
        [sys.executable, "manage.py", "serve", "--port", "0", *arguments],
        cwd=ROOT,
        env=site_environment(folder, **variables),
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        found = re.fullmatch(r"Marchstone is at (http://\S+)/.*\n", line)
        assert found, line
        yield Served(found[1], folder, process)
    finally:
        if process.poll() is None:
            process.kill()
        process.stdout.close()
        process.wait(timeout=30)
