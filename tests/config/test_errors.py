"""What is answered when something is wrong: to a browser a page, to htmx a line above the page."""

from __future__ import annotations

import pytest
from django.core.exceptions import SuspiciousOperation
from django.template.loader import render_to_string
from django.test import Client

from accounts.models import User
from config import views

HTMX = {"HX-Request": "true", "HX-Request-Type": "partial"}
BOARD = {**HTMX, "HX-Current-URL": "http://testserver/games/7/?step=3"}


@pytest.fixture
def strict(morag: User) -> Client:
    """Give a browser that is logged in and checked for its CSRF token."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(morag)
    return client


def test_fault_103_a_stale_token_answers_htmx_with_a_line_above_the_page(strict: Client) -> None:
    answer = strict.post("/preferences/", {"csrfmiddlewaretoken": "stale"}, headers=BOARD)
    assert answer.status_code == 403
    assert answer["HX-Retarget"] == "#page-notice"
    assert "<html" not in answer.text
    assert "Reload the page" in answer.text
    assert 'href="/games/7/?step=3"' in answer.text


def test_fault_103_a_stale_token_answers_a_form_with_a_page(strict: Client) -> None:
    answer = strict.post("/preferences/", {"csrfmiddlewaretoken": "stale"})
    assert answer.status_code == 403
    assert "out of date" in answer.text
    assert "<html" in answer.text


def test_fault_103_logged_out_htmx_gets_no_log_in_page(client: Client) -> None:
    answer = client.post("/preferences/", headers=BOARD)
    assert answer.status_code == 401
    assert answer["HX-Retarget"] == "#page-notice"
    assert "no longer logged in" in answer.text
    assert "/accounts/login/?next=%2Fgames%2F7%2F%3Fstep%3D3" in answer.text
    assert "password" not in answer.text


@pytest.mark.parametrize(
    "headers", [{}, {**BOARD, "HX-Request-Type": "full"}], ids=["plain", "history"]
)
def test_a_whole_page_is_redirected_to_log_in(client: Client, headers: dict[str, str]) -> None:
    assert client.get("/preferences/", headers=headers).status_code == 302


@pytest.mark.parametrize(
    "shown",
    [
        "http://evil.com/games/7/",
        "//evil.com/",
        "javascript:1",
        "http://testserver//evil.com/",
        "http://testserver/\\evil.com/",
        "http://testserver\\\\evil.com/",
        "http://testserver@evil.com/",
        "",
        "http://[",
    ],
)
def test_fault_104_the_way_back_stays_on_this_site(client: Client, shown: str) -> None:
    answer = client.post("/preferences/", headers={**HTMX, "HX-Current-URL": shown})
    assert answer.status_code == 401
    assert "//evil" not in answer.text
    assert "%2F%2Fevil" not in answer.text
    assert "%5Cevil" not in answer.text
    assert "\\evil" not in answer.text
    assert "javascript" not in answer.text


def test_every_page_has_a_place_for_that_line(client: Client) -> None:
    assert 'id="page-notice"' in client.get("/").text


def test_not_found_is_a_page_of_ours(client: Client) -> None:
    answer = client.get("/nowhere/")
    assert answer.status_code == 404
    assert "no such page" in answer.text
    assert "Register" in answer.text


@pytest.mark.parametrize("template", ["400.html", "403.html", "500.html"])
def test_error_pages_need_no_request(template: str) -> None:
    text = render_to_string(template)
    assert "<h1" in text
    assert "Marchstone" in text


def test_a_broken_view_answers_with_a_page(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object, **kwargs: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(views.selectors, "running_games", broken)
    client.raise_request_exception = False
    answer = client.get("/")
    assert answer.status_code == 500
    assert "Your games are safe" in answer.text


def test_a_suspicious_request_answers_with_a_page(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def suspicious(*args: object, **kwargs: object) -> None:
        raise SuspiciousOperation

    monkeypatch.setattr(views.selectors, "running_games", suspicious)
    answer = client.get("/")
    assert answer.status_code == 400
    assert "Nothing was changed" in answer.text


@pytest.mark.parametrize("charset", ["utf-7", "latin-1"])
def test_a_form_in_another_encoding_is_refused_with_a_page(client: Client, charset: str) -> None:
    kind = f"application/x-www-form-urlencoded; charset={charset}"
    answer = client.post("/accounts/login/", b"login=x", content_type=kind)
    assert answer.status_code == 400
    assert "Nothing was changed" in answer.text
