"""`make` as a newcomer types it, in a terminal."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path

from tests.config.browser_socket import BrowserSocket
from tests.config.served import ROOT, site_environment

PATIENCE_S = 180
CTRL_C = b"\x03"


class Terminal:
    """A command in a terminal of its own, so that Ctrl-C goes where a terminal sends it."""

    def __init__(self, folder: Path, *command: str) -> None:
        self.shown = ""
        self._child, self._terminal = pty.fork()
        if self._child == 0:
            os.chdir(ROOT)
            os.execvpe(command[0], command, site_environment(folder))

    def wait_for(self, pattern: str) -> str:
        """Read until the pattern is shown, and give its first group."""
        until = time.monotonic() + PATIENCE_S
        while not (found := re.search(pattern, self.shown)):
            assert time.monotonic() < until, self.shown
            assert self._read(), self.shown
        return found[1]

    def press(self, keys: bytes) -> None:
        os.write(self._terminal, keys)

    def end(self) -> int:
        """Read the rest, and give the exit code."""
        while self._read():
            pass
        os.close(self._terminal)
        return os.waitstatus_to_exitcode(os.waitpid(self._child, 0)[1])

    def _read(self) -> bool:
        if not select.select([self._terminal], [], [], PATIENCE_S)[0]:
            return False
        try:
            text = os.read(self._terminal, 4096).decode(errors="replace")
        except OSError:
            return False
        self.shown += text
        return bool(text)


def test_make_run_prepares_serves_and_ends_with_0(tmp_path: Path) -> None:
    # The environment that runs this test stands in for the one that make would make.
    command = ("make", "run", "VENV=:", f"PY={sys.executable}", "PORT=0")
    terminal = Terminal(tmp_path, *command)
    url = terminal.wait_for(r"Marchstone is at (http://127\.0\.0\.1:\d+)/ \(after \d+\.\d s\)")
    assert re.search(r"Log in as \S+ or \S+, password \S+", terminal.shown)
    with BrowserSocket(url, "/ws/lobby/") as page:
        page.text()
        terminal.press(CTRL_C)
        assert page.close_code() == 1001
    assert terminal.end() == 0
    assert "Error" not in terminal.shown

    again = Terminal(tmp_path, *command)
    again.wait_for(r"(Marchstone is at)")
    assert "Log in as" in again.shown
    assert "Demo data loaded" not in again.shown
    again.press(CTRL_C)
    assert again.end() == 0


def test_make_alone_lists_what_there_is(tmp_path: Path) -> None:
    shown = subprocess.run(
        ["make"],
        cwd=ROOT,
        env=site_environment(tmp_path),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    for command in ("run", "test", "check", "messages", "bench"):
        assert re.search(rf"^make {command} +\S", shown, re.MULTILINE)
