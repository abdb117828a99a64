"""A WebSocket as a browser opens it, with nothing but the standard library."""

from __future__ import annotations

import base64
import os
import socket
import struct
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

CLOSE = 8


class BrowserSocket:
    """One WebSocket; `status` is 101 once it is open."""

    def __init__(self, site: str, path: str, origin: str = "") -> None:
        parts = urlsplit(site)
        self._socket = socket.create_connection((parts.hostname, parts.port), timeout=20)
        self._file = self._socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        lines = (
            f"GET {path} HTTP/1.1",
            f"Host: {parts.netloc}",
            f"Origin: {origin or site}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
        )
        self._socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        self.status = int(self._file.readline().split()[1])
        while self._file.readline().strip():
            pass

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()
        self._socket.close()

    def ask(self, text: str) -> None:
        """Send a short text frame, masked as browsers must, with a mask that changes nothing."""
        payload = text.encode()
        self._socket.sendall(bytes([0x81, 0x80 | len(payload), 0, 0, 0, 0]) + payload)

    def text(self) -> str:
        """Wait for the next text frame."""
        opcode, payload = self._frame()
        assert opcode == 1, (opcode, payload)
        return payload.decode()

    def close_code(self) -> int:
        """Skip frames until the server closes, and give its code."""
        while True:
            opcode, payload = self._frame()
            if opcode == CLOSE:
                return int(struct.unpack("!H", payload[:2])[0])

    def _frame(self) -> tuple[int, bytes]:
        first, length = self._file.read(2)
        if length == 126:
            (length,) = struct.unpack("!H", self._file.read(2))
        return first & 15, self._file.read(length)
