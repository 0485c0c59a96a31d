"""Players who join, leave, disconnect and return, in virtual time; and what the table does meanwhile."""

import asyncio
from random import Random

import pytest

from server.lobby.lobby import Lobby
from server.store.log import AppendResult, LoadedTable, NewerVersionError
from server.store.memory_log import MemoryLog
from server.tables import registry
from server.tables.registry import TableRegistry
from server.tables.table import IDLE_SECONDS, LiveTable
from spades_core.commands import CommandRefused, OpenTable
from spades_core.events import BotTookOver, PlayerReturned
from spades_core.protocol.messages import CLOSE_RESTARTING, Bid, Leave, Left, Refusal, Sit, Start, Update
from spades_core.ruleset import CLASSIC
from spades_core.schedule import Pace
from spades_core.seats import SEATS
from tests.server.tables.fixtures import CODE, FakeViewer, open_table, server_on, started


def now() -> float:
    return asyncio.get_running_loop().time()


async def table_for_two(tables: TableRegistry, anna: FakeViewer, ben: FakeViewer) -> LiveTable:
    table = await open_table(tables, anna)
    await ben.sit(table, SEATS[2])
    await anna.ask(table, Start(anna.new_id()))
    await anna.until_view(lambda view: view.phase == "bidding")
    return table


async def test_a_bot_takes_the_seat_of_an_absent_player_and_hands_it_back() -> None:
    store, anna, ben = MemoryLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with server_on(store) as tables:
        table = await table_for_two(tables, anna, ben)
        hand = ben.view.hand
        table.disconnected(ben)
        await anna.until(lambda: anna.present == (True, False, False, False))
        gone_at = now()
        await anna.until_view(lambda view: view.seats[2].away)
        assert now() - gone_at == pytest.approx(Pace().takeover_after, abs=2)
        back = FakeViewer("Ben", ben.player)
        answer = await back.join(table, ben.updates[-1].n, ben.updates[-1].e)
        assert isinstance(answer, Update)
        await back.until_view(lambda view: not view.seats[2].away)
        assert set(back.view.hand) <= set(hand)
        assert any(isinstance(event, BotTookOver) for event in answer.events)
        assert any(isinstance(event, PlayerReturned) for update in back.updates for event in update.events)


async def test_a_player_who_reconnects_in_time_keeps_the_seat() -> None:
    store, anna, ben = MemoryLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with server_on(store) as tables:
        table = await table_for_two(tables, anna, ben)
        for _ in range(20):
            table.disconnected(ben)
            ben = FakeViewer("Ben", ben.player)
            await ben.join(table)
        events = [event for update in anna.updates for event in update.events]
        assert not any(isinstance(event, BotTookOver | PlayerReturned) for event in events)


async def test_a_bot_plays_on_for_a_player_who_leaves_a_game_and_the_seat_is_kept() -> None:
    store, anna, ben = MemoryLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with server_on(store) as tables:
        table = await table_for_two(tables, anna, ben)
        answer = await ben.ask(table, Leave(ben.new_id()))
        assert isinstance(answer, Left)
        assert anna.view.seats[2].away
        assert anna.view.seats[2].name == "Ben"
        stranger = FakeViewer("Cleo")
        await stranger.join(table)
        refused = await stranger.ask(table, Sit(stranger.new_id(), SEATS[2]))
        assert isinstance(refused, Refusal)
        assert refused.code == "seat_taken"
        await ben.join(table)
        await ben.until_view(lambda view: not view.seats[2].away)


async def test_leaving_twice_is_answered_twice() -> None:
    store, anna, ben = MemoryLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with server_on(store) as tables:
        table = await table_for_two(tables, anna, ben)
        assert isinstance(await ben.ask(table, Leave("first")), Left)
        assert isinstance(await ben.ask(table, Leave("second")), Left)


async def test_nothing_happens_at_a_table_without_viewers() -> None:
    store, anna = MemoryLog(), FakeViewer("Anna")
    async with server_on(store) as tables:
        table = await started(tables, anna)
        table.disconnected(anna)
        at = table.replica.at
        begun = now()
        watcher = FakeViewer("Ben")
        await watcher.join(table)
        watcher.messages.clear()
        while now() - begun < 10 * Pace().takeover_after:
            await watcher.join(table)
            await asyncio.sleep(10)
        assert table.replica.at == at


async def test_an_idle_table_is_evicted_and_can_be_loaded_again() -> None:
    store, anna = MemoryLog(), FakeViewer("Anna")
    async with server_on(store) as tables:
        table = await started(tables, anna)
        state = table.replica.table
        table.disconnected(anna)
        await asyncio.sleep(IDLE_SECONDS + 1)
        assert len(tables) == 0
        again = await tables.find(CODE)
        assert again is not table
        assert again.replica.table == state


