"""The channel layer of the embedded site: one process, any number of threads.

Channels' own in-memory layer does not wake the server's loop when a worker thread sends, and
walks every channel at each send. Frames are at-most-once, as in every layer: each carries the
version, and a socket is told the current one when it connects.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from secrets import token_hex
from typing import Any

from channels.exceptions import ChannelFull
from channels.layers import BaseChannelLayer

Message = dict[str, Any]


@dataclass(slots=True, eq=False)
class _Mailbox:
    """What waits for one channel: (moment of arrival, message), and who reads it."""

    messages: deque[tuple[float, Message]] = field(default_factory=deque)
    readers: list[asyncio.Future[None]] = field(default_factory=list)


class LocalChannelLayer(BaseChannelLayer):
    """Send from any thread, receive in any event loop; nothing leaves the process."""

    extensions = ["groups", "flush"]

    def __init__(self, expiry: int = 60, capacity: int = 100) -> None:
        """Hold `capacity` messages a channel; a full one unread for `expiry` seconds is gone."""
        super().__init__(expiry=expiry, capacity=capacity)
        self._lock = threading.Lock()
        self._mailboxes: dict[str, _Mailbox] = {}
        self._groups: dict[str, dict[str, None]] = {}

    async def new_channel(self, prefix: str = "specific") -> str:
        """Give a name nobody else has. What is sent to it from now on is kept."""
        channel = f"{prefix}.local!{token_hex(12)}"
        with self._lock:
            self._mailboxes[channel] = _Mailbox()
        return channel

    async def send(self, channel: str, message: Message) -> None:
        """Put a message into a channel. Raises `ChannelFull` where it is not being read."""
        self.require_valid_channel_name(channel)
        with self._lock:
            is_kept = self._put(channel, message)
        if not is_kept:
            raise ChannelFull(channel)

    async def receive(self, channel: str) -> Message:
        """Wait for the channel's next message. A reader that is cancelled takes it down."""
        self.require_valid_channel_name(channel)
        while True:
            with self._lock:
                mailbox = self._mailboxes.setdefault(channel, _Mailbox())
                if mailbox.messages:
                    return mailbox.messages.popleft()[1]
                reader = asyncio.get_running_loop().create_future()
                mailbox.readers.append(reader)
            try:
                await reader
            except asyncio.CancelledError:
                self._leave(channel, reader)
                raise

    async def group_add(self, group: str, channel: str) -> None:
        """Let the channel receive what is sent to the group."""
        self.require_valid_group_name(group)
        self.require_valid_channel_name(channel)
        with self._lock:
            self._groups.setdefault(group, {})[channel] = None

    async def group_discard(self, group: str, channel: str) -> None:
        """Take the channel out of the group, if it is in it."""
        self.require_valid_group_name(group)
        self.require_valid_channel_name(channel)
        with self._lock:
            self._discard(group, channel)

    async def group_send(self, group: str, message: Message) -> None:
        """Send to every channel of the group; full ones miss it."""
        self.require_valid_group_name(group)
        with self._lock:
            for channel in list(self._groups.get(group, ())):
                self._put(channel, message)

    async def flush(self) -> None:
        """Forget all messages and groups."""
        with self._lock:
            self._mailboxes.clear()
            self._groups.clear()

    def _put(self, channel: str, message: Message) -> bool:
        """Store a message and wake the readers, under the lock; say whether it was kept."""
        mailbox = self._mailboxes.setdefault(channel, _Mailbox())
        now = time.monotonic()
        if len(mailbox.messages) >= self.capacity:
            if mailbox.messages[0][0] + self.expiry < now:
                self._forget(channel)
            return False
        # Its own dictionary for each reader: a consumer may change what it is handed.
        mailbox.messages.append((now, dict(message)))
        for reader in mailbox.readers:
            _wake(reader)
        mailbox.readers.clear()
        return True

    def _forget(self, channel: str) -> None:
        """Drop a channel whose reader is gone, and its places in groups."""
        self._mailboxes.pop(channel, None)
        for group in [name for name, members in self._groups.items() if channel in members]:
            self._discard(group, channel)

    def _discard(self, group: str, channel: str) -> None:
        members = self._groups.get(group, {})
        members.pop(channel, None)
        if not members:
            self._groups.pop(group, None)

    def _leave(self, channel: str, reader: asyncio.Future[None]) -> None:
        with self._lock:
            mailbox = self._mailboxes.get(channel)
            if mailbox is None:
                return
            if reader in mailbox.readers:
                mailbox.readers.remove(reader)
            if not mailbox.readers:
                del self._mailboxes[channel]


def _wake(reader: asyncio.Future[None]) -> None:
    """Let the reader go on in its own loop, whatever thread this is."""
    try:
        reader.get_loop().call_soon_threadsafe(_resolve, reader)
    except RuntimeError:
        # Its loop was closed before it could be cancelled: nobody waits there any more.
        return


def _resolve(reader: asyncio.Future[None]) -> None:
    if not reader.done():
        reader.set_result(None)
