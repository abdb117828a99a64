"""Logging in and out, passwords, changing the address, and what must not be told."""

from __future__ import annotations

from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from tests.accounts.conftest import PASSWORD, link_in_mail

NEW_PASSWORD = "moss-and-granite"


def log_in(client: Client, login: str, password: str = PASSWORD, **rest: str) -> Any:
    return client.post("/accounts/login/", {"login": login, "password": password, **rest})


@pytest.mark.parametrize(
    "login",
    [
        "Pavel",
        "pavel",
        " PAVEL ",
        "Ｐavel",
        "pavel@example.org",
        "PAVEL@EXAMPLE.ORG",
        " Pavel@example.org ",
    ],
)
def test_fault_98_log_in_by_name_or_address_in_any_writing(
    client: Client, pavel: User, login: str
) -> None:
    assert log_in(client, login).url == "/"
    assert client.session["_auth_user_id"] == str(pavel.pk)


def test_names_in_other_scripts_log_in_in_any_case(client: Client, db: None) -> None:
    user = User.objects.create_user("Їжак", "yizhak@example.org", PASSWORD)
    user.emailaddress_set.create(email=user.email, verified=True, primary=True)
    log_in(client, "їЖАК")
    assert client.session["_auth_user_id"] == str(user.pk)


def test_a_wrong_password_and_an_unknown_name_get_one_answer(client: Client, pavel: User) -> None:
    known = log_in(client, "Pavel", "wrong")
    unknown = log_in(client, "Nobody", "wrong")
    by_address = log_in(client, "nobody@example.org", "wrong")
    assert known.status_code == unknown.status_code == by_address.status_code == 200
    told = [a.context["form"].non_field_errors() for a in (known, unknown, by_address)]
    assert told[0] == told[1] == told[2]
    assert len(told[0]) == 1


def test_log_in_is_limited_for_one_player_however_the_name_is_written(
    client: Client, pavel: User
) -> None:
    for login in ("Pavel", "pavel", "PAVEL", "Pave1", "P-avel"):
        log_in(client, login, "wrong")
    answer = log_in(client, "Pavel")
    assert "Too many" in answer.text
    assert "_auth_user_id" not in client.session
    cache.clear()
    assert log_in(client, "Pavel").url == "/"


def test_registering_without_end_is_stopped_with_a_page_of_ours(client: Client) -> None:
    for _ in range(20):
        client.get("/accounts/signup/")
        client.post("/accounts/signup/", {})
    answer = client.post("/accounts/signup/", {})
    assert answer.status_code == 429
    assert "patience" in answer.text


EVIL = [
    "//evil.com",
    "////evil.com",
    "/\\evil.com",
    "https:evil.com",
    "https://evil.com",
    "javascript:1",
    "%2F%2Fevil.com",
    "/\t/evil.com",
    "http://testserver@evil.com/",
    "\r\nLocation: //evil.com",
]


def _leads_to(url: str) -> str:
    """Give the host to which a browser goes: it drops tabs and reads a backslash as a slash."""
    read = url.replace("\t", "").replace("\r", "").replace("\n", "").replace("\\", "/")
    went = urlsplit(urljoin("http://testserver/accounts/login/", read))
    assert went.scheme == "http"
    return went.netloc


@pytest.mark.parametrize("target", EVIL)
def test_fault_104_an_unsafe_next_target_leads_home(
    client: Client, pavel: User, target: str
) -> None:
    answer = log_in(client, "Pavel", next=target)
    assert _leads_to(answer.url) == "testserver"
    answer = client.post("/accounts/logout/", {"next": target})
    assert _leads_to(answer.url) == "testserver"


def test_a_safe_next_target_is_kept(client: Client, pavel: User) -> None:
    assert log_in(client, "Pavel", next="/lobby/").url == "/lobby/"


def test_fault_106_log_in_gives_a_new_session_key(client: Client, pavel: User) -> None:
    session = client.session
    session["before"] = True
    session.save()
    before = session.session_key
    log_in(client, "Pavel")
    assert client.session.session_key != before


def test_fault_106_registering_gives_a_new_session_key(client: Client) -> None:
    form = {"username": "Ana", "email": "ana@x.org", "password1": PASSWORD, "password2": PASSWORD}
    client.post("/accounts/signup/", form)
    before = client.session.session_key
    client.post(link_in_mail())
    assert "_auth_user_id" in client.session
    assert client.session.session_key != before


