"""Fixtures: a server in this process, on a free port with a store in memory, and raw clients of it."""

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
from tests.expert_pools import InstantPool


class RawClient:
    """A client that sends exactly the given messages."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    async def send(self, message: object) -> None:
        await self.socket.send(msgpack.packb(message))

    async def receive(self) -> dict[str, Any]:
        received: dict[str, Any] = msgpack.unpackb(await self.socket.recv())
        return received

    async def ask(self, message: object) -> dict[str, Any]:
        await self.send(message)
        return await self.receive()

    async def receive_answer(self, re: str) -> dict[str, Any]:
        """Receive until the answer to the request `re`, and return that."""
        while (received := await self.receive()).get("re") != re:
            pass
        return received

    async def wait_closed(self) -> int:
        """Receive until the connection is closed; return the close code."""
        try:
            while True:
                await self.receive()
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1006

    async def hello(self, name: str = "Anna", **more: object) -> dict[str, Any]:
        return await self.ask({"t": "hello", "name": name, **more})


@asynccontextmanager
async def deaf_client(port: int) -> AsyncIterator[RawClient]:
    """Connect a client that never reads, and let it send until the server cannot write any more.

    Needs a server that does not limit the rate of requests.
    """
    with socket.socket() as plain:
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        plain.setblocking(False)
        await asyncio.get_running_loop().sock_connect(plain, ("127.0.0.1", port))
        url = f"ws://127.0.0.1:{port}/ws"
        async with connect(url, sock=plain, max_queue=1, ping_interval=None, close_timeout=0) as deaf:
            raw = RawClient(deaf)
            await raw.send({"t": "hello", "name": "Deaf"})
            for _ in range(2000):  # each answer is as long: some megabytes together
                await raw.send({"t": "leave", "id": "x" * 4000})
            yield raw


ClientFactory = Callable[[], AbstractAsyncContextManager[RawClient]]


@pytest.fixture
def settings() -> Settings:
    return Settings(port=0, pace=0, requests_per_second=1000)


@dataclass(frozen=True, slots=True)
class Server:
    """A running server: its gateway, its port, and the tables behind it."""

    gateway: websocket.WebSocketServer
    port: int
    tables: TableRegistry


@pytest.fixture
async def server(settings: Settings) -> AsyncIterator[Server]:
    tables = TableRegistry(MemoryLog(), InstantPool(), pace=Pace().scaled(0), rng=Random(1))
    running = asyncio.create_task(tables.run())
    await asyncio.sleep(0)
    sockets = await websocket.open_sockets("127.0.0.1", 0)
    port = sockets[0].getsockname()[1]
    health, metrics_text = lambda: {"status": "ok"}, lambda: metrics.text(None)
    async with websocket.serving(sockets, settings, Lobby(tables), health, metrics_text) as gateway:
        yield Server(gateway, port, tables)
    running.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await running


@pytest.fixture
def port(server: Server) -> int:
    return server.port


@pytest.fixture
def new_client(port: int) -> ClientFactory:
    @asynccontextmanager
    async def open_client() -> AsyncIterator[RawClient]:
        async with connect(f"ws://127.0.0.1:{port}/ws", compression=None) as socket:
            yield RawClient(socket)

    return open_client
