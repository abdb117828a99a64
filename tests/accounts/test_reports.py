"""Reports: taken once, of what their reporter can see; read and closed by staff."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client

from accounts.conduct import Report
from accounts.models import User
from accounts.reports import MAX_OPEN


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def morag(db: None) -> User:
    return User.objects.create_user("Morag", "morag@example.org")


@pytest.fixture
def hamish(db: None) -> User:
    return User.objects.create_user("Hamish", "hamish@example.org")


@pytest.fixture
def browser(morag: User) -> Client:
    return client_of(morag)


def tell(browser: Client, name: str = "Hamish", **data: Any) -> Any:
    sent = {"category": "insult", "text": "He swore.", "about": "", "about_id": "", **data}
    return browser.post(f"/players/{name}/report/", sent, follow=True)


def test_a_report_is_taken_with_thanks(browser: Client, morag: User, hamish: User) -> None:
    page = browser.get("/players/Hamish/report/").text
    assert "Report <bdi>Hamish</bdi>" in page
    assert "Insults or threats" in page
    answer = tell(browser)
    assert answer.redirect_chain == [("/players/Hamish/", 302)]
    assert "Thank you for your report" in answer.text
    report = Report.objects.get()
    assert (report.reporter, report.target, report.text) == (morag, hamish, "He swore.")
    assert report.status == Report.Status.OPEN


def test_one_is_open_at_a_time(browser: Client, hamish: User) -> None:
    for _ in range(3):
        assert "Thank you" in tell(browser).text
    assert Report.objects.count() == 1
    Report.objects.update(status=Report.Status.SETTLED)
    tell(browser)
    assert Report.objects.count() == 2


def test_what_is_told_besides_is_added_to_the_open_one(browser: Client, hamish: User) -> None:
    for text in ("He shouts.", "He cheats too.", "He cheats too."):
        assert "Thank you" in tell(browser, text=text).text
    told = Report.objects.get().text
    assert told.startswith("He shouts.")
    assert told.count("He cheats too.") == 1
    assert tell(browser, text="x" * 1000).status_code == 429
    assert Report.objects.get().text == told


def test_so_many_at_most(browser: Client, morag: User, hamish: User) -> None:
    for n in range(MAX_OPEN):
        tell(browser, User.objects.create_user(f"Player{n}").name)
    answer = tell(browser)
    assert answer.status_code == 429
    assert "Many reports of yours are still open" in answer.text
    assert "He swore." in answer.text
    assert Report.objects.count() == MAX_OPEN


@pytest.mark.parametrize(
    ("data", "status"),
    [
        ({"category": "x"}, 422),
        ({"category": ""}, 422),
        ({"text": "x" * 1001}, 422),
        ({"text": "a\0b"}, 422),
        ({"about": "card", "about_id": "7"}, 404),
        ({"about": "match", "about_id": "7"}, 404),
        ({"about": "match", "about_id": "x"}, 404),
        ({"about": "match", "about_id": str(2**63)}, 404),
        ({"about": "x" * 21}, 404),
    ],
)
def test_bad_forms_are_refused(
    browser: Client, hamish: User, data: dict[str, str], status: int
) -> None:
    assert tell(browser, **data).status_code == status
    assert not Report.objects.exists()


def test_nobody_reports_themself_or_nobody(browser: Client) -> None:
    for name in ("Morag", "Nobody"):
        assert browser.get(f"/players/{name}/report/").status_code == 404
        assert tell(browser, name).status_code == 404


class TestStaff:
    @pytest.fixture
    def rook(self, db: None) -> User:
        return User.objects.create_superuser("Rook", "rook@example.org")

    def act(self, client: Client, action: str) -> Any:
        rows = list(Report.objects.values_list("pk", flat=True))
        data = {"action": action, "_selected_action": rows}
        return client.post("/staff/accounts/report/", data, follow=True)

    @pytest.mark.parametrize(("action", "status"), [("settle", 30), ("dismiss", 31)])
    def test_they_close_reports_and_it_is_written_down(
        self, browser: Client, hamish: User, rook: User, action: str, status: int
    ) -> None:
        tell(browser)
        staff = client_of(rook)
        report = Report.objects.get()
        page = staff.get(f"/staff/accounts/report/{report.pk}/change/").text
        assert "He swore." in page
        assert "1 report closed." in self.act(staff, action).text
        report.refresh_from_db()
        assert report.status == status
        assert report.closed_at is not None
        entry = LogEntry.objects.get()
        assert (entry.user, entry.object_id) == (rook, str(report.pk))
        assert "0 reports closed." in self.act(staff, action).text
        assert LogEntry.objects.count() == 1

    def test_who_may_only_look_closes_nothing(
        self, browser: Client, hamish: User, rook: User
    ) -> None:
        tell(browser)
        helper = User.objects.create_user("Helper", is_staff=True)
        helper.user_permissions.add(Permission.objects.get(codename="view_report"))
        self.act(client_of(helper), "settle")
        assert Report.objects.get().status == Report.Status.OPEN

    def test_players_do_not_see_reports(self, browser: Client, hamish: User) -> None:
        tell(browser)
        assert client_of(hamish).get("/staff/accounts/report/").status_code == 302
        assert "Morag" not in client_of(hamish).get("/").text

    def test_they_keep_somebody_from_writing(self, hamish: User, rook: User) -> None:
        staff = client_of(rook)
        data = {"is_active": "on", "groups": [], "chat_muted_until_0": "2031-01-02"}
        data["chat_muted_until_1"] = "10:00"
        staff.post(f"/staff/accounts/user/{hamish.pk}/change/", data)
        hamish.refresh_from_db()
        assert hamish.chat_muted_until is not None
        assert hamish.chat_muted_until.year == 2031
        assert LogEntry.objects.get().object_id == str(hamish.pk)
