"""Celery workers as processes of their own, which take tasks from Redis and can be killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import uuid
from pathlib import Path

import redis
from celery import Celery
from django.conf import settings
from django.db import connection

from tests.services import REDIS_URL

ROOT = Path(__file__).parents[1]


def database_url() -> str:
    """Give the address of the database of this process, for other processes."""
    database = connection.settings_dict
    address = f"{database['HOST']}:{database['PORT'] or 5432}"
    login = ":".join(filter(None, (database["USER"], database["PASSWORD"])))
    return f"postgres://{login}@{address}/{database['NAME']}"


def beside(folder: Path) -> dict[str, str]:
    """Give the environment of a process that works on the database of this one."""
    return {
        **os.environ,
        "DATABASE_URL": database_url(),
        "DATA_DIR": str(folder),
        "SECRET_KEY": settings.SECRET_KEY,
    }


class Workers:
    """Worker processes on a queue of their own, over the database of this process."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.queue = f"test-{uuid.uuid4().hex}"
        self._folder = folder
        self._environment = environment
        self._app = Celery(broker=REDIS_URL)
        self._processes: list[subprocess.Popen[bytes]] = []

    def start(self, count: int = 1) -> None:
        """Start so many more workers, two processes each."""
        for _ in range(count):
            self._processes.append(self._start())

    def send(self, name: str, *args: int) -> None:
        """Put a task into the queue."""
        self._app.send_task(name, args=args, queue=self.queue, ignore_result=True)

    def kill(self, count: int | None = None) -> int:
        """Kill every process of so many workers at once, as a power cut would; gives how many."""
        n_killed = len(self._processes) if count is None else count
        killed, self._processes = self._processes[:n_killed], self._processes[n_killed:]
        for process in killed:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(30)
        return len(killed)

    def close(self) -> None:
        """Kill what runs, and take the queue and what was being worked on out of Redis."""
        self.kill()
        with redis.Redis.from_url(REDIS_URL) as client:
            client.delete(self.queue, f"_kombu.binding.{self.queue}")
            for tag, message in client.hgetall("unacked").items():
                if self.queue.encode() in message:
                    client.hdel("unacked", tag)
                    client.zrem("unacked_index", tag)
        self._app.close()

    def _start(self) -> subprocess.Popen[bytes]:
        environment = {**beside(self._folder), "REDIS_URL": REDIS_URL, **self._environment}
        command = ["-m", "celery", "-A", "config", "worker", "-c", "2", "-Q", self.queue]
        quiet = ["--without-gossip", "--without-mingle", "-n", f"{uuid.uuid4().hex}@test"]
        with (self._folder / "worker.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, *command, *quiet],
                cwd=ROOT,
                env=environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
