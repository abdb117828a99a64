"""Nobody loses a game for time in which the embedded site was switched off."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path

from tests.config.served import manage, served

OFF = "-10 days"
PATIENCE_S = 60


def ask(folder: Path, sql: str) -> list[tuple[str, ...]]:
    with closing(sqlite3.connect(folder / "marchstone.sqlite3", timeout=20)) as database, database:
        return database.execute(sql).fetchall()


def test_running_games_get_the_time_off_back(tmp_path: Path) -> None:
    assert manage(tmp_path, "prepare", "--demo").returncode == 0
    running = "SELECT count(*) FROM games_game WHERE status = 20"
    before = ask(tmp_path, running)
    ask(tmp_path, f"UPDATE games_game SET deadline_at = datetime(deadline_at, '{OFF}')")
    ask(
        tmp_path,
        "INSERT INTO games_heartbeat (job, succeeded_at)"
        f" VALUES ('games.deadlines_sweep', datetime('now', '{OFF}'))",
    )
    with served(tmp_path) as site:
        assert site.get("/lobby/")[0] == 200
        # The first pulse writes the time down, and the first sweep lets the deadlines follow it.
        until = time.monotonic() + PATIENCE_S
        while ask(tmp_path, f"{running} AND deadline_at < datetime('now')") != [(0,)]:
            assert time.monotonic() < until
            time.sleep(0.1)
        assert site.stop() == 0
    assert ask(tmp_path, running) == before
