"""Fault 53: the site is killed in the middle of a turn, and started again.

The turn waits in its commit, where all its rows are written; there the process dies. Then the
database goes on with the commit, or gives it up.
"""

from __future__ import annotations

import http.client
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import psycopg
import pytest
from django.test import Client

from games.models import Action, Game, Submission
from tests.config.served import Served, manage, served
from tests.games.boards import form_of, make_board, page_of, post, text_of
from tests.games.conftest import Cast
from tests.games.races import check_sound
from tests.workers import database_url

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

PATIENCE_S = 60
TOKEN = "c" * 32
LOCK = 53
"""The number of a lock of the database that means nothing but "commits of turns wait"."""
HOLD_COMMITS = f"""
CREATE FUNCTION hold_commit() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN PERFORM pg_advisory_xact_lock_shared({LOCK}); RETURN NULL; END $$;
CREATE CONSTRAINT TRIGGER hold_commit AFTER INSERT ON games_submission
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION hold_commit();
SELECT pg_advisory_lock({LOCK});
"""
WAITING = f"SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = {LOCK} AND NOT granted"
AT_WORK = "SELECT pid FROM pg_stat_activity WHERE pid = %s AND state <> 'idle'"

Database = psycopg.Connection[tuple[Any, ...]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a data folder with static files; its own database is not used."""
    folder = tmp_path_factory.mktemp("crashes")
    done = manage(folder, "prepare")
    assert (done.returncode, done.stderr) == (0, "")
    return folder


@pytest.fixture
def database() -> Iterator[Database]:
    """Let the commit of every turn wait until this connection gives the lock up."""
    with psycopg.connect(database_url(), autocommit=True) as database:
        database.execute(HOLD_COMMITS)
        yield database
        database.execute("SELECT pg_advisory_unlock_all()")
        database.execute("DROP FUNCTION hold_commit CASCADE")


def commit(database: Database, writer: int) -> None:
    """The database never heard that the process is gone, and goes on."""
    database.execute("SELECT pg_advisory_unlock_all()")


def roll_back(database: Database, writer: int) -> None:
    """The database hears of it first, and drops what was not committed."""
    database.execute("SELECT pg_terminate_backend(%s)", [writer])
    _until(lambda: not database.execute(WAITING).fetchall())
    database.execute("SELECT pg_advisory_unlock_all()")


def _until(condition: Callable[[], Any]) -> Any:
    until = time.monotonic() + PATIENCE_S
    while not (found := condition()):
        assert time.monotonic() < until
        time.sleep(0.05)
    return found


def confirm(site: Served, game: Game, player: Client, form: dict[str, Any]) -> int:
    """Send a confirmed turn as a plain form; gives the status of the answer, 0 where none came."""
    address = urlsplit(site.url)
    session = player.cookies["sessionid"].value
    headers = {
        "Content-Type": "application/x-www-form-urlencoded",
        "Cookie": f"sessionid={session}; csrftoken={TOKEN}",
    }
    body = urlencode({**form, "csrfmiddlewaretoken": TOKEN}, doseq=True)
    line = http.client.HTTPConnection(address.netloc, timeout=PATIENCE_S)
    try:
        line.request("POST", f"/games/{game.pk}/submit/", body, headers)
        return line.getresponse().status
    except (http.client.HTTPException, ConnectionError):
        return 0
    finally:
        line.close()


@pytest.mark.parametrize(("ends", "n_kept"), [(commit, 1), (roll_back, 0)])
def test_fault_53_a_turn_whose_commit_was_cut_off_is_there_wholly_or_not_at_all(
    cast: Cast,
    owner_client: Client,
    folder: Path,
    database: Database,
    ends: Callable[[Database, int], None],
    n_kept: int,
) -> None:
    game = make_board(cast, "after-play")
    page = page_of(owner_client, game)
    planned = text_of(post(owner_client, game, "plan", page, step="lay", card="R7", stone="4"))
    form = form_of(planned, step="confirm")
    n_actions = 2
    with (
        served(folder, DATABASE_URL=database_url(), REDIS_URL="") as site,
        ThreadPoolExecutor(1) as pool,
    ):
        sent = pool.submit(confirm, site, game, owner_client, form)
        (writer,) = _until(lambda: database.execute(WAITING).fetchone())
        site.process.kill()
        assert sent.result(PATIENCE_S) == 0
    assert not Action.objects.exists()
    ends(database, writer)
    _until(lambda: not database.execute(AT_WORK, [writer]).fetchall())
    assert (Submission.objects.count(), Action.objects.count()) == (n_kept, n_kept * n_actions)
    game.refresh_from_db()
    assert (game.version, game.turn) == (n_kept * n_actions, n_kept)
    check_sound(game)

    with served(folder, DATABASE_URL=database_url(), REDIS_URL="") as site:
        for _ in range(2):
            assert confirm(site, game, owner_client, form) == 302
        site.process.kill()
    assert (Submission.objects.count(), Action.objects.count()) == (1, n_actions)
    game.refresh_from_db()
    assert (game.version, game.turn) == (n_actions, 1)
    check_sound(game)
