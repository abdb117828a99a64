"""What a profile tells of a player's results: by game, opponent and starter, and in a row."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.test import Client

from games.models import Game, Match
from games.results import Streaks, in_a_row
from tests.games.conftest import Cast, client_of, make_user
from tests.games.histories import past_match, write_past

PROFILE = "/players/Owner/"


@pytest.mark.parametrize(
    ("outcomes", "found"),
    [
        ([], Streaks()),
        ([2], Streaks(1, 1, 1, 1)),
        ([0], Streaks(0, 0, 0, 0)),
        ([1], Streaks(0, 0, 1, 1)),
        ([2, 2, 0, 2], Streaks(1, 2, 1, 2)),
        ([2, 2, 1, 2, 2, 2, 1], Streaks(0, 3, 7, 7)),
        ([2, 1, 2, 0, 1, 1], Streaks(0, 1, 2, 3)),
    ],
)
def test_streaks(outcomes: list[int], found: Streaks) -> None:
    assert in_a_row(outcomes) == found


def rows(page: str, caption: str) -> list[list[str]]:
    """Give the cells of the table that has a caption, without the players' menus."""
    page = re.sub(r'<details class="menu .*?</details>', "", page, flags=re.DOTALL)
    table = next(
        part for part in page.split("<table")[1:] if caption in part.split("</caption>")[0]
    )
    body = table.split("<tbody>")[1].split("</tbody>")[0]
    return [
        [
            " ".join(unescape(re.sub(r"<[^>]+>", " ", cell)).split())
            for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)
        ]
        for row in body.split("<tr>")[1:]
    ]


def in_rows(page: str) -> dict[str, str]:
    pairs = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", page)
    return {name: value for name, value in pairs if "in a row" in name}


@pytest.fixture
def past(cast: Cast) -> list[Match]:
    """Owner wins twice, loses once, wins once, draws once, in both seats."""
    owner, opponent, stranger = cast.owner, cast.opponent, cast.stranger
    found = write_past(
        [
            past_match(owner, opponent, 1),
            past_match(opponent, owner, 2, winner=1),
            past_match(stranger, owner, 3),
            past_match(owner, opponent, 4, ruleset_slug="automatic"),
            past_match(owner, stranger, 5, winner=None, is_private=True),
        ]
    )
    Game.objects.filter(match=found[1]).update(first=1)
    return found


@pytest.mark.django_db
def test_a_profile_tells_results_by_game_opponent_and_starter(
    cast: Cast, past: list[Match], client: Client
) -> None:
    page = client.get(PROFILE).text
    assert [line[1:4] for line in rows(page, "Results by game")] == [
        ["3", "0", "1"],
        ["2", "0", "1"],
        ["1", "0", "0"],
    ]
    assert [line[:4] for line in rows(page, "Opponents met most")] == [
        ["Opponent", "3", "0", "0"],
        ["Stranger", "0", "0", "1"],
    ]
    assert 'href="/players/Owner/against/Stranger/"' in page
    assert rows(page, "Games by who started") == [
        ["Owner", "3", "0", "0"],
        ["the opponent", "0", "0", "1"],
    ]
    assert in_rows(page) == {
        "wins in a row now": "1",
        "most wins in a row": "2",
        "unbeaten in a row now": "1",
        "most unbeaten in a row": "2",
    }


@pytest.mark.django_db
def test_private_matches_are_told_to_their_players_only(cast: Cast, past: list[Match]) -> None:
    for user in (cast.owner, cast.stranger):
        page = client_of(user).get(PROFILE).text
        assert in_rows(page)["unbeaten in a row now"] == "2"
        assert ["Stranger", "0", "1", "1"] in [
            line[:4] for line in rows(page, "Opponents met most")
        ]
    page = client_of(cast.opponent).get(PROFILE).text
    assert in_rows(page)["unbeaten in a row now"] == "1"
    assert rows(page, "Games by who started")[0] == ["Owner", "3", "0", "0"]


@pytest.mark.django_db
def test_who_has_finished_nothing_has_no_results(cast: Cast, client: Client) -> None:
    assert 'id="results"' not in client.get(PROFILE).text


@pytest.mark.django_db
def test_a_closed_account_is_named_without_links(
    cast: Cast, past: list[Match], client: Client
) -> None:
    cast.opponent.is_active = False
    cast.opponent.save()
    page = client.get(PROFILE).text
    assert rows(page, "Opponents met most")[0][:4] == ["Opponent", "3", "0", "0"]
    assert "/players/Owner/against/Opponent/" not in page


@pytest.mark.django_db
def test_as_many_queries_for_a_hundred_matches_as_for_one(
    cast: Cast, client: Client, django_assert_num_queries: Callable[[int], Any]
) -> None:
    for count in (1, 100):
        others = [make_user(f"P{count}x{n}") for n in range(8)]
        write_past([past_match(cast.owner, others[n % 8], n) for n in range(count)])
        # Player, record, how quickly and reliably they answer, sums by seat twice, opponents three,
        # starts two, streaks two, and what the ladders have: standings, seasons.
        with django_assert_num_queries(18):
            client.get(PROFILE)


@pytest.mark.django_db
def test_games_of_annulled_and_aborted_matches_count_nowhere(
    cast: Cast, past: list[Match], client: Client
) -> None:
    for match, ending in ((past[0], Match.Ending.ANNULLED), (past[1], Match.Ending.ABORT)):
        match.status, match.ending, match.winner = Match.Status.ABORTED, ending, None
        match.save()
    assert rows(client.get(PROFILE).text, "Games by who started") == [
        ["Owner", "1", "0", "0"],
        ["the opponent", "0", "0", "1"],
    ]
