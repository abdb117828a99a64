"""The site as its visitors meet it: `manage.py serve` in a process of its own."""

from __future__ import annotations

import email
import email.policy
import re
import signal
import subprocess
import sys
import threading
from email.message import EmailMessage
from pathlib import Path

from tests.config.served import ROOT, site_environment

START_S = 120.0
"""How long a start may take on a busy machine."""


class Site:
    """One embedded site in a folder of its own; its port stays over restarts."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.url = ""
        self._port = 0
        self._process: subprocess.Popen[str] | None = None

    @property
    def environment(self) -> dict[str, str]:
        """Give the variables of every process of this site."""
        return site_environment(self.folder)

    def prepare(self, *arguments: str) -> None:
        """Make the database, the static files and the key for web push."""
        run = [sys.executable, "manage.py", "prepare", *arguments]
        subprocess.run(run, cwd=ROOT, env=self.environment, check=True, stdout=subprocess.DEVNULL)

    def start(self) -> None:
        """Serve, on the port of the last start where there was one."""
        log = (self.folder / "serve.log").open("a")
        self._process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--port", str(self._port)],
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        self.url = self._read_address(self._process)
        self._port = int(self.url.rpartition(":")[2])

    def stop(self) -> int:
        """Press Ctrl-C, and give the exit code."""
        assert self._process is not None
        self._process.send_signal(signal.SIGINT)
        code = self._process.wait(30)
        self._process = None
        return code

    def kill(self) -> None:
        """Let the process die at once, as by `kill -9` or a power cut."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(30)
        self._process = None

    def log(self) -> str:
        """Give what the site has complained of."""
        return (self.folder / "serve.log").read_text(encoding="utf-8")

    def mails(self) -> list[EmailMessage]:
        """Give the mails that lie in the mail folder, oldest first."""
        paths = (self.folder / "mail").glob("*.log")
        by_age = sorted(paths, key=lambda path: path.stat().st_mtime)
        policy = email.policy.default
        return [email.message_from_bytes(path.read_bytes(), policy=policy) for path in by_age]

    def mails_to(self, address: str) -> list[str]:
        """Give the texts of the mails to an address, oldest first."""
        bodies = [mail.get_body(("plain",)) for mail in self.mails() if mail["To"] == address]
        return [body.get_content() for body in bodies if body is not None]

    def _read_address(self, process: subprocess.Popen[str]) -> str:
        assert process.stdout is not None
        patience = threading.Timer(START_S, process.kill)
        patience.start()
        try:
            for line in process.stdout:
                if found := re.search(r"Marchstone is at (http://\S+?)/(\s|$)", line):
                    return found[1]
        finally:
            patience.cancel()
        raise AssertionError(f"the site did not start:\n{self.log()}")
