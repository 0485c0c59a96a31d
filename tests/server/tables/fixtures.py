"""Fixtures to test tables with: viewers that record what they are sent, and servers on one store in memory."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random

from server.experts.pending import Experts
from server.presence.membership import Membership
from server.store.memory_log import MemoryLog
from server.tables.registry import TableRegistry
from server.tables.replica import TableReplica
from server.tables.table import LiveTable
from spades_core.commands import OpenTable
from spades_core.protocol.messages import (
    Bid,
    JoinTable,
    NextHand,
    Play,
    Presence,
    Refusal,
    ServerMessage,
    Sit,
    Start,
    TableRequest,
    Update,
)
from spades_core.ruleset import CLASSIC
from spades_core.schedule import Pace
from spades_core.seats import Seat
from spades_core.views import SeatView
from tests.expert_pools import InstantPool

CODE = "KQXZP"


@dataclass(eq=False)
class FakeViewer:
    """A viewer that records everything it is sent."""

    name: str
    player: str = ""
    messages: list[ServerMessage] = field(default_factory=list)
    updates: list[Update] = field(default_factory=list)
    closed: int | None = None
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    requests: int = 0
    connected_at: int = field(default_factory=itertools.count(1).__next__)

    def __post_init__(self) -> None:
        self.player = self.player or f"player {self.name}"

    def send(self, message: ServerMessage) -> None:
        self.messages.append(message)
        if isinstance(message, Update):
            self.updates.append(message)
        self.changed.set()

    def close(self, code: int) -> None:
        self.closed = code
        self.changed.set()

    @property
    def refusals(self) -> list[Refusal]:
        return [message for message in self.messages if isinstance(message, Refusal)]

    @property
    def present(self) -> tuple[bool, bool, bool, bool]:
        presences = [message for message in self.messages if isinstance(message, Update | Presence)]
        return presences[-1].present

    @property
    def view(self) -> SeatView:
        return self.updates[-1].view

    def new_id(self) -> str:
        self.requests += 1
        return f"{self.name} {self.requests}"

    async def until(self, happened: Callable[[], bool]) -> None:
        while not happened():
            self.changed.clear()
            await self.changed.wait()

    async def until_next_message(self) -> None:
        """Wait until another message is sent."""
        so_far = len(self.messages)
        await self.until(lambda: len(self.messages) > so_far)

    async def until_closed(self) -> int:
        await self.until(lambda: self.closed is not None)
        assert self.closed is not None
        return self.closed

    async def until_view(self, wanted: Callable[[SeatView], bool]) -> SeatView:
        await self.until(lambda: bool(self.updates) and wanted(self.view))
        return self.view

    async def answer(self, request_id: str) -> ServerMessage:
        """Wait for the answer to a request."""
        looked_at = max(0, len(self.messages) - 1)
        while True:
            for message in self.messages[looked_at:]:
                if getattr(message, "re", None) == request_id:
                    return message
            looked_at = len(self.messages)
            self.changed.clear()
            await self.changed.wait()

    async def ask(self, table: LiveTable, request: TableRequest) -> ServerMessage:
        table.ask(self, request)
        return await self.answer(request.id)

    async def join(self, table: LiveTable, n: int | None = None, e: str | None = None) -> ServerMessage:
        request = JoinTable(self.new_id(), table.replica.code, n, e)
        table.join(self, request, lambda: None)
        return await self.answer(request.id)

    async def sit(self, table: LiveTable, seat: Seat) -> ServerMessage:
        """Join the table and take a seat."""
        await self.join(table)
        return await self.ask(table, Sit(self.new_id(), seat))

    async def act(self, table: LiveTable, rng: Random) -> ServerMessage | None:
        """Do something legal if it is our turn."""
        view, on = self.view, self.updates[-1].e
        if view.legal_bids:
            return await self.ask(table, Bid(self.new_id(), on, rng.randint(1, 4)))
        if view.legal_cards:
            return await self.ask(table, Play(self.new_id(), on, rng.choice(view.legal_cards)))
        if (
            view.phase == "scored"
            and view.you is not None
            and not view.seats[view.you].ready
            and self.updates[-1].n > 3
        ):
            return await self.ask(table, NextHand(self.new_id(), on))
        return None


@asynccontextmanager
async def server_on(
    store: MemoryLog, pace: Pace | None = None, seed: int = 7, thinking: Experts | None = None
) -> AsyncIterator[TableRegistry]:
    """Run the tables of one server."""
    tables = TableRegistry(store, thinking or InstantPool(), pace=pace or Pace(), rng=Random(seed))
    task = asyncio.create_task(tables.run())
    await asyncio.sleep(0)
    try:
        yield tables
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def open_table(tables: TableRegistry, host: FakeViewer) -> LiveTable:
    """Create a table; its host has seat 0 and has joined."""
    table = await tables.create(OpenTable(CODE, CLASSIC, host.player, host.name), host.new_id())
    assert table is not None
    await host.join(table)
    return table


async def started(tables: TableRegistry, host: FakeViewer) -> LiveTable:
    """Start a game of the host with three bots."""
    table = await open_table(tables, host)
    await host.ask(table, Start(host.new_id()))
    await host.until_view(lambda view: view.phase == "bidding")
    return table


async def another_server(store: MemoryLog, seed: int) -> LiveTable:
    """Return the table as loaded by another server; no task runs it."""
    loaded = await store.load(CODE)
    assert loaded is not None
    rng = Random(seed)
    replica = TableReplica(CODE, store, loaded, rng=rng, next_hand_delay_ms=0)
    return LiveTable(replica, store, Membership(store, rng), InstantPool(), pace=Pace(), rng=rng)
