"""`manage.py serve`: the site on one port, with tasks and beat where there is no Redis."""

from __future__ import annotations

import argparse
import os
import socket
import sys
import time
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connections

from config.database import is_migrated
from config.environment import read_text
from config.folder import hold_data_folder, tell_address
from config.static import is_collected
from games import clock
from games.services.outages import site_pulse

ANY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}  # noqa: S104
"""Addresses that mean "all of this machine", and what a browser here can open instead."""


class Command(BaseCommand):
    """Serve HTTP and WebSocket with Daphne until Ctrl-C."""

    help = "Serves the site; without REDIS_URL its tasks and their timer run in this process."
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
        parser.add_argument(
            "--port", type=_port, default=8000, help="port to listen on; 0 takes a free one"
        )
        parser.add_argument(
            "--prepare", action="store_true", help="run `prepare --demo` first, as make run does"
        )
        parser.add_argument(
            "--since", type=float, help="Unix time of the start, to say how long it took"
        )

    def handle(self, *, host: str, port: int, prepare: bool, since: float | None, **_: Any) -> None:
        if settings.IS_EMBEDDED:
            hold_data_folder()
        listener = _listen(host, port)
        if prepare:
            call_command("prepare", demo=True, stdout=self.stdout)
        _check()
        # Before the first sweep and the first page: both would count the time off.
        site_pulse(now=clock.now())
        connections.close_all()
        url = _site_url(listener)
        if not read_text("SITE_URL"):
            settings.SITE_URL = url
        self._serve(listener, url, since)

    def _serve(self, listener: socket.socket, url: str, since: float | None) -> None:
        # Imported late: Daphne installs Twisted's reactor, and the settings are now final.
        from config.asgi import application
        from config.celery import app
        from config.embedded import EmbeddedTasks, SiteServer, drain
        from config.pulse import start_pulse, stop_pulse

        def announce() -> None:
            took = "" if since is None else f" (after {time.time() - since:.1f} s)"
            tell_address(f"{url}/")
            self.stdout.write(f"Marchstone is at {url}/{took}")
            self.stdout.flush()

        tasks = EmbeddedTasks(app) if settings.IS_EMBEDDED else None
        if tasks:
            tasks.start()
        start_pulse()
        SiteServer(application, listener, announce).run()
        drain()
        stop_pulse()
        if tasks:
            self.stdout.write(f"Stopped. Everything is kept in {_shown(settings.DATA_DIR)}/.")
        if tasks and not tasks.stop():
            # A task still runs. Its thread would be waited for; what it did not do, a sweep will.
            self.stdout.flush()
            os._exit(0)


def _shown(folder: Path) -> str:
    """Write a folder as somebody in the site's own folder would."""
    base = Path(settings.BASE_DIR)
    return str(folder.relative_to(base) if folder.is_relative_to(base) else folder)


def _port(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"a port is a number from 0 to 65535, not {text!r}")
    return int(text)


def _check() -> None:
    """Refuse with a sentence what would end in an error on every page."""
    if not is_migrated():
        sys.exit("The database is not up to date: run `manage.py prepare` first.")
    if not is_collected():
        sys.exit("Static files are not collected: run `manage.py prepare` first.")


def _listen(host: str, port: int) -> socket.socket:
    """Bind and listen here, so that a taken port is a sentence and port 0 is known."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=511)
    except (OSError, UnicodeError) as fault:
        # Python's own text for a taken port repeats the address. It hands the error of a name
        # that is not found on as an `OSError` whose number is negative and none of the system's.
        number = getattr(fault, "errno", None) or -1
        if number < 0:
            sys.exit(f"Cannot listen on {host}: no such address. Try --host 127.0.0.1.")
        sys.exit(
            f"Cannot listen on {host}, port {port}: {os.strerror(number)}. "
            "Choose another port, for example `make run PORT=8001`."
        )


def _site_url(listener: socket.socket) -> str:
    """Give the address at which a browser on this machine finds the listener."""
    host, port = listener.getsockname()[:2]
    shown = ANY_ADDRESS.get(host) or (f"[{host}]" if ":" in host else host)
    return f"http://{shown}:{port}"
