"""One player's connection to the server: one session, at most one table, across any number of sockets.

Invariant: a request is sent again, with the same id, until it is answered, and the
server executes it once. A request therefore either returns, raises CommandRefused,
or waits for the next connection.
"""

import asyncio
import secrets
import time
from collections.abc import Callable
from random import Random

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI

from spades_client.backoff import backoff_delay
from spades_client.frames import decode_frame, encode_frame
from spades_core.commands import CommandRefused
from spades_core.protocol.codec import ValidationError
from spades_core.protocol.messages import (
    CLOSE_PROTOCOL,
    CLOSE_REASONS,
    CLOSE_REPLACED,
    ClientMessage,
    Hello,
    JoinTable,
    Left,
    MakeTable,
    Refusal,
    Restarting,
    ServerMessage,
    TableRequest,
    Update,
    Welcome,
)

FINAL_CLOSE_CODES = (CLOSE_REPLACED, CLOSE_PROTOCOL)
"""Close codes after which the client does not reconnect."""
RETRIED_REFUSALS = ("closed", "newer")
"""Refusal codes of a table that is moving or known to another server only: the request is sent again there."""
Answer = Update | Left
Request = MakeTable | JoinTable | TableRequest
OnMessage = Callable[[ServerMessage], None]
OnUpdate = Callable[[Update | None], None]


class ClientClosed(Exception):
    """The client was closed, or the server ended the session's connection for good; the text says why."""


class Connection:
    """Reconnects until closed.

    `on_update` is called with every update, and with None when the connection is
    closed for good. `on_message`, if given, is called with every message received,
    before it is acted upon.
    """

    def __init__(
        self,
        url: str,
        name: str,
        token: str | None,
        *,
        rng: Random,
        on_update: OnUpdate,
        on_message: OnMessage | None = None,
    ) -> None:
        self.token = token
        self.last_update: Update | None = None
        self.close_reason: str | None = None
        self.connect_count = 0
        self._url = url
        self._name = name
        self._rng = rng
        self._on_update = on_update
        self._on_message = on_message
        self._socket: ClientConnection | None = None
        self._pending: dict[str, tuple[Request, asyncio.Future[Answer]]] = {}
        self._rejoin_id = ""
        self._attempt = 0
        self._connected_at = 0
        self._restart_delay: float | None = None

    async def run(self) -> None:
        """Connect, and reconnect after a delay whenever the connection is lost, until closed for good."""
        while self.close_reason is None:
            # Later than the attempt before, even if the clock was set back.
            self._connected_at = max(self._connected_at + 1, time.time_ns() // 1_000_000)
            try:
                async with connect(self._url, compression=None, ping_interval=10, ping_timeout=10) as socket:
                    if await self._resume(socket):
                        async for frame in socket:
                            self._handle(self._decode(frame))
            except ConnectionClosed as closed:
                code = closed.rcvd.code if closed.rcvd else None
                if code in FINAL_CLOSE_CODES:
                    self.close(CLOSE_REASONS[code])
            except (OSError, InvalidHandshake):  # the server is not up, or not yet
                pass
            except (ValidationError, InvalidURI) as problem:
                self.close(f"no way to talk to {self._url}: {problem}")
            finally:
                self._socket = None
            if self.close_reason is None:
                await asyncio.sleep(self._reconnect_delay())

    def close(self, reason: str) -> None:
        """Close for good: pending requests raise ClientClosed. Closing again has no effect."""
        if self.close_reason is not None:
            return
        self.close_reason = reason
        for _, future in self._pending.values():
            if not future.done():
                future.set_exception(ClientClosed(reason))
        self._on_update(None)

    async def request(self, request: Request) -> Answer:
        """Send a request and return its answer. Raises CommandRefused, or ClientClosed when closed for good."""
        if self.close_reason is not None:
            raise ClientClosed(self.close_reason)
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._pending[request.id] = (request, future)
        try:
            if self._socket is not None:
                await self._send(request)
            return await future
        finally:
            del self._pending[request.id]

    async def _send(self, message: ClientMessage) -> None:
        """Send a message; one lost with the connection is sent again on the next one."""
        assert self._socket is not None
        try:
            await self._socket.send(encode_frame(message))
        except ConnectionClosed:
            self._socket = None

    def _reconnect_delay(self) -> float:
        """Return what a restarting server asked for, once; else the back-off, which each update resets."""
        requested, self._restart_delay = self._restart_delay, None
        if requested is not None:
            return requested
        self._attempt += 1
        return backoff_delay(self._attempt - 1, self._rng)

    async def _resume(self, socket: ClientConnection) -> bool:
        """Greet the server, rejoin the table, send pending requests again. Returns False if the server refuses us.

        Requests wait until the table has let us in again.
        """
        await socket.send(encode_frame(Hello(self._name, self.token, self._connected_at)))
        while isinstance(message := self._decode(await socket.recv()), Restarting):
            self._handle(message)
        if not isinstance(message, Welcome):
            self.close(message.text if isinstance(message, Refusal) else "the server did not say welcome")
            return False
        self.token = message.token
        self.connect_count += 1
        if (last := self.last_update) is not None:
            self._rejoin_id = new_id()
            await socket.send(encode_frame(JoinTable(self._rejoin_id, last.code, last.n, last.e)))
            while self._rejoin_id and self.close_reason is None:
                self._handle(self._decode(await socket.recv()))
        self._socket = socket
        for request, _ in list(self._pending.values()):
            await self._send(request)
        return True

    def _decode(self, frame: bytes | str) -> ServerMessage:
        message = decode_frame(frame)
        if self._on_message is not None:
            self._on_message(message)
        return message

    def _handle(self, message: ServerMessage) -> None:
        match message:
            case Update():
                if message.re == self._rejoin_id:
                    self._rejoin_id = ""
                self.last_update = message
                self._attempt = 0
                self._on_update(message)
                self._resolve(message.re, message)
            case Refusal("no_table" | "table_full", text, _, re) if re is None or re == self._rejoin_id:
                self.close(text)
            case Refusal(code, text, field, re):
                if re == self._rejoin_id or code in RETRIED_REFUSALS:
                    raise ConnectionClosed(None, None)  # to reconnect a little later
                self._resolve(re, CommandRefused(code, text, field))
            case Left(re):
                self._resolve(re, message)
            case Restarting(ms):
                self._restart_delay = ms / 1000
            case _:
                pass

    def _resolve(self, request_id: str | None, answer: Answer | CommandRefused) -> None:
        """Answer a pending request, if there is one with this id."""
        _, future = self._pending.get(request_id or "", (None, None))
        if future is None or future.done():
            return
        if isinstance(answer, CommandRefused):
            future.set_exception(answer)
        else:
            future.set_result(answer)


def new_id() -> str:
    """Return a random id for a request."""
    return secrets.token_hex(8)
