"""deploy/venv.sh: which Python it takes, and what it says where none will do."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.config.served import ROOT

TOOLS = ("sh", "dirname", "cat", "cksum", "mkdir", "chmod")

# Stands for a Python: `-m venv` makes a .venv whose python is this script again.
FAKE = """#!/bin/sh
case "$*" in
    --version) echo "Python {version}.9" ;;
    *version_info\\[:2\\]*|*"print("*) echo {version} ;;
    *"version_info < (3, 11)"*) exit {is_old} ;;
    *ensurepip*) exit {lacks_venv} ;;
    "-m venv --clear .venv")
        mkdir -p .venv/bin; cat "$0" >.venv/bin/python; chmod +x .venv/bin/python ;;
    "-m pip install "*) echo "pip: $*" ; exit {pip_fails} ;;
esac
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Give a folder with what the script reads, and a PATH without any Python."""
    (tmp_path / "deploy").mkdir()
    shutil.copy(ROOT / "deploy" / "venv.sh", tmp_path / "deploy")
    for name in ("requirements.txt", "requirements-dev.txt", "constraints.txt"):
        (tmp_path / name).write_text("")
    (tmp_path / "bin").mkdir()
    for tool in TOOLS:
        found = shutil.which(tool)
        assert found
        (tmp_path / "bin" / tool).symlink_to(found)
    return tmp_path


def give_python(
    checkout: Path, name: str, version: str, *, venv: bool = True, pip: bool = True
) -> None:
    is_old = tuple(map(int, version.split("."))) < (3, 11)
    path = checkout / "bin" / name
    path.write_text(
        FAKE.format(
            version=version, is_old=int(is_old), lacks_venv=int(not venv), pip_fails=int(not pip)
        )
    )
    path.chmod(0o755)


def run(checkout: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["deploy/venv.sh", "requirements.txt"],
        cwd=checkout,
        env={"PATH": str(checkout / "bin"), **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_no_python_is_a_plain_sentence(checkout: Path) -> None:
    refused = run(checkout)
    assert refused.returncode == 1
    assert refused.stderr == (
        "Marchstone needs Python 3.11 or newer, and found no Python. "
        "Install one, or name another with PYTHON=/path/to/python.\n"
    )


def test_an_old_python_is_a_plain_sentence(checkout: Path) -> None:
    give_python(checkout, "python3", "3.9")
    refused = run(checkout)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr == (
        "Marchstone needs Python 3.11 or newer, and python3 is Python 3.9. "
        "Install one, or name another with PYTHON=/path/to/python.\n"
    )


def test_a_python_without_venv_is_a_plain_sentence(checkout: Path) -> None:
    give_python(checkout, "python3", "3.12", venv=False)
    refused = run(checkout)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr == (
        "Python 3.12 cannot make virtual environments here: its venv module is missing "
        "(on Debian and Ubuntu, install python3.12-venv). "
        "Install one, or name another with PYTHON=/path/to/python.\n"
    )


def test_a_python_that_was_named_must_run(checkout: Path) -> None:
    give_python(checkout, "python3", "3.12")
    refused = run(checkout, PYTHON="/nowhere/python")
    assert (refused.returncode, refused.stderr) == (
        1,
        "PYTHON=/nowhere/python is no Python that runs.\n",
    )


def test_the_first_python_that_fits_is_taken(checkout: Path) -> None:
    (checkout / "bin" / "python3.13").write_text("#!/bin/sh\nexit 127\n")
    (checkout / "bin" / "python3.13").chmod(0o755)
    give_python(checkout, "python3.12", "3.12", venv=False)
    give_python(checkout, "python3.11", "3.11")
    give_python(checkout, "python3", "3.9")
    made = run(checkout)
    assert (made.returncode, made.stderr) == (0, "")
    assert "Making .venv with Python 3.11.9" in made.stdout


def test_packages_are_installed_again_only_where_a_file_changed(checkout: Path) -> None:
    give_python(checkout, "python3.11", "3.11")
    assert "pip: -m pip install" in run(checkout).stdout
    assert run(checkout).stdout == ""
    (checkout / "constraints.txt").write_text("Django==5.2.20\n")
    assert "pip: -m pip install" in run(checkout).stdout


def test_a_failed_installation_is_told_and_tried_again(checkout: Path) -> None:
    give_python(checkout, "python3.11", "3.11", pip=False)
    for _ in range(2):
        refused = run(checkout)
        assert refused.returncode == 1
        assert refused.stderr == ("The packages could not be installed. Is this machine online?\n")
