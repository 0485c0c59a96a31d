"""One table on several servers, in virtual time: who is there, who leads, and what happens when a server goes."""

import asyncio
import copy
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import pytest

from server.presence.membership import LEASE_SECONDS
from server.store.log import AppendResult
from server.store.memory_log import MemoryLog
from server.tables.registry import POSITION_CHECK_INTERVAL, TableRegistry
from server.tables.table import LiveTable
from spades_core.commands import CommandRefused, DealAgain, PlaceBid
from spades_core.commit import Commit
from spades_core.deck import STANDARD, shuffled
from spades_core.events import BotTookOver, HandDealt, HandVoided
from spades_core.protocol.messages import CLOSE_REPLACED, Bid, Play, Refusal, Start, Update
from spades_core.schedule import Pace
from spades_core.seats import SEATS
from tests.expert_pools import InstantPool
from tests.server.tables.fixtures import CODE, FakeViewer, another_server, open_table, started


class RewindableLog(MemoryLog):
    """A store that can lose the end of what it was told, and counts who appended what."""

    def __init__(self) -> None:
        super().__init__()
        self.commits: list[Commit] = []
        self.driven = Counter[str]()

    async def append(self, code: str, commit: Commit, **given: Any) -> AppendResult:
        outcome = await super().append(code, commit, **given)
        self.commits.append(commit)
        if commit.player is None:
            self.driven[type(outcome).__name__] += 1
        return outcome

    def remember(self) -> None:
        self._remembered = copy.deepcopy(self._tables)

    def rewind(self) -> None:
        self._tables = self._remembered


class Server:
    """The tables of one server, that can be killed: then it says nothing more to the store."""

    def __init__(self, store: MemoryLog, seed: int, pace: Pace) -> None:
        self.tables = TableRegistry(store, InstantPool(), pace=pace, rng=Random(seed))
        self._task = asyncio.create_task(self.tables.run())

    async def kill(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)


@asynccontextmanager
async def two_servers(store: MemoryLog, pace: Pace | None = None) -> AsyncIterator[tuple[Server, Server]]:
    servers = [Server(store, seed, pace or Pace()) for seed in (7, 8)]
    await asyncio.sleep(0)
    try:
        yield servers[0], servers[1]
    finally:
        for server in servers:
            await server.kill()


async def apart(here: Server, there: Server, anna: FakeViewer, ben: FakeViewer) -> tuple[LiveTable, LiveTable]:
    """Anna and Ben are partners in a game with two bots, each connected to another server."""
    table = await open_table(here.tables, anna)
    other = await there.tables.find(CODE)
    assert other is not None
    await ben.sit(other, SEATS[2])
    await anna.ask(table, Start(anna.new_id()))
    for each in (anna, ben):
        await each.until_view(lambda view: view.phase == "bidding")
    return table, other


async def play(viewer: FakeViewer, table: LiveTable, until: str) -> None:
    rng = Random(3)
    while viewer.view.phase != until:
        if await viewer.act(table, rng) is None:
            await viewer.until_told_more()


async def test_who_is_connected_to_another_server_is_there_and_no_bot_takes_the_seat() -> None:
    store, anna, ben = RewindableLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with two_servers(store) as (here, there):
        await apart(here, there, anna, ben)
        await asyncio.sleep(10 * Pace().takeover_after)
        assert anna.present == ben.present == (True, False, True, False)
        assert not any(isinstance(event, BotTookOver) for commit in store.commits for event in commit.events)


async def test_who_loses_the_connection_to_one_server_is_missed_on_the_other_and_then_played_for() -> None:
    store, anna, ben = RewindableLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with two_servers(store) as (here, there):
        _, other = await apart(here, there, anna, ben)
        other.disconnected(ben)
        await anna.until(lambda: anna.present == (True, False, False, False))
        await anna.until_view(lambda view: view.seats[2].away)


