"""The one way out: a POST to an address that a player named, where nothing inside can be reached.

The host is resolved once, every address it has must be public, and the connection goes to one of
these very addresses; only then does TLS ask for the host's name. A connection that exists already
is handed to the standard library's HTTP client, so nothing can resolve the name a second time, no
proxy of the environment is asked, and no redirect is followed. Of the answer the status is read
and nothing more. All of it, the look-up of the name too, ends after `TOTAL_S`, however slowly the
other side speaks.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

CONNECT_S = 3.0
TOTAL_S = 8.0
MOST_URL = 500
LOWEST_PORT = 1024
"""Besides 443. Below are mail, shells and the like, which are no receivers of notices."""

_HIDES_V4 = tuple(
    ipaddress.ip_network(network)
    for network in ("::/96", "::ffff:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "2002::/16")
)
"""Addresses of IPv6 that stand for one of IPv4, which may be private."""
_NEVER = tuple(
    ipaddress.ip_network(network)
    for network in (
        "100.64.0.0/10",  # shared by a carrier's customers
        "192.0.0.0/24",  # of protocols
        "192.88.99.0/24",  # relays of 6to4
        "2001::/32",  # Teredo, which hides an address of IPv4 too
        "3fff::/20",  # for documents
        "5f00::/16",  # segments of routes
        "fec0::/10",  # of sites, as they once were
    )
)
"""Python calls some of them global."""
_ISATAP, _ISATAP_MASK = 0x00005EFE, 0xFCFFFFFF
"""Before its last 32 bits, which are an address of IPv4 (RFC 5214); two bits of it may be set."""


class Trouble(StrEnum):
    """Why nothing, or no success, came back. Words for it are chosen on the page."""

    BAD_URL = "bad-url"
    NO_HOST = "no-host"
    PRIVATE = "private"
    NO_CONNECTION = "no-connection"
    NO_TRUST = "no-trust"
    TOO_SLOW = "too-slow"
    NO_ANSWER = "no-answer"


class OutboundError(Exception):
    """No answer: nobody was asked, or nobody answered properly."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble.value)
        self.trouble = trouble


