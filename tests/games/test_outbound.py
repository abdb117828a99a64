"""The way out: nothing inside is reached, nobody else is believed, and it all ends in time."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from accounts import outbound
from accounts.outbound import OutboundError, Trouble, post
from tests.games.receiver import HOST, LOCAL, Receiver, reached, receiver, trusted

PRIVATE = (
    "127.0.0.1",
    "127.255.255.254",
    "0.0.0.0",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",  # metadata of clouds
    "100.64.0.1",  # carriers
    "100.127.255.254",
    "192.0.0.8",
    "192.0.2.1",
    "192.88.99.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "64:ff9b::7f00:1",
    "64:ff9b:1::a00:1",
    "2002:7f00:1::",
    "2001::1",
    "2001:db8::1",
    "2606:4700::5efe:10.0.0.1",  # ISATAP
    "2606:4700::200:5efe:10.0.0.1",
    "3fff::1",
    "3fff:fff::1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "not-an-address",
)
PUBLIC = (
    "8.8.8.8",
    "93.184.216.34",
    "100.63.255.255",
    "192.88.98.1",
    "2606:4700::1111",
    "2606:4700::5eff:a00:1",
    "2a00:1450::1",
)


@pytest.fixture
def there(tmp_path: Path) -> Iterator[Receiver]:
    with receiver(tmp_path) as running:
        yield running


def trouble_of(url: str) -> Trouble:
    with pytest.raises(OutboundError) as refused:
        post(url, b"{}", {})
    return refused.value.trouble


@pytest.mark.parametrize("address", PRIVATE)
def test_addresses_inside_are_not_public(address: str) -> None:
    assert not outbound.is_public(address)


@pytest.mark.parametrize("address", PUBLIC)
def test_addresses_of_the_open_internet_are(address: str) -> None:
    assert outbound.is_public(address)


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1/",
        "https://127.1/",
        "https://2130706433/",
        "https://0x7f000001/",
        "https://[::1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://[fd00::1]:8443/",
        "https://10.0.0.1:6379/",
        "https://localhost/",
        "https://localhost./",
    ],
)
def test_a_host_that_is_inside_is_never_called(url: str, there: Receiver) -> None:
    assert trouble_of(url) in (Trouble.PRIVATE, Trouble.NO_HOST)


def test_one_private_address_among_public_ones_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [(2, 1, 6, "", (address, 443)) for address in ("8.8.8.8", "10.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **rest: found)
    assert trouble_of("https://mixed.example/") == Trouble.PRIVATE


def test_a_name_is_resolved_once_and_the_connection_goes_there(
    monkeypatch: pytest.MonkeyPatch, there: Receiver
) -> None:
    """A second answer of the name server, a private one, is never asked for."""
    asked: list[str] = []
    connected: list[Any] = []

    def lookup(host: str, port: int, *args: Any, **rest: Any) -> list[Any]:
        asked.append(host)
        address = "8.8.8.8" if len(asked) == 1 else "10.0.0.1"
        return [(2, 1, 6, "", (address, port))]

    def connect(address: tuple[str, int], timeout: float) -> socket.socket:
        connected.append(address)
        raw = socket.socket()
        raw.connect((LOCAL, there.port))
        return raw

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    monkeypatch.setattr(socket, "create_connection", connect)
    trusted(monkeypatch, there)
    assert post(there.url, b"{}", {}) == 204
    assert (asked, connected) == ([HOST], [("8.8.8.8", there.port)])


def test_where_one_address_takes_no_connection_the_next_is_tried(
    monkeypatch: pytest.MonkeyPatch, there: Receiver
) -> None:
    connected: list[str] = []

    def connect(address: tuple[str, int], timeout: float) -> socket.socket:
        connected.append(address[0])
        if ":" in address[0]:
            raise OSError("no route")
        raw = socket.socket()
        raw.connect((LOCAL, there.port))
        return raw

    found = [(0, 1, 6, "", (address, there.port)) for address in ("2606:4700::1111", "8.8.8.8")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **rest: found)
    monkeypatch.setattr(socket, "create_connection", connect)
    trusted(monkeypatch, there)
    assert post(there.url, b"{}", {}) == 204
    assert connected == ["2606:4700::1111", "8.8.8.8"]


def test_a_name_server_that_never_answers_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    is_over = threading.Event()

    def lookup(*args: Any, **rest: Any) -> list[Any]:
        is_over.wait(30)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    monkeypatch.setattr(outbound, "TOTAL_S", 0.2)
    try:
        assert trouble_of("https://slow.example/") == Trouble.TOO_SLOW
        assert not is_over.is_set()
    finally:
        is_over.set()


def test_a_connection_that_is_cut_before_tls_begins_is_no_answer(
    monkeypatch: pytest.MonkeyPatch, there: Receiver
) -> None:
    class Cut(ssl.SSLContext):
        def wrap_socket(self, *args: Any, **rest: Any) -> ssl.SSLSocket:
            raise ConnectionResetError

    reached(monkeypatch, there)
    monkeypatch.setattr(outbound, "trust", lambda: Cut(ssl.PROTOCOL_TLS_CLIENT))
    assert trouble_of(there.url) == Trouble.NO_ANSWER


@pytest.mark.parametrize(
    "url",
    [
        "",
        "http://receiver.example/",
        "ftp://receiver.example/",
        "//receiver.example/",
        "https://",
        "https:///path",
        "https://user:password@receiver.example/",
        "https://user@receiver.example/",
        "https://receiver.example:0x1bb/",
        "https://receiver.example:22/",
        "https://receiver.example:80/",
        "https://receiver.example:99999/",
        "https://receiver.example/a b",
        "https://receiver.example/\r\nX-Injected: 1",
        "https://receiver.example\\@10.0.0.1/",
        "https://[fe80::1%25eth0]/",
        "https://empfänger.example/",
        "https://receiver.example/" + "x" * 500,
    ],
)
def test_only_https_addresses_of_a_named_host_are_called(url: str) -> None:
    assert trouble_of(url) == Trouble.BAD_URL


def test_a_post_arrives_under_the_hosts_own_name(
    monkeypatch: pytest.MonkeyPatch, there: Receiver
) -> None:
    reached(monkeypatch, there)
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    assert post(there.url, b'{"a": 1}', {"X-Own": "yes"}) == 204
    (call,) = there.calls
    assert (call.path, call.body) == ("/in?from=site", b'{"a": 1}')
    assert call.headers["Host"] == f"{HOST}:{there.port}"
    assert (call.headers["X-Own"], call.headers["User-Agent"]) == ("yes", "Marchstone")


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_no_redirect_is_followed(
    monkeypatch: pytest.MonkeyPatch, there: Receiver, status: int
) -> None:
    reached(monkeypatch, there)
    there.status = status
    there.headers = {"Location": f"https://{HOST}:{there.port}/elsewhere"}
    assert post(there.url, b"{}", {}) == status
    assert [call.path for call in there.calls] == ["/in?from=site"]


def test_a_certificate_of_an_unknown_authority_is_refused(
    monkeypatch: pytest.MonkeyPatch, there: Receiver
) -> None:
    monkeypatch.setattr(outbound, "resolve", lambda host, port: [LOCAL])
    assert trouble_of(there.url) == Trouble.NO_TRUST
    assert not there.calls


def test_a_certificate_of_another_host_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with receiver(tmp_path, "other.example") as there:
        reached(monkeypatch, there)
        assert trouble_of(there.url) == Trouble.NO_TRUST
        assert not there.calls


def test_what_goes_on_for_ever_ends_when_its_time_is_up(
    monkeypatch: pytest.MonkeyPatch, there: Receiver
) -> None:
    """A byte now and then keeps each single read alive; the whole has a limit of its own."""
    reached(monkeypatch, there)
    monkeypatch.setattr(outbound, "TOTAL_S", 0.5)

    def drip(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
        for _ in range(600):
            handler.wfile.write(b"X: 1\r\n"[:1])
            handler.wfile.flush()
            threading.Event().wait(0.05)

    there.act = drip
    assert trouble_of(there.url) == Trouble.TOO_SLOW


def test_nothing_is_read_of_a_huge_answer(monkeypatch: pytest.MonkeyPatch, there: Receiver) -> None:
    reached(monkeypatch, there)
    taken = []

    def flood(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        try:
            for n in range(10_000):
                handler.wfile.write(b"x" * 65536)
                taken.append(n)
        except OSError:
            pass

    there.act = flood
    assert post(there.url, b"{}", {}) == 200
    assert len(taken) * 65536 < 64 * 1024 * 1024


def test_garbage_is_no_answer(monkeypatch: pytest.MonkeyPatch, there: Receiver) -> None:
    reached(monkeypatch, there)
    there.act = lambda handler: handler.wfile.write(b"\x00\xff no http\r\n\r\n") and None
    assert trouble_of(there.url) == Trouble.NO_ANSWER


def test_nobody_at_the_port(monkeypatch: pytest.MonkeyPatch, there: Receiver) -> None:
    reached(monkeypatch, there)
    assert trouble_of(f"https://{HOST}:1024/") == Trouble.NO_CONNECTION


def test_what_is_trusted_checks_hosts() -> None:
    context = outbound.trust()
    assert context.check_hostname
    assert context.verify_mode == ssl.CERT_REQUIRED
