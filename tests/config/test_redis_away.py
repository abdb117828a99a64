"""Redis away: what players do is saved and answered all the same."""

from __future__ import annotations

import json
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import redis

from tests.config.browser_socket import BrowserSocket
from tests.config.served import manage, served

PATIENCE_S = 60

AGREE = """
from accounts.models import User
from django.utils import timezone
from games.models import Match
from games.services.offers import offer_accept, offer_create
from games.services.terms import OfferTerms
from games.services.bots import ensure_bot
user = User.objects.create_user("Morag", "morag@example.org")
now = timezone.now()
terms = OfferTerms("schotten-totten", "after-play", 1, "per-turn-3")
offer = offer_create(maker=user, kind="seek", terms=terms, request_id="seek-1", now=now)
match = offer_accept(offer_id=offer.pk, user=ensure_bot(), now=now)
print(Match.objects.get().games.count())
"""


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1/0", "redis://no-such-host.invalid:6379/0"])
def test_a_match_is_agreed_on_with_redis_away(tmp_path: Path, url: str) -> None:
    assert manage(tmp_path, "migrate", "--verbosity", "0", REDIS_URL=url).returncode == 0
    agreed = manage(tmp_path, "shell", "--no-imports", "-c", AGREE, REDIS_URL=url)
    assert (agreed.returncode, agreed.stdout) == (0, "1\n"), agreed.stderr
    assert "could not publish" in agreed.stderr


ACCOUNT = """
from allauth.account.models import EmailAddress
from django.test import Client
from accounts.models import User
user = User.objects.create_user("Morag", "morag@example.org", "peat and heather")
EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
client = Client(SERVER_NAME="127.0.0.1")
def post(path, **form):
    answer = client.post(path, form)
    print(path, answer.status_code, answer.get("Location", ""))
post("/accounts/login/", login="Morag", password="wrong")
post("/accounts/login/", login="Morag", password="peat and heather")
post("/accounts/password/change/", oldpassword="peat and heather",
    password1="heather and peat", password2="heather and peat")
post("/accounts/logout/")
post("/accounts/password/reset/", email="morag@example.org")
post("/accounts/signup/", username="Hamish", email="hamish@example.org",
    password1="peat and heather", password2="peat and heather")
"""


def test_accounts_are_served_with_redis_away(tmp_path: Path) -> None:
    url = "redis://127.0.0.1:1/0"
    assert manage(tmp_path, "migrate", "--verbosity", "0", REDIS_URL=url).returncode == 0
    done = manage(tmp_path, "shell", "--no-imports", "-c", ACCOUNT, REDIS_URL=url, DEBUG="true")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "/accounts/login/ 200 ",
        "/accounts/login/ 302 /",
        "/accounts/password/change/ 302 /players/Morag/",
        "/accounts/logout/ 302 /",
        "/accounts/password/reset/ 302 /accounts/password/reset/done/",
        "/accounts/signup/ 302 /accounts/confirm-email/",
    ]


def start_redis(port: int) -> subprocess.Popen[bytes]:
    """Start a Redis of our own that keeps nothing, and wait until it answers."""
    options = ("--port", str(port), "--save", "", "--appendonly", "no", "--daemonize", "no")
    process = subprocess.Popen(["redis-server", *options], stdout=subprocess.DEVNULL)
    with redis.Redis(port=port) as client:
        wait_for(lambda: _answers(client))
    return process


def wait_for(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < until


def _answers(client: redis.Redis) -> bool:
    try:
        return bool(client.ping())
    except redis.ConnectionError:
        return False


MORE = """
from accounts.models import User
from django.utils import timezone
from games.services.offers import offer_create
from games.services.terms import OfferTerms
terms = OfferTerms("schotten-totten", "after-play", 1, "per-turn-3")
offer_create(maker=User.objects.get(name="Morag"), kind="seek", terms=terms,
    request_id="seek-2", now=timezone.now())
"""


@pytest.mark.redis_server
def test_fault_65_an_open_socket_hears_again_once_redis_is_back(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    url = f"redis://127.0.0.1:{port}/0"
    assert manage(tmp_path, "prepare", REDIS_URL=url).returncode == 0
    first = start_redis(port)
    assert manage(tmp_path, "shell", "--no-imports", "-c", AGREE, REDIS_URL=url).returncode == 0
    with (
        served(tmp_path, REDIS_URL=url, LOG_LEVEL="CRITICAL") as web,
        BrowserSocket(web.url, "/ws/lobby/") as lobby,
        BrowserSocket(web.url, "/ws/games/1/") as board,
    ):
        lobby.text()
        frame = board.text()
        first.terminate()
        first.wait(timeout=30)
        board.ask("?")
        assert board.text() == frame
        second = start_redis(port)
        with redis.Redis(port=port) as client:
            wait_for(lambda: client.pubsub_numsub("marchstone-0__group__lobby")[0][1] > 0)
        more = manage(tmp_path, "shell", "--no-imports", "-c", MORE, REDIS_URL=url)
        assert more.returncode == 0, more.stderr
        assert json.loads(lobby.text())["type"] == "lobby"
    second.terminate()
    second.wait(timeout=30)
