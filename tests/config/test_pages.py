"""Home, profile and the pages of the account: who sees what, and with how many queries."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import Game, Match
from tests.config.conftest import Play, offer

VISITOR_PAGES = [
    "/",
    "/lobby/",
    "/players/Morag/",
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/confirm-email/",
    "/accounts/confirm-email/nonsense/",
    "/accounts/password/reset/",
    "/accounts/password/reset/done/",
    "/accounts/password/reset/key/1-nonsense/",
    "/accounts/password/reset/key/done/",
    "/accounts/inactive/",
]
PLAYER_PAGES = [
    "/",
    "/lobby/",
    "/players/Morag/",
    "/players/Hamish/",
    "/accounts/email/",
    "/accounts/logout/",
    "/accounts/password/change/",
    "/accounts/reauthenticate/",
]


@pytest.mark.parametrize("path", VISITOR_PAGES)
def test_every_page_opens_for_a_visitor(client: Client, morag: User, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert_is_a_page_of_ours(answer.text)
    assert "Register" in answer.text


@pytest.mark.parametrize("path", PLAYER_PAGES)
def test_every_page_opens_for_a_player(browser: Client, hamish: User, path: str) -> None:
    answer = browser.get(path)
    assert answer.status_code == 200
    assert_is_a_page_of_ours(answer.text)
    assert "Log out" in answer.text


def assert_is_a_page_of_ours(text: str) -> None:
    """Check the frame that every page has, and that the content security policy allows it."""
    assert text.count("<main") == text.count("<h1") == 1
    assert 'href="#main"' in text
    assert "base.css" in text
    assert " style=" not in text
    assert "<style" not in text
    assert "<script>" not in text
    assert "onclick" not in text


def test_a_visitor_is_told_what_this_is_and_what_is_played(
    client: Client, morag: User, hamish: User, play: Play
) -> None:
    shown = play(morag, hamish).games.get()
    hidden = play(hamish, morag, is_private=True).games.get()
    text = client.get("/").text
    assert "Take a seat" in text
    assert shown.get_absolute_url() in text
    assert hidden.get_absolute_url() not in text


def test_home_lists_what_waits_first(
    browser: Client, morag: User, hamish: User, play: Play
) -> None:
    games = [play(morag, hamish).games.get(), play(hamish, morag).games.get()]
    for game, turn in zip(games, (0, 0), strict=True):
        Game.objects.filter(pk=game.pk).update(turn=turn)
    answer = browser.get("/")
    page = answer.context["page"]
    assert [own.game for own in page.waiting] == [games[0]]
    assert [own.game for own in page.running] == [games[1]]
    assert "<title>(1)" in answer.text
    assert "A game waits for you" in answer.text


def test_home_is_fetched_anew_when_something_of_the_player_changed(
    browser: Client, morag: User, hamish: User, play: Play
) -> None:
    assert 'data-socket="/ws/player/" data-url="/"' in browser.get("/").text
    game = play(morag, hamish).games.get()
    Game.objects.filter(pk=game.pk).update(turn=0)
    part = {"HX-Request": "true", "HX-Request-Type": "partial"}
    fragment = browser.get("/", headers=part).text
    assert "<html" not in fragment
    assert "<title>(1) Your table · Marchstone</title>" in fragment
    assert game.get_absolute_url() in fragment


def test_home_shows_a_passed_deadline_as_lost(
    browser: Client, morag: User, hamish: User, play: Play
) -> None:
    game = play(morag, hamish).games.get()
    Game.objects.filter(pk=game.pk).update(
        turn=0, deadline_at=timezone.now() - timedelta(seconds=1)
    )
    answer = browser.get("/")
    assert not answer.context["page"].waiting
    assert "Time is up" in answer.text


def test_home_shows_challenges_to_the_one_challenged(
    browser: Client, morag: User, hamish: User
) -> None:
    made = offer(hamish, morag)
    assert f"/offers/{made.pk}/" in browser.get("/").text
    other = Client()
    other.force_login(User.objects.create_user("Jitka", "jitka@example.org"))
    assert f"/offers/{made.pk}/" not in other.get("/").text


def test_home_tells_deadlines_in_the_players_time_zone(
    browser: Client, morag: User, hamish: User, play: Play
) -> None:
    game = play(morag, hamish).games.get()
    moment = timezone.now().replace(year=2031, month=7, day=1, hour=22, minute=30)
    Game.objects.filter(pk=game.pk).update(deadline_at=moment)
    assert "Tue 1 Jul, 23:30" in browser.get("/").text
    User.objects.filter(pk=morag.pk).update(time_zone="Europe/Budapest")
    assert "Wed 2 Jul, 00:30" in browser.get("/").text


def test_own_offers_that_wait_are_told(browser: Client, morag: User, hamish: User) -> None:
    assert "wait for an answer" not in browser.get("/").text
    offer(morag, hamish)
    assert "1 offer of yours waits for an answer." in browser.get("/").text


@pytest.mark.parametrize("n_games", [1, 5])
def test_query_counts_do_not_grow_with_what_is_shown(
    browser: Client,
    client: Client,
    morag: User,
    hamish: User,
    play: Play,
    django_assert_num_queries: Any,
    n_games: int,
) -> None:
    for _ in range(n_games):
        play(morag, hamish)
        offer(hamish, morag)
    with django_assert_num_queries(1):
        client.get("/")
    # Session, user, games, games over, challenges, talk, offers of one's own, and a vacation.
    with django_assert_num_queries(8):
        browser.get("/")
    # The player, record, a vacation, reliability, results in two, standings, seasons.
    with django_assert_num_queries(8):
        client.get("/players/Hamish/")
    with django_assert_num_queries(11):  # session, user, and whether they have blocked the player
        browser.get("/players/Hamish/")


def test_a_profile_shows_country_and_record(
    client: Client, morag: User, hamish: User, play: Play
) -> None:
    results: list[dict[str, Any]] = [{"winner": 0}, {"winner": 0}, {"winner": 1}, {"winner": None}]
    for result in results:
        match = play(morag, hamish)
        match.games.update(status=Game.Status.FINISHED)
        Match.objects.filter(pk=match.pk).update(status=Match.Status.FINISHED, **result)
    play(hamish, morag)
    answer = client.get("/players/Morag/")
    record = answer.context["record"]
    assert (record.won, record.drawn, record.lost, record.running) == (2, 1, 1, 1)
    assert "United Kingdom" in answer.text
    assert "morag@example.org" not in answer.text
    assert "Europe/London" not in answer.text


@pytest.mark.parametrize("written", ["morag", "MORAG", "Mоrag", "M-orag"])
def test_a_profile_is_found_however_the_name_is_written(
    client: Client, morag: User, written: str
) -> None:
    assert client.get(f"/players/{written}/").url == "/players/Morag/"


@pytest.mark.parametrize("name", ["Nagy Ödön", "J. R.", "O'Brien", "Їжак"])
def test_a_profile_has_an_address_whatever_the_name(client: Client, name: str) -> None:
    user = User.objects.create_user(name, "somebody@example.org")
    assert name in client.get(user.get_absolute_url()).context["player"].name


@pytest.mark.parametrize("path", ["/players/Hamish/", "/players/Hamish/matches/"])
def test_a_closed_account_says_so_and_no_more(
    browser: Client, morag: User, hamish: User, play: Play, path: str
) -> None:
    play(morag, hamish)
    User.objects.filter(pk=hamish.pk).update(is_active=False)
    answer = browser.get(path)
    assert answer.status_code == 410
    assert "This account is closed." in answer.text
    assert "United Kingdom" not in answer.text
    assert "here since" not in answer.text


@pytest.mark.parametrize("name", ["Nobody", "-", "%00", "\u200b"])
def test_an_unknown_player_is_not_found(client: Client, morag: User, name: str) -> None:
    assert client.get(f"/players/{name}/").status_code == 404


def test_a_player_is_challenged_from_the_profile(
    browser: Client, client: Client, morag: User, hamish: User
) -> None:
    link = "/offers/new/?kind=challenge&amp;to=Hamish"
    assert link in browser.get("/players/Hamish/").text
    assert "kind=challenge" not in browser.get("/players/Morag/").text
    assert "kind=challenge" not in client.get("/players/Hamish/").text


def test_preferences_are_saved_and_the_name_is_not(browser: Client, morag: User) -> None:
    form = {"language": "en", "time_zone": "Asia/Tokyo", "country": "", "chat": "none"}
    form["name"] = "Other"
    answer = browser.post("/preferences/", form, follow=True)
    assert "Your preferences are saved." in answer.text
    morag.refresh_from_db()
    assert (morag.time_zone, morag.country, morag.name) == ("Asia/Tokyo", "", "Morag")


@pytest.mark.parametrize(
    "wrong", [{"time_zone": "Mars/Olympus"}, {"country": "XX"}, {"language": "tlh"}, {"chat": "x"}]
)
def test_wrong_preferences_are_refused_with_the_form(
    browser: Client, morag: User, settings: Any, wrong: dict[str, str]
) -> None:
    settings.LANGUAGES = [("en", "English"), ("hu", "Magyar")]
    form = {"language": "en", "time_zone": "Asia/Tokyo", "country": "JP", "chat": "all", **wrong}
    answer = browser.post("/preferences/", form)
    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == set(wrong)
    morag.refresh_from_db()
    assert morag.time_zone == "Europe/London"


def test_a_language_is_asked_for_where_there_is_a_choice(
    browser: Client, morag: User, settings: Any
) -> None:
    settings.LANGUAGES = [("en", "English")]
    assert 'name="language"' not in browser.get("/players/Morag/").text
    browser.post("/preferences/", {"time_zone": "Asia/Tokyo", "country": "", "chat": "all"})
    morag.refresh_from_db()
    assert (morag.time_zone, morag.language) == ("Asia/Tokyo", "en")
    settings.LANGUAGES = [("en", "English"), ("hu", "Magyar")]
    assert 'name="language"' in browser.get("/players/Morag/").text


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("wrong", "a quiet table for two", "This is not your current password."),
        ("marchstone", "short", "A password has at least 8 characters."),
        ("marchstone", "password123", "Many people use this password. Choose another one."),
        ("marchstone", "marchstone", "Many people use this password. Choose another one."),
        ("marchstone", "Marchstone-2026!", "Many people use this password. Choose another one."),
        ("marchstone", "Morag-Morag", "This is too much like your name or your address."),
    ],
)
def test_a_refused_password_is_told_why_in_our_words(
    browser: Client, morag: User, old: str, new: str, told: str
) -> None:
    morag.set_password("marchstone")
    morag.save(update_fields=["password"])
    browser.force_login(morag)
    form = {"oldpassword": old, "password1": new, "password2": new}
    assert told in browser.post("/accounts/password/change/", form).text


def test_preferences_are_for_players(client: Client) -> None:
    assert client.get("/preferences/").url == "/accounts/login/?next=/preferences/"


def test_a_zone_that_vanished_from_the_database_breaks_no_page(
    browser: Client, morag: User
) -> None:
    User.objects.filter(pk=morag.pk).update(time_zone="Mars/Olympus", language="tlh")
    assert browser.get("/").status_code == 200


def test_the_service_worker_is_served_at_the_root_and_never_kept(client: Client) -> None:
    answer = client.get("/sw.js")
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/javascript")
    assert answer["Cache-Control"] == "no-cache"
    assert b'addEventListener("push"' in answer.content
