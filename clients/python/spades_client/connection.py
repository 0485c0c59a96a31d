"""The link of one player to the server: one session, at most one table, whatever happens to the socket.

Invariant: a request is sent again, with the same id, until it is answered; the
server carries it out once. So asking either returns, raises CommandRefused, or waits
for the connection to come back.
"""

import asyncio
import secrets
import time
from collections.abc import Callable
from random import Random

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI

from spades_client.backoff import pause_before
from spades_client.wire import read_frame, write_frame
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

FINAL = (CLOSE_REPLACED, CLOSE_PROTOCOL)
"""After these there is no point in coming back."""
NOT_HERE_NOW = ("closed", "newer")
"""Refused with these, a request is asked again on the next connection: the table moves, or another server knows it."""
Answer = Update | Left
Request = MakeTable | JoinTable | TableRequest
News = Callable[[Update | None], None]


class ClientClosed(Exception):
    """The client was closed, or the server ended the connection for good; the text says why."""


class Link:
    """`news` is called with every update, and with None when the link has ended for good."""

    def __init__(
        self, url: str, name: str, token: str | None, rng: Random, news: Callable[[Update | None], None]
    ) -> None:
        self.token = token
        self.last: Update | None = None
        self.ended: str | None = None
        self.connections = 0
        self._url = url
        self._name = name
        self._rng = rng
        self._news = news
        self._socket: ClientConnection | None = None
        self._pending: dict[str, tuple[Request, asyncio.Future[Answer]]] = {}
        self._rejoin = ""
        self._attempt = 0
        self._dialled = 0
        self._told_to_wait: float | None = None

    def end(self, why: str) -> None:
        """No way back: tell everybody who waits."""
        if self.ended is not None:
            return
        self.ended = why
        for _, future in self._pending.values():
            if not future.done():
                future.set_exception(ClientClosed(why))
        self._news(None)

    async def ask(self, request: Request) -> Answer:
        if self.ended is not None:
            raise ClientClosed(self.ended)
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._pending[request.id] = (request, future)
        try:
            if self._socket is not None:
                await self._send(request)
            return await future
        finally:
            del self._pending[request.id]

    async def _send(self, message: ClientMessage) -> None:
        """What is lost with the connection is sent again on the next one."""
        assert self._socket is not None
        try:
            await self._socket.send(write_frame(message))
        except ConnectionClosed:
            self._socket = None

    async def stay_connected(self) -> None:
        """Until the link has ended: at once, and again after a pause whenever the connection was lost."""
        while self.ended is None:
            self._dialled = max(self._dialled + 1, time.time_ns() // 1_000_000)  # clocks are put back now and then
            try:
                async with connect(self._url, compression=None, ping_interval=10, ping_timeout=10) as socket:
                    if await self._resume(socket):
                        await self._read(socket)
            except ConnectionClosed as closed:
                code = closed.rcvd.code if closed.rcvd else None
                if code in FINAL:
                    self.end(CLOSE_REASONS[code])
            except (OSError, InvalidHandshake):  # the server is not there, or not yet
                pass
            except (ValidationError, InvalidURI) as problem:
                self.end(f"no way to talk to {self._url}: {problem}")
            finally:
                self._socket = None
            if self.ended is None:
                await asyncio.sleep(self._pause())

    def _pause(self) -> float:
        """What the server asked for, once; else growing until it has told us something of a table again."""
        told, self._told_to_wait = self._told_to_wait, None
        if told is not None:
            return told
        self._attempt += 1
        return pause_before(self._attempt - 1, self._rng)

    async def _resume(self, socket: ClientConnection) -> bool:
        """Say who we are, come back to our table, ask again what was not answered; False when we are not wanted.

        Nothing is asked at a table before it has let us in.
        """
        await socket.send(write_frame(Hello(self._name, self.token, self._dialled)))
        while isinstance(message := read_frame(await socket.recv()), Restarting):
            self._take(message)
        if not isinstance(message, Welcome):
            self.end(message.text if isinstance(message, Refusal) else "the server did not say welcome")
            return False
        self.token = message.token
        self.connections += 1
        if self.last is not None:
            self._rejoin = new_id()
            await socket.send(write_frame(JoinTable(self._rejoin, self.last.code, self.last.n, self.last.e)))
            while self._rejoin and self.ended is None:
                self._take(read_frame(await socket.recv()))
        self._socket = socket
        for request, _ in list(self._pending.values()):
            await self._send(request)
        return True

    async def _read(self, socket: ClientConnection) -> None:
        async for frame in socket:
            self._take(read_frame(frame))
        raise ConnectionClosed(None, None)

    def _take(self, message: ServerMessage) -> None:
        match message:
            case Update():
                if message.re == self._rejoin:
                    self._rejoin = ""
                self.last = message
                self._attempt = 0
                self._news(message)
                self._answer(message.re, message)
            case Refusal("no_table" | "table_full", text, _, re) if re is None or re == self._rejoin:
                self.end(text)
            case Refusal(code, text, field, re):
                if re == self._rejoin or code in NOT_HERE_NOW:  # come back a little later
                    raise ConnectionClosed(None, None)
                self._answer(re, CommandRefused(code, text, field))
            case Left(re):
                self._answer(re, message)
            case Restarting(ms):
                self._told_to_wait = ms / 1000
            case _:
                pass

    def _answer(self, re: str | None, answer: Answer | CommandRefused) -> None:
        _, future = self._pending.get(re or "", (None, None))
        if future is None or future.done():
            return
        if isinstance(answer, CommandRefused):
            future.set_exception(answer)
        else:
            future.set_result(answer)


def new_id() -> str:
    return secrets.token_hex(8)
