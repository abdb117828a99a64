"""Runs the engine's command line inside the test process."""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import Any

from games.engine.__main__ import main


@dataclass(frozen=True)
class Ran:
    """What a run left behind."""

    code: int
    out: str
    err: str


class _Input:
    """Standard input that holds these bytes."""

    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)


def run(*arguments: str, data: bytes | str = b"") -> Ran:
    """Run a command; `data` is its standard input."""
    out, err, stdin = io.StringIO(), io.StringIO(), sys.stdin
    told: Any = _Input(data if isinstance(data, bytes) else data.encode())
    sys.stdin = told
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = main(list(arguments))
    except SystemExit as stop:
        code = int(stop.code or 0)
    finally:
        sys.stdin = stdin
    return Ran(code, out.getvalue(), err.getvalue())
