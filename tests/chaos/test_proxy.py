"""A proxy whose connections are stalled and cut."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator

import pytest

from tests.chaos.proxy import Proxy, Streams


class Echo:
    """An echo server; `closed` is set for each client that is gone, by all the bytes it had sent."""

    def __init__(self) -> None:
        self.received = b""
        self.closed: dict[bytes, asyncio.Event] = defaultdict(asyncio.Event)
        self.port = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        data = b""
        while more := await reader.read(100):
            data += more
            self.received += more
            writer.write(more)
        self.closed[data].set()
        writer.close()

    async def connect(self) -> Streams:
        return await asyncio.open_connection("127.0.0.1", self.port)


@pytest.fixture
async def echo() -> AsyncIterator[Echo]:
    echo = Echo()
    async with await asyncio.start_server(echo.serve, "127.0.0.1") as server:
        echo.port = server.sockets[0].getsockname()[1]
        yield echo


@pytest.fixture
async def proxy(echo: Echo) -> AsyncIterator[Proxy]:
    proxy = Proxy(lambda: echo)
    await proxy.listen()
    yield proxy
    await proxy.close()


async def connect_through(proxy: Proxy) -> Streams:
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
    writer.write(b"hello")
    assert await reader.readexactly(5) == b"hello"
    return reader, writer


async def is_closed(reader: asyncio.StreamReader) -> bool:
    try:
        return await reader.read(1) == b""
    except ConnectionResetError:
        return True


async def flush(proxy: Proxy) -> None:
    """Wait until bytes in flight have arrived, as those of a later connection have."""
    _, writer = await connect_through(proxy)
    writer.close()


async def test_stalled_bytes_arrive_in_order_on_resume(proxy: Proxy, echo: Echo) -> None:
    reader, writer = await connect_through(proxy)
    (connection,) = proxy.connections
    connection.stall()
    writer.write(b"one two")
    await flush(proxy)
    assert b"one" not in echo.received
    connection.resume()
    assert await reader.readexactly(7) == b"one two"
    writer.close()


async def test_bytes_sent_before_the_client_is_dropped_still_arrive(proxy: Proxy, echo: Echo) -> None:
    reader, writer = await connect_through(proxy)
    (connection,) = proxy.connections
    connection.stall()
    writer.write(b" and goodbye")
    await writer.drain()
    await flush(proxy)
    connection.drop_client()
    assert await is_closed(reader)
    assert b"goodbye" not in echo.received
    connection.resume()
    await echo.closed[b"hello and goodbye"].wait()
    writer.close()


async def test_dropping_closes_both_sides(proxy: Proxy, echo: Echo) -> None:
    reader, writer = await connect_through(proxy)
    proxy.connections[0].drop()
    assert await is_closed(reader)
    await echo.closed[b"hello"].wait()
    assert proxy.connections == []
    writer.close()


async def test_without_an_upstream_the_client_is_reset() -> None:
    proxy = Proxy(lambda: None)
    await proxy.listen()
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
    assert await is_closed(reader)
    writer.close()
    await proxy.close()
