"""Deliveries: claimed before they are sent, marked after, tried again at growing distances.

Sending happens between two transactions, so a worker that dies in between leaves a claim, which
is free again after `CLAIM_LASTS`: what went out just before may go out a second time then, under
the same name (`Message-ID`, topic, delivery id), and nothing is ever lost. What was once in a mail
is never in one of another name, so that new notices do not carry old ones along.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q, QuerySet, Window
from django.db.models.functions import RowNumber

from accounts.models import Webhook
from accounts.subscriptions import notice_choice
from games.models import Delivery
from games.presenters.notices import kind_of
from games.services.notices import is_wanted

CLAIM_LASTS = timedelta(minutes=10)
"""A claim by a worker that died is free again after this."""

PAUSES_MIN = (1, 5, 15, 60, 180)
"""Minutes to wait after each failure; after one more it is given up."""

MOST_A_SWEEP = 500
MOST_A_USER = 20
"""Of one user in a sweep, besides mails."""
CHANNEL = Delivery.Channel
RESULT = Delivery.Result
_ALL = ("notice__user", "notice__game__match__player_0", "notice__game__match__player_1")


def mail_users_due(*, now: datetime) -> list[int]:
    """List the ids of the users for whom mails are due, who waited longest first."""
    due = _due(CHANNEL.MAIL, now).order_by("due_at").values_list("notice__user_id", flat=True)
    return list(dict.fromkeys(due[:MOST_A_SWEEP]))


def deliveries_due(channel: str, *, now: datetime) -> list[tuple[int, int]]:
    """List due deliveries on a way other than mail: the id of each, and of its user.

    In turns, the first of everybody before the second of anybody; what failed comes last.
    """
    order = ["n_tries", "due_at", "pk"]
    nth = Window(RowNumber(), partition_by=F("notice__user_id"), order_by=order)
    due = _due(channel, now).annotate(nth=nth).filter(nth__lte=MOST_A_USER)
    return list(due.order_by("nth", *order).values_list("pk", "notice__user_id")[:MOST_A_SWEEP])


def mails_claim(*, user_id: int, now: datetime) -> list[Delivery]:
    """Take what a user is to be mailed now, for one mail; what is no longer true is dropped.

    That is a mail which may have gone out already, or else all that is new. Empty where another
    worker has it, or nothing is left. Locks: the deliveries.
    """
    due = _due(CHANNEL.MAIL, now).filter(notice__user_id=user_id)
    begun = due.exclude(bundle="").order_by("pk").values_list("bundle", flat=True)
    for name in dict.fromkeys(begun):
        with transaction.atomic(durable=True):
            if taken := _claim(due.filter(bundle=name), now):
                return taken
    with transaction.atomic(durable=True):
        taken = _claim(due.filter(bundle=""), now)
        name = secrets.token_hex(16)
        for delivery in taken:
            delivery.bundle = name
        Delivery.objects.bulk_update(taken, ["bundle"])
        return taken


def delivery_claim(*, delivery_id: int, now: datetime) -> Delivery | None:
    """Take a due delivery for sending; None where another worker has it or it is void.

    Locks: the delivery.
    """
    with transaction.atomic(durable=True):
        channels = Q(channel=CHANNEL.PUSH) | Q(channel=CHANNEL.WEBHOOK)
        due = Delivery.objects.filter(channels, _free(now), pk=delivery_id)
        return next(iter(_claim(due, now)), None)


def delivered(deliveries: Sequence[Delivery], *, now: datetime) -> None:
    """Note that deliveries went out."""
    _done(deliveries, RESULT.SENT, now)


def not_delivered(deliveries: Sequence[Delivery], *, now: datetime, is_final: bool = False) -> None:
    """Let deliveries be tried again a while later, unless that is in vain or was often enough."""
    for delivery in deliveries:
        if is_final or delivery.n_tries >= len(PAUSES_MIN):
            _done([delivery], RESULT.FAILED, now)
            continue
        delivery.due_at = now + timedelta(minutes=PAUSES_MIN[delivery.n_tries])
        delivery.n_tries += 1
        delivery.claimed_at = None
        delivery.save(update_fields=["due_at", "n_tries", "claimed_at"])


def delivery_name(delivery: Delivery) -> str:
    """Give the name of what goes out alone, the same each time: 32 characters that tell nothing."""
    return hashlib.sha256(f"delivery {delivery.pk}".encode()).hexdigest()[:32]


def _free(now: datetime) -> Q:
    free = Q(claimed_at__isnull=True) | Q(claimed_at__lt=now - CLAIM_LASTS)
    return free & Q(done_at__isnull=True, due_at__lte=now)


def _due(channel: str, now: datetime) -> QuerySet[Delivery]:
    return Delivery.objects.filter(_free(now), channel=channel)


def _claim(due: QuerySet[Delivery], now: datetime) -> list[Delivery]:
    locked = due.select_for_update(of=("self",)).select_related(
        *_ALL, "notice__offer__maker", "device"
    )
    taken, void = list[Delivery](), list[Delivery]()
    for delivery in locked.order_by("pk"):
        if _waits(delivery, now):
            continue
        (taken if _is_wanted(delivery, now) else void).append(delivery)
    _done(void, RESULT.VOID, now)
    for delivery in taken:
        delivery.claimed_at = now
    Delivery.objects.bulk_update(taken, ["claimed_at"])
    return taken


def _waits(delivery: Delivery, now: datetime) -> bool:
    """Put a delivery off whose moment has moved meanwhile."""
    later = kind_of(delivery.notice).not_before(delivery.notice)
    if later is None or later <= now:
        return False
    delivery.due_at, delivery.claimed_at, delivery.bundle = later, None, ""
    delivery.save(update_fields=["due_at", "claimed_at", "bundle"])
    return True


def _is_wanted(delivery: Delivery, now: datetime) -> bool:
    """Say whether a delivery is true and its way is still open."""
    notice = delivery.notice
    if not is_wanted(notice, now):
        return False
    if delivery.channel == CHANNEL.WEBHOOK:
        return Webhook.objects.filter(user=notice.user_id, is_off=False).exists()
    if delivery.channel == CHANNEL.MAIL:
        choice = notice_choice(notice.user)
        is_on = choice.reminders if kind_of(notice).is_urgent else choice.mail != choice.Mail.NONE
        return bool(notice.user.email) and is_on
    return True


def _done(deliveries: Sequence[Delivery], result: str, now: datetime) -> None:
    ids = [delivery.pk for delivery in deliveries]
    if ids:
        Delivery.objects.filter(pk__in=ids).update(done_at=now, result=result)
