"""deploy/: its parts say the same."""

from __future__ import annotations

import configparser
import shlex

import pytest

from config.celery import app
from tests.config.procfile import part
from tests.config.served import ROOT


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("web", "marchstone-web@.service"),
        ("worker", "marchstone-worker.service"),
        ("outbound", "marchstone-outbound.service"),
        ("beat", "marchstone-beat.service"),
    ],
)
def test_unit_starts_what_the_procfile_starts(name: str, unit: str) -> None:
    parser = configparser.RawConfigParser()
    parser.read(ROOT / "deploy" / "systemd" / unit)
    words = shlex.split(parser["Service"]["execstart"])
    assert words[0] == "/srv/marchstone/.venv/bin/python"
    in_units = [word.replace("%", "%%").replace("${PORT:-8000}", "%i") for word in part(name)[1:]]
    assert words[1:] == in_units


def test_what_waits_for_strangers_servers_has_workers_of_its_own() -> None:
    def queue_of(task: str) -> str:
        name: str = app.amqp.router.route({}, task)["queue"].name
        return name

    assert {
        queue_of(task)
        for task in ("games.pushes_sweep", "games.webhooks_sweep", "games.webhook_test")
    } == {"outbound"}
    others = {"games.deadlines_sweep", "games.bot_act", "games.notices_sweep"}
    assert {queue_of(task) for task in others} == {"celery"}
    for name, queue in (("worker", "celery"), ("outbound", "outbound")):
        words = part(name)
        assert words[words.index("--queues") + 1] == queue
