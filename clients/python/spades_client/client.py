"""A player: one session, at most one table, whatever happens to the connection.

Invariant: a request is sent again, with the same id, until it is answered; the
server carries it out once. So a call either returns, raises Refused, or waits
for the connection to come back.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from random import Random
from types import TracebackType
from typing import Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from spades_client.backoff import pause_before
from spades_client.wire import read_frame, write_frame
from spades_core.cards import Card
from spades_core.events import HandScored
from spades_core.protocol.messages import (
    CLOSE_PROTOCOL,
    CLOSE_REASONS,
    CLOSE_REPLACED,
    AddBot,
    Bid,
    ClientMessage,
    DropBot,
    Hello,
    JoinTable,
    Leave,
    Left,
    Look,
    MakeTable,
    NextHand,
    Pass,
    Play,
    Presence,
    Refusal,
    ServerMessage,
    Sit,
    Start,
    TableRequest,
    Update,
    Welcome,
)
from spades_core.refusal import Refused
from spades_core.seats import Seat
from spades_core.views import SeatView

FINAL = (CLOSE_REPLACED, CLOSE_PROTOCOL)
"""After these there is no point in coming back."""
Answer = Update | Left
Request = MakeTable | JoinTable | TableRequest


class ClientClosed(Exception):
    """The client was closed, or the server ended the connection for good; the text says why."""


class Client:
    """Use as `async with Client(url, name)`. `token` continues an earlier session.

    Waiting methods raise ClientClosed when the connection ended for good. The
    first connection is waited for like any later one.
    """

    def __init__(self, url: str, name: str, token: str | None = None, *, chance: Random | None = None) -> None:
        self.url = url
        self.name = name
        self.token = token
        self.last: Update | None = None
        """The newest update of the table."""
        self.sheet: tuple[HandScored, ...] = ()
        """The scored hands of the game."""
        self.connections = 0
        """How often the server has welcomed us."""
        self._chance = chance or Random()
        self._socket: ClientConnection | None = None
        self._pending: dict[str, tuple[Request, asyncio.Future[Answer]]] = {}
        self._streams: set[asyncio.Queue[Update | None]] = set()
        self._changed = asyncio.Event()
        self._ended: str | None = None
        self._task: asyncio.Task[None] | None = None
        self._rejoin = ""

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._stay_connected())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """End the connection without leaving the table: the seat stays ours."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._end("the client was closed")

    @property
    def view(self) -> SeatView:
        """What we see of the table; raises LookupError before we are at one."""
        if self.last is None:
            raise LookupError("not at a table")
        return self.last.view

    @property
    def code(self) -> str:
        return self.view.code

    async def make_table(self, rules: str = "classic") -> SeatView:
        return await self._table_view(MakeTable(_new_id(), rules))

    async def join(self, code: str) -> SeatView:
        """Come to a table. The view has no seat of ours yet unless we sat there before."""
        return await self._table_view(JoinTable(_new_id(), code))

    async def sit(self, seat: int) -> SeatView:
        return await self._table_view(Sit(_new_id(), Seat(seat)))

    async def add_bot(self, seat: int) -> SeatView:
        return await self._table_view(AddBot(_new_id(), Seat(seat)))

    async def drop_bot(self, seat: int) -> SeatView:
        return await self._table_view(DropBot(_new_id(), Seat(seat)))

    async def start(self) -> SeatView:
        return await self._table_view(Start(_new_id()))

    async def look(self) -> SeatView:
        """Turn up a hand that lies face down."""
        return await self._table_view(Look(_new_id()))

    async def bid(self, bid: int, *, blind: bool = False) -> SeatView:
        """0 is nil; `blind` for nil on a hand that lies face down."""
        return await self._table_view(Bid(_new_id(), self._number(), bid, blind))

    async def pass_cards(self, first: str, second: str) -> SeatView:
        """Two cards to the partner, after a blind nil."""
        return await self._table_view(Pass(_new_id(), self._number(), (Card(first), Card(second))))

    async def play(self, card: str) -> SeatView:
        """A card as text: "QS"."""
        return await self._table_view(Play(_new_id(), self._number(), Card(card)))

    async def next_hand(self) -> SeatView:
        return await self._table_view(NextHand(_new_id(), self._number()))

    async def leave(self) -> None:
        await self._ask(Leave(_new_id()))
        self.last = None
        self.sheet = ()

    async def wait_for(self, wanted: Callable[[SeatView], bool]) -> SeatView:
        """The first view from now on, the present one included, that is as wanted."""
        while True:
            if self._ended is not None:
                raise ClientClosed(self._ended)
            if self.last is not None and wanted(self.last.view):
                return self.last.view
            self._changed.clear()
            await self._changed.wait()

    async def updates(self) -> AsyncIterator[Update]:
        """Every update from now on, until the client is closed; the present one first."""
        stream: asyncio.Queue[Update | None] = asyncio.Queue()
        if self.last is not None:
            stream.put_nowait(self.last)
        if self._ended is not None:
            stream.put_nowait(None)
        self._streams.add(stream)
        try:
            while (update := await stream.get()) is not None:
                yield update
        finally:
            self._streams.discard(stream)

    def _number(self) -> int:
        if self.last is None:
            raise LookupError("not at a table")
        return self.last.n

    async def _table_view(self, request: Request) -> SeatView:
        answer = await self._ask(request)
        assert isinstance(answer, Update)
        return answer.view

    async def _ask(self, request: Request) -> Answer:
        if self._ended is not None:
            raise ClientClosed(self._ended)
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

    async def _stay_connected(self) -> None:
        attempt = 0
        while self._ended is None:
            await asyncio.sleep(pause_before(attempt, self._chance))
            attempt += 1
            try:
                async with connect(self.url, compression=None, ping_interval=10, ping_timeout=10) as socket:
                    await self._resume(socket)
                    attempt = 0
                    await self._read(socket)
            except ConnectionClosed as closed:
                code = closed.rcvd.code if closed.rcvd else None
                if code in FINAL:
                    self._end(CLOSE_REASONS[code])
            except (OSError, InvalidHandshake):  # the server is not there, or not yet
                pass
            finally:
                self._socket = None

    async def _resume(self, socket: ClientConnection) -> None:
        """Say who we are, come back to our table, ask again what was not answered."""
        await socket.send(write_frame(Hello(self.name, self.token)))
        message = read_frame(await socket.recv())
        if isinstance(message, Refusal):
            self._end(message.text)
            return
        assert isinstance(message, Welcome)
        self.token = message.token
        self.connections += 1
        self._socket = socket
        if self.last is not None:
            self._rejoin = _new_id()
            await self._send(JoinTable(self._rejoin, self.last.code, self.last.n, self.last.e))
        for request, _ in list(self._pending.values()):
            await self._send(request)

    async def _read(self, socket: ClientConnection) -> None:
        async for frame in socket:
            self._take(read_frame(frame))
        raise ConnectionClosed(None, None)

    def _take(self, message: ServerMessage) -> None:
        match message:
            case Update():
                self._take_update(message)
            case Refusal("no_table" | "table_full", text, _, re) if re is None or re == self._rejoin:
                self._end(text)
            case Refusal(code, text, _, re):
                if re == self._rejoin:  # the store is away: come back a little later
                    raise ConnectionClosed(None, None)
                self._answer(re, Refused(code, text))
            case Left(re):
                self._answer(re, message)
            case Presence() if self.last is not None:
                self._changed.set()
            case _:
                pass

    def _take_update(self, update: Update) -> None:
        self.last = update
        if update.sheet is not None:
            self.sheet = update.sheet
        self._changed.set()
        for stream in self._streams:
            stream.put_nowait(update)
        self._answer(update.re, update)

    def _answer(self, re: str | None, answer: Answer | Refused) -> None:
        _, future = self._pending.get(re or "", (None, None))
        if future is None or future.done():
            return
        if isinstance(answer, Refused):
            future.set_exception(answer)
        else:
            future.set_result(answer)

    def _end(self, why: str) -> None:
        """No way back: tell everybody who waits."""
        if self._ended is not None:
            return
        self._ended = why
        self._changed.set()
        for stream in self._streams:
            stream.put_nowait(None)
        for _, future in self._pending.values():
            if not future.done():
                future.set_exception(ClientClosed(why))


def _new_id() -> str:
    return secrets.token_hex(8)
