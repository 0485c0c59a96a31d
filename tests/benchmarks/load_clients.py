"""A crowd of players for measuring: thousands of connections in one process, as light as they can be.

Each speaks just enough WebSocket, and comes back as a Link of the Python client
does: the same pauses, the same first words, n and e of the last update it saw.
"""

import asyncio
import socket
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any, cast

import msgpack
from spades_client.backoff import pause_before
from spades_client.connection import new_id
from spades_client.wire import write_frame

from spades_core.protocol.messages import ClientMessage, Hello, JoinTable

OPEN_SECONDS = 10.0
"""How long a client waits for a connection to open, and for its answer."""
Message = dict[str, Any]


class ConnectionLost(Exception):
    """The connection ended, or the answer was a refusal."""


class WebSocketProtocol(asyncio.Protocol):
    """One connection of a WebSocket client. `heard` is called with every message and, with None, at the end."""

    def __init__(self, heard: Callable[[Message | None], None]) -> None:
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._heard = heard
        self._unread = b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's is none by its class
        self._transport.write(
            b"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )

    def data_received(self, data: bytes) -> None:
        self._unread += data
        if not self.opened.done():
            head, end, rest = self._unread.partition(b"\r\n\r\n")
            if not end:
                return
            if not head.startswith(b"HTTP/1.1 101 "):
                self.close()
                return
            self._unread = rest
            self.opened.set_result(None)
        while (frame := self._next_frame()) is not None:
            self._take(*frame)

    def connection_lost(self, _problem: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(ConnectionLost())
        self._heard(None)

    def send(self, message: ClientMessage) -> None:
        self._write(2, write_frame(message))

    def close(self) -> None:
        assert self._transport is not None
        self._transport.abort()

    def _next_frame(self) -> tuple[int, bytes] | None:
        """Its opcode and content; servers do not mask, and split nothing as short as this."""
        unread = self._unread
        if len(unread) < 2:
            return None
        begins, length = (2, unread[1]) if unread[1] < 126 else (4, int.from_bytes(unread[2:4]))
        if len(unread) < begins + length:
            return None
        self._unread = unread[begins + length :]
        return unread[0] & 15, unread[begins : begins + length]

    def _take(self, opcode: int, content: bytes) -> None:
        match opcode:
            case 2:
                self._heard(msgpack.unpackb(content))
            case 8:
                self.close()
            case 9:
                self._write(10, content)

    def _write(self, opcode: int, content: bytes) -> None:
        """Masked, as a client has to, with a mask that changes nothing."""
        assert self._transport is not None
        length = len(content)
        size = bytes((128 | length,)) if length < 126 else b"\xfe" + length.to_bytes(2)
        self._transport.write(bytes((128 | opcode,)) + size + bytes(4) + content)


class LoadClient:
    """Somebody with a session and a table."""

    def __init__(self, name: str, rng: Random) -> None:
        self.last: Message | None = None
        self.tries = 0
        self._hello = Hello(name)
        self._rng = rng
        self._wire: WebSocketProtocol | None = None
        self._said: asyncio.Queue[Message | None] = asyncio.Queue()

    async def connect(self, port: int) -> None:
        """Raises OSError, TimeoutError, Lost."""
        self._said = said = asyncio.Queue()
        async with asyncio.timeout(OPEN_SECONDS):
            loop = asyncio.get_running_loop()
            _, self._wire = await loop.create_connection(
                lambda: WebSocketProtocol(lambda message: self._heard(said, message)),
                "127.0.0.1",
                port,
                family=socket.AF_INET,
            )
            await self._wire.opened
        self._wire.send(self._hello)
        welcome = await self._answer(lambda message: message["t"] == "welcome")
        self._hello = replace(self._hello, token=welcome["token"])

    async def ask(self, request: Any) -> Message:
        """Raises TimeoutError, Lost."""
        assert self._wire is not None
        self._wire.send(request)
        return await self._answer(lambda message: message.get("re") == request.id)

    async def come_back(self, doors: Sequence[int]) -> float:
        """Wait until the connection is lost, then come back to a server; when its table has answered."""
        assert self.last is not None
        while await self._said.get() is not None:
            pass
        self.tries = 0
        while True:
            await asyncio.sleep(pause_before(self.tries, self._rng))
            self.tries += 1
            try:
                await self.connect(self._rng.choice(doors))
                await self.ask(JoinTable(new_id(), self.last["code"], self.last["n"], self.last["e"]))
            except (OSError, TimeoutError, ConnectionLost):
                self.leave()
            else:
                return asyncio.get_running_loop().time()

    async def until(self, seen: Callable[[Message], bool]) -> Message:
        """The first update that fits, be it the one seen last. Raises Lost."""
        while self.last is None or not seen(self.last):
            if await self._said.get() is None:
                raise ConnectionLost
        return self.last

    def leave(self) -> None:
        if self._wire is not None:
            self._wire.close()

    def _heard(self, said: asyncio.Queue[Message | None], message: Message | None) -> None:
        if message is not None and message["t"] == "update":
            self.last = message
        said.put_nowait(message)

    async def _answer(self, wanted: Callable[[Message], bool]) -> Message:
        async with asyncio.timeout(OPEN_SECONDS):
            while (message := await self._said.get()) is not None:
                if message["t"] == "refusal":
                    break
                if wanted(message):
                    return message
        raise ConnectionLost(message)
