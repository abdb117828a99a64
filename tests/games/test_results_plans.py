"""Ten thousand matches of one player on PostgreSQL: home, profile and downloads go by index."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from accounts.models import User
from games import clock
from tests.games.boards import text_of
from tests.games.conftest import client_of
from tests.games.histories import BEGIN
from tests.games.test_history_plans import N_MATCHES, captured_sql, players, scans_of

__all__ = ["players"]

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]

SLACK = 300
"""Rows of others that may be read besides, of some 8,000 in the table."""

MONTH = 30 * 24
"""So many matches the busy player has in the time for which home tells what is over."""


def reads(sql: str, table: str) -> list[dict[str, Any]]:
    return [scan for scan in scans_of(sql) if scan.get("Relation Name") == table]


def n_read(scan: dict[str, Any]) -> int:
    """Say how many rows a part of a plan read, in all its rounds."""
    return int((scan["Actual Rows"] + scan.get("Rows Removed by Filter", 0)) * scan["Actual Loops"])


def check(run: Callable[[], Any], n_most: int, n_queries: int) -> None:
    """Matches are found by the indexes of their players, and few others than theirs are read."""
    asked = captured_sql(run)
    assert len(asked) == n_queries
    for sql in asked:
        for scan in reads(sql, "games_match"):
            assert scan["Node Type"] != "Seq Scan", sql
            assert n_read(scan) <= n_most, sql


def test_a_calm_player_costs_what_they_played(players: tuple[User, User], client: Client) -> None:
    """Among many matches of others, a hundred are summed up by reading a hundred."""
    calm = f"/players/{players[1].name}/"
    for path, n_queries in (
        (calm, 18),
        (f"{calm}matches/summary/", 3),
        (f"{calm}against/Other3/", 7),
        (f"{calm}matches/matches.csv", 3),
        (f"{calm}matches/games.jsonl", 7),
    ):
        check(lambda path=path: text_of(client.get(path)), 100 + SLACK, n_queries)


def test_head_to_head_reads_what_one_of_the_two_played(
    players: tuple[User, User], client: Client
) -> None:
    check(lambda: client.get("/players/Other3/against/Busy/"), N_MATCHES, 7)


def test_ten_thousand_matches_take_as_many_queries(
    players: tuple[User, User], client: Client
) -> None:
    """And of what is listed no more is read; what is summed up is read once, and by index."""
    busy, calm = (f"/players/{player.name}/" for player in players)
    for path in ("", "matches/summary/", "matches/matches.csv"):
        n_busy = len(captured_sql(lambda path=path: text_of(client.get(busy + path))))
        n_calm = len(captured_sql(lambda path=path: text_of(client.get(calm + path))))
        assert n_busy == n_calm, path
    _check_profile(captured_sql(lambda: client.get(busy)))
    with clock.shifted(BEGIN + timedelta(hours=N_MATCHES) - clock.now()):
        homes = [captured_sql(partial(client_of(who).get, "/")) for who in players]
    assert len(homes[0]) == len(homes[1])
    _check_home(homes[0])


def _check_profile(asked: list[str]) -> None:
    """Where all is summed up, nothing of others is read; the latest matches are read alone.

    PostgreSQL may well read the whole table for one who played most of it: not so here, to see
    that there is an index.
    """
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
    for sql in asked:
        is_list = "LIMIT 20" in sql
        for scan in reads(sql, "games_match"):
            assert scan["Node Type"] != "Seq Scan", sql
            assert n_read(scan) <= (SLACK if is_list else N_MATCHES), sql
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = on")


def _check_home(asked: list[str]) -> None:
    """What was over long ago is not read."""
    for sql in asked:
        for scan in reads(sql, "games_match") + reads(sql, "games_game"):
            assert scan["Node Type"] != "Seq Scan", sql
            assert n_read(scan) <= MONTH, sql
