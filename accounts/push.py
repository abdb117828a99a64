"""Web push: a message for one browser, encrypted for it alone (RFC 8291), signed (RFC 8292).

It is sent through `accounts.outbound`, since the address comes from a browser.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from email.utils import parseaddr
from functools import lru_cache

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from py_vapid import Vapid02

from accounts import outbound
from accounts.channels import PushDevice

SIGNED_FOR = timedelta(hours=12)
MOST_BYTES = 3000
"""What push services take of a message, less what encryption adds."""
GONE = (404, 410)
"""The push service says that the browser is no longer there."""


def is_on() -> bool:
    """Say whether this site has a key to send web push with."""
    return bool(settings.VAPID_PRIVATE_KEY)


def public_key() -> str:
    """Give the key that browsers subscribe with, base64url; the site must have one."""
    point = _vapid(settings.VAPID_PRIVATE_KEY).public_key
    return _text(point.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


def is_key_pair(p256dh: str, auth: str) -> bool:
    """Say whether a browser's keys are what RFC 8291 asks for: a point of P-256, 16 bytes."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _bytes(p256dh))
        return len(_bytes(auth)) == 16
    except ValueError:
        return False


def send(
    device: PushDevice,
    message: Mapping[str, str],
    *,
    topic: str,
    is_urgent: bool,
    lasts: timedelta,
    now: datetime,
) -> int:
    """Send a message to one browser; gives the push service's status.

    `topic` lets the service forget an older message of that topic which it still keeps; `lasts`
    is how long it keeps this one for a browser that is away. Raises `OutboundError`.
    """
    origin = outbound.target_of(device.endpoint).origin
    headers = {
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(max(60, int(lasts.total_seconds()))),
        "Urgency": "high" if is_urgent else "normal",
        "Topic": topic,
        **_signature(origin, now),
    }
    return outbound.post(device.endpoint, _encrypted(device, message), headers)


def _encrypted(device: PushDevice, message: Mapping[str, str]) -> bytes:
    body = json.dumps(message, ensure_ascii=False).encode()
    if len(body) > MOST_BYTES:
        body = json.dumps({**message, "body": ""}, ensure_ascii=False).encode()
    encrypted: bytes = http_ece.encrypt(
        body,
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=_bytes(device.p256dh),
        auth_secret=_bytes(device.auth),
        version="aes128gcm",
    )
    return encrypted


def _signature(origin: str, now: datetime) -> dict[str, str]:
    expires = int((now + SIGNED_FOR).timestamp())
    claims = {"aud": origin, "exp": expires, "sub": f"mailto:{_contact()}"}
    signed: dict[str, str] = _vapid(settings.VAPID_PRIVATE_KEY).sign(claims)
    return signed


def _contact() -> str:
    """Give the address by which a push service reaches who runs the site."""
    return parseaddr(settings.DEFAULT_FROM_EMAIL)[1]


@lru_cache(maxsize=2)
def _vapid(key: str) -> Vapid02:
    return Vapid02.from_raw(key.encode())


def _bytes(text: str) -> bytes:
    """Read base64url, with or without its padding. Raises `ValueError`."""
    return base64.b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), b"-_", True)


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
