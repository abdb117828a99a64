"""A player's own webhook: JSON over https, signed with a secret that only the two know."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from datetime import datetime

from accounts import outbound
from accounts.channels import Webhook


def send(hook: Webhook, told: Mapping[str, object], *, delivery: str, now: datetime) -> int:
    """Send what is told; gives the status of the answer. Raises `OutboundError`.

    `delivery` names this very notice: one that comes twice, after a crash, has the same name.
    """
    body = json.dumps(told, ensure_ascii=False).encode()
    moment = str(int(now.timestamp()))
    headers = {
        "Content-Type": "application/json",
        "X-Marchstone-Delivery": delivery,
        "X-Marchstone-Timestamp": moment,
        "X-Marchstone-Signature": f"sha256={signature(hook.secret, moment, body)}",
    }
    return outbound.post(hook.url, body, headers)


def signature(secret: str, moment: str, body: bytes) -> str:
    """Give the HMAC-SHA256 in hex over the moment in Unix seconds, a full stop, and the body."""
    return hmac.new(secret.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest()
