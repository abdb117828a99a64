"""The engine and the bots are plain Python: they run where Django is not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FRAMEWORKS = ("django", "channels", "celery", "redis", "psycopg")


def run_python(*arguments):
    environment = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True
    )


@pytest.mark.parametrize(
    "module", ["games", "games.engine", "games.engine.registry", "games.engine.__main__"]
)
def test_importing_the_engine_imports_no_framework(module):
    loaded = f"import sys, {module}; print([m for m in {FRAMEWORKS} if m in sys.modules])"
    result = run_python("-c", loaded)
    assert (result.stdout, result.stderr) == ("[]\n", "")


def test_importing_the_bots_imports_no_framework():
    loaded = f"import sys, games.bots; print([m for m in {FRAMEWORKS} if m in sys.modules])"
    assert run_python("-c", loaded).stdout == "[]\n"


def test_the_engine_needs_the_standard_library_only():
    """`-I -S` hides every installed package and the environment."""
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); import games.engine.__main__, games.bots"
    )
    assert run_python("-I", "-S", "-c", code).stderr == ""


def test_the_command_line_runs_without_settings_or_environment():
    played = run_python("-m", "games.engine", "selfplay", "--game", "schotten-totten")
    assert json.loads(played.stdout)["game"] == "schotten-totten"
    assert played.returncode == 0
