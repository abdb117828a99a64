"""Worker and beat beside the server, and a server that goes down gently.

Used by `manage.py serve`. What waits for strangers' servers has threads of its own. A queue in
memory is forgotten at exit: the sweeps over rows, not the queue, are the truth. Computing belongs
into a child process, never into these threads.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

# Daphne installs its reactor when it is imported: before anything else of Twisted.
from daphne.server import Server  # isort: skip
from celery import Celery
from celery.beat import EmbeddedService
from celery.worker import WorkController
from twisted.internet import reactor
from twisted.internet.defer import Deferred

WORKER_THREADS = 4
OUTBOUND_THREADS = 2
OUTBOUND_POLL_S = 0.25
"""How often the queue of what goes out is looked at: nobody waits for it."""
FAREWELL_S = 1.0
"""How long applications may take to end by themselves once they were told."""
TASKS_S = 5.0
"""How long running tasks may take; what is cut off is found again by a sweep."""


class _Worker(WorkController):
    """A worker without a command line; it says when it consumes."""

    def __init__(self, **options: Any) -> None:
        self.is_ready = threading.Event()
        super().__init__(**options)

    def on_consumer_ready(self, consumer: object) -> None:
        self.is_ready.set()


class EmbeddedTasks:
    """Two Celery workers and beat in threads of this process, over the in-memory broker."""

    def __init__(self, app: Celery) -> None:
        # The last one's app is the current one in all threads.
        self._workers = [
            _worker(_twin(app), "outbound", OUTBOUND_THREADS),
            _worker(app, "celery", WORKER_THREADS),
        ]
        self._beat = EmbeddedService(app, thread=True, scheduler_cls=app.conf.beat_scheduler)

    def start(self) -> None:
        """Start the threads and wait until tasks are being taken."""
        for worker in self._workers:
            threading.Thread(target=worker.start, name="worker", daemon=True).start()
            worker.is_ready.wait(timeout=30)
        self._beat.start()

    def stop(self) -> bool:
        """Let running tasks end; say whether they did so in time."""
        self._beat.service.stop()
        stopping = [
            threading.Thread(target=worker.stop, name="worker stop", daemon=True)
            for worker in self._workers
        ]
        until = time.monotonic() + TASKS_S
        for thread in stopping:
            thread.start()
        for thread in stopping:
            thread.join(max(0, until - time.monotonic()))
        return not any(thread.is_alive() for thread in stopping)


def _worker(app: Celery, queue: str, n_threads: int) -> _Worker:
    return _Worker(
        app=app,
        hostname=queue,
        queues=[queue],
        pool="threads",
        concurrency=n_threads,
        without_heartbeat=True,
        without_mingle=True,
        without_gossip=True,
    )


def _twin(app: Celery) -> Celery:
    """Give another app with the same tasks and broker: which queues are taken is an app's own."""
    twin = Celery(app.main, set_as_current=False)
    twin.config_from_object("django.conf:settings", namespace="CELERY")
    twin.conf.broker_transport_options = {"polling_interval": OUTBOUND_POLL_S}
    return twin


class SiteServer(Server):
    """Daphne on a socket that listens already, with its own way to stop.

    Stock Daphne with an open WebSocket dies with a segmentation fault: queue reads that still
    wait are collected at interpreter exit. Here every application has ended before the reactor
    stops. One `run()` a process: the reactor cannot be started again.
    """

    def __init__(self, application: Any, listener: socket.socket, on_ready: Callable[[], None]):
        """Serve on `listener`; call `on_ready` once connections are taken."""
        super().__init__(application, endpoints=[listener], signal_handlers=False)
        # Daphne would read endpoints as text; this one is a socket, and adopted instead.
        self.endpoints: list[str] = []
        self._listener = listener
        self._on_ready = on_ready
        self._port: Any = None
        self._is_stopping = False

    def run(self) -> None:
        """Serve until SIGINT or SIGTERM; a second one of them ends the process at once."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._on_signal)
        reactor.callWhenRunning(self._adopt)
        super().run()

    def kill_all_applications(self) -> Deferred[None]:
        """End every application before the reactor stops; Daphne calls this at shutdown."""
        return Deferred.fromFuture(asyncio.ensure_future(self._farewell()))

    def _adopt(self) -> None:
        listener = self._listener
        # Twisted takes connections until there is none left: that must not block.
        listener.setblocking(False)
        self._port = reactor.adoptStreamPort(listener.fileno(), listener.family, self.http_factory)
        listener.close()
        self._on_ready()

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        if self._is_stopping:
            sys.stderr.flush()
            os._exit(128 + number)
        self._is_stopping = True
        reactor.callFromThread(self.stop)

    async def _farewell(self) -> None:
        """Take no more, tell sockets "going away", wait a moment, then cancel what is left."""
        if self._port:
            self._port.stopListening()
        for protocol in list(self.connections):
            # Only once it is open: before, Autobahn has no frame to send. Its sendClose()
            # refuses 1001, which browsers take as "come back".
            if getattr(protocol, "state", None) == getattr(protocol, "STATE_OPEN", ()):
                protocol.sendCloseFrame(code=1001)
        running = self._running()
        if running:
            await asyncio.wait(running, timeout=FAREWELL_S)
        left = self._running()
        for application in left:
            application.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    def _running(self) -> list[asyncio.Future[None]]:
        applications = (
            details.get("application_instance") for details in self.connections.values()
        )
        return [each for each in applications if each is not None and not each.done()]


def drain() -> None:
    """Run what the stopped reactor left in its loop, so that nothing waits at exit."""
    loop = asyncio.get_event_loop()
    left = asyncio.all_tasks(loop)
    for task in left:
        task.cancel()
    loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
    loop.run_until_complete(loop.shutdown_default_executor())
