"""Secrets of shuffles: drawn when a form shows their commitments, kept until it is sent.

The contract is docs/spec/shuffle.md, steps 1 to 3.
"""

from __future__ import annotations

import re
import secrets
from datetime import datetime, timedelta

from django.db import transaction

from accounts.models import User
from games.engine.shuffle import NO_NONCE, NONCE_BYTES, SECRET_BYTES, commitment
from games.models import DrawnSecrets
from games.refusals import Code, Refusal
from games.services.rows import request_id_check

MAX_ROUNDS = 9
MAX_DRAWN = 20
"""For so many forms secrets are kept for one user: the oldest make room for new ones."""

DRAWN_KEPT = timedelta(days=2)
"""So long a form can be sent after it was shown."""

_NONCE = re.compile(f"[0-9a-f]{{{2 * NONCE_BYTES}}}")


def secrets_new(n_rounds: int) -> list[str]:
    """Draw a secret for each round, in hex."""
    return [secrets.token_hex(SECRET_BYTES) for _ in range(n_rounds)]


def secrets_draw(*, maker: User, request_id: str, now: datetime) -> list[str]:
    """Give the secrets of a form, drawn when it is shown first: one for each possible round.

    Raises `Refusal` MALFORMED. Locks: nothing; of two who ask at once one draws.
    """
    request_id_check(request_id)
    with transaction.atomic(durable=True):
        drawn, is_new = DrawnSecrets.objects.get_or_create(
            maker=maker,
            request_id=request_id,
            defaults={"secrets": secrets_new(MAX_ROUNDS), "created_at": now},
        )
        if is_new:
            _make_room(maker)
    told: list[str] = drawn.secrets
    return told


def secrets_take(*, maker: User, request_id: str, n_rounds: int, seen: str) -> list[str]:
    """Take the secrets whose commitments a form showed; they are used once.

    `seen` is the commitment to round 1 on the form, empty where no form was shown: then new
    ones may be drawn. Raises `Refusal` FORM_EXPIRED. Locks: the maker's row is held.
    """
    drawn = DrawnSecrets.objects.filter(maker=maker, request_id=request_id).first()
    if drawn is None:
        seen_check(seen, [])
        return secrets_new(n_rounds)
    seen_check(seen, drawn.secrets)
    drawn.delete()
    taken: list[str] = drawn.secrets[:n_rounds]
    return taken


def seen_check(seen: str, drawn: list[str]) -> None:
    """Check that a form showed the commitments that hold. Raises `Refusal` FORM_EXPIRED."""
    if seen and [seen] != [commitment(bytes.fromhex(secret)) for secret in drawn[:1]]:
        raise Refusal(Code.FORM_EXPIRED)


def nonce_check(nonce: str) -> None:
    """Check what a browser sent as its nonce; empty is none. Raises `Refusal` BAD_NONCE."""
    if nonce and not _NONCE.fullmatch(nonce):
        raise Refusal(Code.BAD_NONCE)


def nonce_or_none(nonce: str) -> str:
    """Give the nonce that counts, in hex: zeros where no browser sent one."""
    return nonce or NO_NONCE.hex()


def drawn_sweep(*, now: datetime) -> int:
    """Forget the secrets of forms that nobody sent; gives how many forms there were."""
    return DrawnSecrets.objects.filter(created_at__lt=now - DRAWN_KEPT).delete()[0]


def _make_room(maker: User) -> None:
    kept = DrawnSecrets.objects.filter(maker=maker).order_by("-pk").values_list("pk", flat=True)
    surplus = list(kept[MAX_DRAWN:])
    if surplus:
        DrawnSecrets.objects.filter(pk__in=surplus).delete()
