"""The ladders' pages as players and visitors see them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.names import name_key
from games.services.matches import match_annul
from games.titles import playable_rulesets
from ladder.models import Ladder, LedgerEntry, Standing
from ladder.presenters import change_text
from ladder.services import counters_restore, match_rate, ratings_sweep
from ladder.standings import PAGE_SIZE
from tests.games.conftest import Cast, client_of
from tests.ladder.conftest import (
    RULESET,
    TITLE,
    beat,
    finished_matches,
    make_players,
    rated_match,
)

pytestmark = pytest.mark.django_db

PAGE = f"/ladders/{TITLE}/{RULESET}/"
WHY = "Challenge {name}Log in to challenge players."
"""What visitors see in the place of a way to challenge somebody."""


def stand(user: User, rating: int, n_matches: int = 20, **rest: Any) -> Standing:
    """Put a player on the ladder with a rating in points."""
    ladder, _made = Ladder.objects.get_or_create(title=TITLE, ruleset_slug=RULESET)
    now = timezone.now()
    values = {"joined_at": now, "active_at": now, "peak": rating * 1000, **rest}
    standing = Standing.objects.create(
        ladder=ladder, user=user, rating=rating * 1000, n_matches=n_matches, **values
    )
    counters_restore(ladder, now=now)
    return standing


def rows(page: str) -> list[list[str]]:
    """Give the cells of the standings' lines as plain text."""
    body = page.partition("<thead")[2].partition("</thead>")[2]
    lines = re.findall(r"<tr.*?</tr>", body.partition("</table>")[0], re.S)
    return [
        [
            " ".join(unescape(re.sub(r"<[^>]+>", "", cell)).split())
            for cell in re.findall(r"<t[dh].*?</t[dh]>", line, re.S)
        ]
        for line in lines
    ]


def get(client: Client, address: str = PAGE, status: int = 200) -> str:
    response = client.get(address)
    assert response.status_code == status
    return response.content.decode()


def test_an_unknown_ladder_is_not_found(client: Client) -> None:
    for address in ("/ladders/chess/blitz/", f"/ladders/{TITLE}/unheard-of/"):
        get(client, address, 404)
        assert client.post(f"{address}join/").status_code == 404


def test_an_empty_ladder_says_so(client: Client) -> None:
    assert "Nobody stands on this ladder yet" in get(client)
    assert not Ladder.objects.exists()


def test_the_list_names_every_ladder(client: Client) -> None:
    stand(make_players(1)[0], 1500)
    page = get(client, "/ladders/")
    for ruleset in playable_rulesets():
        assert reverse("ladder:standings", args=[ruleset.title, ruleset.slug]) in page
    assert "1 player holds a place" in page


def test_list_and_ladder_count_the_same_players(client: Client) -> None:
    """Who is inactive has no place, on either page."""
    one, two, away = make_players(3)
    stand(one, 1500)
    stand(two, 1400)
    stand(away, 1450, active_at=timezone.now() - timedelta(days=60))
    assert "2 players hold a place" in get(client, "/ladders/")
    assert "2 players hold a place here." in get(client)


def test_the_best_stands_first(client: Client) -> None:
    low, high, middle = make_players(3)
    stand(low, 1402, 9)
    stand(high, 1702, 10)
    stand(middle, 1555, 0)
    assert rows(get(client)) == [
        ["1", "Player2", "1702", "10", "–none yet", "–none yet", WHY.format(name="Player2")],
        [
            "2",
            "Player3",
            "1555? provisional",
            "0",
            "–none yet",
            "–none yet",
            WHY.format(name="Player3"),
        ],
        [
            "3",
            "Player1",
            "1402? provisional",
            "9",
            "–none yet",
            "–none yet",
            WHY.format(name="Player1"),
        ],
    ]


