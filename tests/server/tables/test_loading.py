"""Tables are loaded once, however many ask, and never twice at a time; presence is not asked for needlessly."""

import asyncio
from collections import Counter
from typing import Any

from server.store.log import LoadedTable, TablePresence
from server.store.memory_log import MemoryLog
from server.tables.registry import TableRegistry
from spades_core.protocol.messages import Refusal, Update
from tests.server.tables.fixtures import CODE, FakeViewer, server_on, started


class SlowLog(MemoryLog):
    """Takes a while to load, and counts requests."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = Counter[str]()

    async def load(self, code: str, *, whole_game: bool = False) -> LoadedTable | None:
        self.asked["load"] += 1
        await asyncio.sleep(0.1)
        return await super().load(code, whole_game=whole_game)

    async def set_presence(self, code: str, *args: Any, **options: Any) -> TablePresence | None:
        self.asked["set_presence"] += 1
        return await super().set_presence(code, *args, **options)


async def rejoin(tables: TableRegistry, viewer: FakeViewer) -> Update | Refusal:
    table = await tables.find(CODE)
    assert table is not None
    last = viewer.updates[-1]
    answer = await viewer.join(table, last.n, last.e)
    assert isinstance(answer, Update | Refusal)
    return answer


async def game_in_play(store: MemoryLog) -> FakeViewer:
    """Leave a game behind by a server that has stopped; return its host."""
    host = FakeViewer("Host")
    async with server_on(store) as tables:
        await started(tables, host)
    return host


async def test_simultaneous_joins_load_a_table_once() -> None:
    store = SlowLog()
    host = await game_in_play(store)
    people = [host, *(FakeViewer(f"Guest {number}", updates=host.updates[-1:]) for number in range(50))]
    store.asked.clear()
    async with server_on(store, seed=8) as tables:
        includes_request = await asyncio.gather(*(rejoin(tables, person) for person in people))
        assert store.asked["load"] == 1
        assert len(tables) == 1
    assert isinstance(includes_request[0], Update)
    assert all(isinstance(answer, Update) for answer in includes_request)


async def test_simultaneous_joins_of_a_missing_table_ask_the_store_once() -> None:
    store = SlowLog()
    async with server_on(store) as tables:
        assert await asyncio.gather(*(tables.find("NNNNN") for _ in range(50))) == [None] * 50
        assert store.asked["load"] == 1
        assert await tables.find("NNNNN") is None
        assert store.asked["load"] == 2


async def test_a_table_evicted_and_joined_in_the_same_moment_is_not_in_memory_twice() -> None:
    store = SlowLog()
    host = await game_in_play(store)
    async with server_on(store, seed=8) as tables:
        for moments in range(30):
            await rejoin(tables, host)
            table = await tables.find(CODE)
            assert table is not None
            table.disconnected(host)
            await table.drain()
            store.asked.clear()
            table.evict()
            for _ in range(moments):
                await asyncio.sleep(0)
            found = await asyncio.gather(tables.find(CODE), tables.find(CODE))
            assert found[0] is found[1]
            assert store.asked["load"] == (found[0] is not table)
            assert len(tables) == 1


async def test_a_player_who_joins_while_the_table_is_evicted_is_admitted() -> None:
    store = SlowLog()
    host = await game_in_play(store)
    async with server_on(store, seed=8) as tables:
        table = await tables.find(CODE)
        assert table is not None
        table.evict()
        assert isinstance(await rejoin(tables, host), Update)


async def test_each_rejoin_asks_the_store_for_presence_once() -> None:
    store = SlowLog()
    host = await game_in_play(store)
    guests = [FakeViewer(f"Guest {number}", updates=host.updates[-1:]) for number in range(3)]
    async with server_on(store, seed=8) as tables:
        await rejoin(tables, host)
        await asyncio.sleep(20)
        store.asked.clear()
        for guest in guests:
            await rejoin(tables, guest)
        table = await tables.find(CODE)
        assert table is not None
        await table.drain()
        assert store.asked["set_presence"] == len(guests)
