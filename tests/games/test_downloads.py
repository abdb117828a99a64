"""All games of a player as records, a line each: which they are, and that the engine reads them."""

from __future__ import annotations

import asyncio
import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import AsyncRequestFactory, Client

from games.downloads import CHUNK
from games.engine.__main__ import main
from games.engine.api import Json
from games.models import Game, Match
from games.views.history import history_records
from tests.games.boards import text_of
from tests.games.conftest import Cast, client_of, make_match, play_out, running_game
from tests.games.histories import past_match, shown, write_past

pytestmark = pytest.mark.django_db

MATCHES = "/players/Owner/matches/"
RECORDS = f"{MATCHES}games.jsonl"


def lines(client: Client, query: str = "") -> list[Json]:
    answer = client.get(RECORDS + query)
    assert answer.status_code == 200
    assert answer["Content-Disposition"] == 'attachment; filename="games.jsonl"'
    return [json.loads(line) for line in text_of(answer).splitlines()]


def events(client: Client, query: str = "") -> list[str]:
    return [line["event"] for line in lines(client, query)]


def played(cast: Cast, **rest: Any) -> Match:
    """Play a match of two rounds to its end through the services."""
    match = make_match(cast.owner, cast.opponent, n_rounds=2, **rest)
    while match.games.filter(status=Game.Status.RUNNING).exists():
        play_out(running_game(match))
    return match


def test_each_line_is_a_record_that_the_engine_plays_again_and_checks(
    cast: Cast, client: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = played(cast)
    make_match(cast.owner, cast.opponent)  # runs, and is nobody's to read
    told = text_of(client.get(RECORDS))
    records = [json.loads(line) for line in told.splitlines()]
    assert [record["event"] for record in records] == [
        f"match {match.pk}, round 1 of 2",
        f"match {match.pk}, round 2 of 2",
    ]
    for record, game in zip(records, match.games.order_by("round"), strict=True):
        assert record == client.get(f"/games/{game.pk}/record.json").json()
    file = tmp_path / "games.jsonl"
    file.write_text(told, encoding="utf-8")
    for command in ("replay", "verify"):
        assert main([command, "--jsonl", str(file)]) == 0
        answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert len(answers) == 2
        assert not any("error" in answer for answer in answers)


def test_the_filters_are_those_of_the_list(cast: Cast, client: Client) -> None:
    write_past(
        [
            past_match(cast.owner, cast.opponent, 1),
            past_match(cast.stranger, cast.owner, 2, ending=Match.Ending.RESIGN),
            past_match(cast.owner, cast.opponent, 3, winner=1, ruleset_slug="automatic"),
        ]
    )
    first, second, third = (f"match {m.pk}, round 1 of 1" for m in Match.objects.order_by("pk"))
    assert events(client) == [third, second, first]
    assert events(client, "?result=lost") == [third, second]
    assert events(client, "?opponent=opponent&result=won") == [first]
    assert events(client, "?ending=resign") == [second]
    assert events(client, "?ruleset=schotten-totten/automatic") == [third]
    assert events(client, "?result=running") == []
    page = client.get(f"{MATCHES}?result=lost").text
    assert f'href="{RECORDS}?result=lost"' in page
    assert f'href="{MATCHES}matches.csv?result=lost"' in page


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("?opponent=Nobodyy", "Opponent: There is no player with that name.\n"),
        (
            "?result=zzz",
            "Result: Select a valid choice. zzz is not one of the available choices.\n",
        ),
        ("?since=31.3.2026", "Begun from: Write the day as 2026-03-31.\n"),
        (
            "?since=2026-02-02&until=2026-02-01",
            "Begun until: This day comes before the first one.\n",
        ),
        ("?sort=<b>", "Order: Select a valid choice. <b> is not one of the available choices.\n"),
    ],
)
@pytest.mark.parametrize("file", ["games.jsonl", "matches.csv"])
def test_a_filter_that_cannot_be_read_gives_no_file(
    cast: Cast, client: Client, file: str, query: str, told: str
) -> None:
    write_past([past_match(cast.owner, cast.opponent, 1)])
    answer = client.get(MATCHES + file + query)
    assert (answer.status_code, answer.text) == (400, told)
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert "Content-Disposition" not in answer


@pytest.mark.parametrize("sort", ["newest", "oldest", "most-points", "fewest-points"])
def test_the_order_is_that_of_the_list(cast: Cast, client: Client, sort: str) -> None:
    write_past(
        [
            past_match(cast.owner, cast.opponent, 1, points_0=4),
            past_match(cast.stranger, cast.owner, 2, points_1=6),
            past_match(cast.opponent, cast.owner, 3, points_1=3),
            past_match(cast.owner, cast.stranger, 4, points_0=4),
        ]
    )
    order = shown(client, f"{MATCHES}?sort={sort}")
    assert len(order) == 4
    table = text_of(client.get(f"{MATCHES}matches.csv?sort={sort}")).splitlines()
    assert [int(row["match"]) for row in csv.DictReader(table)] == order
    assert events(client, f"?sort={sort}") == [f"match {pk}, round 1 of 1" for pk in order]


def test_private_games_are_for_their_players_only(cast: Cast, client: Client) -> None:
    write_past([past_match(cast.owner, cast.opponent, 1, is_private=True)])
    for browser in (client_of(cast.owner), client_of(cast.opponent)):
        assert len(lines(browser)) == 1
    cast.stranger.is_staff = cast.stranger.is_superuser = True
    cast.stranger.save()
    for browser in (client, client_of(cast.stranger)):
        assert lines(browser) == []


def test_the_first_round_is_there_while_the_second_runs_and_no_secret_of_it(
    cast: Cast, client: Client
) -> None:
    match = make_match(cast.owner, cast.opponent, n_rounds=2)
    play_out(running_game(match))
    told = text_of(client.get(RECORDS))
    match.refresh_from_db()
    assert len(told.splitlines()) == 1
    assert match.secrets[0] in told
    assert match.secrets[1] not in told


def test_nobody_there(cast: Cast, client: Client) -> None:
    assert client.get("/players/Nobody/matches/games.jsonl").status_code == 404
    cast.owner.is_active = False
    cast.owner.save()
    assert client.get(RECORDS).status_code == 404
    assert client.post(RECORDS).status_code == 405


def test_two_queries_more_for_every_fifty_matches(
    cast: Cast, client: Client, django_assert_num_queries: Callable[[int], Any]
) -> None:
    for count, n_queries in ((CHUNK, 5), (CHUNK + 1, 7), (3 * CHUNK, 9)):
        Game.objects.all().delete()
        Match.objects.all().delete()
        write_past([past_match(cast.owner, cast.opponent, number) for number in range(count)])
        with django_assert_num_queries(n_queries):
            assert len(lines(client)) == count


@pytest.mark.django_db(transaction=True)
def test_the_server_sends_while_it_reads(cast: Cast) -> None:
    """Under ASGI the first part is out before the last matches are read."""
    write_past([past_match(cast.owner, cast.opponent, number) for number in range(250)])
    request = AsyncRequestFactory().get(RECORDS)
    request.user = AnonymousUser()
    response = history_records(request, "Owner")
    assert response.is_async

    async def sizes() -> list[int]:
        return [bytes(part).count(b"\n") async for part in response]

    assert asyncio.run(sizes()) == [100, 100, 50]
