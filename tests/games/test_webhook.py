"""Webhooks against a real receiver on this machine, which reads what came."""

from __future__ import annotations

import hashlib
import hmac
import json
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail

from accounts.models import Webhook
from accounts.subscriptions import MOST_FAILURES, webhook_set
from games import tasks
from games.models import Delivery, Game
from games.views.notices import MOST_TESTS
from tests.games.conftest import Cast, client_of, make_match, running_game
from tests.games.outbound import PAGE, WEBHOOK, sweep, to_act
from tests.games.receiver import Receiver

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("vapid_key")]


class TestWebhook:
    def test_it_gets_the_notice_signed(self, cast: Cast, game: Game, there: Receiver) -> None:
        user = to_act(game)
        browser = client_of(user)
        assert browser.post(WEBHOOK, {"do": "set", "url": there.url}).status_code == 302
        hook = Webhook.objects.get()
        assert hook.secret in browser.get(PAGE).text
        assert hook.secret not in browser.get(PAGE).text, "shown once"
        sweep()
        sweep()
        (call,) = there.calls
        told = json.loads(call.body)
        opponent = game.match.players[1 - (game.turn or 0)]
        game.refresh_from_db()
        assert (
            told
            | {
                "kind": "turn",
                "player": user.name,
                "opponent": opponent.name,
                "game": game.pk,
                "match": game.match_id,
                "title": "schotten-totten",
                "ruleset": "after-play",
                "round": 1,
                "n_rounds": 3,
                "own_points": 0,
                "their_points": 0,
                "version": 0,
                "deadline": game.deadline_at.isoformat(),
            }
            == told
        )
        assert told["url"].endswith(f"/games/{game.pk}/")
        moment = call.headers["X-Marchstone-Timestamp"]
        digest = hmac.new(hook.secret.encode(), f"{moment}.".encode() + call.body, hashlib.sha256)
        assert call.headers["X-Marchstone-Signature"] == f"sha256={digest.hexdigest()}"

    def test_one_that_comes_twice_after_a_crash_has_one_name(
        self, game: Game, there: Receiver, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        webhook_set(user=to_act(game), url=there.url)
        with monkeypatch.context() as dying:
            dying.setattr(tasks.deliveries, "delivered", lambda *told, **rest: None)
            sweep()
        sweep(timedelta(minutes=20))
        names = [call.headers["X-Marchstone-Delivery"] for call in there.calls]
        assert len(names) == 2
        assert len(set(names)) == 1

    def test_failures_are_told_and_many_in_a_row_switch_it_off(
        self, cast: Cast, there: Receiver
    ) -> None:
        webhook_set(user=cast.owner, url=there.url)
        webhook_set(user=cast.opponent, url=there.url)
        there.status = 500
        for n in range(MOST_FAILURES):
            running_game(make_match(cast.owner, cast.opponent))
            sweep(timedelta(minutes=2, hours=9 * n))
        off = Webhook.objects.filter(is_off=True)
        assert off.exists()
        page = client_of(off[0].user).get(PAGE).text
        assert "switched off, since it failed too often" in page
        assert "It answered with status 500." in page
        sweep(timedelta(minutes=4, hours=9 * n))
        mails = [f"{m.subject}\n{m.body}" for m in mail.outbox if m.to == [off[0].user.email]]
        assert sum("Your webhook is switched off" in told for told in mails) == 1
        there.calls.clear()
        for user in (cast.owner, cast.opponent):
            client_of(user).post(WEBHOOK, {"do": "on"})
        assert not Webhook.objects.filter(is_off=True).exists()
        there.status = 200
        running_game(make_match(cast.owner, cast.opponent))
        sweep(timedelta(minutes=2))
        assert there.calls
        assert Webhook.objects.filter(n_failures=0, succeeded_at__isnull=False).exists()

    def test_a_private_address_is_refused_and_told(
        self, cast: Cast, game: Game, there: Receiver, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.undo()
        webhook_set(user=to_act(game), url=f"https://127.0.0.1:{there.port}/")
        sweep()
        assert not there.calls
        assert "private network" in client_of(to_act(game)).get(PAGE).text
        assert Delivery.objects.get(channel="webhook").result == "failed"

    def test_a_redirect_is_no_yes(self, game: Game, there: Receiver) -> None:
        webhook_set(user=to_act(game), url=there.url)
        there.status, there.headers = 302, {"Location": "https://127.0.0.1/"}
        sweep()
        assert len(there.calls) == 1
        assert "redirect" in client_of(to_act(game)).get(PAGE).text

    def test_the_test_button(
        self,
        cast: Cast,
        there: Receiver,
        django_capture_on_commit_callbacks: Any,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        asked: list[tuple[Any, ...]] = []
        send = "games.publish.current_app.send_task"
        monkeypatch.setattr(send, lambda name, args, **rest: asked.append((name, *args)))
        browser = client_of(cast.owner)
        webhook_set(user=cast.owner, url=there.url)
        with django_capture_on_commit_callbacks(execute=True):
            page = browser.post(WEBHOOK, {"do": "test"}, follow=True).text
        assert "A test is on its way" in page
        hook = Webhook.objects.get()
        assert asked == [("games.webhook_test", hook.pk)]
        tasks.webhook_test(hook.pk)
        assert json.loads(there.calls[0].body)["kind"] == "test"
        there.status = 404
        tasks.webhook_test(hook.pk)
        hook.refresh_from_db()
        assert (hook.n_failures, hook.last_error) == (0, "status-404")
        assert "It answered with status 404." in browser.get(PAGE).text
        tasks.webhook_test(hook.pk + 1)

    def test_the_test_button_is_not_for_pressing_all_day(self, cast: Cast) -> None:
        webhook_set(user=cast.owner, url="https://receiver.example/")
        browser = client_of(cast.owner)
        answers = [browser.post(WEBHOOK, {"do": "test"}) for _ in range(MOST_TESTS + 1)]
        assert [answer.status_code for answer in answers] == [302] * MOST_TESTS + [429]
        assert "Wait ten minutes" in answers[-1].content.decode()
        url = {"do": "set", "url": "https://other.example/"}
        assert browser.post(WEBHOOK, url).status_code == 429

    @pytest.mark.parametrize(
        "url",
        [
            *("", "http://receiver.example/", "javascript:1", "https://u:p@h.example/", "\0"),
            *("https://127.0.0.1/x", "https://[::1]/", "https://10.1.2.3:8443/"),
        ],
    )
    def test_other_addresses_than_https_are_refused_at_once(self, cast: Cast, url: str) -> None:
        browser = client_of(cast.owner)
        answer = browser.post(WEBHOOK, {"do": "set", "url": url})
        assert answer.status_code == 422
        assert not Webhook.objects.exists()

    def test_it_can_be_removed(self, cast: Cast) -> None:
        webhook_set(user=cast.owner, url="https://receiver.example/")
        client_of(cast.owner).post(WEBHOOK, {"do": "remove"})
        assert not Webhook.objects.exists()
        assert client_of(cast.owner).post(WEBHOOK, {"do": "test"}).status_code == 302
        assert client_of(cast.owner).post(WEBHOOK, {"do": "x"}).status_code == 422
