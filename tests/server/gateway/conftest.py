"""A server in this process, on a free port and a store in memory, and a raw socket to it."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from random import Random
from typing import Any

import msgpack
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from server import metrics
from server.gateway import websocket
from server.lobby.lobby import Lobby
from server.settings import Settings
from server.store.memory_log import MemoryLog
from server.tables.registry import TableRegistry
from spades_core.schedule import Pace
from tests.expert_pools import AtOnce


class Raw:
    """A client that says exactly what a test wants it to say."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    async def say(self, message: object) -> None:
        await self.socket.send(msgpack.packb(message))

    async def hear(self) -> dict[str, Any]:
        heard: dict[str, Any] = msgpack.unpackb(await self.socket.recv())
        return heard

    async def ask(self, message: object) -> dict[str, Any]:
        await self.say(message)
        return await self.hear()

    async def hear_of(self, re: str) -> dict[str, Any]:
        """The answer to a request, whatever comes before it."""
        while (heard := await self.hear()).get("re") != re:
            pass
        return heard

    async def until_closed(self) -> int:
        """Listen to the end; the number it was closed with."""
        try:
            while True:
                await self.hear()
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1006

    async def hello(self, name: str = "Anna", **more: object) -> dict[str, Any]:
        return await self.ask({"t": "hello", "name": name, **more})


@asynccontextmanager
async def deaf_client(port: int) -> AsyncIterator[Raw]:
    """Takes in nothing of what it is told, until the server cannot get rid of any more.

    To be used where requests are not held back.
    """
    with socket.socket() as plain:
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        plain.setblocking(False)
        await asyncio.get_running_loop().sock_connect(plain, ("127.0.0.1", port))
        url = f"ws://127.0.0.1:{port}/ws"
        async with connect(url, sock=plain, max_queue=1, ping_interval=None, close_timeout=0) as deaf:
            raw = Raw(deaf)
            await raw.say({"t": "hello", "name": "Deaf"})
            for _ in range(2000):  # the answers are as long: some megabytes together
                await raw.say({"t": "leave", "id": "x" * 4000})
            yield raw


Door = Callable[[], AbstractAsyncContextManager[Raw]]


@pytest.fixture
def settings() -> Settings:
    return Settings(port=0, pace=0, requests_per_second=1000)


@dataclass(frozen=True, slots=True)
class Server:
    """What a test may hold on to: the door of the gateway, its port, and the tables behind it."""

    door: websocket.Door
    port: int
    tables: TableRegistry


@pytest.fixture
async def server(settings: Settings) -> AsyncIterator[Server]:
    tables = TableRegistry(MemoryLog(), AtOnce(), pace=Pace().scaled(0), rng=Random(1))
    running = asyncio.create_task(tables.run())
    await asyncio.sleep(0)
    sockets = await websocket.open_sockets("127.0.0.1", 0)
    port = sockets[0].getsockname()[1]
    health, measured = lambda: {"status": "ok"}, lambda: metrics.text(None)
    async with websocket.listening(sockets, settings, Lobby(tables), health, measured) as door:
        yield Server(door, port, tables)
    running.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await running


@pytest.fixture
def port(server: Server) -> int:
    return server.port


@pytest.fixture
def door(port: int) -> Door:
    @asynccontextmanager
    async def open_door() -> AsyncIterator[Raw]:
        async with connect(f"ws://127.0.0.1:{port}/ws", compression=None) as socket:
            yield Raw(socket)

    return open_door
