"""`make check`'s part about translations: all texts can be extracted, catalogues are complete.

A catalogue is checked as it would be after `make messages`: nothing new, nothing without a
translation, nothing marked as unsure, and compiled from just this text.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
NOT_COPIED = (".git", ".venv", "var", "tests", ".*_cache")
OPTIONS = ("--no-wrap", "--no-location")


def main() -> int:
    """Print each fault in a line; give 0 where there is none."""
    if shutil.which("xgettext") is None:
        print("Translations are not checked: install gettext to have that.")
        return 1 if os.environ.get("REQUIRE_SERVICES") == "1" else 0
    faults = _faults()
    for fault in faults:
        print(fault)
    return 1 if faults else 0


def _faults() -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        # In a copy: makemessages writes beside the files it reads.
        copy = Path(folder) / "copy"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*NOT_COPIED))
        extracted = subprocess.run(
            [sys.executable, "manage.py", "makemessages", "--all", "--keep-pot", *OPTIONS],
            cwd=copy,
            env={**os.environ, "DATA_DIR": folder},
            capture_output=True,
            text=True,
            check=False,
        )
        if extracted.returncode or not (copy / "locale" / "django.pot").exists():
            return [f"Texts cannot be extracted: {extracted.stderr.strip()}"]
        catalogues = sorted((copy / "locale").rglob("*.po"))
        return [fault for path in catalogues for fault in _catalogue(path, copy / "locale")]


def _catalogue(path: Path, copy: Path) -> list[str]:
    """Compare the renewed catalogue with the one of the site."""
    name = path.relative_to(copy)
    own = ROOT / "locale" / name
    faults = []
    if _texts(path) != _texts(own):
        faults.append(f"{name} is not up to date: run `make messages`.")
    compiled = path.with_suffix(".mo")
    told = subprocess.run(
        ["msgfmt", "--check", "--statistics", "-o", compiled, path],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
    )
    if told.returncode or "untranslated" in told.stderr or "fuzzy" in told.stderr:
        faults.append(f"{name}: {told.stderr.strip()}")
    elif compiled.read_bytes() != own.with_suffix(".mo").read_bytes():
        faults.append(f"{name} was changed after it was compiled: run `make messages`.")
    return faults


def _texts(path: Path) -> list[str]:
    """Give the lines of a catalogue without the date that each extraction renews."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith('"POT-Creation-Date:')]


if __name__ == "__main__":
    sys.exit(main())
