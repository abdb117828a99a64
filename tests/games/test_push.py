"""Web push against a real receiver on this machine, which reads what came."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.core.cache import cache
from django.test import Client
from py_vapid import Vapid02

from accounts import push
from accounts.models import PushDevice, User
from accounts.subscriptions import MOST_DEVICES, MOST_FAILURES
from games import tasks
from games.models import Delivery, Game, Heartbeat
from tests.games.conftest import Cast, client_of, make_offer, play_turn
from tests.games.outbound import DEVICES, LATER, PAGE, WEBHOOK, sweep, to_act
from tests.games.receiver import HOST, Call, Receiver

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("vapid_key")]


@dataclass(frozen=True)
class Browser:
    """What a browser keeps to itself of a subscription, and what it gives away."""

    private: ec.EllipticCurvePrivateKey
    auth: bytes
    endpoint: str

    @property
    def told(self) -> dict[str, str]:
        point = self.private.public_key().public_bytes(
            Encoding.X962, PublicFormat.UncompressedPoint
        )
        return {"endpoint": self.endpoint, "p256dh": text(point), "auth": text(self.auth)}

    def read(self, call: Call) -> dict[str, Any]:
        """Decrypt a message as a browser does (RFC 8291)."""
        body = http_ece.decrypt(
            call.body, private_key=self.private, auth_secret=self.auth, version="aes128gcm"
        )
        told: dict[str, Any] = json.loads(body)
        return told


def text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def new_browser(endpoint: str) -> Browser:
    return Browser(ec.generate_private_key(ec.SECP256R1()), b"sixteen bytes ok", endpoint)


def subscribe(user: User, there: Receiver, name: str = "a") -> Browser:
    browser = new_browser(f"https://{HOST}:{there.port}/push/{name}")
    answer = client_of(user).post(DEVICES, browser.told, headers={"User-Agent": AGENT})
    assert answer.status_code == 201, answer.content
    return browser


AGENT = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36"


class TestPush:
    def test_a_browser_can_read_what_the_site_sends(self, game: Game, there: Receiver) -> None:
        browser = subscribe(to_act(game), there)
        sweep()
        (call,) = there.calls
        told = browser.read(call)
        opponent = game.match.players[1 - (game.turn or 0)]
        assert told["title"] == f"Your turn against {opponent.name}"
        for part in ("Schotten Totten", "Game 1 of 3", "you 0", "Your turn is due before", "(UTC)"):
            assert part in told["body"]
        assert told["path"] == f"/games/{game.pk}/"
        assert told["tag"] == f"game-{game.pk}"
        assert call.path == "/push/a"
        assert call.headers["Content-Encoding"] == "aes128gcm"
        assert call.headers["Topic"] == f"game-{game.pk}"
        assert int(call.headers["TTL"]) > 3600

    def test_the_push_service_can_check_who_sent_it(self, game: Game, there: Receiver) -> None:
        """RFC 8292: a JWT signed with the key that the browser subscribed with."""
        subscribe(to_act(game), there)
        sweep()
        token = there.calls[0].headers["Authorization"]
        assert Vapid02.verify(token)
        parts = dict(part.split("=", 1) for part in token.removeprefix("vapid ").split(","))
        assert parts["k"] == push.public_key()
        body = parts["t"].split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
        assert claims["aud"] == f"https://{HOST}:{there.port}"
        assert claims["sub"].startswith("mailto:")
        left = datetime.fromtimestamp(claims["exp"], UTC) - datetime.now(UTC)
        assert timedelta(0) < left < timedelta(hours=24)

    def test_nobody_else_can_read_it(self, game: Game, there: Receiver) -> None:
        subscribe(to_act(game), there)
        sweep()
        assert b"Schotten" not in there.calls[0].body
        with pytest.raises(Exception, match=r"."):
            new_browser("").read(there.calls[0])

    @pytest.mark.parametrize("status", [404, 410])
    def test_a_device_that_is_gone_is_forgotten(
        self, game: Game, there: Receiver, status: int
    ) -> None:
        subscribe(to_act(game), there)
        there.status = status
        sweep()
        assert not PushDevice.objects.exists()
        sweep(LATER + timedelta(hours=1))
        assert len(there.calls) == 1

    @pytest.mark.parametrize("status", [429, 500, 503])
    def test_a_service_that_is_ill_is_asked_again_for_a_while(
        self, game: Game, there: Receiver, status: int
    ) -> None:
        user = to_act(game)
        browser = subscribe(user, there)
        there.status = status
        for minutes in (2, 2, 4, 30, 30.5):
            sweep(timedelta(minutes=minutes))
        assert len(there.calls) == 3
        assert f"status {status}" in client_of(user).get(PAGE).text
        there.status = 201
        sweep(timedelta(hours=2))
        assert browser.read(there.calls[-1])["path"] == f"/games/{game.pk}/"
        sweep(timedelta(hours=10))
        assert len(there.calls) == 4
        assert "last time it failed" not in client_of(user).get(PAGE).text

    def test_what_is_no_longer_true_is_not_tried_again(self, game: Game, there: Receiver) -> None:
        subscribe(to_act(game), there)
        there.status = 500
        sweep()
        play_turn(game)
        sweep(timedelta(hours=1))
        assert len(there.calls) == 1
        assert Delivery.objects.get(channel="push").result == "void"

    def test_each_device_gets_it_once_and_one_that_fails_keeps_no_other_waiting(
        self, game: Game, there: Receiver
    ) -> None:
        user = to_act(game)
        bad = subscribe(user, there, "a")
        PushDevice.objects.update(endpoint=bad.endpoint.replace(str(there.port), "1024"))
        subscribe(user, there, "b")
        sweep()
        sweep()
        assert [call.path for call in there.calls] == ["/push/b"]
        assert Heartbeat.objects.filter(job="games.pushes_sweep").exists()

    def test_slow_devices_of_one_player_keep_no_other_player_waiting(
        self, cast: Cast, there: Receiver, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Ten addresses that take their time, due first; then one of somebody else."""
        slow, quick = cast.owner, cast.opponent
        for n in range(MOST_DEVICES):
            subscribe(slow, there, f"slow-{n}")
        subscribe(quick, there, "quick")
        for player in (slow, quick):
            make_offer(cast.stranger, "challenge", player)
        monkeypatch.setattr(tasks, "USER_S", 0.0)
        sweep()
        assert sorted(call.path[:9] for call in there.calls) == ["/push/qui", "/push/slo"]
        monkeypatch.setattr(tasks, "USER_S", 3.0)
        sweep()
        assert len({call.path for call in there.calls}) == len(there.calls) == MOST_DEVICES + 1

    def test_a_run_ends_when_its_time_is_up(
        self, game: Game, there: Receiver, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in ("a", "b", "c"):
            subscribe(to_act(game), there, name)
        monkeypatch.setattr(tasks, "RUN_S", -1.0)
        sweep()
        assert not there.calls

    def test_one_run_is_on_at_a_time(self, game: Game, there: Receiver) -> None:
        subscribe(to_act(game), there)
        cache.set("run:games.pushes_sweep", True, 45)
        sweep()
        assert not there.calls
        assert not Heartbeat.objects.filter(job="games.pushes_sweep").exists()
        cache.delete("run:games.pushes_sweep")
        sweep()
        assert len(there.calls) == 1

    def test_a_device_that_keeps_failing_is_forgotten_after_a_day(
        self, cast: Cast, there: Receiver
    ) -> None:
        subscribe(cast.owner, there, "bad")
        there.status = 500
        for n in range(MOST_FAILURES):
            make_offer(cast.stranger, "challenge", cast.owner)
            sweep(timedelta(minutes=2, seconds=n))
        assert PushDevice.objects.get().n_failures >= MOST_FAILURES, "a service may be ill a while"
        sweep(timedelta(days=1, hours=1))
        assert not PushDevice.objects.exists()

    def test_devices_are_listed_named_and_removed(self, cast: Cast, there: Receiver) -> None:
        subscribe(cast.owner, there)
        subscribe(cast.owner, there)
        device = PushDevice.objects.get()
        page = client_of(cast.owner).get(PAGE).text
        assert "Chrome on Linux" in page
        path = f"{DEVICES}{device.pk}/remove/"
        assert client_of(cast.stranger).post(path).status_code == 302
        assert PushDevice.objects.exists()
        assert client_of(cast.owner).post(path).status_code == 302
        assert not PushDevice.objects.exists()

    def test_a_browser_goes_over_to_who_uses_it_now(self, cast: Cast, there: Receiver) -> None:
        subscribe(cast.owner, there)
        subscribe(cast.opponent, there)
        assert PushDevice.objects.get().user == cast.opponent

    def test_there_is_a_limit_of_devices(self, cast: Cast, there: Receiver) -> None:
        for n in range(MOST_DEVICES):
            subscribe(cast.owner, there, str(n))
        told = new_browser(f"https://{HOST}/one-too-many").told
        answer = client_of(cast.owner).post(DEVICES, told)
        assert answer.status_code == 409
        assert "Remove one first" in answer.json()["message"]
        assert PushDevice.objects.count() == MOST_DEVICES

    @pytest.mark.parametrize(
        "wrong",
        [
            {"endpoint": "http://push.example/"},
            {"endpoint": "https://user@push.example/"},
            {"endpoint": ""},
            {"p256dh": "x"},
            {"p256dh": text(b"\x04" + b"\x01" * 64)},
            {"auth": text(b"short")},
            {"auth": "\u00e4"},
        ],
    )
    def test_what_no_browser_would_send_is_refused(
        self, cast: Cast, there: Receiver, wrong: dict[str, str]
    ) -> None:
        told = {**new_browser(there.url).told, **wrong}
        assert client_of(cast.owner).post(DEVICES, told).status_code == 422
        assert not PushDevice.objects.exists()

    def test_without_a_key_the_site_offers_none(
        self, cast: Cast, game: Game, there: Receiver, settings: Any
    ) -> None:
        subscribe(to_act(game), there)
        settings.VAPID_PRIVATE_KEY = ""
        sweep()
        assert not there.calls
        assert "no key for web push" in client_of(cast.owner).get(PAGE).text
        told = new_browser(there.url).told
        assert client_of(cast.owner).post(DEVICES, told).status_code == 422


def test_the_page_is_for_who_is_logged_in(client: Client) -> None:
    for path in (PAGE, DEVICES, WEBHOOK, f"{DEVICES}1/remove/"):
        assert client.post(path).status_code == 302
