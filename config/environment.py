"""Environment variables, parsed strictly: a wrong value stops the start with one sentence."""

from __future__ import annotations

import base64
import os
import re
import secrets
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

_HOST = re.compile(r"^(\*|\.?[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:]+\])$")
_PROBE_SIZE = 64 * 1024
"""Bytes that a folder must take: less is a full disk."""
VAPID_FILE = "vapid_key"
_P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""The order of the curve P-256 (SEC 2, 2.4.2): a private key is a number from 1 to below it."""
_YES_NO = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def read_text(name: str, default: str = "") -> str:
    """Give a variable without surrounding blanks; unset and empty both give the default."""
    return os.environ.get(name, "").strip() or default


def read_bool(name: str, default: bool) -> bool:
    """Give a yes or no. Raises `ImproperlyConfigured` for anything else."""
    text = read_text(name)
    if not text:
        return default
    if text.lower() not in _YES_NO:
        raise ImproperlyConfigured(f"{name} must be true or false, not {text!r}.")
    return _YES_NO[text.lower()]


def read_int(name: str, default: int, lowest: int, highest: int) -> int:
    """Give a whole number in the range. Raises `ImproperlyConfigured` for anything else."""
    text = read_text(name, str(default))
    if not re.fullmatch(r"-?[0-9]{1,12}", text) or not lowest <= int(text) <= highest:
        raise ImproperlyConfigured(
            f"{name} must be a whole number from {lowest} to {highest}, not {text!r}."
        )
    return int(text)


def read_choice(name: str, choices: tuple[str, ...], default: str) -> str:
    """Give one of a few words, in capitals. Raises `ImproperlyConfigured` for anything else."""
    text = read_text(name, default)
    if text.upper() not in choices:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(choices)}, not {text!r}.")
    return text.upper()


def read_url(name: str, schemes: tuple[str, ...], default: str = "") -> str:
    """Give a URL of one of the schemes. Raises `ImproperlyConfigured` for anything else.

    The message leaves the value out: it may hold a password.
    """
    text = read_text(name, default)
    if not text:
        return ""
    try:
        parts = urlsplit(text)
        fits = parts.scheme in schemes and (bool(parts.hostname) or parts.scheme == "unix")
        _ = parts.port
    except ValueError:
        fits = False
    if not fits:
        raise ImproperlyConfigured(f"{name} must be a URL that starts with {_listed(schemes)}.")
    return text


def read_site_url(name: str, default: str) -> str:
    """Give the site's own address without a slash at its end.

    Raises `ImproperlyConfigured` for anything but scheme, host and port.
    """
    url = read_url(name, ("http", "https"), default)
    parts = urlsplit(url)
    host = parts.hostname or ""
    is_host = _HOST.match(f"[{host}]" if ":" in host else host) and host != "*"
    if not is_host or parts.username or parts.path.strip("/") or parts.query or parts.fragment:
        raise ImproperlyConfigured(
            f"{name} must be scheme, host and perhaps port alone, "
            "for example https://marchstone.example."
        )
    return url.rstrip("/")


def read_database_url(name: str) -> str:
    """Give a PostgreSQL URL. Raises `ImproperlyConfigured` where it names no database."""
    url = read_url(name, ("postgres", "postgresql"))
    if url and not urlsplit(url).path.strip("/"):
        raise ImproperlyConfigured(
            f"{name} must name a database, for example postgres://user:password@host:5432/name."
        )
    return url


def read_redis_url(name: str) -> str:
    """Give a Redis URL. Raises `ImproperlyConfigured` where its database is no number."""
    url = read_url(name, ("redis", "rediss"))
    if not re.fullmatch(r"[0-9]{0,4}", urlsplit(url).path.strip("/")):
        raise ImproperlyConfigured(
            f"{name} must end in the number of a database, for example redis://host:6379/0."
        )
    return url


def read_folder(name: str, default: Path, *, is_written_to: bool) -> Path:
    """Give a folder; where the site writes to it, it is made and tried.

    Raises `ImproperlyConfigured` with the reason where it is no such folder.
    """
    text = read_text(name, str(default))
    try:
        folder = Path(text).resolve()
        if is_written_to:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder) as probe:
                probe.write(b"0" * _PROBE_SIZE)
    except (OSError, ValueError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) else fault
        raise ImproperlyConfigured(
            f"{name} must be a folder that can be written to, and {text} is not: {reason}."
        ) from fault
    if folder == Path("/") or (folder.exists() and not folder.is_dir()):
        raise ImproperlyConfigured(f"{name} must be a folder of its own.")
    return folder


def read_hosts(name: str, default: list[str]) -> list[str]:
    """Give host names separated by commas. Raises `ImproperlyConfigured` for a bad one."""
    hosts = [host.strip() for host in read_text(name).split(",") if host.strip()]
    for host in hosts:
        if not _HOST.match(host):
            raise ImproperlyConfigured(
                f"{name} must be host names separated by commas, without scheme or port; "
                f"{host!r} is none."
            )
    return hosts or default


def read_secret_key(folder: Path) -> str:
    """Give SECRET_KEY, or the one in the folder's file, which is made at the first start."""
    key = read_text("SECRET_KEY")
    if key:
        if len(key) < 32:
            raise ImproperlyConfigured("SECRET_KEY must have at least 32 characters.")
        return key
    path = folder / "secret_key"
    try:
        if not path.exists():
            _write_once(path, secrets.token_urlsafe(48))
        key = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeError):
        key = ""
    if len(key) < 32:
        raise ImproperlyConfigured(
            f"{path} must be a readable file with at least 32 characters. "
            "Without that file a new key is made, and everybody is logged out."
        )
    return key


def read_vapid_key(name: str, folder: Path | None) -> str:
    """Give the private key that signs web push, or the one in the folder's file; else nothing.

    Raises `ImproperlyConfigured` where either is no such key; the message leaves it out.
    """
    key = read_text(name)
    if key:
        if not _is_vapid_key(key):
            raise ImproperlyConfigured(
                f"{name} must be a private key of the curve P-256: 32 bytes in base64url, "
                "43 characters, as `manage.py vapid` prints one."
            )
        return key
    path = folder / VAPID_FILE if folder else None
    if path is None or not path.exists():
        return ""
    try:
        key = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeError):
        key = ""
    if not _is_vapid_key(key):
        raise ImproperlyConfigured(
            f"{path} must be a readable file with a private key for web push. Without that file "
            "a new one is made, and players have to switch web push on again."
        )
    return key


def vapid_key_new() -> str:
    """Draw a private key for web push."""
    number = secrets.randbelow(_P256_ORDER - 1) + 1
    return base64.urlsafe_b64encode(number.to_bytes(32, "big")).rstrip(b"=").decode()


def vapid_key_keep(folder: Path) -> None:
    """Make the file with the key for web push, where there is none yet."""
    if not (folder / VAPID_FILE).exists():
        _write_once(folder / VAPID_FILE, vapid_key_new())


def _is_vapid_key(key: str) -> bool:
    if not re.fullmatch(r"[A-Za-z0-9_-]{43}=?", key):
        return False
    number = int.from_bytes(base64.urlsafe_b64decode(key.rstrip("=") + "="), "big")
    return 0 < number < _P256_ORDER


def _write_once(path: Path, text: str) -> None:
    """Write a private file whole or not at all; of two processes at once, the first wins."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    draft.write_text(text, encoding="ascii")
    draft.chmod(0o600)
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()


def _listed(schemes: tuple[str, ...]) -> str:
    return " or ".join(f"{scheme}://" for scheme in schemes)
