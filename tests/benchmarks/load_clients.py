"""Lightweight clients for load tests: thousands of connections in one process.

They implement just enough of WebSocket, and reconnect as the Python client does:
with the same delays, the same hello, and n and e of the last update.
"""

import asyncio
import socket
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any, cast

import msgpack
from spades_client.backoff import backoff_delay
from spades_client.connection import new_id
from spades_client.frames import encode_frame

from spades_core.protocol.messages import ClientMessage, Hello, JoinTable

TIMEOUT_SECONDS = 10.0
"""For a connection to open, and for an answer."""
Message = dict[str, Any]


class ConnectionLost(Exception):
    """The connection was closed, or the answer was a refusal."""


class WebSocketProtocol(asyncio.Protocol):
    """The client side of a WebSocket. `on_message` is called with every message, and with None when it is closed."""

    def __init__(self, on_message: Callable[[Message | None], None]) -> None:
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._on_message = on_message
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
            self._handle(*frame)

    def connection_lost(self, _problem: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(ConnectionLost())
        self._on_message(None)

    def send(self, message: ClientMessage) -> None:
        self._write(2, encode_frame(message))

    def close(self) -> None:
        assert self._transport is not None
        self._transport.abort()

    def _next_frame(self) -> tuple[int, bytes] | None:
        """Return the opcode and content of the next frame; servers neither mask nor fragment frames this short."""
        unread = self._unread
        if len(unread) < 2:
            return None
        begins, length = (2, unread[1]) if unread[1] < 126 else (4, int.from_bytes(unread[2:4]))
        if len(unread) < begins + length:
            return None
        self._unread = unread[begins + length :]
        return unread[0] & 15, unread[begins : begins + length]

    def _handle(self, opcode: int, content: bytes) -> None:
        match opcode:
            case 2:
                self._on_message(msgpack.unpackb(content))
            case 8:
                self.close()
            case 9:
                self._write(10, content)

    def _write(self, opcode: int, content: bytes) -> None:
        """Write a frame, masked as clients must, with a mask of zeros."""
        assert self._transport is not None
        length = len(content)
        size = bytes((128 | length,)) if length < 126 else b"\xfe" + length.to_bytes(2)
        self._transport.write(bytes((128 | opcode,)) + size + bytes(4) + content)


class LoadClient:
    """A player with a session and a table."""

    def __init__(self, name: str, rng: Random) -> None:
        self.last: Message | None = None
        self.attempts = 0
        self._hello = Hello(name)
        self._rng = rng
        self._socket: WebSocketProtocol | None = None
        self._received: asyncio.Queue[Message | None] = asyncio.Queue()

    async def connect(self, port: int) -> None:
        """Connect and say hello. Raises OSError, TimeoutError or ConnectionLost."""
        self._received = received = asyncio.Queue()
        async with asyncio.timeout(TIMEOUT_SECONDS):
            loop = asyncio.get_running_loop()
            _, self._socket = await loop.create_connection(
                lambda: WebSocketProtocol(lambda message: self._receive(received, message)),
                "127.0.0.1",
                port,
                family=socket.AF_INET,
            )
            await self._socket.opened
        self._socket.send(self._hello)
        welcome = await self._wait_message(lambda message: message["t"] == "welcome")
        self._hello = replace(self._hello, token=welcome["token"])

    async def request(self, request: Any) -> Message:
        """Send a request and return its answer. Raises TimeoutError or ConnectionLost."""
        assert self._socket is not None
        self._socket.send(request)
        return await self._wait_message(lambda message: message.get("re") == request.id)

    async def reconnect(self, ports: Sequence[int]) -> float:
        """Wait until the connection is lost, then rejoin the table at one of the ports; return when that succeeded."""
        assert self.last is not None
        while await self._received.get() is not None:
            pass
        self.attempts = 0
        while True:
            await asyncio.sleep(backoff_delay(self.attempts, self._rng))
            self.attempts += 1
            try:
                await self.connect(self._rng.choice(ports))
                await self.request(JoinTable(new_id(), self.last["code"], self.last["n"], self.last["e"]))
            except (OSError, TimeoutError, ConnectionLost):
                self.close()
            else:
                return asyncio.get_running_loop().time()

    async def wait_for(self, condition: Callable[[Message], bool]) -> Message:
        """Return the first update that meets the condition, the last one included. Raises ConnectionLost."""
        while self.last is None or not condition(self.last):
            if await self._received.get() is None:
                raise ConnectionLost
        return self.last

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()

    def _receive(self, received: asyncio.Queue[Message | None], message: Message | None) -> None:
        if message is not None and message["t"] == "update":
            self.last = message
        received.put_nowait(message)

    async def _wait_message(self, condition: Callable[[Message], bool]) -> Message:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while (message := await self._received.get()) is not None:
                if message["t"] == "refusal":
                    break
                if condition(message):
                    return message
        raise ConnectionLost(message)
