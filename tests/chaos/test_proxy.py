"""What a wire that can be cut does to what is said through it."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator

import pytest

from tests.chaos.proxy import Ends, Proxy


class Echo:
    """Says back what it hears, and remembers it; `left` are those who have gone, by all they had said."""

    def __init__(self) -> None:
        self.heard = b""
        self.left: dict[bytes, asyncio.Event] = defaultdict(asyncio.Event)
        self.port = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        said = b""
        while more := await reader.read(100):
            said += more
            self.heard += more
            writer.write(more)
        self.left[said].set()
        writer.close()

    async def connect(self) -> Ends:
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


async def connected(proxy: Proxy) -> Ends:
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
    writer.write(b"hello")
    assert await reader.readexactly(5) == b"hello"
    return reader, writer


async def has_ended(reader: asyncio.StreamReader) -> bool:
    try:
        return await reader.read(1) == b""
    except ConnectionResetError:
        return True


async def all_has_come_through(proxy: Proxy) -> None:
    """Whatever was on its way has arrived, when somebody who came later was heard."""
    _, writer = await connected(proxy)
    writer.close()


async def test_what_is_held_arrives_in_order_when_it_is_released(proxy: Proxy, echo: Echo) -> None:
    reader, writer = await connected(proxy)
    (line,) = proxy.lines
    line.hold()
    writer.write(b"one two")
    await all_has_come_through(proxy)
    assert b"one" not in echo.heard
    line.release()
    assert await reader.readexactly(7) == b"one two"
    writer.close()


async def test_what_was_said_before_parting_still_arrives(proxy: Proxy, echo: Echo) -> None:
    reader, writer = await connected(proxy)
    (line,) = proxy.lines
    line.hold()
    writer.write(b" and goodbye")
    await writer.drain()
    await all_has_come_through(proxy)
    line.part()
    assert await has_ended(reader)
    assert b"goodbye" not in echo.heard
    line.release()
    await echo.left[b"hello and goodbye"].wait()
    writer.close()


async def test_a_dropped_line_ends_for_both(proxy: Proxy, echo: Echo) -> None:
    reader, writer = await connected(proxy)
    proxy.lines[0].drop()
    assert await has_ended(reader)
    await echo.left[b"hello"].wait()
    assert proxy.lines == []
    writer.close()


async def test_nobody_behind_is_nobody_to_talk_to() -> None:
    proxy = Proxy(lambda: None)
    await proxy.listen()
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
    assert await has_ended(reader)
    writer.close()
    await proxy.close()
