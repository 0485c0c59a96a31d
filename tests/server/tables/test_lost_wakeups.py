"""A server misses a death, a leave, a seat or a rollback, in virtual time, and finds out all the same."""

import asyncio
from random import Random
from typing import Any

from server.presence.membership import HEARTBEAT_INTERVAL, LEASE_SECONDS
from server.store.log import AppendResult, CorruptLogError, LoadedTable, StoreUnavailable
from spades_core.commands import OpenTable
from spades_core.protocol.messages import Leave, Sit, Start, Update
from spades_core.ruleset import CLASSIC
from spades_core.schedule import Pace
from spades_core.seats import SEATS
from tests.server.tables.fixtures import CODE, FakeViewer, open_table
from tests.server.tables.test_several_servers import (
    RollbackLog,
    Server,
    check_the_hand_goes_on_without,
    now,
    partners_apart,
    two_servers,
)


async def test_a_server_death_noticed_by_one_table_reaches_all_tables() -> None:
    store, anna, ben, zoe = RollbackLog(), FakeViewer("Anna"), FakeViewer("Ben"), FakeViewer("Zoe")
    async with two_servers(store, Pace(takeover_after=5.0)) as (here, there):
        await partners_apart(here, there, anna, ben)
        dead = there.tables._membership.server_id
        await there.kill()
        await asyncio.sleep(store._alive_until[dead] / 1000 - now() + 0.001)
        # A join at a table with an unknown server makes us send a heartbeat before its time.
        old = await here.tables.create(OpenTable("OLDIE", CLASSIC, zoe.player, zoe.name), zoe.new_id())
        assert old is not None
        await store.set_presence("OLDIE", "server of yesterday", {"player Yann": 1})
        await zoe.join(old)
        await anna.until_view(lambda view: view.seats[2].away)


async def test_a_bot_waits_its_full_delay_though_a_commit_arrived_before_the_news_of_a_death() -> None:
    class SlowLog(RollbackLog):
        slow = False

        async def append(self, *given: Any, **more: Any) -> AppendResult:
            outcome = await super().append(*given, **more)
            if self.slow:
                await asyncio.sleep(LEASE_SECONDS + 2 * HEARTBEAT_INTERVAL)
            return outcome

    store, anna, ben, cleo = SlowLog(), FakeViewer("Anna"), FakeViewer("Ben"), FakeViewer("Cleo")
    async with two_servers(store) as (here, there):
        table, _ = await partners_apart(here, there, anna, ben)
        await asyncio.sleep(100)
        await there.kill()
        store.slow = True
        await cleo.sit(table, SEATS[1])
        store.slow = False
        found_at = now()
        await anna.until_view(lambda view: view.seats[2].away)
        assert now() - found_at >= Pace().takeover_after - 1


async def test_a_fresh_hand_goes_on_when_a_rollback_lost_only_a_seat() -> None:
    store, anna, ben, cleo = RollbackLog(), FakeViewer("Anna"), FakeViewer("Ben"), FakeViewer("Cleo")
    async with two_servers(store, Pace(bot_delay_min=60, bot_delay_max=60)) as (here, there):
        table, _ = await partners_apart(here, there, anna, ben)
        store.remember()
        await cleo.sit(table, SEATS[1])
        await check_the_hand_goes_on_without(cleo, anna, store)


class UnavailableLog(RollbackLog):
    """A store that is unavailable for a while, except for loading."""

    away = False

    def __getattribute__(self, name: str) -> Any:
        if name in ("set_presence", "read", "heads", "append", "heartbeat") and object.__getattribute__(self, "away"):
            raise StoreUnavailable("the store is away")
        return super().__getattribute__(name)


async def test_a_leave_during_an_outage_of_the_store_takes_effect_after_it() -> None:
    store, anna, ben = UnavailableLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with two_servers(store) as (here, there):
        _, other = await partners_apart(here, there, anna, ben)
        store.away = True
        await asyncio.sleep(5)
        other.disconnected(ben)
        await asyncio.sleep(90)
        store.away = False
        await anna.until_view(lambda view: view.seats[2].away)
        await asyncio.sleep(100)
        assert len(there.tables) == 0


async def test_a_player_whose_seat_the_server_does_not_know_yet_is_admitted() -> None:
    store, anna, eve = RollbackLog(), FakeViewer("Anna"), FakeViewer("Eve")
    friends = [FakeViewer(name) for name in ("Ben", "Cleo", "Dora")]
    async with two_servers(store) as (here, there):
        table = await open_table(here.tables, anna)
        other = await there.tables.find(CODE)
        assert other is not None
        for friend, seat in zip(friends, SEATS[1:], strict=True):
            await friend.sit(table, seat)
        await asyncio.sleep(8)
        there.tables.committed = lambda *_: None  # type: ignore[method-assign]  # its wake-ups are lost from now on
        await friends[0].ask(table, Leave(friends[0].new_id()))
        await eve.sit(table, SEATS[1])
        await here.kill()
        again = FakeViewer("Eve", eve.player)
        assert isinstance(await again.join(other), Update)
        assert again.view.you == 1


async def test_a_seat_lost_by_a_rollback_is_reported_though_the_log_has_grown_beyond_it() -> None:
    store, anna, ben = RollbackLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with two_servers(store) as (here, there):
        await open_table(here.tables, anna)
        other = await there.tables.find(CODE)
        assert other is not None
        await ben.join(other)
        store.remember()
        await ben.ask(other, Sit(ben.new_id(), SEATS[2]))
        store.rollback()
        third = Server(store, 9, Pace())
        await asyncio.sleep(0)
        table = await third.tables.find(CODE)
        assert table is not None
        again = FakeViewer("Anna", anna.player)
        await again.join(table)
        await again.ask(table, Start(again.new_id()))
        await ben.until(lambda: bool(ben.refusals))
        assert [refusal.code for refusal in ben.refusals] == ["rolled_back"]
        await ben.until_view(lambda view: view.you is None)
        await third.kill()


async def test_a_game_with_a_damaged_early_log_is_played_to_its_end() -> None:
    class DamagedLog(RollbackLog):
        async def load(self, code: str, *, whole_game: bool = False) -> LoadedTable | None:
            if whole_game:
                raise CorruptLogError(code, 9, "its bytes cannot be read")
            return await super().load(code)

    store, anna = DamagedLog(), FakeViewer("Anna")
    async with two_servers(store, Pace(0, 0, 0, 1)) as (here, _):
        table = await open_table(here.tables, anna)
        await anna.ask(table, Start(anna.new_id()))
        rng = Random(3)
        while anna.view.phase != "over":
            if await anna.act(table, rng) is None:
                await anna.until_next_message()
        assert store.games == {}