def test_fault_106_a_new_password_logs_out_other_browsers_only(pavel: User) -> None:
    here, elsewhere = Client(), Client()
    log_in(here, "Pavel")
    log_in(elsewhere, "Pavel")
    form = {"oldpassword": PASSWORD, "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    answer = here.post("/accounts/password/change/", form, follow=True)
    assert answer.redirect_chain == [("/players/Pavel/", 302)]
    assert "Your password is changed." in answer.text
    assert here.get("/accounts/email/").status_code == 200
    assert elsewhere.get("/accounts/email/").status_code == 302


def test_log_out_needs_a_post(client: Client, pavel: User) -> None:
    client.force_login(pavel)
    assert "Log out?" in client.get("/accounts/logout/").text
    assert "_auth_user_id" in client.session
    assert client.post("/accounts/logout/").url == "/"
    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize("typed", ["pavel@example.org", "PAVEL@Example.org", " pavel@example.org "])
def test_fault_98_a_forgotten_password_is_reset_by_a_link(
    client: Client, pavel: User, typed: str
) -> None:
    client.post("/accounts/password/reset/", {"email": typed})
    assert mail.outbox[-1].to == ["pavel@example.org"]
    link = link_in_mail()
    form_page = client.get(link).url
    assert "Choose a new password" in client.get(form_page).text
    client.post(form_page, {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD})
    log_in(client, "Pavel", NEW_PASSWORD)
    assert "_auth_user_id" in client.session
    assert "no longer works" in Client().get(link).text


def test_fault_100_a_reset_does_not_tell_whether_an_address_is_known(
    client: Client, pavel: User
) -> None:
    told = []
    for email in ("pavel@example.org", "nobody@example.org"):
        for _ in range(2):
            answer = client.post("/accounts/password/reset/", {"email": email})
            page = client.get(answer.url)
            told.append((answer.status_code, answer.url, set(answer.headers), page.text))
    assert all(one == told[0] for one in told)
    assert len(mail.outbox) == 4


def ask_for_new_address(client: Client, email: str) -> Any:
    """Post the form of the address, and the password that is asked for then."""
    answer = client.post("/accounts/email/", {"action_add": "", "email": email})
    assert answer.url.startswith("/accounts/reauthenticate/")
    assert "Your password, please" in client.get(answer.url).text
    return client.post(answer.url, {"password": PASSWORD}, follow=True)


def test_changing_the_address_counts_once_it_is_confirmed(client: Client, pavel: User) -> None:
    log_in(client, "Pavel")
    ask_for_new_address(client, "New@example.org")
    assert mail.outbox[-1].to == ["new@example.org"]
    assert "pavel@example.org" in client.get("/accounts/email/").text
    client.post(link_in_mail())
    pavel.refresh_from_db()
    assert pavel.email == "new@example.org"
    assert pavel.emailaddress_set.get().email == "new@example.org"


def test_an_address_in_use_is_not_told_when_asked_for(client: Client, pavel: User) -> None:
    User.objects.create_user("First", "first@example.org")
    log_in(client, "Pavel")
    known = ask_for_new_address(client, "first@example.org").text
    client.post("/accounts/email/", {"action_remove": "", "email": "first@example.org"})
    form = {"action_add": "", "email": "other@example.org"}
    unknown = client.post("/accounts/email/", form, follow=True).text
    assert "first@example.org" in known
    assert ("belongs" in known) == ("belongs" in unknown)


def test_an_address_that_another_account_took_is_not_confirmed(client: Client, pavel: User) -> None:
    log_in(client, "Pavel")
    ask_for_new_address(client, "new@example.org")
    User.objects.create_user("First", "new@example.org")
    answer = client.post(link_in_mail(), follow=True)
    assert answer.status_code == 200
    assert "belongs to another account" in answer.text
    pavel.refresh_from_db()
    assert pavel.email == "pavel@example.org"


def test_a_closed_account_cannot_log_in(client: Client, pavel: User) -> None:
    User.objects.filter(pk=pavel.pk).update(is_active=False)
    answer = client.get(log_in(client, "Pavel").url)
    assert "closed" in answer.text
    assert "_auth_user_id" not in client.session


def test_links_in_mails_lead_to_the_site_whatever_host_was_asked(
    client: Client, pavel: User, settings: Any
) -> None:
    """Whoever asks for somebody's new password does not choose where that mail leads."""
    settings.SITE_URL, settings.ALLOWED_HOSTS = "https://marchstone.example", ["*"]
    for email in (pavel.email, "nobody@example.org"):
        client.post("/accounts/password/reset/", {"email": email}, headers={"host": "evil.example"})
    form = {
        "username": "Zdeněk",
        "email": "zdenek@example.org",
        "password1": PASSWORD,
        "password2": PASSWORD,
    }
    client.post("/accounts/signup/", form, headers={"host": "evil.example"})
    assert len(mail.outbox) == 3
    for sent in mail.outbox:
        assert "https://marchstone.example/accounts/" in sent.body
        assert "evil.example" not in sent.body


@pytest.mark.parametrize(
    "path", ["login/code/confirm/", "reauthenticate/code/", "reauthenticate/code/confirm/"]
)
def test_codes_by_mail_are_not_offered(client: Client, pavel: User, path: str) -> None:
    """Everybody here has a password: allauth's other way has no page and sends nothing."""
    client.force_login(pavel)
    assert client.get(f"/accounts/{path}").status_code == 404
    assert client.post(f"/accounts/{path}").status_code == 404
    assert not mail.outbox
