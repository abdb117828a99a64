"""A player's matches: who sees which, by filter, in order, and page by page."""

from __future__ import annotations

from datetime import timedelta
from itertools import chain
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from games.history import PAGE_SIZE
from games.models import Game, Match
from games.services.matches import match_abort
from tests.games.conftest import Cast, client_of, make_match, make_user, play_out, running_game
from tests.games.histories import link, past_match, shown, write_past

URL = "/players/Owner/matches/"


@pytest.fixture
def past(cast: Cast) -> dict[str, Match]:
    """Matches of the owner, each unlike the others, the oldest first."""
    owner, opponent, stranger = cast.owner, cast.opponent, cast.stranger
    made = {
        "won": past_match(owner, opponent, 1),
        "lost": past_match(opponent, owner, 2, points_0=15, points_1=4, ending="resign"),
        "drawn": past_match(owner, stranger, 3, winner=None, points_0=8, points_1=8),
        "late": past_match(
            stranger, owner, 4, winner=1, points_1=15, ending="timeout", ruleset_slug="automatic"
        ),
        "aborted": past_match(
            owner, opponent, 5, winner=None, points_0=0, points_1=0, status=31, ending="abort"
        ),
        "running": past_match(
            owner, opponent, 6, winner=None, status=20, ending="", finished_at=None, points_0=0
        ),
    }
    write_past([past_match(opponent, stranger, 7)])
    return dict(zip(made, write_past(list(made.values())), strict=True))


def names(past: dict[str, Match], ids: list[int]) -> list[str]:
    by_id = {match.pk: name for name, match in past.items()}
    return [by_id[number] for number in ids]


def test_all_matches_of_a_player_the_newest_first(past: dict[str, Match], client: Client) -> None:
    assert names(past, shown(client, URL)) == [*past][::-1]


def test_a_row_tells_opponent_result_points_ending_and_date(
    past: dict[str, Match], client: Client
) -> None:
    page = client.get(URL + "?result=lost").text
    row = " ".join(page[page.index('class="row played"') :].split())
    told = ("Opponent", "Lost", "4 : 15", "by resignation", "1 January 2026", "five stones")
    assert all(word in row for word in told)
    assert past["lost"].get_absolute_url() in row
    assert f"/games/{past['lost'].games.get().pk}/replay/" in row


def test_the_same_match_is_told_from_each_side(past: dict[str, Match], client: Client) -> None:
    assert "15 : 4" in client.get("/players/Opponent/matches/?ending=resign").text
    assert shown(client, "/players/Opponent/matches/?result=won&opponent=owner") == [
        past["lost"].pk
    ]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("result=won", ["late", "won"]),
        ("result=lost", ["lost"]),
        ("result=drawn", ["drawn"]),
        ("result=running", ["running"]),
        ("result=aborted", ["aborted"]),
        ("opponent=Stranger", ["late", "drawn"]),
        ("opponent=sTRANGER&result=drawn", ["drawn"]),
        ("opponent=Owner", []),
        ("ruleset=schotten-totten/automatic", ["late"]),
        ("ending=timeout", ["late"]),
        ("ending=abort", ["aborted"]),
        ("since=2026-01-02", []),
        ("until=2025-12-31", []),
        (
            "since=2026-01-01&until=2026-01-01",
            ["running", "aborted", "late", "drawn", "lost", "won"],
        ),
        ("sort=oldest", ["won", "lost", "drawn", "late", "aborted", "running"]),
        ("sort=most-points", ["late", "drawn", "won", "lost", "running", "aborted"]),
        ("sort=fewest-points", ["aborted", "running", "lost", "won", "drawn", "late"]),
        ("sort=oldest&result=won", ["won", "late"]),
    ],
)
def test_filters_and_orders(
    past: dict[str, Match], client: Client, query: str, expected: list[str]
) -> None:
    assert names(past, shown(client, f"{URL}?{query}")) == expected


def test_days_are_the_viewers_own(past: dict[str, Match], cast: Cast) -> None:
    """The first match began at 13:00 UTC: on the second of January in Kiritimati (UTC+14)."""
    cast.owner.time_zone = "Pacific/Kiritimati"
    cast.owner.save()
    browser = client_of(cast.owner)
    assert shown(browser, URL + "?until=2026-01-01") == []
    assert len(shown(browser, URL + "?since=2026-01-02&until=2026-01-02")) == len(past)