def test_a_rated_match_shows_on_the_standings(cast: Cast, client: Client) -> None:
    match = beat(cast.owner, cast.opponent)
    match_rate(match_id=match.pk, now=timezone.now())
    page = get(client)
    assert rows(page) == [
        ["1", "Owner", "1520? provisional", "1", "+20.0", "Wwon", WHY.format(name="Owner")],
        ["2", "Opponent", "1480? provisional", "1", "−20.0", "Llost", WHY.format(name="Opponent")],
    ]


def test_equal_ratings_share_a_number(client: Client) -> None:
    players = make_players(4)
    for player, rating in zip(players, (1600, 1500, 1500, 1400), strict=True):
        stand(player, rating)
    assert [row[0] for row in rows(get(client))] == ["1", "2", "2", "4"]


def test_who_does_not_play_for_45_days_has_no_number_until_they_play(
    cast: Cast, client: Client
) -> None:
    now = timezone.now()
    stand(cast.owner, 1600, active_at=now - timedelta(days=46))
    stand(cast.stranger, 1500, active_at=now - timedelta(days=44))
    stand(cast.opponent, 1400)
    assert [row[:2] for row in rows(get(client))] == [
        ["–no number", "Owner inactive"],
        ["1", "Stranger"],
        ["2", "Opponent"],
    ]
    assert "without a number" in get(client_of(cast.owner))
    match_rate(match_id=beat(cast.owner, cast.opponent).pk, now=now)
    assert [row[:2] for row in rows(get(client))] == [
        ["1", "Owner"],
        ["2", "Stranger"],
        ["3", "Opponent"],
    ]


def test_an_old_match_that_is_rated_late_wakes_nobody(cast: Cast, client: Client) -> None:
    old = timezone.now() - timedelta(days=60)
    match = beat(cast.owner, cast.opponent, old)
    match_rate(match_id=match.pk, now=timezone.now())
    assert [row[0] for row in rows(get(client))] == ["–no number", "–no number"]


def test_who_left_stands_nowhere(cast: Cast, client: Client) -> None:
    stand(cast.owner, 1600, left_at=timezone.now())
    stand(cast.opponent, 1400)
    assert [row[:2] for row in rows(get(client))] == [["1", "Opponent"]]


def fill(count: int) -> list[User]:
    """Put players on the ladder: the first has the lowest rating."""
    now = timezone.now()
    players = User.objects.bulk_create(
        User(name=f"Member{number}", name_key=name_key(f"Member{number}"), password="!")
        for number in range(count)
    )
    ladder, _made = Ladder.objects.get_or_create(title=TITLE, ruleset_slug=RULESET)
    Standing.objects.bulk_create(
        Standing(
            ladder=ladder,
            user=player,
            rating=(1000 + number) * 1000,
            peak=1500_000 + number * 1000,
            joined_at=now,
            active_at=now,
        )
        for number, player in enumerate(players)
    )
    counters_restore(ladder, now=now)
    return players


def test_pages_go_on_where_the_one_before_ended(client: Client) -> None:
    fill(PAGE_SIZE * 2 + 5)
    assert [row[0] for row in rows(get(client))] == [str(n) for n in range(1, PAGE_SIZE + 1)]
    second = rows(get(client, f"{PAGE}?page=2"))
    assert [row[0] for row in second] == [str(n) for n in range(51, 101)]
    last = get(client, f"{PAGE}?page=3")
    assert [row[0] for row in rows(last)] == ["101", "102", "103", "104", "105"]
    assert "Page 3 of 3" in last
    assert 'rel="next"' not in last
    assert 'rel="prev"' in last


@pytest.mark.parametrize("page", ["0", "-1", "99", "x", "1e3", "", "9" * 400, "²", "٣"])
def test_odd_page_numbers_are_taken_kindly(client: Client, page: str) -> None:
    fill(PAGE_SIZE + 1)
    assert rows(get(client, f"{PAGE}?page={page}"))


