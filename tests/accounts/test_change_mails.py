"""Who changes or deletes an account is told by mail, so that nobody else does it unseen."""

from __future__ import annotations

import smtplib
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.services import user_delete
from tests.accounts.conftest import PASSWORD, link_in_mail

NEW_PASSWORD = "moss-and-granite"


def change(client: Client, pavel: User) -> Any:
    client.force_login(pavel)
    form = {"oldpassword": PASSWORD, "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    return client.post("/accounts/password/change/", form)


def the_mail() -> mail.EmailMessage:
    """Give the one mail that was sent, to Pavel."""
    (sent,) = mail.outbox
    assert sent.to == ["pavel@example.org"]
    return sent


def test_a_changed_password_is_told_in_the_players_time(client: Client, pavel: User) -> None:
    pavel.time_zone = "Asia/Tokyo"
    pavel.save()
    assert change(client, pavel).status_code == 302
    sent = the_mail()
    assert sent.subject == "Your password at Marchstone was changed"
    for told in ("Hello Pavel,", "was changed.", "(Asia/Tokyo)", "/accounts/password/reset/"):
        assert told in sent.body
    assert NEW_PASSWORD not in sent.body


def test_a_password_that_was_reset_is_told(client: Client, pavel: User) -> None:
    client.post("/accounts/password/reset/", {"email": "pavel@example.org"})
    there = client.get(link_in_mail(), follow=True).redirect_chain[-1][0]
    mail.outbox.clear()
    client.post(there, {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD})
    assert "a new password was chosen for your account" in the_mail().body


def test_a_changed_address_is_told_to_the_old_one(client: Client, pavel: User) -> None:
    client.force_login(pavel)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    client.post("/accounts/email/", {"action_add": "", "email": "new@example.org"})
    link = link_in_mail()
    mail.outbox.clear()
    client.post(link)
    assert "no longer uses pavel@example.org, but new@example.org." in the_mail().body


def test_a_mail_server_that_is_away_makes_no_error_of_a_changed_password(
    client: Client, pavel: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise smtplib.SMTPServerDisconnected

    monkeypatch.setattr("django.core.mail.EmailMessage.send", fail)
    assert change(client, pavel).status_code == 302
    pavel.refresh_from_db()
    assert pavel.check_password(NEW_PASSWORD)


def test_a_deleted_account_is_told_once_at_the_address_it_had(
    pavel: User, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        assert user_delete(user_id=pavel.pk, now=timezone.now())
        assert not mail.outbox
    with django_capture_on_commit_callbacks(execute=True):
        assert not user_delete(user_id=pavel.pk, now=timezone.now())
    sent = the_mail()
    assert sent.subject == "Your account at Marchstone is deleted"
    assert "Hello Pavel," in sent.body
