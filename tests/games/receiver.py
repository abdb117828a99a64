"""A server on this machine that takes what the site sends out, with an authority of its own.

The ban on private addresses stands in the code and in no setting: `reached` puts a resolver and an
authority in place of the functions, for one test.
"""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from cryptography.x509.oid import NameOID

from accounts import outbound

HOST = "receiver.example"
LOCAL = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Call:
    """A request that came."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass(slots=True)
class Receiver:
    """The server: what came, and what it answers."""

    port: int
    authority: Path
    calls: list[Call] = field(default_factory=list)
    status: int = 204
    headers: dict[str, str] = field(default_factory=dict)
    act: Callable[[BaseHTTPRequestHandler], None] | None = None
    """What is done instead of an answer."""

    @property
    def url(self) -> str:
        """Give its address."""
        return f"https://{HOST}:{self.port}/in?from=site"


@contextmanager
def receiver(folder: Path, host: str = HOST) -> Iterator[Receiver]:
    """Run a server for a while, with a certificate for a host."""
    authority, chain = _certificates(folder, host)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length", 0))
            body = self.rfile.read(length)
            told.calls.append(Call(self.path, dict(self.headers), body))
            if told.act is not None:
                told.act(self)
                return
            self.send_response(told.status)
            for name, value in told.headers.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = _Quiet((LOCAL, 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    told = Receiver(server.server_address[1], authority)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield told
    finally:
        server.shutdown()
        server.server_close()


class _Quiet(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of what is cut off: that is what some tests are about."""


def reached(monkeypatch: pytest.MonkeyPatch, there: Receiver) -> None:
    """Let the site find the receiver under its name, and trust its authority."""
    monkeypatch.setattr(outbound, "resolve", lambda host, port: [LOCAL])
    trusted(monkeypatch, there)


def trusted(monkeypatch: pytest.MonkeyPatch, there: Receiver) -> None:
    """Let the site trust the receiver's authority."""
    context = ssl.create_default_context(cafile=str(there.authority))
    monkeypatch.setattr(outbound, "trust", lambda: context)


def _certificates(folder: Path, host: str) -> tuple[Path, Path]:
    """Make an authority, and a certificate of it with its key; gives both files."""
    root_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    root_name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Tests")])
    root = _signed(root_name, root_name, root_key, root_key, x509.BasicConstraints(True, 0))
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    own = _signed(name, root_name, key, root_key, x509.SubjectAlternativeName([x509.DNSName(host)]))
    authority, chain = folder / "authority.pem", folder / "chain.pem"
    authority.write_bytes(root.public_bytes(Encoding.PEM))
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    chain.write_bytes(own.public_bytes(Encoding.PEM) + private)
    return authority, chain


def _signed(
    name: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    by: ec.EllipticCurvePrivateKey,
    extension: x509.ExtensionType,
) -> x509.Certificate:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=30))
        .add_extension(extension, critical=isinstance(extension, x509.BasicConstraints))
        .sign(by, hashes.SHA256())
    )
