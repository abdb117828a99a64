"""Ten thousand matches of one player on PostgreSQL: as many queries as for a hundred, by index."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.history import PAGE_SIZE
from games.models import Match
from tests.games.conftest import make_user
from tests.games.histories import past_match, shown, write_past, written_once

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]

N_MATCHES = 10_000
QUESTIONS = (
    "?sort=newest",
    "?sort=oldest",
    "?result=won",
    "?ending=points&ruleset=schotten-totten/after-play",
    "?since=2026-03-01&until=2026-04-30",
    "?sort=most-points",
    "?sort=fewest-points&result=lost",
)
"""None of them needs to read on once the page is full."""


@pytest.fixture(scope="module")
def players(django_db_setup: None, django_db_blocker: Any) -> Iterator[tuple[User, User]]:
    """One with ten thousand matches against forty others, and one with a hundred."""
    with written_once(django_db_blocker):
        yield _players_written()


def _players_written() -> tuple[User, User]:
    others = [make_user(f"Other{number}") for number in range(40)]
    busy, calm = make_user("Busy"), make_user("Calm")
    matches = _matches(busy, others, N_MATCHES, 1) + _matches(calm, others, 100, 60)
    for number, other in enumerate(others[1:]):
        matches += _matches(other, others[: number + 1], 100, 7)
    write_past(matches)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return busy, calm


def _matches(player: User, others: list[User], count: int, hours: int) -> list[Match]:
    """Give matches of a player on both seats, won and lost, one each so many hours."""
    made = []
    for number in range(count):
        pair = (player, others[number % len(others)])
        told = {"winner": number % 2, "points_0": number % 17}
        made.append(past_match(*pair[:: 1 if number % 3 else -1], number * hours, **told))
    return made


def captured_sql(run: Callable[[], Any]) -> list[str]:
    """Give the SQL that a call asks."""
    with CaptureQueriesContext(connection) as captured:
        run()
    return [query["sql"] for query in captured.captured_queries]


def queries(client: Client, path: str) -> list[str]:
    """Give the SQL that a page asks."""

    def ask() -> None:
        assert client.get(path).status_code == 200

    return captured_sql(ask)


def scans_of(sql: str) -> list[dict[str, Any]]:
    """Run a query, and give the parts of its plan that read a table or an index."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}")
        told = cursor.fetchone()[0]
    plan = json.loads(told) if isinstance(told, str) else told
    nodes, waiting = [], [plan[0]["Plan"]]
    while waiting:
        node = waiting.pop()
        nodes.append(node)
        waiting += node.get("Plans", [])
    return [node for node in nodes if "Scan" in node["Node Type"]]


def rows_read(scans: list[dict[str, Any]]) -> float:
    return sum(
        scan["Actual Rows"] + scan.get("Rows Removed by Filter", 0)
        for scan in scans
        if scan.get("Relation Name") == "games_match"
    )


def check_plans(asked: list[str], question: str) -> None:
    """Matches and games are found through an index, never by reading their whole table."""
    for sql in asked:
        scans = scans_of(sql)
        for scan in scans:
            table = scan.get("Relation Name", "")
            is_whole = scan["Node Type"] == "Seq Scan" and table.startswith("games_")
            assert not is_whole, (question, sql)
        if f"LIMIT {PAGE_SIZE + 1}" in sql and 'FROM "games_match"' in sql:
            indexes = [scan.get("Index Name") or "" for scan in scans]
            served = "match_points_" if "-points" in question else "match_player_"
            assert any(served in index for index in indexes), (question, sql)
            assert rows_read(scans) <= 20 * PAGE_SIZE, (question, sql)


def test_ten_thousand_matches_cost_what_a_hundred_do(
    players: tuple[User, User], client: Client
) -> None:
    busy, calm = (f"/players/{player.name}/matches/" for player in players)
    for question in QUESTIONS:
        asked = queries(client, busy + question)
        assert len(asked) == len(queries(client, calm + question)) == 4, question
        check_plans(asked, question)
    _check_last_pages(client, busy)


def _check_last_pages(client: Client, path: str) -> None:
    """The end of the list, reached from the other side, costs what its beginning does."""
    oldest = shown(client, f"{path}?sort=oldest")
    last = f"{path}?after={oldest[-1]}"
    assert shown(client, last) == oldest[-2::-1]
    assert shown(client, f"{path}?before={oldest[-1]}&sort=oldest") == oldest[:-1]
    for page in (last, f"{path}?before={oldest[0]}", f"{path}?sort=most-points&after={oldest[0]}"):
        asked = queries(client, page)
        assert len(asked) == 5
        check_plans(asked, page)
