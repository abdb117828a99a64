"""Deleting an account: what is erased, what stays, and what others see of it."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.utils import timezone

from accounts.channels import NoticeChoice, PushDevice, Webhook
from accounts.conduct import Block, Report
from accounts.models import RetiredName, User
from accounts.services import PERSONAL, user_delete
from games import publish
from games.models import DrawnSecrets, Game, Match, Offer, Vacation
from games.notice_models import Notice
from games.services.outages import site_pulse
from games.services.vacations import vacation_choose
from ladder.models import Ladder, LedgerEntry
from ladder.rebuild import counters_differ, differences
from ladder.services import ratings_sweep
from ladder.standings import members
from tests.accounts.conftest import PASSWORD
from tests.games.conftest import (
    Cast,
    cast,
    client_of,
    make_match,
    make_offer,
    play_turn,
    request_id,
    running_game,
)
from tests.games.staff import path
from tests.ladder.conftest import beat

__all__ = ["cast"]


@pytest.fixture
def leaver(cast: Cast) -> User:
    """Give the owner, with all that a person leaves behind."""
    user = cast.owner
    user.set_password(PASSWORD)
    user.country, user.time_zone = "SE", "Europe/Stockholm"
    user.save()
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def delete(user: User) -> bool:
    return user_delete(user_id=user.pk, now=timezone.now())


def press(browser: Client, password: str = PASSWORD) -> Any:
    return browser.post("/preferences/delete/", {"password": password}, follow=True)


def test_the_page_says_what_happens_and_asks_for_the_password(leaver: User, cast: Cast) -> None:
    browser = client_of(leaver)
    begun = make_match(leaver, cast.opponent)
    for _ in range(2):
        play_turn(running_game(begun))
    make_match(leaver, cast.opponent)
    make_offer(leaver)
    page = browser.get("/preferences/delete/").text
    for told in (
        "You lose 1 running match",
        "1 match that has hardly begun is aborted",
        "Your open offer is withdrawn.",
        "Finished games stay",
    ):
        assert told in page
    assert "/preferences/delete/" in browser.get(leaver.get_absolute_url()).text
    for wrong in ("", "guess"):
        answer = press(browser, wrong)
        assert answer.status_code == 422
    leaver.refresh_from_db()
    assert leaver.is_active


def test_everything_about_the_person_is_erased(leaver: User, cast: Cast) -> None:
    make_match(leaver, cast.opponent)
    make_offer(leaver)
    make_offer(cast.opponent, "challenge", leaver)
    Webhook.objects.create(user=leaver, url="https://example.org/hook")
    assert Notice.objects.filter(user=leaver).exists()
    browser, elsewhere = client_of(leaver), client_of(leaver)
    page = press(browser).text
    assert "Your account is deleted." in page
    assert "Owner" not in page
    row = User.objects.get(pk=leaver.pk)
    assert row.name == str(row) == f"deleted player {row.pk}"
    assert (row.email, row.country, row.time_zone, row.last_login) == ("", "", "UTC", None)
    assert not row.is_active
    assert not row.has_usable_password()
    for rows in (EmailAddress, Notice, PushDevice, Webhook, NoticeChoice):
        assert not rows._default_manager.filter(user=row).exists()
    assert not DrawnSecrets.objects.filter(maker=row).exists()
    for other in (browser, elsewhere):
        assert "/accounts/login/" in other.get("/history/").headers["Location"]
    assert Client().get("/players/Owner/").status_code == 404
    assert Client().get(row.get_absolute_url()).status_code == 410
    login = {"login": "owner@example.org", "password": PASSWORD}
    assert Client().post("/accounts/login/", login).status_code == 200


def test_every_field_of_an_account_is_erased_or_stays_for_a_reason() -> None:
    kept = {"id", "date_joined", "is_bot", "is_guest"}
    written = {"name", "name_key", "password", "is_active", "deleted_at"}
    columns = {field.name for field in User._meta.concrete_fields}
    assert columns == kept | written | set(PERSONAL)


def test_blocks_and_what_was_written_in_reports_go_too(leaver: User, cast: Cast) -> None:
    now = timezone.now()
    Block.objects.create(blocker=leaver, blocked=cast.stranger, created_at=now)
    told = {"category": "insult", "created_at": now}
    by = Report.objects.create(reporter=leaver, target=cast.opponent, text="He said", **told)
    of = Report.objects.create(reporter=cast.opponent, target=leaver, quote="I said", **told)
    delete(leaver)
    by.refresh_from_db()
    of.refresh_from_db()
    assert (by.text, of.quote) == ("", "")
    assert not Block.objects.exists()


def test_sockets_are_closed_once(
    leaver: User, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    closed: list[str] = []
    monkeypatch.setattr("games.publish.session_ended", closed.append)
    with django_capture_on_commit_callbacks(execute=True):
        assert delete(leaver)
    with django_capture_on_commit_callbacks(execute=True):
        assert not delete(leaver)
    assert closed == [publish.user_group(leaver.pk)]


@pytest.mark.parametrize("name", ["Owner", "OWNER", "0wner"])
def test_nobody_takes_the_name_and_the_address_is_free(
    leaver: User, register: Any, name: str
) -> None:
    delete(leaver)
    answer = register(name, "new@example.org")
    assert "Somebody has this name" in answer.text
    assert "Owner" not in str(RetiredName.objects.values_list())
    register("Somebody new", "owner@example.org")
    assert User.objects.filter(email="owner@example.org", name="Somebody new").exists()


@pytest.mark.parametrize("name", ["deleted player 7", "Deleted Player", "DELETED-PLAYER 12"])
def test_nobody_registers_as_a_deleted_player(register: Any, name: str) -> None:
    assert "This name is kept for the site." in register(name, "new@example.org").text


def test_offers_are_closed_and_others_see_it(leaver: User, cast: Cast) -> None:
    seek = make_offer(leaver)
    invitation = make_offer(leaver, "invitation")
    challenge = make_offer(cast.opponent, "challenge", leaver)
    delete(leaver)
    statuses = dict(Offer.objects.values_list("pk", "status"))
    assert statuses[seek.pk] == statuses[invitation.pk] == Offer.Status.WITHDRAWN
    assert statuses[challenge.pk] == Offer.Status.DECLINED


def test_fault_108_no_offer_of_or_to_a_deleted_player_comes_to_a_match(
    leaver: User, cast: Cast
) -> None:
    """Fault 108: A is deleted; B accepts the old card in an open tab, or challenges."""
    seek = make_offer(leaver)
    finished = beat(leaver, cast.opponent)
    delete(leaver)
    browser = client_of(cast.opponent)
    answer = browser.post(f"/offers/{seek.pk}/accept/")
    assert answer.status_code == 409
    assert f"/offers/{seek.pk}/" not in browser.get("/lobby/").text
    again = browser.post(f"/matches/{finished.pk}/rematch/", {"request_id": request_id()})
    assert again.status_code == 409
    assert "This player cannot play at the moment." in again.text
    assert not Match.objects.filter(status=Match.Status.RUNNING).exists()


def test_the_ledger_stays_sound_and_the_ladder_is_left(leaver: User, cast: Cast) -> None:
    beat(leaver, cast.opponent)
    running = make_match(leaver, cast.opponent, n_rounds=1, is_rated=True)
    for _ in range(2):
        play_turn(running_game(running))
    ratings_sweep(now=timezone.now())
    ladder = Ladder.objects.get()
    assert {row.user_id for row in members(ladder)} == {leaver.pk, cast.opponent.pk}
    delete(leaver)
    assert ratings_sweep(now=timezone.now()) == 1
    assert [row.user_id for row in members(ladder)] == [cast.opponent.pk]
    assert LedgerEntry.objects.count() == 4
    assert differences(ladder)[1] == []
    assert not counters_differ(ladder)
    assert "Owner" not in Client().get(ladder.get_absolute_url()).text


def test_opponents_keep_their_games(leaver: User, cast: Cast) -> None:
    match = make_match(leaver, cast.opponent)
    for _ in range(2):
        play_turn(running_game(match))
    game = running_game(match)
    delete(leaver)
    browser = client_of(cast.opponent)
    board = browser.get(game.get_absolute_url())
    assert board.status_code == 200
    assert "deleted player" in board.text
    assert "Owner" not in board.text
    for page in ("/players/Opponent/matches/", "/players/Opponent/matches/matches.csv", "/"):
        assert b"Owner" not in b"".join(browser.get(page))
    record = json.loads(browser.get(f"{game.get_absolute_url()}record.json").text)
    assert "Owner" not in json.dumps(record)


class TestStaff:
    def test_staff_delete_accounts_by_the_same_way(self, leaver: User, cast: Cast) -> None:
        boss = User.objects.create_superuser("Boss", "boss@example.org", PASSWORD)
        match = make_match(leaver, cast.opponent)
        staff = client_of(boss)
        page = path("accounts.user", "delete", leaver.pk)
        assert "Owner" in staff.get(page).text
        assert staff.post(page, {"post": "yes"}).status_code == 302
        row = User.objects.get(pk=leaver.pk)
        assert row.is_deleted
        assert row.email == ""
        match.refresh_from_db()
        assert match.ending == Match.Ending.ABORT
        assert {entry.object_repr for entry in LogEntry.objects.all()} == {row.name}
        assert staff.post(page, {"post": "yes"}).status_code == 403
        change = path("accounts.user", "change", leaver.pk)
        staff.post(change, {"is_active": "on"})
        assert not User.objects.get(pk=leaver.pk).is_active

    def test_superusers_are_not_deleted(self, cast: Cast) -> None:
        boss = User.objects.create_superuser("Boss", "boss@example.org", PASSWORD)
        other = User.objects.create_superuser("Chief", "chief@example.org", PASSWORD)
        staff = client_of(boss)
        page = path("accounts.user", "delete", other.pk)
        assert staff.post(page, {"post": "yes"}).status_code == 403
        assert "Give up your rights over the site first." in press(staff).text
        assert User.objects.get(pk=boss.pk).is_active


def test_a_game_given_up_with_the_account_was_not_resigned(leaver: User, cast: Cast) -> None:
    match = make_match(leaver, cast.opponent)
    for _ in range(2):
        play_turn(running_game(match))
    board = running_game(match).get_absolute_url()
    delete(leaver)
    browser = client_of(cast.opponent)
    page = browser.get(match.get_absolute_url()).text
    assert "won: since the other account was deleted" in " ".join(page.split())
    for address in (match.get_absolute_url(), "/players/Opponent/matches/"):
        assert "by resignation" not in browser.get(address).text
    assert "since the other account was deleted." in browser.get(board).text


def test_nobody_is_asked_to_play_a_deleted_player_again(leaver: User, cast: Cast) -> None:
    match = beat(leaver, cast.opponent)
    board = match.games.get().get_absolute_url()
    browser = client_of(cast.opponent)
    for address in (match.get_absolute_url(), board):
        assert "Offer a rematch" in browser.get(address).text
    delete(leaver)
    for address in (match.get_absolute_url(), board):
        page = browser.get(address).text
        assert "ematch" not in page.partition("<main")[2].partition("</main>")[0]


def test_guesses_of_the_password_are_limited(leaver: User) -> None:
    browser = client_of(leaver)
    answers = [press(browser, "guess").status_code for _ in range(12)]
    assert set(answers) == {422, 429}
    leaver.refresh_from_db()
    assert leaver.is_active


def test_ones_own_data_can_be_taken_along(leaver: User, cast: Cast) -> None:
    match = beat(leaver, cast.opponent)
    ratings_sweep(now=timezone.now())
    running = running_game(make_match(leaver, cast.opponent))
    answer = client_of(leaver).get("/preferences/data.json")
    data = json.loads(answer.text)
    assert "attachment" in answer.headers["Content-Disposition"]
    assert data["account"]["name"] == "Owner"
    assert data["account"]["email_addresses"][0]["email"] == "owner@example.org"
    assert [each["match"] for each in data["matches"]] == [match.pk, running.match_id]
    assert data["matches"][0]["result"] == "won"
    assert data["ratings"][0]["changes"][0]["change"] > 0
    for secret in (running.match.secrets[0], str(running.piles["deck"][0])):
        assert f'"{secret}"' not in answer.text
    assert Client().get("/preferences/data.json").status_code == 302


class TestTimeThatIsUp:
    """An opponent whose deadline has passed, as far as the row of the game knows."""

    def overdue(self, leaver: User, cast: Cast, n_matches: int = 1) -> list[Game]:
        """Start matches in which the opponent should have acted an hour ago."""
        at = timezone.now() - timedelta(days=3, hours=1)
        games = []
        for _ in range(n_matches):
            begun = make_match(leaver, cast.opponent, at=at)
            play_turn(running_game(begun), at)
            play_turn(running_game(begun), at)
            if running_game(begun).turn == begun.seat_of(leaver.pk):
                play_turn(running_game(begun), at)
            games.append(running_game(begun))
        return games

    def ended(self) -> set[tuple[str, User | None]]:
        found = Match.objects.all()
        return {
            (match.ending, None if match.winner is None else match.players[match.winner])
            for match in found
        }

    def test_the_leaver_wins_what_was_won_before(self, leaver: User, cast: Cast) -> None:
        self.overdue(leaver, cast)
        delete(leaver)
        assert {ending for ending, _ in self.ended()} == {"timeout"}

    def test_a_vacation_that_begins_by_itself_saves_the_opponent(
        self, leaver: User, cast: Cast
    ) -> None:
        games = self.overdue(leaver, cast, 2)
        vacation_choose(user=cast.opponent, is_automatic=True, now=games[0].started_at)
        delete(leaver)
        assert self.ended() == {("account", cast.opponent)}
        assert Vacation.objects.get().user == cast.opponent

    def test_an_outage_that_nobody_noted_saves_the_opponent(self, leaver: User, cast: Cast) -> None:
        (game,) = self.overdue(leaver, cast)
        site_pulse(now=game.deadline_at - timedelta(minutes=1))
        delete(leaver)
        assert self.ended() == {("account", cast.opponent)}
