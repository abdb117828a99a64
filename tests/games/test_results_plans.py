"""Ten thousand matches of one player on PostgreSQL: sums, results and downloads go by index."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from tests.games.boards import text_of
from tests.games.test_history_plans import N_MATCHES, captured_sql, players, scans_of

__all__ = ["players"]

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]

SLACK = 300
"""Rows of others that may be read besides, of some 8,000 in the table."""


def reads(sql: str, table: str) -> list[dict[str, Any]]:
    return [scan for scan in scans_of(sql) if scan.get("Relation Name") == table]


def check(run: Callable[[], Any], n_most: int, n_queries: int) -> None:
    """Matches are found by the indexes of their players, and few others than theirs are read."""
    asked = captured_sql(run)
    assert len(asked) == n_queries
    for sql in asked:
        for scan in reads(sql, "games_match"):
            times = scan["Actual Loops"]
            read = (scan["Actual Rows"] + scan.get("Rows Removed by Filter", 0)) * times
            assert scan["Node Type"] != "Seq Scan", sql
            assert read <= n_most, sql


def test_a_calm_player_costs_what_they_played(players: tuple[User, User], client: Client) -> None:
    """Among many matches of others, a hundred are summed up by reading a hundred."""
    calm = f"/players/{players[1].name}/"
    for path, n_queries in (
        (calm, 17),
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
    busy, calm = (f"/players/{player.name}/" for player in players)
    for path in ("", "matches/summary/", "matches/matches.csv"):
        n_busy = len(captured_sql(lambda path=path: text_of(client.get(busy + path))))
        n_calm = len(captured_sql(lambda path=path: text_of(client.get(calm + path))))
        assert n_busy == n_calm, path
