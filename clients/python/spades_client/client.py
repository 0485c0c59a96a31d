"""The client of one player: make or join a table, follow the view, bid and play."""

import asyncio
from collections.abc import AsyncIterator, Callable
from random import Random
from types import TracebackType
from typing import Self

from spades_client.connection import Answer, ClientClosed, Connection, OnMessage, Request, new_id
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
    """A player's session, as an async context manager: `async with Client(url, name) as client`.

    `token` continues an earlier session. `on_message` is called with every message
    of the server, before the client acts on it: for logs and tests.

    Every request waits for a connection, the first one included, and raises
    CommandRefused if the server refuses it, ClientClosed if the connection ends
    for good. Those at a table return the view that the request led to.
    """

    def __init__(
        self,
        url: str,
        name: str,
        token: str | None = None,
        *,
        rng: Random | None = None,
        on_message: OnMessage | None = None,
    ) -> None:
        self.name = name
        self.sheet: tuple[HandScored, ...] = ()
        """The hands scored in this game."""
        self._connection = Connection(
            url, name, token, rng=rng or Random(), on_update=self._handle_update, on_message=on_message
        )
        self._streams: set[asyncio.Queue[Update | None]] = set()
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._connection.run())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connection without leaving the table: the seat is kept."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._connection.close("the client was closed")

    @property
    def token(self) -> str | None:
        """The token that continues this session later; None before the first connection."""
        return self._connection.token

    @property
    def connect_count(self) -> int:
        """How many connections the server has accepted."""
        return self._connection.connect_count

    @property
    def last_update(self) -> Update | None:
        """The newest update of the table; None when at no table."""
        return self._connection.last_update

    @property
    def view(self) -> SeatView:
        """The table as this player sees it. Raises LookupError when at no table."""
        return self._require_update().view

    @property
    def code(self) -> str:
        """The code of the table. Raises LookupError when at no table."""
        return self.view.code

    async def make_table(self, rules: str = "classic") -> SeatView:
        """Make a table and sit down at seat 0 as its host; `rules` as in "classic,target=300"."""
        return await self._table_request(MakeTable(new_id(), rules))

    async def join(self, code: str) -> SeatView:
        """Join a table, without a seat unless the session has one there."""
        return await self._table_request(JoinTable(new_id(), code))

    async def sit(self, seat: int) -> SeatView:
        """Take a seat that is empty or a bot's."""
        return await self._table_request(Sit(new_id(), Seat(seat)))

    async def add_bot(self, seat: int, level: Level = DEFAULT_LEVEL) -> SeatView:
        """Put a bot on an empty seat, or change the level of the bot there."""
        return await self._table_request(AddBot(new_id(), Seat(seat), level))

    async def drop_bot(self, seat: int) -> SeatView:
        """Remove a bot from its seat."""
        return await self._table_request(DropBot(new_id(), Seat(seat)))

    async def start(self, level: Level = DEFAULT_LEVEL) -> SeatView:
        """Start a game; bots of `level` take the empty seats."""
        return await self._table_request(Start(new_id(), level))

    async def look(self) -> SeatView:
        """Turn up a hand dealt face down, instead of bidding blind nil."""
        return await self._table_request(Look(new_id()))

    async def bid(self, bid: int, *, blind: bool = False) -> SeatView:
        """Bid; 0 is nil, and blind nil with `blind` on a hand that is face down."""
        return await self._table_request(Bid(new_id(), self._require_update().e, bid, blind))

    async def pass_cards(self, first: str, second: str) -> SeatView:
        """Pass two cards to the partner after a blind nil."""
        return await self._table_request(Pass(new_id(), self._require_update().e, (Card(first), Card(second))))

    async def play(self, card: str) -> SeatView:
        """Play a card, written as in "QS"."""
        return await self._table_request(Play(new_id(), self._require_update().e, Card(card)))

    async def next_hand(self) -> SeatView:
        """Ask for the next hand; it is dealt at once when everyone has asked."""
        return await self._table_request(NextHand(new_id(), self._require_update().e))

    async def leave(self) -> None:
        """Leave the table and give up the seat."""
        await self.request(Leave(new_id()))
        self._connection.last_update = None
        self.sheet = ()

    async def request(self, request: Request) -> Answer:
        """Send any request of spades_core.protocol.messages and return its answer; the other methods use this one."""
        return await self._connection.request(request)

    async def wait_for(self, condition: Callable[[SeatView], bool]) -> SeatView:
        """Return the first view that meets the condition, the present one included."""
        while True:
            if self._connection.close_reason is not None:
                raise ClientClosed(self._connection.close_reason)
            if self.last_update is not None and condition(self.last_update.view):
                return self.last_update.view
            self._changed.clear()
            await self._changed.wait()

    async def updates(self) -> AsyncIterator[Update]:
        """Iterate over the present update, if any, and all later ones until the client is closed."""
        stream: asyncio.Queue[Update | None] = asyncio.Queue()
        if self.last_update is not None:
            stream.put_nowait(self.last_update)
        if self._connection.close_reason is not None:
            stream.put_nowait(None)
        self._streams.add(stream)
        try:
            while (update := await stream.get()) is not None:
                yield update
        finally:
            self._streams.discard(stream)

    def _require_update(self) -> Update:
        if self.last_update is None:
            raise LookupError("not at a table")
        return self.last_update

    async def _table_request(self, request: Request) -> SeatView:
        answer = await self.request(request)
        assert isinstance(answer, Update)
        return answer.view

    def _handle_update(self, update: Update | None) -> None:
        if update is not None and update.sheet is not None:
            self.sheet = update.sheet
        self._changed.set()
        for stream in self._streams:
            stream.put_nowait(update)
