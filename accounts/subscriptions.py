"""What a player sets about being told of things, and what came of telling them."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta
from typing import Any

from django.core import signing
from django.core.cache import caches
from django.db import transaction
from django.db.models import DateTimeField, F, Value
from django.db.models.functions import Coalesce

from accounts.channels import NoticeChoice, Presence, PushDevice, Webhook, endpoint_hash
from accounts.models import User

MOST_DEVICES = 10
MOST_FAILURES = 10
"""So many failures in a row switch a webhook off, and have a device forgotten."""
DEVICE_FAILS_FOR = timedelta(days=1)
"""A device is forgotten only if it failed as long: a push service that is away comes back."""
_SEEN_EVERY_S = 60
"""The row of who is here is written so often at most."""
_BOARD_KEPT_S = 24 * 3600
_UNFAILED: dict[str, Any] = {"n_failures": 0, "failed_since": None, "last_error": ""}
_STOP_SALT = "accounts.notices.stop"


def notice_choice(user: User) -> NoticeChoice:
    """Give what a player chose; an unsaved row with what everybody begins with. One query."""
    return NoticeChoice.objects.filter(user=user).first() or NoticeChoice(user=user)


def mails_stop(*, user: User) -> None:
    """Send a player no mails about games any more, reminders neither. Twice is once.

    A deleted account gets none anyway, and leaves no row.
    """
    with transaction.atomic():
        if not User.objects.select_for_update(no_key=True).get(pk=user.pk).is_deleted:
            mail = NoticeChoice.Mail.NONE
            NoticeChoice.objects.update_or_create(
                user=user, defaults={"mail": mail, "reminders": False}
            )


def stop_token(user: User) -> str:
    """Give what stands in a mail's link that ends such mails; it never expires."""
    return signing.Signer(salt=_STOP_SALT).sign(str(user.pk))


def user_of_stop_token(token: str) -> User | None:
    """Give whose mails a link ends; None for a link that this site did not make."""
    try:
        user_id = signing.Signer(salt=_STOP_SALT).unsign(token)
    except signing.BadSignature:
        return None
    return User.objects.filter(pk=user_id).first()


def device_add(
    *, user: User, endpoint: str, p256dh: str, auth: str, name: str, now: datetime
) -> PushDevice | None:
    """Let a browser take notices; None where the player has too many already.

    A browser that belonged to another account goes over to this one. Twice is once.
    """
    key = endpoint_hash(endpoint)
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        others = PushDevice.objects.filter(user=user).exclude(endpoint_hash=key)
        if others.count() >= MOST_DEVICES:
            return None
        fields = {"user": user, "endpoint": endpoint, "p256dh": p256dh, "auth": auth}
        device, _is_new = PushDevice.objects.update_or_create(
            endpoint_hash=key,
            defaults={**fields, "name": name[:60], **_UNFAILED},
            create_defaults={**fields, "name": name[:60], "created_at": now},
        )
    return device


def device_remove(*, user: User, device_id: int) -> bool:
    """Forget a device of a player's own; says whether there was one."""
    return PushDevice.objects.filter(user=user, pk=device_id).delete()[0] > 0


def device_gone(device_id: int) -> None:
    """Forget a device of which its push service says that it is no more."""
    PushDevice.objects.filter(pk=device_id).delete()


def device_succeeded(device_id: int) -> None:
    """Note a success: what failed before is forgiven."""
    PushDevice.objects.filter(pk=device_id).exclude(**_UNFAILED).update(**_UNFAILED)


def device_failed(device_id: int, error: str, now: datetime) -> None:
    """Note a failure; a device that has failed for long is forgotten."""
    with transaction.atomic():
        devices = PushDevice.objects.filter(pk=device_id)
        since = Coalesce("failed_since", Value(now, output_field=DateTimeField()))
        devices.update(last_error=error[:40], n_failures=F("n_failures") + 1, failed_since=since)
        ends = {"n_failures__gte": MOST_FAILURES, "failed_since__lte": now - DEVICE_FAILS_FOR}
        devices.filter(**ends).delete()


def webhook_set(*, user: User, url: str) -> Webhook:
    """Set a player's webhook, with a new secret and nothing held against it."""
    fresh = {"url": url, "secret": secrets.token_urlsafe(32), "n_failures": 0, "is_off": False}
    nothing = {"last_error": "", "failed_at": None, "succeeded_at": None}
    hook, _is_new = Webhook.objects.update_or_create(user=user, defaults={**fresh, **nothing})
    return hook


def webhook_remove(*, user: User) -> None:
    """Forget a player's webhook."""
    Webhook.objects.filter(user=user).delete()


def webhook_on(*, user: User) -> None:
    """Try a webhook again that was switched off."""
    Webhook.objects.filter(user=user).update(is_off=False, n_failures=0)


def webhook_succeeded(hook: Webhook, now: datetime) -> None:
    """Note a success: what failed before is forgiven."""
    hooks = Webhook.objects.filter(pk=hook.pk, url=hook.url)
    hooks.update(n_failures=0, is_off=False, succeeded_at=now)


def webhook_failed(hook: Webhook, error: str, now: datetime, *, counts: bool = True) -> bool:
    """Note a failure; says whether it was one too many in a row, and switched the webhook off."""
    with transaction.atomic():
        hooks = Webhook.objects.filter(pk=hook.pk, url=hook.url)
        n_more = 1 if counts else 0
        hooks.update(last_error=error[:40], failed_at=now, n_failures=F("n_failures") + n_more)
        worn_out = hooks.filter(n_failures__gte=MOST_FAILURES, is_off=False)
        return worn_out.update(is_off=True) > 0


def seen_note(*, user: User, now: datetime, game_id: int | None = None) -> None:
    """Note that a player does something here now, and on which board: one that they play on.

    A board is remembered for a day, and forgotten with the cache: then a notice too many goes
    out. The row of the player is written once a minute at most. Rate limits are in another cache,
    which nothing that is kept here can crowd out.
    """
    cache = caches["presence"]
    if game_id is not None:
        cache.set(_board_key(user.pk, game_id), now.timestamp(), _BOARD_KEPT_S)
    if cache.add(f"seen:{user.pk}", True, _SEEN_EVERY_S):
        Presence.objects.update_or_create(user=user, defaults={"seen_at": now})


def was_on_board(user_id: int, game_id: int, since: datetime) -> bool:
    """Say whether a player did something on a board at a moment or later."""
    seen = board_seen(user_id, game_id)
    return seen is not None and seen >= since


def board_seen(user_id: int, game_id: int) -> datetime | None:
    """Give when a player last did something on a board, half a minute late at most.

    None for never, or where it is not remembered.
    """
    seen: float | None = caches["presence"].get(_board_key(user_id, game_id))
    return None if seen is None else datetime.fromtimestamp(seen, UTC)


def last_seen(user_id: int) -> datetime | None:
    """Give until when a player may have been here last, a minute late at most; None for never."""
    seen = Presence.objects.filter(user_id=user_id).values_list("seen_at", flat=True).first()
    return seen + timedelta(seconds=_SEEN_EVERY_S) if seen else None


def _board_key(user_id: int, game_id: int) -> str:
    return f"board:{user_id}:{game_id}"
