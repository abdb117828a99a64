"""What both channel layers do for us, and what the local one does from other threads."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
import pytest_asyncio
from asgiref.sync import async_to_sync
from channels.exceptions import ChannelFull
from channels.layers import BaseChannelLayer
from channels_redis.pubsub import RedisPubSubChannelLayer

from config.layers import LocalChannelLayer
from tests.services import REDIS_URL

pytestmark = pytest.mark.asyncio

PATIENCE_S = 20.0
HELLO = {"type": "game.changed", "version": 7}


def from_a_thread(call: Callable[..., Awaitable[Any]], *arguments: Any) -> None:
    """Call as a worker thread does: with no event loop of its own."""
    thread = threading.Thread(target=async_to_sync(call), args=arguments)
    thread.start()
    thread.join(PATIENCE_S)
    assert not thread.is_alive()


async def soon(layer: BaseChannelLayer, channel: str) -> dict[str, Any]:
    message: dict[str, Any] = await asyncio.wait_for(layer.receive(channel), PATIENCE_S)
    return message


@pytest_asyncio.fixture(params=["local", pytest.param("redis", marks=pytest.mark.redis)])
async def layer(request: pytest.FixtureRequest) -> AsyncIterator[BaseChannelLayer]:
    if request.param == "local":
        yield LocalChannelLayer()
        return
    hosts = [{"address": REDIS_URL, "socket_timeout": None}]
    layer = RedisPubSubChannelLayer(hosts=hosts, prefix=f"test-{id(request)}")
    yield layer
    await layer.flush()


class TestBothLayers:
    async def test_everybody_in_a_group_hears(self, layer: BaseChannelLayer) -> None:
        channels = [await layer.new_channel() for _ in range(3)]
        for channel in channels[:2]:
            await layer.group_add("game.1", channel)
        await layer.group_add("game.2", channels[2])
        await layer.group_send("game.1", HELLO)
        await layer.group_send("game.2", {**HELLO, "version": 8})
        heard = [(await soon(layer, channel))["version"] for channel in channels]
        assert heard == [7, 7, 8]

    async def test_who_left_hears_no_more(self, layer: BaseChannelLayer) -> None:
        channel = await layer.new_channel()
        await layer.group_add("game.1", channel)
        await layer.group_discard("game.1", channel)
        await layer.group_send("game.1", HELLO)
        await layer.send(channel, {**HELLO, "version": 8})
        assert (await soon(layer, channel))["version"] == 8

    async def test_messages_come_in_order(self, layer: BaseChannelLayer) -> None:
        channel = await layer.new_channel()
        await layer.group_add("game.1", channel)
        for version in range(20):
            await layer.group_send("game.1", {**HELLO, "version": version})
        assert [(await soon(layer, channel))["version"] for _ in range(20)] == list(range(20))

    async def test_a_thread_wakes_a_waiting_socket(self, layer: BaseChannelLayer) -> None:
        channel = await layer.new_channel()
        await layer.group_add("game.1", channel)
        waiting = asyncio.create_task(soon(layer, channel))
        await asyncio.sleep(0)
        await asyncio.to_thread(from_a_thread, layer.group_send, "game.1", HELLO)
        assert await waiting == HELLO

    async def test_nobody_in_the_group_is_no_fault(self, layer: BaseChannelLayer) -> None:
        await layer.group_send("game.1", HELLO)
        await layer.group_discard("game.1", await layer.new_channel())


class TestLocalLayer:
    async def test_many_threads_lose_nothing(self) -> None:
        layer = LocalChannelLayer(capacity=1000)
        channels = [await layer.new_channel() for _ in range(4)]
        for channel in channels:
            await layer.group_add("game.1", channel)

        def send(sender: int) -> None:
            for number in range(50):
                async_to_sync(layer.group_send)("game.1", {"type": "x", "at": (sender, number)})

        async def hear(channel: str) -> list[tuple[int, int]]:
            return [(await soon(layer, channel))["at"] for _ in range(8 * 50)]

        hearing = [asyncio.create_task(hear(channel)) for channel in channels]
        await asyncio.gather(*(asyncio.to_thread(send, sender) for sender in range(8)))
        for heard in await asyncio.gather(*hearing):
            assert sorted(heard) == [(s, n) for s in range(8) for n in range(50)]
            for sender in range(8):
                assert [n for s, n in heard if s == sender] == list(range(50))

    async def test_loops_of_two_threads_can_read(self) -> None:
        layer = LocalChannelLayer()
        heard: list[Any] = []

        async def listen() -> None:
            channel = await layer.new_channel()
            await layer.group_add("game.1", channel)
            barrier.wait(PATIENCE_S)
            heard.append(await soon(layer, channel))

        barrier = threading.Barrier(3)
        listeners = [threading.Thread(target=asyncio.run, args=(listen(),)) for _ in range(2)]
        for listener in listeners:
            listener.start()
        await asyncio.to_thread(barrier.wait, PATIENCE_S)
        await layer.group_send("game.1", HELLO)
        for listener in listeners:
            await asyncio.to_thread(listener.join, PATIENCE_S)
        assert heard == [HELLO, HELLO]

    async def test_a_full_channel_misses_what_the_others_hear(self) -> None:
        layer = LocalChannelLayer(capacity=2)
        full, free = await layer.new_channel(), await layer.new_channel()
        await layer.group_add("game.1", full)
        await layer.group_add("game.1", free)
        await layer.send(full, HELLO)
        await layer.send(full, HELLO)
        await layer.group_send("game.1", {**HELLO, "version": 8})
        assert (await soon(layer, free))["version"] == 8
        with pytest.raises(ChannelFull):
            await layer.send(full, HELLO)
        assert [(await soon(layer, full))["version"] for _ in range(2)] == [7, 7]

    async def test_a_channel_nobody_reads_is_forgotten_with_its_groups(self) -> None:
        layer = LocalChannelLayer(capacity=1, expiry=-1)
        channel = await layer.new_channel()
        await layer.group_add("game.1", channel)
        for version in range(3):
            await layer.group_send("game.1", {**HELLO, "version": version})
        await layer.send(channel, {**HELLO, "version": 9})
        assert (await soon(layer, channel))["version"] == 9

    async def test_a_reader_that_gave_up_is_not_waited_for(self) -> None:
        layer = LocalChannelLayer()
        channel = await layer.new_channel()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(layer.receive(channel), 0)
        reading = asyncio.create_task(layer.receive(channel))
        await asyncio.sleep(0)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        await layer.send(channel, HELLO)
        assert await soon(layer, channel) == HELLO

    async def test_a_closed_loop_does_not_break_the_sender(self) -> None:
        layer = LocalChannelLayer()
        loop = asyncio.new_event_loop()
        channel = await layer.new_channel()
        await layer.group_add("game.1", channel)

        def read_and_go() -> None:
            reading = loop.create_task(layer.receive(channel))
            loop.run_until_complete(asyncio.sleep(0))
            loop.close()
            del reading

        await asyncio.to_thread(read_and_go)
        await layer.group_send("game.1", HELLO)
        assert await soon(layer, channel) == HELLO

    async def test_each_reader_has_a_message_of_its_own(self) -> None:
        layer = LocalChannelLayer()
        channels = [await layer.new_channel() for _ in range(2)]
        for channel in channels:
            await layer.group_add("game.1", channel)
        await layer.group_send("game.1", HELLO)
        first = await soon(layer, channels[0])
        first["version"] = 99
        assert await soon(layer, channels[1]) == HELLO

    async def test_flush_forgets_everything(self) -> None:
        layer = LocalChannelLayer()
        channel = await layer.new_channel()
        await layer.group_add("game.1", channel)
        await layer.send(channel, HELLO)
        await layer.flush()
        await layer.group_send("game.1", {**HELLO, "version": 8})
        await layer.send(channel, {**HELLO, "version": 9})
        assert (await soon(layer, channel))["version"] == 9

    @pytest.mark.parametrize("name", ["", "a b", "x" * 101, 7])
    async def test_bad_names_are_refused(self, name: Any) -> None:
        layer = LocalChannelLayer()
        for call in (layer.group_send(name, HELLO), layer.send(name, HELLO)):
            with pytest.raises(TypeError):
                await call