def test_the_form_keeps_what_was_asked(past: dict[str, Match], client: Client) -> None:
    page = client.get(URL + "?result=won&opponent=Opponent&since=2026-01-01&sort=oldest").text
    assert '<option value="won" selected>' in page
    assert 'value="Opponent"' in page
    assert 'value="2026-01-01"' in page
    assert '<option value="oldest" selected>' in page


HUGE = "9" * 40


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("opponent=Nobody", "There is no player with that name."),
        ("opponent=%00", "Null characters are not allowed."),
        ("opponent=" + "x" * 200, "at most 150 characters"),
        ("since=yesterday", "Write the day as 2026-03-31."),
        ("until=0001-01-01", "Choose a day between 2000 and 2199."),
        ("until=9999-12-31", "Choose a day between 2000 and 2199."),
        ("since=2025-12-31&until=2025-12-30", "This day comes before the first one."),
        ("result=glorious", "Select a valid choice."),
        ("ruleset=chess/960", "Select a valid choice."),
        ("ending=%F0%9F%A6%84", "Select a valid choice."),
        ("sort=%27%3B--", "Select a valid choice."),
    ],
)
def test_what_cannot_be_read_is_told_and_left_out(
    past: dict[str, Match], client: Client, query: str, message: str
) -> None:
    answer = client.get(f"{URL}?{query}")
    assert answer.status_code == 200
    assert message in answer.text
    assert "marked below was left out" in answer.text
    assert len(shown(client, f"{URL}?{query}")) == len(past)


@pytest.mark.parametrize("page", ["0", "-1", "x", "", HUGE, "%00", "1.5", "1e9", "9" * 18])
@pytest.mark.parametrize("name", ["after", "before"])
def test_a_page_that_is_none_is_the_first(
    past: dict[str, Match], client: Client, name: str, page: str
) -> None:
    assert len(shown(client, f"{URL}?{name}={page}")) == len(past)


