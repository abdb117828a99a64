"""Races of those who tell: two workers, two beats, a player who answers at that moment."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone

from accounts.models import User, Webhook
from accounts.subscriptions import MOST_DEVICES, device_add, webhook_set
from games import clock, tasks
from games.models import Delivery, Game, Notice
from games.services.deliveries import delivery_claim, mails_claim
from games.services.notices import notice_settle, reminders_find
from tests.games.conftest import Cast, make_match, make_offer, running_game
from tests.games.races import mover, race

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

LATER = timedelta(minutes=2)
ROUNDS = 4


def beat() -> None:
    """Run the periodic tasks a while later, as one of two beats would have it done."""
    with clock.shifted(LATER):
        tasks.notices_sweep()
        tasks.pushes_sweep()
        tasks.webhooks_sweep()


def to_act(game: Game) -> User:
    user: User = game.match.players[game.turn or 0]
    return user


def test_fault_88_two_beats_send_one_mail_and_call_a_webhook_once(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fault 88: two beat processes by mistake, and each periodic body runs four times at once."""
    calls: list[str] = []

    def call(hook: Webhook, notice: Notice, *, name: str, now: datetime) -> int:
        calls.append(name)
        return 200

    monkeypatch.setattr(tasks, "webhook_send", call)
    users = (cast.owner, cast.opponent)
    for user in users:
        webhook_set(user=user, url="https://receiver.example/")
    for n in range(1, ROUNDS + 1):
        game = running_game(make_match(*users))
        make_offer(users[1 - (game.turn or 0)], "challenge", cast.stranger)
        race(beat, beat, beat, beat)
        assert len(calls) == len(set(calls)) == n
        assert len(mail.outbox) == 2 * n
        assert not Delivery.objects.filter(done_at__isnull=True).exists()


def test_fault_88_two_workers_make_the_deliveries_of_a_notice_once(cast: Cast) -> None:
    for _ in range(ROUNDS):
        notice = Notice.objects.get(game=running_game(make_match(cast.owner, cast.opponent)))
        race(*[lambda pk=notice.pk, at=notice.due_at: notice_settle(notice_id=pk, now=at)] * 4)
        assert notice.deliveries.count() == 1


def test_fault_88_two_workers_claim_a_delivery_once(cast: Cast) -> None:
    game = running_game(make_match(cast.owner, cast.opponent))
    user = to_act(game)
    webhook_set(user=user, url="https://receiver.example/")
    notice = Notice.objects.get(game=game)
    due = notice.due_at
    notice_settle(notice_id=notice.pk, now=due)
    delivery = Delivery.objects.get(channel="webhook")
    claims = race(*[lambda: delivery_claim(delivery_id=delivery.pk, now=due)] * 4)
    assert sorted(claim is None for claim in claims) == [False, True, True, True]
    mails_ = race(*[lambda: mails_claim(user_id=user.pk, now=due)] * 4)
    assert sorted(map(len, mails_)) == [0, 0, 0, 1]


def test_fault_88_two_workers_find_a_reminder_once(cast: Cast) -> None:
    for _ in range(ROUNDS):
        game = running_game(make_match(cast.owner, cast.opponent))
        assert game.deadline_at is not None
        at = game.deadline_at - timedelta(hours=7)
        race(*[lambda at=at: reminders_find(now=at)] * 4)
        assert Notice.objects.filter(kind="reminder", game=game).count() == 1


def test_fault_61_a_turn_made_while_its_notice_is_settled(cast: Cast) -> None:
    """Fault 61: whichever came first, what goes out in the end is true when it is claimed."""
    for _ in range(ROUNDS):
        game = running_game(make_match(cast.owner, cast.opponent))
        notice, user = Notice.objects.get(game=game), to_act(game)
        later = timezone.now() + LATER
        race(mover(game), lambda n=notice.pk, at=later: notice_settle(notice_id=n, now=at))
        assert mails_claim(user_id=user.pk, now=later) == []


def test_devices_added_at_once_stay_below_the_limit(cast: Cast) -> None:
    def add(n: int) -> Any:
        keys = {"p256dh": "k", "auth": "a", "name": "Chrome", "now": timezone.now()}
        return lambda: device_add(user=cast.owner, endpoint=f"https://p.example/{n}", **keys)

    for n in range(MOST_DEVICES - 1):
        add(n)()
    added = race(*[add(100 + n) for n in range(4)])
    assert sum(device is not None for device in added) == 1