async def test_who_comes_to_another_server_leaves_the_older_window_and_nobody_sees_them_go() -> None:
    store, anna, ben = RewindableLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with two_servers(store) as (here, there):
        table, other = await apart(here, there, anna, ben)
        newer = FakeViewer("Ben", ben.player)
        told = len(anna.said)
        await newer.join(table)
        assert await ben.until_closed() == CLOSE_REPLACED
        other.disconnected(ben)
        await asyncio.sleep(1)
        present = {message.present for message in anna.said[told:] if hasattr(message, "present")}
        assert present <= {(True, False, True, False)}


async def test_in_normal_times_one_server_drives_and_nothing_is_done_twice() -> None:
    store, anna, ben = RewindableLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with two_servers(store) as (here, there):
        table, other = await apart(here, there, anna, ben)
        async with asyncio.TaskGroup() as group:
            group.create_task(play(anna, table, "over"))
            group.create_task(play(ben, other, "over"))
        assert set(store.driven) == {"Appended"}
        assert len(store.games[CODE]) == 1


async def test_when_the_driver_dies_the_other_server_plays_on_within_five_seconds() -> None:
    store, anna, ben = RewindableLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with two_servers(store, Pace(takeover_after=60.0)) as (here, there):
        _, other = await apart(here, there, anna, ben)
        await here.kill()
        died_at = now()
        await ben.until(lambda: ben.present == (False, False, True, False))
        assert now() - died_at <= LEASE_SECONDS + 2
        longest = 0.0
        while other.record.table.turn != 0:  # then it is Anna's turn, who is away
            moved_at = now()
            if await ben.act(other, Random(1)) is None:
                await ben.until_told_more()
            longest = max(longest, now() - moved_at)
        assert longest <= 5


async def test_a_server_that_stops_in_order_is_replaced_at_once() -> None:
    store, anna, ben = RewindableLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with two_servers(store) as (here, there):
        table, other = await apart(here, there, anna, ben)
        table.disconnected(anna)
        await here.tables.leave()
        stopped_at = now()
        await ben.until(lambda: ben.present == (False, False, True, False))
        assert now() - stopped_at < 0.5
        assert other.presence.is_leader
        assert not table.presence.is_leader


async def test_a_paused_server_does_not_drive_when_it_wakes_up() -> None:
    store, anna, ben = RewindableLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with two_servers(store) as (here, there):
        table, _ = await apart(here, there, anna, ben)
        assert table.presence.is_leader
        here.tables._membership._lease_until = now()  # as after a pause of half a lease: it does not know who lives
        assert not table.presence.is_leader


async def test_the_time_until_the_next_hand_is_the_same_on_a_server_that_comes_to_it_later() -> None:
    store, anna = RewindableLog(), FakeViewer("Anna")
    async with two_servers(store) as (here, there):
        table = await open_table(here.tables, anna)
        await anna.ask(table, Start(anna.new_id()))
        await anna.until_view(lambda view: view.phase == "bidding")
        rng = Random(3)
        while anna.view.phase != "scored":
            if await anna.act(table, rng) is None:
                await anna.until_told_more()
        watcher = FakeViewer("Ben")
        await asyncio.sleep(10)
        other = await there.tables.find(CODE)
        assert other is not None
        await watcher.join(other)
        assert watcher.updates[-1].ms_left == pytest.approx(1000 * (Pace().next_hand_timeout - 10), abs=100)


async def test_a_hand_whose_shown_cards_the_store_lost_is_dealt_again_once() -> None:
    store, anna, ben = RewindableLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with two_servers(store) as (here, there):
        table, other = await apart(here, there, anna, ben)
        await bid_both((anna, table), (ben, other))
        turn, at = (anna, table) if anna.view.turn == 0 else (ben, other)
        store.remember()
        played = await turn.ask(at, Play("the card", turn.updates[-1].e, turn.view.legal_cards[0]))
        hand, top = anna.view.hand_number, played.n
        store.rewind()
        rewound_at, seen = now(), len(store.commits)
        for each in (anna, ben):
            await each.until_view(lambda view: view.phase == "bidding")
            assert [refusal.code for refusal in each.refusals] == ["rewound"]
            assert any(update.fresh for update in each.updates if update.n in (top - 1, top, top + 1))
        assert now() - rewound_at <= 1.2 * POSITION_CHECK_INTERVAL + 2
        await asyncio.sleep(20)
        events = [event for commit in store.commits[seen:] for event in commit.events]
        assert [event.number for event in events if isinstance(event, HandVoided | HandDealt)] == [hand, hand]
        assert anna.view.hand_number == ben.view.hand_number == hand


