"""Celery tasks: thin, by fixed names, safe to run twice or by two workers at once."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from celery import shared_task
from django.conf import settings
from django.core.cache import cache

from accounts import push, webhooks
from accounts.models import Webhook
from accounts.outbound import OutboundError, Trouble
from accounts.subscriptions import (
    device_failed,
    device_gone,
    device_succeeded,
    webhook_failed,
    webhook_succeeded,
)
from games import clock
from games.mails import mail_send, push_send, webhook_send
from games.models import Delivery, Heartbeat
from games.services import (
    bots,
    deadlines,
    deliveries,
    firing,
    notices,
    outages,
    shuffles,
    standing_offers,
)

log = logging.getLogger(__name__)

RUN_S = 10.0
"""How long one run sends to strangers' servers before it makes room for the next."""
USER_S = 3.0
"""So long may those of one user take in it before they wait for the next."""
_RUN_KEPT_S = 45
"""A run that died keeps others from beginning so long; none lasts longer."""


@shared_task(name="games.deadlines_sweep")
def deadlines_sweep() -> None:
    """Write the deadlines that passed."""
    deadlines.deadlines_sweep(now=clock.now())
    _succeeded(outages.SWEEP_JOB)


@shared_task(name="games.notices_sweep")
def notices_sweep() -> None:
    """Find reminders that are due, settle what is due, and send the mails."""
    notices.reminders_find(now=clock.now())
    for notice_id in notices.notices_due(now=clock.now()):
        _alone(lambda each: notices.notice_settle(notice_id=each, now=clock.now()), notice_id)
    for user_id in deliveries.mail_users_due(now=clock.now()):
        _alone(_mail, user_id)
    _succeeded("games.notices_sweep")


@shared_task(name="games.pushes_sweep")
def pushes_sweep() -> None:
    """Send each web push that is due, as far as the time allows."""
    _deliver("games.pushes_sweep", Delivery.Channel.PUSH, _push)


@shared_task(name="games.webhooks_sweep")
def webhooks_sweep() -> None:
    """Tell each webhook what is due, as far as the time allows."""
    _deliver("games.webhooks_sweep", Delivery.Channel.WEBHOOK, _webhook)


@shared_task(name="games.webhook_test")
def webhook_test(webhook_id: int) -> None:
    """Send a player's webhook something to try it with; it never counts as a failure."""
    hook = Webhook.objects.select_related("user").filter(pk=webhook_id).first()
    if hook is None:
        return
    now = clock.now()
    told: dict[str, object] = {"kind": "test", "player": hook.user.name, "url": settings.SITE_URL}
    try:
        status = webhooks.send(hook, told, delivery=f"test-{int(now.timestamp())}", now=now)
    except OutboundError as fault:
        webhook_failed(hook, fault.trouble, clock.now(), counts=False)
        return
    if 200 <= status < 300:
        webhook_succeeded(hook, clock.now())
    else:
        webhook_failed(hook, f"status-{status}", clock.now(), counts=False)


@shared_task(name="games.notices_forget")
def notices_forget() -> None:
    """Delete rows of what was told long ago."""
    notices.notices_forget(now=clock.now())
    _succeeded("games.notices_forget")


@shared_task(name="games.bots_sweep")
def bots_sweep() -> None:
    """Let bots act wherever they are waited for."""
    bots.bots_sweep(now=clock.now())
    _succeeded("games.bots_sweep")


@shared_task(name="games.bot_act")
def bot_act(game_id: int) -> None:
    """Let the bot take its turn in one game."""
    bots.bot_act(game_id=game_id, now=clock.now())


@shared_task(name="games.answers_sweep")
def answers_sweep() -> None:
    """Play the prepared answers that are due."""
    firing.answers_sweep(now=clock.now())
    _succeeded(firing.SWEEP_JOB)


@shared_task(name="games.offers_sweep")
def offers_sweep() -> None:
    """Close what expired, and offer repeated seeks anew."""
    standing_offers.offers_sweep(now=clock.now())
    _succeeded("games.offers_sweep")