def test_ones_own_line_is_on_every_page(client: Client) -> None:
    players = fill(PAGE_SIZE * 3)
    own = client_of(players[20])
    first = get(own)
    assert rows(first)[0][:2] == ["130", "Member20 you"]
    assert "You are number <strong>130</strong>" in first
    assert 'href="?page=3#you"' in first
    third = get(own, f"{PAGE}?page=3")
    assert [row for row in rows(third) if "you" in row[1]] == [
        ["130", "Member20 you", *rows(third)[29][2:]]
    ]
    assert 'id="you"' in third
    assert "Go to your place" not in third


def test_the_number_of_queries_does_not_grow(
    django_assert_num_queries: Callable[[int], Any], client: Client
) -> None:
    players = fill(3)
    own = client_of(players[0])
    finished_matches([(players[0], players[1], 0)])
    ratings_sweep(now=timezone.now())
    with CaptureQueriesContext(connection) as few:
        get(client)
    with CaptureQueriesContext(connection) as few_own:
        get(own)
    more = make_players(PAGE_SIZE * 2)
    for player in more:
        stand(player, 1700)
    finished_matches([(one, two, 0) for one, two in itertools.pairwise(more)])
    ratings_sweep(now=timezone.now())
    with django_assert_num_queries(len(few)):
        get(client)
    with django_assert_num_queries(len(few_own)):
        get(own, f"{PAGE}?page=2")
    assert (len(few), len(few_own)) == (8, 11)


# Finding players, and challenging them


def test_form_and_trend_tell_of_the_latest_ten_matches(cast: Cast, client: Client) -> None:
    old = finished_matches([(cast.owner, cast.opponent, 0)])
    ratings_sweep(now=timezone.now())
    winners = [0, 0, None, 1, 0, 1, 1, 0, None, 1]
    matches = finished_matches([(cast.owner, cast.opponent, winner) for winner in winners])
    ratings_sweep(now=timezone.now())
    changes = LedgerEntry.objects.exclude(match__in=old).filter(user=cast.owner)
    trend = change_text(sum(changes.values_list("change", flat=True)))
    own = next(row for row in rows(get(client)) if row[1] == "Owner")
    told = "won, won, drew, lost, won, lost, lost, won, drew, lost"
    assert own[4:6] == [trend, f"WWDLWLLWDL{told}"]
    match_annul(match_id=matches[-1].pk, now=timezone.now())
    ratings_sweep(now=timezone.now())
    own = next(row for row in rows(get(client)) if row[1] == "Owner")
    assert own[5].startswith("WWWDLWLLWD")
    assert "The trend adds up what the others changed when they were rated." in get(client)


def test_a_player_is_found_by_name_on_their_page(client: Client) -> None:
    fill(PAGE_SIZE * 3)
    response = client.get(f"{PAGE}?player=mEMBER20 ")
    assert response["Location"] == f"{PAGE}?page=3&player=Member20#found"
    page = get(client, response["Location"])
    assert [row[1] for row in rows(page) if "found" in row[1]] == ["Member20 found"]
    assert page.count('id="found"') == 1


@pytest.mark.parametrize("name", ["Nobody", "<b>", "x" * 300, "\x00"])
def test_who_is_not_found_is_told_so(client: Client, name: str) -> None:
    stand(make_players(1)[0], 1500)
    response = client.get(PAGE, {"player": name})
    assert response.status_code == 404
    page = response.content.decode()
    assert "stands on this ladder." in page
    assert "<b>" not in page
    assert rows(page)


def test_who_left_is_not_found(cast: Cast, client: Client) -> None:
    stand(cast.owner, 1600, left_at=timezone.now())
    stand(cast.opponent, 1500)
    assert client.get(PAGE, {"player": "Owner"}).status_code == 404


@pytest.mark.parametrize(("place", "first", "last"), [(0, 1, 13), (70, 59, 83), (149, 138, 150)])
def test_around_me_shows_who_stands_near(place: int, first: int, last: int) -> None:
    players = fill(PAGE_SIZE * 3)
    page = get(client_of(players[149 - place]), f"{PAGE}?around=me")
    assert [row[0] for row in rows(page)] == [str(n) for n in range(first, last + 1)]
    assert [row[0] for row in rows(page) if "you" in row[1]] == [str(place + 1)]
    assert f'href="?page={place // PAGE_SIZE + 1}#you"' in page


