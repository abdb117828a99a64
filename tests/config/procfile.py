"""deploy/Procfile: what runs on a server."""

from __future__ import annotations

import shlex
import sys

from tests.config.served import ROOT


def part(name: str) -> list[str]:
    """Give the command of one line of the Procfile, for this Python."""
    lines = (ROOT / "deploy" / "Procfile").read_text(encoding="utf-8").splitlines()
    (command,) = [line.partition(":")[2] for line in lines if line.startswith(f"{name}:")]
    words = shlex.split(command)
    assert words[0] == ".venv/bin/python"
    return [sys.executable, *words[1:]]
