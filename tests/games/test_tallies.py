"""Matches summed up, two players against each other, and matches as a table."""

from __future__ import annotations

import csv
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils.html import strip_tags

from games.models import Match
from games.presenters.tallies import length_text
from tests.games.boards import text_of
from tests.games.conftest import Cast, client_of, make_match, make_user
from tests.games.histories import past_match, shown, write_past

pytestmark = pytest.mark.django_db

AGAINST = "/players/Owner/against/Opponent/"
MATCHES = "/players/Owner/matches/"


@pytest.fixture
def past(cast: Cast) -> list[Match]:
    """Three finished matches of the two, one of them private; one against somebody else."""
    owner, opponent = cast.owner, cast.opponent
    return write_past(
        [
            past_match(owner, opponent, 1),
            past_match(opponent, owner, 2, points_0=9, points_1=4, ruleset_slug="automatic"),
            past_match(owner, opponent, 3, winner=None, points_0=3, points_1=3, is_private=True),
            past_match(opponent, owner, 4, winner=None, status=20, ending="", finished_at=None),
            past_match(owner, cast.stranger, 5),
        ]
    )


def lines(page: str) -> list[list[str]]:
    """Give the cells of the table of sums."""
    body = page.partition("<tbody>")[2].partition("</tbody>")[0]
    return [
        [cell.strip() for cell in unescape(strip_tags(row)).strip().split("\n") if cell.strip()]
        for row in body.split("</tr>")
        if row.strip()
    ]


def test_two_players_against_each_other(cast: Cast, past: list[Match]) -> None:
    page = client_of(cast.owner).get(AGAINST).text
    assert lines(page) == [
        ["All games", "1", "1", "1", "12 : 14", "0 minutes"],
        ["Schotten Totten", "1", "1", "0", "8 : 5", "0 minutes"],
        ["Schotten Totten, automatic claims", "0", "0", "1", "4 : 9", "0 minutes"],
    ]
    assert shown(client_of(cast.owner), AGAINST) == [match.pk for match in past[3::-1]]
    other = client_of(cast.owner).get("/players/Opponent/against/Owner/").text
    assert lines(other)[0] == ["All games", "1", "1", "1", "14 : 12", "0 minutes"]


def test_private_matches_count_for_their_players_only(
    cast: Cast, past: list[Match], client: Client
) -> None:
    for visitor in (client, client_of(cast.stranger)):
        assert lines(visitor.get(AGAINST).text)[0][:4] == ["All games", "1", "0", "1"]
        assert past[2].pk not in shown(visitor, AGAINST)
        assert (
            len(list(csv.reader(text_of(visitor.get(f"{MATCHES}matches.csv")).splitlines()))) == 5
        )


def test_names_lead_to_one_address(cast: Cast, client: Client) -> None:
    assert client.get("/players/owner/against/OPPONENT/")["Location"] == AGAINST
    assert client.get("/players/Owner/against/Owner/")["Location"] == "/players/Owner/"
    assert client.get("/players/Owner/against/Nobody/").status_code == 404
    assert "have not played each other" in client.get(AGAINST).text
    cast.opponent.is_active = False
    cast.opponent.save()
    assert client.get(AGAINST).status_code == 410


def test_other_pages_lead_there(cast: Cast, client: Client) -> None:
    match = make_match(cast.owner, cast.opponent)
    assert AGAINST in client.get(match.get_absolute_url()).text
    assert AGAINST in client.get(f"{MATCHES}?opponent=opponent").text
    assert AGAINST in client_of(cast.owner).get("/players/Opponent/").text


def test_sums_keep_to_the_filters(cast: Cast, past: list[Match]) -> None:
    client = client_of(cast.owner)
    page = client.get(f"{MATCHES}summary/?ruleset=schotten-totten/automatic").text
    assert lines(page)[0][:5] == ["All games", "0", "0", "1", "4 : 9"]
    assert lines(client.get(f"{MATCHES}summary/?opponent=Stranger").text)[0][1] == "1"
    assert "No finished match is like that." in client.get(f"{MATCHES}summary/?result=aborted").text
    assert "summary/?result=won" in client.get(f"{MATCHES}?result=won").text


def test_matches_as_a_table(cast: Cast, past: list[Match]) -> None:
    response = client_of(cast.owner).get(f"{MATCHES}matches.csv?opponent=Opponent")
    assert response["Content-Type"].startswith("text/csv")
    rows = list(csv.DictReader(text_of(response).splitlines()))
    assert [int(row["match"]) for row in rows] == [match.pk for match in past[3::-1]]
    assert rows[2] == {
        "match": str(past[1].pk),
        "game": "schotten-totten",
        "ruleset": "automatic",
        "rounds": "1",
        "pace": "per-turn-3",
        "rated": "no",
        "begun": "2026-01-01T14:00:00+00:00",
        "ended": "2026-01-01T14:00:00+00:00",
        "opponent": "Opponent",
        "seat": "1",
        "result": "lost",
        "ending": "points",
        "points": "4",
        "opponent_points": "9",
    }


def test_a_name_is_no_formula(cast: Cast, client: Client) -> None:
    write_past([past_match(cast.owner, make_user("=1+1"), 1)])
    assert "'=1+1" in text_of(client.get(f"{MATCHES}matches.csv"))


def test_as_many_queries_for_a_hundred_as_for_one(
    cast: Cast, client: Client, django_assert_num_queries: Callable[[int], Any]
) -> None:
    for count in (1, 100):
        write_past([past_match(cast.owner, cast.opponent, number) for number in range(count)])
        for path, n_queries in (
            (AGAINST, 7),
            (f"{MATCHES}summary/", 3),
            (f"{MATCHES}matches.csv", 3),
        ):
            with django_assert_num_queries(n_queries):
                text_of(client.get(path))


@pytest.mark.parametrize(
    ("length", "text"),
    [
        (timedelta(), "0 minutes"),
        (timedelta(minutes=1), "1 minute"),
        (timedelta(minutes=119), "119 minutes"),
        (timedelta(hours=2), "2 hours"),
        (timedelta(hours=47), "47 hours"),
        (timedelta(hours=60), "2 days"),
        (timedelta(days=9, hours=13), "10 days"),
    ],
)
def test_lengths_are_told_roughly(length: timedelta, text: str) -> None:
    assert length_text(length) == text