def test_around_me_is_the_first_page_for_who_stands_nowhere(cast: Cast, client: Client) -> None:
    fill(3)
    for other in (client, client_of(cast.owner)):
        assert len(rows(get(other, f"{PAGE}?around=me"))) == 3


def test_a_country_is_told_by_code_and_name(cast: Cast, client: Client) -> None:
    cast.owner.country = "CZ"
    cast.owner.save()
    stand(cast.owner, 1500)
    assert rows(get(client))[0][1] == "Owner CZ, Czechia"


def test_members_are_challenged_from_the_standings(cast: Cast) -> None:
    stand(cast.opponent, 1500)
    client = client_of(cast.owner)
    found = re.search(r'href="([^"]*kind=challenge[^"]*)"', get(client))
    assert found is not None
    form = get(client, unescape(found[1]))
    assert 'value="Opponent"' in form
    assert re.search(r'name="is_rated"[^>]*checked|value="True"[^>]*selected', form)


def test_the_button_says_why_nobody_can_be_challenged(cast: Cast, client: Client) -> None:
    stand(cast.opponent, 1500)
    assert "Log in to challenge players." in get(client)
    for field, told in (
        ("is_guest", "Guests play casual matches only."),
        ("is_bot", "Computer players play casual matches only."),
        ("is_active", "This account is closed."),
    ):
        User.objects.filter(pk=cast.opponent.pk).update(**{field: field != "is_active"})
        page = get(client_of(cast.owner))
        assert told in page, field
        assert "kind=challenge" not in page
        User.objects.filter(pk=cast.opponent.pk).update(**{field: field == "is_active"})
    User.objects.filter(pk=cast.owner.pk).update(is_guest=True)
    assert "Register to play rated ones." in get(client_of(cast.owner))
    own = rows(get(client_of(cast.opponent)))
    assert own[0][6] == ""


def test_the_button_says_that_no_more_offers_can_be_open(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.services.offers.MAX_OPEN_OFFERS", 0)
    stand(cast.opponent, 1500)
    page = get(client_of(cast.owner))
    assert "open offers, which is the most: withdraw one first." in page
    assert "kind=challenge" not in page


# Joining and leaving


def test_join_and_leave_without_script(cast: Cast) -> None:
    client = client_of(cast.owner)
    assert "Join the ladder" in get(client)
    response = client.post(f"{PAGE}join/", follow=True)
    page = response.content.decode()
    assert response.redirect_chain == [(PAGE, 302)]
    assert "You have joined." in page
    assert rows(page) == [
        ["1", "Owner you", "1500? provisional", "0", "–none yet", "–none yet", ""]
    ]
    page = client.post(f"{PAGE}leave/", follow=True).content.decode()
    assert "You have left." in page
    assert rows(page) == []


def test_leaving_is_refused_while_a_rated_match_runs(cast: Cast) -> None:
    rated_match(cast.owner, cast.opponent)
    response = client_of(cast.owner).post(f"{PAGE}leave/")
    assert response.status_code == 409
    assert "some are still running" in response.content.decode()
    assert Standing.objects.get(user=cast.owner).left_at is None


def test_visitors_log_in_first(client: Client) -> None:
    for verb in ("join", "leave"):
        response = client.post(f"{PAGE}{verb}/")
        assert response.status_code == 302
        assert response["Location"].startswith("/accounts/login/?next=/ladders/")
    assert not Standing.objects.exists()


def test_guests_are_told_why_they_cannot_join(cast: Cast) -> None:
    cast.owner.is_guest = True
    cast.owner.save()
    response = client_of(cast.owner).post(f"{PAGE}join/")
    assert response.status_code == 409
    assert "casual matches only" in response.content.decode()


def test_nothing_is_joined_by_a_link(cast: Cast) -> None:
    client = client_of(cast.owner)
    for verb in ("join", "leave"):
        get(client, f"{PAGE}{verb}/", 405)


# What other pages show