@dataclass(frozen=True, slots=True)
class Target:
    """An address, taken apart."""

    host: str
    port: int
    path: str

    @property
    def host_header(self) -> str:
        """Give the host as it stands in a request."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == 443 else f"{host}:{self.port}"

    @property
    def origin(self) -> str:
        """Give scheme, host and port."""
        return f"https://{self.host_header}"


def target_of(url: str) -> Target:
    """Take an https address apart. Raises `OutboundError` BAD_URL for any other."""
    if len(url) > MOST_URL or not url.isascii() or any(c <= " " or c in '"\\\x7f' for c in url):
        raise OutboundError(Trouble.BAD_URL)
    try:
        parts = urlsplit(url)
        port = parts.port or 443
    except ValueError as fault:
        raise OutboundError(Trouble.BAD_URL) from fault
    host = (parts.hostname or "").rstrip(".")
    is_named = bool(host) and "%" not in host and not parts.username and not parts.password
    if parts.scheme != "https" or not is_named or (port != 443 and port < LOWEST_PORT):
        raise OutboundError(Trouble.BAD_URL)
    path = parts.path or "/"
    return Target(host, port, f"{path}?{parts.query}" if parts.query else path)


def is_number(host: str) -> bool:
    """Say whether a host is given by its number, and not by a name."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def is_public(address: str) -> bool:
    """Say whether an address is one of the open internet, and hides no other."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    if any(ip in network for network in (*_HIDES_V4, *_NEVER)):
        return False
    if ip.version == 6 and (int(ip) >> 32) & _ISATAP_MASK == _ISATAP:
        return False
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_unspecified)


def resolve(host: str, port: int) -> list[str]:
    """Give the addresses to connect to, the best first.

    Raises `OutboundError`: NO_HOST, PRIVATE where any address of the host is not public, or
    TOO_SLOW after `TOTAL_S`. A look-up cannot be broken off: it is left to end by itself.
    """
    found = list[str]()
    faults = list[Exception]()

    def look_up() -> None:
        try:
            told = socket.getaddrinfo(
                host, port, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG
            )
            found.extend(dict.fromkeys(str(info[4][0]) for info in told))
        except (OSError, UnicodeError) as fault:
            faults.append(fault)

    thread = threading.Thread(target=look_up, name="look-up", daemon=True)
    thread.start()
    thread.join(TOTAL_S)
    if thread.is_alive():
        raise OutboundError(Trouble.TOO_SLOW)
    if faults or not found:
        raise OutboundError(Trouble.NO_HOST) from next(iter(faults), None)
    if not all(map(is_public, found)):
        raise OutboundError(Trouble.PRIVATE)
    return found


def trust() -> ssl.SSLContext:
    """Give whom to trust: what this machine trusts."""
    return ssl.create_default_context()


def post(url: str, body: bytes, headers: Mapping[str, str]) -> int:
    """Send a body; gives the status of the answer, a redirect's too.

    Raises `OutboundError`, and nothing else whatever the network does. Blocks for `TOTAL_S` at
    most: for workers only.
    """
    target = target_of(url)
    until = time.monotonic() + TOTAL_S
    addresses = resolve(target.host, target.port)
    is_late = threading.Event()
    try:
        raw = _connected(addresses, target.port, until)
        with raw, _secured(raw, target.host, until, is_late) as tls:
            tls.do_handshake()
            status = _exchange(tls, target, body, headers)
    except ssl.SSLCertVerificationError as fault:
        raise OutboundError(Trouble.NO_TRUST) from fault
    except (OSError, http.client.HTTPException, ValueError) as fault:
        is_slow = is_late.is_set() or isinstance(fault, TimeoutError)
        raise OutboundError(Trouble.TOO_SLOW if is_slow else Trouble.NO_ANSWER) from fault
    if is_late.is_set():  # headers that were cut look like headers that ended
        raise OutboundError(Trouble.TOO_SLOW)
    return status


def _connected(addresses: Sequence[str], port: int, until: float) -> socket.socket:
    """Connect to the first address that takes it. Raises `OutboundError` NO_CONNECTION."""
    last: OSError | None = None
    for address in addresses:
        left = until - time.monotonic()
        if left <= 0:
            break
        try:
            return socket.create_connection((address, port), timeout=min(CONNECT_S, left))
        except OSError as fault:
            last = fault
    raise OutboundError(Trouble.NO_CONNECTION) from last


@contextmanager
def _secured(
    raw: socket.socket, host: str, until: float, is_late: threading.Event
) -> Iterator[ssl.SSLSocket]:
    """Wrap a connection, and cut it when its time is up, in whatever it is busy then."""
    tls = trust().wrap_socket(raw, server_hostname=host, do_handshake_on_connect=False)
    left = max(0.001, until - time.monotonic())
    tls.settimeout(left)

    def cut() -> None:
        is_late.set()
        with suppress(OSError):
            socket.socket.shutdown(tls, socket.SHUT_RDWR)

    timer = threading.Timer(left, cut)
    timer.daemon = True
    timer.start()
    try:
        yield tls
    finally:
        timer.cancel()
        tls.close()


def _exchange(tls: ssl.SSLSocket, target: Target, body: bytes, headers: Mapping[str, str]) -> int:
    connection = http.client.HTTPConnection(target.host, target.port)
    connection.sock = tls
    connection.putrequest("POST", target.path, skip_host=True, skip_accept_encoding=True)
    sent = {"Host": target.host_header, "User-Agent": "Marchstone", **headers}
    for name, value in {**sent, "Content-Length": str(len(body)), "Connection": "close"}.items():
        connection.putheader(name, value)
    connection.endheaders(body)
    return connection.getresponse().status
