"""Registering, confirming the address, and who may not have a name or an address."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client

from accounts.forms import SignupForm
from accounts.models import User
from tests.accounts.conftest import PASSWORD, link_in_mail

Register = Callable[..., Any]


def test_register_confirm_and_be_logged_in(client: Client, register: Register) -> None:
    answer = register("Ágnes", "Agnes@Example.org", time_zone="Europe/Budapest")
    assert answer.url == "/accounts/confirm-email/"
    assert "_auth_user_id" not in client.session
    assert mail.outbox[-1].to == ["agnes@example.org"]
    assert "Ágnes" in mail.outbox[-1].subject

    page = client.get(link_in_mail())
    assert "agnes@example.org" in page.text
    answer = client.post(link_in_mail(), follow=True)
    assert answer.redirect_chain[-1][0] == "/"
    assert "Ágnes" in answer.text
    user = User.objects.get(name="Ágnes")
    assert client.session["_auth_user_id"] == str(user.pk)
    assert user.time_zone == "Europe/Budapest"
    assert user.emailaddress_set.get().verified


def test_nobody_plays_before_the_address_is_confirmed(client: Client, register: Register) -> None:
    register("Ágnes", "agnes@example.org")
    answer = client.post("/accounts/login/", {"login": "Ágnes", "password": PASSWORD})
    assert answer.url == "/accounts/confirm-email/?sent=before"
    assert client.get("/preferences/").status_code == 302


def test_logging_in_sends_the_mail_again_or_says_that_it_does_not(
    client: Client, register: Register
) -> None:
    sent_page = client.get(register("Ágnes", "agnes@example.org").url).text
    assert "it is sent again, at most once in 3 minutes" in sent_page
    assert "No mail was sent just now" not in sent_page
    login = {"login": "Ágnes", "password": PASSWORD}
    answer = client.post("/accounts/login/", login, follow=True)
    assert len(mail.outbox) == 1
    assert "No mail was sent just now" in answer.text
    cache.clear()  # three minutes later
    answer = client.post("/accounts/login/", login, follow=True)
    assert len(mail.outbox) == 2
    assert "No mail was sent just now" not in answer.text


@pytest.mark.parametrize("zone", ["", "Mars/Olympus", "../../etc/passwd", "Etc/GMT+5", "x" * 99])
def test_a_zone_that_is_none_becomes_utc(register: Register, zone: str) -> None:
    register("Ágnes", "agnes@example.org", time_zone=zone)
    assert User.objects.get(name="Ágnes").time_zone == "UTC"


def test_the_page_says_where_mails_lie_when_they_are_files(
    client: Client, register: Register, settings: Any, tmp_path: Path
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    settings.BASE_DIR, settings.EMAIL_FILE_PATH = tmp_path, tmp_path / "var" / "mail"
    settings.IS_EMBEDDED = True
    answer = client.get(register("Ágnes", "agnes@example.org").url)
    assert f"<code>{tmp_path}/var/mail</code>" in answer.text
    assert "on its way" not in answer.text
    assert "sent you a mail" not in answer.text
    assert len(list((tmp_path / "var" / "mail").iterdir())) == 1


def test_the_page_names_no_folder_when_mails_are_sent(client: Client, register: Register) -> None:
    answer = client.get(register("Ágnes", "agnes@example.org").url)
    assert "var/mail" not in answer.text
    assert "We have sent you a mail" in answer.text
    assert "on its way" not in answer.text


@pytest.mark.parametrize("name", ["pavel", "PAVEL", "Pave1", "PaveI", "P-avel", "Ｐａｖｅｌ"])
def test_fault_99_a_look_alike_name_is_taken(pavel: User, register: Register, name: str) -> None:
    answer = register(name, "other@example.org")
    assert answer.status_code == 200
    assert "looks like it" in answer.text
    assert User.objects.count() == 1


@pytest.mark.parametrize("name", ["Рavel", "Pavel\u200b", "\u200b" * 15, "Pav\u202eel", "a/b"])
def test_fault_99_a_deceiving_name_is_refused(register: Register, name: str) -> None:
    answer = register(name, "other@example.org")
    assert answer.status_code == 200
    assert answer.context["form"].errors["username"]
    assert not User.objects.exists()


@pytest.mark.parametrize("email", ["PAVEL@example.org", " pavel@example.org ", "Pavel@EXAMPLE.org"])
def test_fault_98_one_account_however_the_address_is_written(
    pavel: User, register: Register, email: str
) -> None:
    register("Other", email)
    assert User.objects.get() == pavel
    assert mail.outbox[-1].to == ["pavel@example.org"]


@pytest.mark.parametrize("email", ["straße@x.org", "İb@x.org", "ﬁn@x.org", "ａｎａ@x.org"])
def test_fault_98_letters_that_folding_would_change_make_no_account(
    register: Register, email: str
) -> None:
    answer = register("Ágnes", email)
    assert answer.context["form"].errors["email"]
    assert not User.objects.exists()


def test_fault_100_registering_does_not_tell_whether_an_address_is_known(
    pavel: User, register: Register, client: Client
) -> None:
    known = register("One", "pavel@example.org")
    shown_known = client.get(known.url).text.replace("pavel@example.org", "ADDRESS")
    client.cookies.clear()
    unknown = register("Two", "nobody@example.org")
    assert (known.status_code, known.url) == (unknown.status_code, unknown.url)
    assert set(known.headers) == set(unknown.headers)
    shown_unknown = client.get(unknown.url).text.replace("nobody@example.org", "ADDRESS")
    assert shown_unknown == shown_known
    assert [sent.to for sent in mail.outbox] == [["pavel@example.org"], ["nobody@example.org"]]
    assert "/accounts/password/reset/" in mail.outbox[0].body


def _meanwhile(monkeypatch: pytest.MonkeyPatch, name: str, email: str) -> None:
    """Let somebody else register between this form's check and its save."""
    save = SignupForm.try_save

    def try_save(form: SignupForm, request: Any) -> Any:
        monkeypatch.setattr(SignupForm, "try_save", save)
        User.objects.create_user(name, email)
        return save(form, request)

    monkeypatch.setattr(SignupForm, "try_save", try_save)


def test_a_name_taken_meanwhile_is_said_by_the_form(
    register: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    _meanwhile(monkeypatch, "PAVEL", "first@example.org")
    answer = register("Pavel", "second@example.org")
    assert answer.status_code == 200
    assert "looks like it" in answer.text
    assert User.objects.count() == 1


def test_an_address_taken_meanwhile_is_answered_as_if_it_were_free(
    register: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    _meanwhile(monkeypatch, "First", "pavel@example.org")
    answer = register("Second", "pavel@example.org")
    assert answer.url == "/accounts/confirm-email/"
    assert User.objects.get().name == "First"


def test_names_in_mails_are_not_escaped(register: Register) -> None:
    register("O'Brien", "brien@example.org")
    assert "O'Brien" in mail.outbox[-1].subject
    assert "O'Brien" in mail.outbox[-1].body


def test_an_old_link_says_so(client: Client) -> None:
    answer = client.get("/accounts/confirm-email/nonsense/")
    assert "too old" in answer.text
