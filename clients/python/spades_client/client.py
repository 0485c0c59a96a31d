"""A player: make or join a table, see one's view, bid, play; the link underneath never loses the seat."""

import asyncio
from collections.abc import AsyncIterator, Callable
from random import Random
from types import TracebackType
from typing import Self

from spades_client.connection import ClientClosed, Link, Request, new_id
from spades_core.cards import Card
from spades_core.events import HandScored
from spades_core.protocol.messages import (
    AddBot,
    Bid,
    DropBot,
    JoinTable,
    Leave,
    Look,
    MakeTable,
    NextHand,
    Pass,
    Play,
    Sit,
    Start,
    Update,
)
from spades_core.seats import DEFAULT_LEVEL, Level, Seat
from spades_core.views import SeatView


class Client:
    """Use as `async with Client(url, name)`. `token` continues an earlier session.

    Waiting methods raise ClientClosed when the connection ended for good. The
    first connection is waited for like any later one.
    """

    def __init__(self, url: str, name: str, token: str | None = None, *, rng: Random | None = None) -> None:
        self.name = name
        self.sheet: tuple[HandScored, ...] = ()
        """The scored hands of the game."""
        self._link = Link(url, name, token, rng or Random(), self._take)
        self._streams: set[asyncio.Queue[Update | None]] = set()
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._link.stay_connected())
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
        self._link.end("the client was closed")

    @property
    def token(self) -> str | None:
        """The session, to be continued later; None before the first welcome."""
        return self._link.token

    @property
    def connections(self) -> int:
        """How often the server has welcomed us."""
        return self._link.connections

    @property
    def last(self) -> Update | None:
        """The newest update of the table."""
        return self._link.last

    @property
    def view(self) -> SeatView:
        """What we see of the table; raises LookupError before we are at one."""
        return self._last().view

    @property
    def code(self) -> str:
        return self.view.code

    async def make_table(self, rules: str = "classic") -> SeatView:
        return await self._table_view(MakeTable(new_id(), rules))

    async def join(self, code: str) -> SeatView:
        """Come to a table. The view has no seat of ours yet unless we sat there before."""
        return await self._table_view(JoinTable(new_id(), code))

    async def sit(self, seat: int) -> SeatView:
        return await self._table_view(Sit(new_id(), Seat(seat)))

    async def add_bot(self, seat: int, level: Level = DEFAULT_LEVEL) -> SeatView:
        """A bot on an empty seat, or another level for the one that sits there."""
        return await self._table_view(AddBot(new_id(), Seat(seat), level))

    async def drop_bot(self, seat: int) -> SeatView:
        return await self._table_view(DropBot(new_id(), Seat(seat)))

    async def start(self, level: Level = DEFAULT_LEVEL) -> SeatView:
        """`level` is that of the bots that take the empty seats."""
        return await self._table_view(Start(new_id(), level))

    async def look(self) -> SeatView:
        """Turn up a hand that lies face down."""
        return await self._table_view(Look(new_id()))

    async def bid(self, bid: int, *, blind: bool = False) -> SeatView:
        """0 is nil; `blind` for nil on a hand that lies face down."""
        return await self._table_view(Bid(new_id(), self._seen(), bid, blind))

    async def pass_cards(self, first: str, second: str) -> SeatView:
        """Two cards to the partner, after a blind nil."""
        return await self._table_view(Pass(new_id(), self._seen(), (Card(first), Card(second))))

    async def play(self, card: str) -> SeatView:
        """A card as text: "QS"."""
        return await self._table_view(Play(new_id(), self._seen(), Card(card)))

    async def next_hand(self) -> SeatView:
        return await self._table_view(NextHand(new_id(), self._seen()))

    async def leave(self) -> None:
        await self._link.ask(Leave(new_id()))
        self._link.last = None
        self.sheet = ()

    async def wait_for(self, wanted: Callable[[SeatView], bool]) -> SeatView:
        """The first view from now on, the present one included, that is as wanted."""
        while True:
            if self._link.ended is not None:
                raise ClientClosed(self._link.ended)
            if self.last is not None and wanted(self.last.view):
                return self.last.view
            self._changed.clear()
            await self._changed.wait()

    async def updates(self) -> AsyncIterator[Update]:
        """Every update from now on, until the client is closed; the present one first."""
        stream: asyncio.Queue[Update | None] = asyncio.Queue()
        if self.last is not None:
            stream.put_nowait(self.last)
        if self._link.ended is not None:
            stream.put_nowait(None)
        self._streams.add(stream)
        try:
            while (update := await stream.get()) is not None:
                yield update
        finally:
            self._streams.discard(stream)

    def _last(self) -> Update:
        if self._link.last is None:
            raise LookupError("not at a table")
        return self._link.last

    def _seen(self) -> str:
        """The id of the update that we answer."""
        return self._last().e

    async def _table_view(self, request: Request) -> SeatView:
        answer = await self._link.ask(request)
        assert isinstance(answer, Update)
        return answer.view

    def _take(self, update: Update | None) -> None:
        if update is not None and update.sheet is not None:
            self.sheet = update.sheet
        self._changed.set()
        for stream in self._streams:
            stream.put_nowait(update)