@shared_task(name="games.drawn_sweep")
def drawn_sweep() -> None:
    """Forget the secrets of forms that were shown and never sent."""
    shuffles.drawn_sweep(now=clock.now())
    _succeeded("games.drawn_sweep")


def _succeeded(job: str) -> None:
    Heartbeat.objects.update_or_create(job=job, defaults={"succeeded_at": clock.now()})


def _alone(do: Callable[[int], None], row_id: int) -> None:
    """Do one of many: one that fails keeps no other waiting."""
    try:
        do(row_id)
    except Exception:
        log.exception("notice not told (%s)", row_id)


def _mail(user_id: int) -> None:
    """Send a user all that is due: one mail, besides such as have been tried before."""
    while claimed := deliveries.mails_claim(user_id=user_id, now=clock.now()):
        told = [delivery.notice for delivery in claimed]
        try:
            mail_send(told[0].user, told, name=claimed[0].bundle, now=clock.now())
        except Exception:
            deliveries.not_delivered(claimed, now=clock.now())
            raise
        deliveries.delivered(claimed, now=clock.now())


def _deliver(job: str, channel: str, send: Callable[[Delivery], None]) -> None:
    """Send what is due on one way, unless a run is doing so; the rest waits for the next."""
    key = f"run:{job}"
    if not cache.add(key, True, _RUN_KEPT_S):
        return
    try:
        _deliver_some(channel, send, time.monotonic() + RUN_S)
    finally:
        cache.delete(key)
    _succeeded(job)


def _deliver_some(channel: str, send: Callable[[Delivery], None], until: float) -> None:
    spent_s: dict[int, float] = {}

    def claim_and_send(delivery_id: int) -> None:
        delivery = deliveries.delivery_claim(delivery_id=delivery_id, now=clock.now())
        if delivery is not None:
            try:
                send(delivery)
            except Exception:
                deliveries.not_delivered([delivery], now=clock.now())
                raise

    for delivery_id, user_id in deliveries.deliveries_due(channel, now=clock.now()):
        began = time.monotonic()
        if began > until:
            break
        if spent_s.get(user_id, 0) <= USER_S:
            _alone(claim_and_send, delivery_id)
            spent_s[user_id] = spent_s.get(user_id, 0) + time.monotonic() - began


def _push(delivery: Delivery) -> None:
    device = delivery.device
    assert device is not None
    try:
        status = push_send(device, delivery.notice, now=clock.now())
    except OutboundError as fault:
        in_vain = fault.trouble in (Trouble.BAD_URL, Trouble.PRIVATE)
        deliveries.not_delivered([delivery], now=clock.now(), is_final=in_vain)
        device_failed(device.pk, fault.trouble, clock.now())
        return
    if status in push.GONE:
        device_gone(device.pk)
    elif 200 <= status < 300:
        deliveries.delivered([delivery], now=clock.now())
        device_succeeded(device.pk)
    else:
        again = status == 429 or status >= 500
        deliveries.not_delivered([delivery], now=clock.now(), is_final=not again)
        device_failed(device.pk, f"status-{status}", clock.now())


def _webhook(delivery: Delivery) -> None:
    hook = Webhook.objects.select_related("user").get(user=delivery.notice.user_id)
    name = deliveries.delivery_name(delivery)
    try:
        status = webhook_send(hook, delivery.notice, name=name, now=clock.now())
    except OutboundError as fault:
        _webhook_failed(hook, fault.trouble)
        in_vain = fault.trouble in (Trouble.BAD_URL, Trouble.PRIVATE)
        deliveries.not_delivered([delivery], now=clock.now(), is_final=in_vain)
        return
    if 200 <= status < 300:
        webhook_succeeded(hook, clock.now())
        deliveries.delivered([delivery], now=clock.now())
    else:
        _webhook_failed(hook, f"status-{status}")
        deliveries.not_delivered([delivery], now=clock.now())


def _webhook_failed(hook: Webhook, error: str) -> None:
    """Note a failure, and tell the player where the webhook is switched off by it."""
    if webhook_failed(hook, error, clock.now()):
        notices.webhook_off_notice_due(user=hook.user, hook=hook, now=clock.now())
