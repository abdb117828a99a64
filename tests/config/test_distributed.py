"""The distributed site, started as deploy/Procfile says: two web processes, workers and beat."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
import redis

from tests.config.browser_socket import BrowserSocket
from tests.config.procfile import part
from tests.config.served import ROOT, Served, manage, served, site_environment
from tests.services import DATABASE_URL, REDIS_URL

pytestmark = [pytest.mark.postgres, pytest.mark.redis]

DATABASE = f"marchstone_distributed_{os.getpid()}"
PATIENCE_S = 180
PERIODIC = ("games.bots_sweep", "games.pushes_sweep")
"""One of each queue."""


@pytest.fixture(scope="module")
def variables() -> Iterator[dict[str, str]]:
    """Give a fresh database and an empty Redis."""
    with redis.Redis.from_url(REDIS_URL) as store:
        store.flushdb()
    with psycopg.connect(DATABASE_URL, autocommit=True) as server:
        server.execute(f"DROP DATABASE IF EXISTS {DATABASE}")
        server.execute(f"CREATE DATABASE {DATABASE}")
        own = urlunsplit(urlsplit(DATABASE_URL)._replace(path=f"/{DATABASE}"))
        yield {"DATABASE_URL": own, "REDIS_URL": REDIS_URL}
        server.execute(f"DROP DATABASE {DATABASE} WITH (FORCE)")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, variables: dict[str, str]) -> Path:
    folder = tmp_path_factory.mktemp("distributed")
    done = manage(folder, "prepare", **variables)
    assert (done.returncode, done.stderr) == (0, "")
    return folder


@pytest.fixture(scope="module")
def sites(folder: Path, variables: dict[str, str]) -> Iterator[list[Served]]:
    """Run it all; web processes end with 0, worker and beat are asked to end."""
    with ExitStack() as stack:
        webs = [stack.enter_context(served(folder, **variables)) for _ in range(2)]
        others = [
            subprocess.Popen(part(name), cwd=ROOT, env=site_environment(folder, **variables))
            for name in ("worker", "outbound", "beat")
        ]
        yield webs
        assert [web.stop() for web in webs] == [0, 0]
        for process in others:
            process.terminate()
        for process in others:
            process.wait(timeout=30)


def run_in(folder: Path, variables: dict[str, str], code: str) -> str:
    """Run code with the site's own environment, in a process of its own."""
    done = manage(folder, "shell", "--no-imports", "-c", code, **variables)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


SEEK = """
from accounts.models import User
from games.services.offers import offer_create
from games.services.terms import OfferTerms
from django.utils import timezone
user, _ = User.objects.get_or_create(name="Morag", defaults={"email": "morag@example.org"})
offer = offer_create(maker=user, kind="seek",
    terms=OfferTerms("schotten-totten", "after-play", 1, "per-turn-3"),
    request_id="seek-1", now=timezone.now())
print(offer.pk)
"""


def test_worker_and_beat_are_seen_to_work(sites: list[Served]) -> None:
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        health = sites[0].health()
        jobs = health["checks"]["tasks"]["jobs"]
        if all(jobs[job]["age_s"] is not None for job in PERIODIC):
            break
        time.sleep(0.5)
    assert health["checks"]["redis"] == {"ok": True}
    assert all(jobs[job]["age_s"] is not None for job in PERIODIC)


def test_news_of_any_process_reach_the_sockets_of_all(
    sites: list[Served], folder: Path, variables: dict[str, str]
) -> None:
    with ExitStack() as stack:
        pages = [stack.enter_context(BrowserSocket(site.url, "/ws/lobby/")) for site in sites]
        first = [json.loads(page.text())["version"] for page in pages]
        run_in(folder, variables, SEEK)
        later = [json.loads(page.text())["version"] for page in pages]
    assert all(new > old for old, new in zip(first, later, strict=True))


END_PAGES = """
from games import publish
publish.session_ended(publish.LOBBY_GROUP)
"""


def test_another_site_on_the_same_redis_server_is_not_heard(
    sites: list[Served], folder: Path, variables: dict[str, str]
) -> None:
    """What is published reaches all databases of a Redis server, and each site has one of them."""
    address, _, number = REDIS_URL.rpartition("/")
    other = {**variables, "REDIS_URL": f"{address}/{1 if number == '0' else 0}"}
    with BrowserSocket(sites[0].url, "/ws/lobby/") as page:
        first = json.loads(page.text())["version"]
        run_in(folder, other, END_PAGES)
        run_in(folder, variables, SEEK.replace("seek-1", "seek-2"))
        assert json.loads(page.text())["version"] > first
