"""`manage.py serve` as its user meets it: start, stop, and plain sentences for what is wrong."""

from __future__ import annotations

import json
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.config.browser_socket import BrowserSocket
from tests.config.served import ROOT, Served, manage, served, site_environment
from tests.services import REDIS_URL

PATIENCE_S = 60


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("prepared")
    done = manage(folder, "prepare")
    assert (done.returncode, done.stderr) == (0, "")
    return folder


@pytest.fixture
def folder(prepared: Path, tmp_path: Path) -> Path:
    """Give a data folder with an empty database, ready to be served."""
    return ready(prepared, tmp_path)


@pytest.fixture(scope="module")
def site(prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Give one site for all tests that leave it running."""
    with served(ready(prepared, tmp_path_factory.mktemp("site"))) as site:
        yield site
        assert site.stop() == 0


def ready(prepared: Path, folder: Path) -> Path:
    shutil.copy(prepared / "marchstone.sqlite3", folder)
    (folder / "static").symlink_to(prepared / "static")
    return folder


def test_site_answers_and_ends_with_0_while_a_socket_is_open(folder: Path) -> None:
    with served(folder) as site:
        assert site.get("/healthz")[0] == 200
        with (
            BrowserSocket(site.url, "/ws/lobby/") as page,
            BrowserSocket(site.url, "/ws/lobby/") as other,
        ):
            assert json.loads(page.text())["type"] == "lobby"
            assert json.loads(other.text())["type"] == "lobby"
            site.process.send_signal(signal.SIGINT)
            # "Going away": the page comes back when the site does.
            assert (page.close_code(), other.close_code()) == (1001, 1001)
        assert site.process.wait(timeout=30) == 0


def test_ctrl_c_says_where_everything_is_kept(folder: Path) -> None:
    with served(folder) as site:
        assert site.stop() == 0
        assert site.process.stdout is not None
        assert site.process.stdout.read() == f"Stopped. Everything is kept in {folder}/.\n"


def test_sigterm_ends_with_0(folder: Path) -> None:
    with served(folder) as site, BrowserSocket(site.url, "/ws/lobby/") as page:
        page.text()
        assert site.stop(signal.SIGTERM) == 0


def test_second_signal_ends_the_site_at_once(folder: Path) -> None:
    with served(folder) as site, BrowserSocket(site.url, "/ws/lobby/") as page:
        page.text()
        # Two kinds: two equal ones, sent before the first is handled, would count as one.
        site.process.send_signal(signal.SIGTERM)
        assert site.stop(signal.SIGINT) in (128 + signal.SIGINT, 128 + signal.SIGTERM)


def test_beat_and_worker_run_beside_the_server(site: Served) -> None:
    until = time.monotonic() + PATIENCE_S
    while site.health()["checks"]["tasks"]["jobs"]["games.bots_sweep"]["age_s"] is None:
        assert time.monotonic() < until
        time.sleep(0.5)


def test_unknown_socket_and_foreign_origin_are_denied(site: Served) -> None:
    with BrowserSocket(site.url, "/ws/nothing/") as page:
        assert page.status == 403
    with BrowserSocket(site.url, "/ws/lobby/", origin="https://elsewhere.example") as page:
        assert page.status == 403


@pytest.mark.parametrize(
    "command", [("manage.py", "serve", "--port", "0"), ("-c", "import config.asgi")]
)
def test_second_process_on_the_same_folder_is_refused(site: Served, command: list[str]) -> None:
    second = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=site_environment(site.folder),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (second.returncode, second.stdout, second.stderr) == (
        1,
        "",
        f"Marchstone is already being served from {site.folder}, at {site.url}/: "
        "stop that process, or set REDIS_URL to run several.\n",
    )


def test_folder_is_free_again_after_a_crash(folder: Path) -> None:
    with served(folder) as site:
        site.process.kill()
        site.process.wait()
    with served(folder) as site:
        assert site.get("/healthz")[0] == 200


def test_taken_port_is_a_plain_sentence(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        refused = manage(folder, "serve", "--port", str(port))
    assert refused.returncode == 1
    assert refused.stderr == (
        f"Cannot listen on 127.0.0.1, port {port}: Address already in use. "
        "Choose another port, for example `make run PORT=8001`.\n"
    )


@pytest.mark.parametrize("host", ["no-such-host.invalid", "a..b", "1:2"])
def test_host_that_is_none_is_a_plain_sentence(tmp_path: Path, host: str) -> None:
    refused = manage(tmp_path, "serve", "--host", host)
    assert refused.returncode == 1
    assert refused.stderr == (f"Cannot listen on {host}: no such address. Try --host 127.0.0.1.\n")


def test_database_that_is_not_up_to_date_is_a_plain_sentence(tmp_path: Path) -> None:
    refused = manage(tmp_path, "serve", "--port", "0")
    assert refused.returncode == 1
    assert refused.stderr == ("The database is not up to date: run `manage.py prepare` first.\n")


def test_static_files_that_are_not_collected_are_a_plain_sentence(folder: Path) -> None:
    (folder / "static").unlink()
    refused = manage(folder, "serve", "--port", "0")
    assert refused.returncode == 1
    assert refused.stderr == ("Static files are not collected: run `manage.py prepare` first.\n")


def test_database_that_is_away_is_a_plain_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        url = f"postgres://nobody:secret@127.0.0.1:{closed.getsockname()[1]}/none"
    refused = manage(tmp_path, "serve", "--port", "0", DATABASE_URL=url)
    assert refused.returncode == 1
    last = refused.stderr.splitlines()[-1]
    assert last.startswith("The database does not answer")
    assert "secret" not in refused.stderr


@pytest.mark.parametrize("port", ["eighty", "-1", "65536", "8000.5"])
def test_port_that_is_none_is_a_plain_sentence(folder: Path, port: str) -> None:
    refused = manage(folder, "serve", f"--port={port}")
    assert refused.returncode != 0
    assert f"a port is a number from 0 to 65535, not '{port}'" in refused.stderr
    assert "Traceback" not in refused.stderr


HELD_UP = """
import threading
from celery import shared_task
from config.celery import app
from config.embedded import EmbeddedTasks
held, done = threading.Event(), threading.Event()
@shared_task(name="tests.slow")
def slow(): held.wait(60)
@shared_task(name="tests.quick")
def quick(): done.set()
tasks = EmbeddedTasks(app)
tasks.start()
for _ in range(20):
    app.send_task("tests.slow", queue="outbound")
app.send_task("tests.quick")
print("done" if done.wait(30) else "held up", flush=True)
import os; os._exit(0)
"""


def test_slow_servers_of_strangers_hold_no_other_task_up(folder: Path) -> None:
    done = manage(folder, "shell", "--no-imports", "-c", HELD_UP)
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr


@pytest.mark.parametrize("part", ["worker", "beat"])
def test_worker_or_beat_without_redis_is_refused(tmp_path: Path, part: str) -> None:
    refused = subprocess.run(
        [sys.executable, "-m", "celery", "-A", "config", part],
        cwd=ROOT,
        env=site_environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert refused.returncode == 1
    assert refused.stderr == (
        f"A {part} of its own needs REDIS_URL; without it `manage.py serve` works alone.\n"
    )


@pytest.mark.redis
def test_several_sites_share_a_folder_where_redis_is_set(folder: Path) -> None:
    with served(folder, REDIS_URL=REDIS_URL) as one, served(folder, REDIS_URL=REDIS_URL) as two:
        assert one.health()["checks"]["redis"] == {"ok": True}
        with BrowserSocket(two.url, "/ws/lobby/") as page:
            page.text()
            assert two.stop() == 0
        assert one.stop() == 0
