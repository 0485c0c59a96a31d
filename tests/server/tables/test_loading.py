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
    """Takes a while to load, and counts what it is asked."""

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


async def come_back(tables: TableRegistry, viewer: FakeViewer) -> Update | Refusal:
    table = await tables.find(CODE)
    assert table is not None
    last = viewer.updates[-1]
    answer = await viewer.join(table, last.n, last.e)
    assert isinstance(answer, Update | Refusal)
    return answer


async def a_game_in_play(store: MemoryLog) -> FakeViewer:
    """Left behind by a server that is not there any more; its host."""
    host = FakeViewer("Host")
    async with server_on(store) as tables:
        await started(tables, host)
    return host


async def test_many_who_come_at_once_load_a_table_once() -> None:
    store = SlowLog()
    host = await a_game_in_play(store)
    people = [host, *(FakeViewer(f"Guest {number}", updates=host.updates[-1:]) for number in range(50))]
    store.asked.clear()
    async with server_on(store, seed=8) as tables:
        answers = await asyncio.gather(*(come_back(tables, person) for person in people))
        assert store.asked["load"] == 1
        assert len(tables) == 1
    assert isinstance(answers[0], Update)
    assert all(isinstance(answer, Update) for answer in answers)


async def test_a_table_that_is_not_there_is_asked_for_once_by_many_and_again_later() -> None:
    store = SlowLog()
    async with server_on(store) as tables:
        assert await asyncio.gather(*(tables.find("NNNNN") for _ in range(50))) == [None] * 50
        assert store.asked["load"] == 1
        assert await tables.find("NNNNN") is None
        assert store.asked["load"] == 2


async def test_a_table_put_away_and_asked_for_in_the_same_moment_is_not_held_twice() -> None:
    store = SlowLog()
    host = await a_game_in_play(store)
    async with server_on(store, seed=8) as tables:
        for moments in range(30):
            await come_back(tables, host)
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


async def test_who_comes_in_the_moment_when_a_table_is_put_away_is_let_in() -> None:
    store = SlowLog()
    host = await a_game_in_play(store)
    async with server_on(store, seed=8) as tables:
        table = await tables.find(CODE)
        assert table is not None
        table.evict()
        assert isinstance(await come_back(tables, host), Update)


async def test_each_who_comes_back_asks_the_store_once_who_is_where() -> None:
    store = SlowLog()
    host = await a_game_in_play(store)
    guests = [FakeViewer(f"Guest {number}", updates=host.updates[-1:]) for number in range(3)]
    async with server_on(store, seed=8) as tables:
        await come_back(tables, host)
        await asyncio.sleep(20)
        store.asked.clear()
        for guest in guests:
            await come_back(tables, guest)
        table = await tables.find(CODE)
        assert table is not None
        await table.drain()
        assert store.asked["set_presence"] == len(guests)
