"""Experts at one table, in virtual time: a decision is played in time, or not at all."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import pytest
from structlog.testing import capture_logs

from server.experts.pending import MIN_SECONDS
from server.store.log import AppendResult, StoreUnavailable
from server.store.memory_log import MemoryLog
from server.tables.replica import TableReplica
from server.tables.scheduler import FOLLOWER_DELAY
from server.tables.table import LiveTable
from spades_core.bots.decisions import legal_decisions
from spades_core.bots.levels import hard
from spades_core.commands import PlaceBid
from spades_core.events import BidPlaced
from spades_core.protocol.messages import Leave, Start, Update
from spades_core.schedule import Pace
from spades_core.seats import SEATS
from tests.expert_pools import InstantPool, ManualPool, ManualRequest, SlowPool, metric_value
from tests.server.tables.fixtures import CODE, FakeViewer, open_table, server_on

PAUSE = 1.0
PACE = Pace(bot_delay_min=PAUSE, bot_delay_max=PAUSE, trick_pause=0.0)
HIGH = 9
"""A bid that no bot makes."""


def now() -> float:
    return asyncio.get_running_loop().time()


async def started_with_experts(tables: Any, anna: FakeViewer) -> LiveTable:
    """Start a game of Anna with three experts."""
    table = await open_table(tables, anna)
    await anna.ask(table, Start(anna.new_id(), "expert"))
    return table


async def first_request(thinking: ManualPool, anna: FakeViewer, table: LiveTable) -> ManualRequest:
    """Wait until an expert starts thinking about its bid."""
    while not thinking.requests:
        if not anna.updates or await anna.act(table, Random(1)) is None:
            await anna.until_next_message()
    return thinking.requests[0]


@asynccontextmanager
async def thinking_expert(
    store: MemoryLog | None = None, pace: Pace = PACE
) -> AsyncIterator[tuple[FakeViewer, LiveTable, ManualRequest]]:
    """Run a table up to the first request for a bid of an expert."""
    thinking, anna = ManualPool(), FakeViewer("Anna")
    async with server_on(store or MemoryLog(), pace, thinking=thinking) as tables:
        table = await started_with_experts(tables, anna)
        yield anna, table, await first_request(thinking, anna, table)


async def bid_after(viewer: FakeViewer, asked: ManualRequest) -> int:
    seat = asked.view.you
    assert seat is not None
    view = await viewer.until_view(lambda view: view.seats[seat].bid is not None)
    bid = view.seats[seat].bid
    assert bid is not None
    return bid


async def another_server(store: MemoryLog) -> TableReplica:
    loaded = await store.load(CODE)
    assert loaded is not None
    return TableReplica(CODE, store, loaded, rng=Random(2), next_hand_delay_ms=0)


async def test_the_decision_of_an_expert_is_played_after_its_pause() -> None:
    async with thinking_expert() as (anna, _, asked):
        asked_at = now()
        asked.answer.set_result(HIGH)
        assert await bid_after(anna, asked) == HIGH
        assert now() - asked_at == pytest.approx(PAUSE)


async def test_hard_plays_for_a_late_expert() -> None:
    fallbacks, cancelled = metric_value("spades_expert_fallbacks_total"), metric_value("spades_expert_cancelled_total")
    async with thinking_expert() as (anna, _, asked):
        asked_at = now()
        assert await bid_after(anna, asked) == hard.choose_bid(asked.view, Random(0))
        assert now() - asked_at == pytest.approx(PAUSE)
        assert asked.answer.cancelled()
        assert metric_value("spades_expert_fallbacks_total") == fallbacks + 1
        assert metric_value("spades_expert_cancelled_total") == cancelled


async def test_hard_plays_for_an_expert_whose_request_was_not_reached() -> None:
    async with thinking_expert() as (anna, _, asked):
        asked.answer.set_result(None)
        assert await bid_after(anna, asked) == hard.choose_bid(asked.view, Random(0))


@pytest.mark.parametrize(("thinks", "acts_after"), [(0.1, 0.1), (1000.0, MIN_SECONDS)])
async def test_an_expert_without_a_pause_gets_the_minimum_time_and_acts_once_decided(
    thinks: float, acts_after: float
) -> None:
    async with thinking_expert(pace=PACE.scaled(0)) as (anna, _, asked):
        asked_at = now()
        assert asked.deadline == pytest.approx(asked_at + MIN_SECONDS)
        asyncio.get_running_loop().call_later(thinks, lambda: asked.answer.done() or asked.answer.set_result(HIGH))
        assert (await bid_after(anna, asked) == HIGH) == (thinks < MIN_SECONDS)
        assert now() - asked_at == pytest.approx(acts_after)


async def test_a_request_is_answered_while_an_expert_thinks() -> None:
    async with thinking_expert() as (_, table, asked):
        asked_at, ben = now(), FakeViewer("Ben")
        assert isinstance(await ben.join(table), Update)
        assert now() == asked_at
        assert not asked.answer.done()


@pytest.mark.parametrize("known", [True, False], ids=["known already", "still thought about"])
async def test_a_decision_is_cancelled_when_the_game_advances_without_it(known: bool) -> None:
    store, cancelled = MemoryLog(), metric_value("spades_expert_cancelled_total")
    with capture_logs() as logs:
        async with thinking_expert(store) as (anna, _, asked):
            assert asked.view.you is not None
            if known:
                asked.answer.set_result(HIGH)
            await (await another_server(store)).commit(PlaceBid(asked.view.you, 3))
            assert await bid_after(anna, asked) == 3
            await asyncio.sleep(0)
            assert asked.answer.cancelled() != known
            await asyncio.sleep(10)
            bids = [event for update in anna.updates for event in update.events if isinstance(event, BidPlaced)]
            assert [bid.bid for bid in bids if bid.seat == asked.view.you] == [3]
    assert metric_value("spades_expert_cancelled_total") == cancelled + (not known)
    assert not [line for line in logs if line["log_level"] in ("error", "warning")]


async def test_an_expert_keeps_thinking_while_people_come_and_go() -> None:
    async with thinking_expert() as (anna, table, asked):
        ben, before = FakeViewer("Ben"), len(anna.updates)
        seat = next(seat for seat in SEATS[1:] if seat != asked.view.you)
        for _ in range(4):
            await ben.sit(table, seat)
            await ben.ask(table, Leave(ben.new_id()))
        assert len(anna.updates) >= before + 8
        assert not asked.answer.cancelled()
        asked.answer.set_result(HIGH)
        assert await bid_after(anna, asked) == HIGH


async def test_thinking_is_cancelled_at_a_table_without_viewers() -> None:
    async with thinking_expert() as (anna, table, asked):
        table.disconnected(anna)
        await table.drain()
        await asyncio.sleep(0)
        assert asked.answer.cancelled()


async def test_thinking_is_cancelled_when_the_server_stops() -> None:
    async with thinking_expert() as (_, _, asked):
        pass
    assert asked.answer.cancelled()


async def test_an_expert_decides_on_its_own_view_and_only_where_there_is_a_choice() -> None:
    seen = []

    class Noting(InstantPool):
        def request(self, view: Any, seed: int, deadline: float) -> Any:
            seen.append(view)
            return super().request(view, seed, deadline)

    anna, rng = FakeViewer("Anna"), Random(3)
    async with server_on(MemoryLog(), thinking=Noting()) as tables:
        table = await started_with_experts(tables, anna)
        while anna.view.phase != "scored" or anna.view.hand_number == 0:
            if await anna.act(table, rng) is None:
                await anna.until_next_message()
    assert {view.you for view in seen} == {1, 2, 3}
    assert all(view.you == view.turn and len(legal_decisions(view)) > 1 for view in seen)
    assert 3 < len(seen) < 3 * 14


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
async def test_other_levels_use_no_expert_worker(level: Any) -> None:
    thinking, anna = ManualPool(), FakeViewer("Anna")
    async with server_on(MemoryLog(), thinking=thinking) as tables:
        table = await open_table(tables, anna)
        await anna.ask(table, Start(anna.new_id(), level))
        await anna.until_view(lambda view: bool(view.legal_bids))
        await anna.act(table, Random(1))
        await anna.until_view(lambda view: view.phase == "playing")
    assert thinking.requests == []


class FailingLog(MemoryLog):
    away = False

    async def append(self, *args: Any, **kwargs: Any) -> AppendResult:
        if self.away:
            raise StoreUnavailable("the store is away")
        return await super().append(*args, **kwargs)


async def test_a_decision_is_played_once_the_store_is_back() -> None:
    store = FailingLog()
    async with thinking_expert(store) as (anna, _, asked):
        store.away = True
        asked.answer.set_result(HIGH)
        await asyncio.sleep(10)
        store.away = False
        assert await bid_after(anna, asked) == HIGH


@asynccontextmanager
async def on_two_servers(slower: Pace = PACE) -> AsyncIterator[tuple[FakeViewer, ManualPool, ManualPool]]:
    """Anna and Ben, partners with two experts; the server of Anna leads, at the pace `slower`."""
    store, anna, ben, leader, other = MemoryLog(), FakeViewer("Anna"), FakeViewer("Ben"), ManualPool(), ManualPool()
    async with (
        server_on(store, slower, thinking=leader) as here,
        server_on(store, PACE, seed=8, thinking=other) as there,
    ):
        table = await open_table(here, anna)
        watched = await there.find(CODE)
        assert watched is not None
        await ben.sit(watched, SEATS[2])
        await anna.ask(table, Start(anna.new_id(), "expert"))
        while not (leader.requests or other.requests):
            for each, at in ((anna, table), (ben, watched)):
                await each.act(at, Random(1))
            await asyncio.sleep(0.01)
        yield ben, leader, other


async def test_only_the_leader_thinks() -> None:
    async with on_two_servers() as (ben, leader, other):
        await bid_after(ben, leader.requests[0])
        assert other.requests == []


async def test_a_follower_that_acts_for_a_late_leader_thinks_first() -> None:
    async with on_two_servers(PACE.scaled(1000)) as (ben, leader, other):
        asked_at = now()
        asked = await other.first_request()
        assert now() - asked_at == pytest.approx(PAUSE + FOLLOWER_DELAY, abs=0.1)
        asked.answer.set_result(HIGH)
        assert await bid_after(ben, asked) == HIGH
        assert now() - asked_at <= PAUSE + FOLLOWER_DELAY + 0.1
        await asyncio.sleep(0)
        assert leader.requests[0].answer.cancelled()


async def test_a_game_with_sometimes_late_experts_is_played_to_its_end() -> None:
    anna, rng = FakeViewer("Anna"), Random(3)
    with capture_logs() as logs:
        async with server_on(MemoryLog(), PACE.scaled(0.2), thinking=SlowPool(0.0, 0.4, Random(5))) as tables:
            table = await started_with_experts(tables, anna)
            while anna.view.phase != "over":
                if await anna.act(table, rng) is None:
                    await anna.until_next_message()
    assert not [line for line in logs if line["log_level"] == "error"]
