"""What others made and the site serves: the files are those that vendor.json names."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path

VENDOR = Path(__file__).parents[2] / "static" / "vendor"


def test_vendored_files_have_the_hashes_that_are_written_down() -> None:
    listed = json.loads((VENDOR / "vendor.json").read_text(encoding="utf-8"))
    for name, entry in listed.items():
        digest = hashlib.sha384((VENDOR / name).read_bytes()).digest()
        assert base64.b64encode(digest).decode() == entry["sha384"], name
    there = {path.relative_to(VENDOR).as_posix() for path in VENDOR.rglob("*") if path.is_file()}
    unlisted = {name for name in there - set(listed) if not name.endswith("LICENSE")}
    assert unlisted == {"vendor.json"}