async def test_a_card_asked_before_a_rewind_is_not_played_into_the_hand_dealt_again_though_its_number_fits() -> None:
    store, anna, ben = RewindableLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with two_servers(store) as (here, there):
        table, other = await apart(here, there, anna, ben)
        await bid_both((anna, table), (ben, other))
        store.remember()
        async with asyncio.TaskGroup() as group:
            group.create_task(play(anna, table, "scored"))
            group.create_task(play(ben, other, "scored"))
        lost = {each: {update.n: update.e for update in each.updates} for each in (anna, ben)}
        store.rewind()
        for each in (anna, ben):
            await each.until_view(lambda view: view.phase == "bidding")
        await bid_both((anna, table), (ben, other))
        turn, at = (anna, table) if anna.view.turn == 0 else (ben, other)
        shown = turn.updates[-1]
        before, card = lost[turn][shown.n], shown.view.legal_cards[0]
        answer = await turn.ask(at, Play("asked before", before, card))
        assert isinstance(answer, Refusal)
        assert answer.code == "stale"
        assert turn.updates[-1] == shown
        assert isinstance(await turn.ask(at, Play("asked now", shown.e, card)), Update)


async def test_a_bid_that_meets_the_hand_dealt_again_only_when_it_is_stored_is_stale_too() -> None:
    store, anna = RewindableLog(), FakeViewer("Anna")
    async with two_servers(store) as (here, _):
        await started(here.tables, anna)
        slower, faster = [await another_server(store, seed) for seed in (1, 2)]
        on, first = slower.record.at.e, slower.record.table.turn
        assert first is not None
        await faster.commit(DealAgain(1, shuffled(Random(5), STANDARD)))
        with pytest.raises(CommandRefused) as refused:
            await slower.commit(PlaceBid(first, 3, blind=False), on=on)
        assert refused.value.code == "stale"
        assert slower.record.at == faster.record.at
        await slower.commit(PlaceBid(first, 3, blind=False), on=slower.record.at.e)
        assert slower.record.at.n == faster.record.at.n + 1


async def test_when_the_store_lost_nothing_that_was_shown_the_hand_goes_on() -> None:
    store, anna, ben, cleo = RewindableLog(), FakeViewer("Anna"), FakeViewer("Ben"), FakeViewer("Cleo")
    async with two_servers(store) as (here, there):
        table, other = await apart(here, there, anna, ben)
        await bid_both((anna, table), (ben, other))
        store.remember()
        await cleo.sit(table, SEATS[1])
        await the_hand_goes_on_without(cleo, anna, store)


async def the_hand_goes_on_without(newcomer: FakeViewer, player: FakeViewer, store: RewindableLog) -> None:
    """The store forgets that the newcomer sat down, and nothing more."""
    hand = player.view.hand
    store.rewind()
    await newcomer.until_view(lambda view: view.you is None)
    await asyncio.sleep(20)
    assert player.view.hand == hand
    assert not any(isinstance(event, HandVoided) for commit in store.commits for event in commit.events)


async def bid_both(*players: tuple[FakeViewer, LiveTable]) -> None:
    """Then it is the turn of one of them to play a card."""

    async def bid(viewer: FakeViewer, table: LiveTable) -> None:
        await viewer.until_view(lambda view: bool(view.legal_bids))
        await viewer.ask(table, Bid(viewer.new_id(), viewer.updates[-1].e, 3))
        await viewer.until_view(lambda view: view.phase == "playing" and view.turn in (0, 2))

    await asyncio.gather(*(bid(viewer, table) for viewer, table in players))


def now() -> float:
    return asyncio.get_running_loop().time()