@pytest.mark.parametrize(
    "path", ["/players/Nobody/matches/", "/players/%00/matches/", "/players/%20/matches/"]
)
def test_nobodys_matches_are_not_found(cast: Cast, client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_other_ways_of_writing_the_name_lead_to_the_one_address(cast: Cast, client: Client) -> None:
    answer = client.get("/players/oWNER/matches/?result=won")
    assert answer.headers["Location"] == URL + "?result=won"


def test_history_leads_to_ones_own(owner_client: Client, client: Client) -> None:
    assert owner_client.get("/history/?sort=oldest").headers["Location"] == URL + "?sort=oldest"
    assert owner_client.get(URL).text.count("Your matches")
    assert client.get("/history/").headers["Location"] == "/accounts/login/?next=/history/"


def test_only_reading(owner_client: Client) -> None:
    assert owner_client.post(URL).status_code == 405
    assert owner_client.get(URL).headers["Cache-Control"].count("no-store")


def test_who_has_played_nothing(cast: Cast, client: Client) -> None:
    assert "No match has been played yet." in client.get(URL).text
    assert "No match is like that." in client.get(URL + "?result=won").text


def test_a_passed_deadline_is_told(cast: Cast, client: Client, shifted: Any) -> None:
    make_match(cast.owner, cast.opponent)
    assert "Time is up" not in client.get(URL).text
    with shifted(timedelta(days=3, seconds=1)):
        assert client.get(URL).text.count("Time is up") == 2


def test_all_three_kinds_of_games_have_a_link(cast: Cast, owner_client: Client) -> None:
    """Real ones, made through the services: running, finished and called off."""
    running = make_match(cast.owner, cast.opponent)
    done = running_game(make_match(cast.owner, cast.opponent, n_rounds=1))
    play_out(done)
    off = make_match(cast.owner, cast.opponent)
    match_abort(match_id=off.pk, user=cast.owner, now=timezone.now())
    page = owner_client.get(URL).text
    assert f'href="{running_game(running).get_absolute_url()}"' in page
    assert f'href="/games/{done.pk}/replay/"' in page
    assert f'href="{off.games.get().get_absolute_url()}"' in page
    for path in (f"/games/{done.pk}/replay/", done.match.get_absolute_url()):
        assert owner_client.get(path, follow=True).status_code == 200


class TestPrivate:
    """Private matches are for their two players, in every list and by every question."""

    @pytest.fixture
    def private(self, past: dict[str, Match]) -> Match:
        match = past["lost"]
        Match.objects.filter(pk=match.pk).update(is_private=True)
        return match

    def test_others_do_not_see_them(self, private: Match, cast: Cast, client: Client) -> None:
        for browser in (client, client_of(cast.stranger)):
            assert private.pk not in shown(browser, URL)
            for query in ("?ending=resign", "?result=lost", "?opponent=Opponent&sort=oldest"):
                assert private.pk not in shown(browser, URL + query)
                assert private.pk not in shown(browser, "/players/Opponent/matches/" + query)

    def test_both_players_see_them_on_both_pages(self, private: Match, cast: Cast) -> None:
        for browser in (client_of(cast.owner), client_of(cast.opponent)):
            assert private.pk in shown(browser, URL)
            assert private.pk in shown(browser, "/players/Opponent/matches/")

    def test_they_are_no_place_to_begin_a_page_at(self, private: Match, client: Client) -> None:
        assert shown(client, f"{URL}?after={private.pk}") == shown(client, URL)

    def test_staff_are_others(self, private: Match, cast: Cast) -> None:
        cast.stranger.is_staff = cast.stranger.is_superuser = True
        cast.stranger.save()
        assert private.pk not in shown(client_of(cast.stranger), URL)


ORDERS = ("newest", "oldest", "most-points", "fewest-points")


class TestPages:
    """Pages hold every match once, forwards and back."""

    @pytest.fixture
    def many(self, cast: Cast) -> list[Match]:
        """Matches on both seats, many of them begun at the same moment and with equal points."""
        players = (cast.owner, cast.opponent)
        return write_past(
            [
                past_match(*players[:: 1 if n % 3 else -1], n // 4, points_0=n % 2, points_1=n % 5)
                for n in range(2 * PAGE_SIZE + 7)
            ]
        )

    @pytest.mark.parametrize("order", ORDERS)
    def test_each_match_once(self, many: list[Match], client: Client, order: str) -> None:
        path, pages = f"{URL}?sort={order}", []
        while path:
            pages.append(shown(client, path))
            path, last = link(client, path, "next"), path
        assert [len(page) for page in pages] == [PAGE_SIZE, PAGE_SIZE, 7]
        assert sorted(chain(*pages)) == [match.pk for match in many]
        self._check_back(client, last, pages)

    def _check_back(self, client: Client, path: str, pages: list[list[int]]) -> None:
        for page in pages[::-1]:
            assert shown(client, path) == page
            path = link(client, path, "prev")
        assert path == ""

    def test_links_keep_the_question(self, many: list[Match], client: Client) -> None:
        asked = f"{URL}?opponent=Opponent&since=2025-01-01&sort=oldest"
        assert link(client, asked, "next").startswith(
            f"{URL}?opponent=Opponent&since=2025-01-01&sort=oldest&after="
        )

    def test_beyond_the_end(self, many: list[Match], client: Client) -> None:
        """A page that was the last, when its matches are asked for by another question."""
        answer = client.get(f"{URL}?after={many[0].pk}&result=running")
        assert "There is nothing on this page." in answer.text
        assert "First page" in answer.text


@pytest.mark.parametrize("n_matches", [2, 45])
def test_query_counts_do_not_grow(
    cast: Cast,
    owner_client: Client,
    client: Client,
    django_assert_num_queries: DjangoAssertNumQueries,
    n_matches: int,
) -> None:
    write_past([past_match(cast.owner, make_user(f"P{n}"), n) for n in range(n_matches)])
    first = Match.objects.order_by("pk")[0].pk
    with django_assert_num_queries(4):  # player, matches by seat twice, games
        client.get(URL)
    with django_assert_num_queries(6):  # session and user besides
        owner_client.get(URL)
    with django_assert_num_queries(5):  # where the page begins
        client.get(f"{URL}?sort=oldest&after={first}")
    with django_assert_num_queries(5):  # the opponent by name
        client.get(f"{URL}?sort=most-points&result=won&opponent=P0")


@pytest.mark.parametrize("n_rounds", [1, 5])
def test_query_count_of_a_match(
    cast: Cast, client: Client, django_assert_num_queries: DjangoAssertNumQueries, n_rounds: int
) -> None:
    match = make_match(cast.owner, cast.opponent, n_rounds=n_rounds)
    while match.games.filter(status=Game.Status.RUNNING).exists():
        play_out(running_game(match))
    match.refresh_from_db()
    path = match.get_absolute_url()
    with django_assert_num_queries(2):  # the match, its games
        client.get(path)
