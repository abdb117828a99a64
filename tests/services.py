"""The services that some tests need, and whether they are here."""

from __future__ import annotations

import functools
import getpass
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

import psycopg
import redis

DATABASE_URL = os.environ.get(
    "TEST_DATABASE_URL", f"postgres://{getpass.getuser()}@127.0.0.1:5432/postgres"
)
N_REDIS_DATABASES = 16
"""How many a Redis server has where nothing else is told."""
WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))


def _redis_url(url: str, worker: int) -> str:
    """Give each process of pytest-xdist a Redis database of its own: one number lower each."""
    parts = urlsplit(url)
    number = int(parts.path.strip("/") or 0) - worker
    return urlunsplit(parts._replace(path=f"/{number % N_REDIS_DATABASES}"))


REDIS_URL = _redis_url(os.environ.get("TEST_REDIS_URL", "redis://127.0.0.1:6379/15"), WORKER)
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = os.environ.get("TEST_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), "")


@dataclass(frozen=True, slots=True)
class Service:
    """One service: the marker of the tests that need it, and how to have it."""

    marker: str
    name: str
    how: str
    is_here: Callable[[], bool]


def _has_postgres() -> bool:
    try:
        psycopg.connect(DATABASE_URL, connect_timeout=3).close()
    except psycopg.Error:
        return False
    return True


def _has_redis() -> bool:
    try:
        with redis.Redis.from_url(REDIS_URL, socket_connect_timeout=3) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False


SERVICES = (
    Service(
        "postgres",
        "PostgreSQL",
        "start a server and name a database there in TEST_DATABASE_URL "
        "(default postgres://<you>@127.0.0.1:5432/postgres); its user must be allowed to create "
        "databases",
        _has_postgres,
    ),
    Service(
        "redis",
        "Redis",
        "start redis-server, or name one in TEST_REDIS_URL (default redis://127.0.0.1:6379/15; "
        "the database before it is used as well)",
        _has_redis,
    ),
    Service(
        "redis_server",
        "the program redis-server",
        "install the redis-server package: a test stops and starts a Redis of its own",
        lambda: shutil.which("redis-server") is not None,
    ),
    Service(
        "browser",
        "Chromium",
        "install the chromium package, or name the program in TEST_CHROMIUM",
        lambda: bool(CHROMIUM and shutil.which(CHROMIUM)),
    ),
    Service(
        "node",
        "Node.js",
        "install Node.js 18 or newer, so that `node` is on the PATH",
        lambda: shutil.which("node") is not None,
    ),
)


@functools.cache
def missing_services() -> tuple[Service, ...]:
    """Give the services that do not answer; asked once a process."""
    return tuple(service for service in SERVICES if not service.is_here())