async def test_of_too_many_idle_tables_the_least_recently_used_is_evicted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(registry, "MAX_IDLE_TABLES", 2)
    store, anna, ben = MemoryLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with server_on(store) as tables:
        for number in range(4):
            opening = OpenTable(f"TABL{number}", CLASSIC, anna.player, anna.name)
            table = await tables.create(opening, anna.new_id())
            assert table is not None
            if number == 0:
                await ben.join(table)  # a viewer, so not idle
            await asyncio.sleep(1)
        assert [tables.wants(f"TABL{number}") for number in range(4)] == [True, False, True, True]


async def test_drain_waits_for_all_earlier_jobs() -> None:
    store, anna = MemoryLog(), FakeViewer("Anna")
    async with server_on(store) as tables:
        table = await started(tables, anna)
        await anna.until_view(lambda view: bool(view.legal_bids))
        bid = Bid(anna.new_id(), anna.updates[-1].e, 3)
        table.ask(anna, bid)
        await tables.drain()
        assert any(update.re == bid.id for update in anna.updates)


async def test_a_table_written_by_a_newer_server_is_left_to_it() -> None:
    class NewerLog(MemoryLog):
        async def append(self, *_: object, **__: object) -> AppendResult:
            raise NewerVersionError("the table was written by a newer version of this server")

        async def load(self, code: str, *, whole_game: bool = False) -> LoadedTable | None:
            if self.games.get("newer"):
                raise NewerVersionError("the table was written by a newer version of this server")
            return await super().load(code, whole_game=whole_game)

    store, anna = NewerLog(), FakeViewer("Anna")
    async with server_on(store) as tables:
        table = await open_table(tables, anna)
        store.games["newer"] = ["somebody else plays here"]
        table.ask(anna, Start(anna.new_id()))
        assert await anna.until_closed() == CLOSE_RESTARTING
        await asyncio.sleep(1)
        with pytest.raises(CommandRefused, match="newer version") as refused:
            await Lobby(tables).find(CODE)
        assert refused.value.code == "newer"


async def test_the_next_hand_waits_for_all_present_players_or_the_timeout() -> None:
    store, anna, ben = MemoryLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with server_on(store) as tables:
        table = await table_for_two(tables, anna, ben)
        rng = Random(5)

        async def play_hand() -> None:
            while anna.view.phase != "scored":
                seen = len(anna.messages)
                for each in (anna, ben):
                    if each.view.phase != "scored":
                        await each.act(table, rng)
                if len(anna.messages) == seen:
                    await anna.until(lambda seen=seen: len(anna.messages) > seen)

        await play_hand()
        scored_at = now()
        assert anna.updates[-1].ms_left == pytest.approx(1000 * Pace().next_hand_timeout, abs=100)
        await anna.act(table, rng)
        assert table.replica.table.phase == "scored"
        await anna.until_view(lambda view: view.phase == "bidding")
        assert now() - scored_at == pytest.approx(Pace().next_hand_timeout, abs=1)
        await play_hand()
        scored_at = now()
        await anna.act(table, rng)
        await ben.until(lambda: ben.view.seats[0].ready)
        await ben.act(table, rng)
        await anna.until_view(lambda view: view.phase == "bidding")
        assert now() - scored_at < 1


async def test_a_returning_player_is_sent_the_missed_events_or_a_fresh_view() -> None:
    store, anna, ben = MemoryLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with server_on(store) as tables:
        table = await table_for_two(tables, anna, ben)
        seen = ben.updates[-1]
        table.disconnected(ben)
        await anna.until_view(lambda view: view.turn == 0)
        await anna.act(table, Random(1))
        back = FakeViewer("Ben", ben.player)
        told = await back.join(table, seen.n, seen.e)
        assert isinstance(told, Update)
        assert not told.fresh
        assert [event.t for event in told.events] == ["bid_placed"] * (table.replica.at.n - seen.n)
        afresh = await back.join(table, seen.n, "an id nobody wrote")
        assert isinstance(afresh, Update)
        assert afresh.fresh
        assert afresh.events == ()
        assert afresh.view == told.view


async def test_the_next_person_becomes_host_when_the_host_is_gone_before_the_game() -> None:
    store, anna, ben = MemoryLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with server_on(store) as tables:
        table = await open_table(tables, anna)
        await ben.sit(table, SEATS[2])
        table.disconnected(anna)
        await ben.until_view(lambda view: view.host == 2)
        assert isinstance(await ben.ask(table, Start(ben.new_id())), Update)
        await anna.join(table)
        await anna.until_view(lambda view: not view.seats[0].away)
        assert anna.view.hand
        assert anna.view.host == 2


async def test_the_time_to_the_next_deal_is_sent_even_if_something_else_is_due_first() -> None:
    store, anna, ben = MemoryLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with server_on(store, Pace(takeover_after=5.0)) as tables:
        table = await table_for_two(tables, anna, ben)
        rng = Random(5)
        while anna.view.phase != "scored":
            for each in (anna, ben):
                if each.view.phase != "scored" and await each.act(table, rng) is None:
                    await asyncio.sleep(0.1)
        table.disconnected(ben)
        await anna.ask(table, Start(anna.new_id()))
        await anna.join(table)
        assert anna.updates[-1].ms_left == pytest.approx(1000 * Pace().next_hand_timeout, abs=1500)
