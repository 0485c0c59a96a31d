"""One table on several servers, in virtual time: presence, leadership, and the loss of a server."""

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
from spades_core.commands import CommandRefused, PlaceBid, Redeal
from spades_core.commit import Commit
from spades_core.deck import STANDARD, shuffled
from spades_core.events import BotTookOver, HandDealt, HandVoided
from spades_core.protocol.messages import CLOSE_REPLACED, Bid, Play, Refusal, Start, Update
from spades_core.schedule import Pace
from spades_core.seats import SEATS
from tests.expert_pools import InstantPool
from tests.server.tables.fixtures import CODE, FakeViewer, another_server, open_table, started


class RollbackLog(MemoryLog):
    """A store that can lose the end of its log, and records all appended commits."""

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

    def rollback(self) -> None:
        self._tables = self._remembered


class Server:
    """The tables of a server that can be killed: from then on it sends nothing to the store."""

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


async def partners_apart(here: Server, there: Server, anna: FakeViewer, ben: FakeViewer) -> tuple[LiveTable, LiveTable]:
    """Start a game of two bots against Anna and Ben, who are connected to different servers."""
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
            await viewer.until_next_message()


async def test_a_player_connected_to_another_server_is_present_and_keeps_the_seat() -> None:
    store, anna, ben = RollbackLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with two_servers(store) as (here, there):
        await partners_apart(here, there, anna, ben)
        await asyncio.sleep(10 * Pace().takeover_after)
        assert anna.present == ben.present == (True, False, True, False)
        assert not any(isinstance(event, BotTookOver) for commit in store.commits for event in commit.events)


async def test_a_disconnect_on_one_server_is_seen_on_the_other_and_a_bot_takes_over() -> None:
    store, anna, ben = RollbackLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with two_servers(store) as (here, there):
        _, other = await partners_apart(here, there, anna, ben)
        other.disconnected(ben)
        await anna.until(lambda: anna.present == (True, False, False, False))
        await anna.until_view(lambda view: view.seats[2].away)


async def test_moving_to_another_server_closes_the_old_window_without_an_absence() -> None:
    store, anna, ben = RollbackLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with two_servers(store) as (here, there):
        table, other = await partners_apart(here, there, anna, ben)
        newer = FakeViewer("Ben", ben.player)
        told = len(anna.messages)
        await newer.join(table)
        assert await ben.until_closed() == CLOSE_REPLACED
        other.disconnected(ben)
        await asyncio.sleep(1)
        present = {message.present for message in anna.messages[told:] if hasattr(message, "present")}
        assert present <= {(True, False, True, False)}


async def test_one_server_leads_and_nothing_is_done_twice() -> None:
    store, anna, ben = RollbackLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with two_servers(store) as (here, there):
        table, other = await partners_apart(here, there, anna, ben)
        async with asyncio.TaskGroup() as group:
            group.create_task(play(anna, table, "over"))
            group.create_task(play(ben, other, "over"))
        assert set(store.driven) == {"Appended"}
        assert len(store.games[CODE]) == 1


async def test_when_the_leader_dies_another_server_plays_on_within_five_seconds() -> None:
    store, anna, ben = RollbackLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with two_servers(store, Pace(takeover_after=60.0)) as (here, there):
        _, other = await partners_apart(here, there, anna, ben)
        await here.kill()
        died_at = now()
        await ben.until(lambda: ben.present == (False, False, True, False))
        assert now() - died_at <= LEASE_SECONDS + 2
        longest = 0.0
        while other.replica.table.turn != 0:  # then it is the turn of Anna, who is away
            advanced_at = now()
            if await ben.act(other, Random(1)) is None:
                await ben.until_next_message()
            longest = max(longest, now() - advanced_at)
        assert longest <= 5


async def test_an_orderly_stop_hands_the_lead_over_at_once() -> None:
    store, anna, ben = RollbackLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with two_servers(store) as (here, there):
        table, other = await partners_apart(here, there, anna, ben)
        table.disconnected(anna)
        await here.tables.leave()
        stopped_at = now()
        await ben.until(lambda: ben.present == (False, False, True, False))
        assert now() - stopped_at < 0.5
        assert other.presence.is_leader
        assert not table.presence.is_leader


async def test_a_suspended_server_does_not_lead_when_it_resumes() -> None:
    store, anna, ben = RollbackLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with two_servers(store) as (here, there):
        table, _ = await partners_apart(here, there, anna, ben)
        assert table.presence.is_leader
        here.tables._membership._lease_until = now()  # as after a suspension of half a lease
        assert not table.presence.is_leader


async def test_a_server_that_loads_the_table_later_counts_down_to_the_same_deal() -> None:
    store, anna = RollbackLog(), FakeViewer("Anna")
    async with two_servers(store) as (here, there):
        table = await open_table(here.tables, anna)
        await anna.ask(table, Start(anna.new_id()))
        await anna.until_view(lambda view: view.phase == "bidding")
        rng = Random(3)
        while anna.view.phase != "scored":
            if await anna.act(table, rng) is None:
                await anna.until_next_message()
        watcher = FakeViewer("Ben")
        await asyncio.sleep(10)
        other = await there.tables.find(CODE)
        assert other is not None
        await watcher.join(other)
        assert watcher.updates[-1].ms_left == pytest.approx(1000 * (Pace().next_hand_timeout - 10), abs=100)


async def test_a_hand_whose_shown_cards_were_lost_is_dealt_again_once() -> None:
    store, anna, ben = RollbackLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with two_servers(store) as (here, there):
        table, other = await partners_apart(here, there, anna, ben)
        await bid_both((anna, table), (ben, other))
        turn, at = (anna, table) if anna.view.turn == 0 else (ben, other)
        store.remember()
        played = await turn.ask(at, Play("the card", turn.updates[-1].e, turn.view.legal_cards[0]))
        hand, top = anna.view.hand_number, played.n
        store.rollback()
        rolled_back_at, seen = now(), len(store.commits)
        for each in (anna, ben):
            await each.until_view(lambda view: view.phase == "bidding")
            assert [refusal.code for refusal in each.refusals] == ["rolled_back"]
            assert any(update.fresh for update in each.updates if update.n in (top - 1, top, top + 1))
        assert now() - rolled_back_at <= 1.2 * POSITION_CHECK_INTERVAL + 2
        await asyncio.sleep(20)
        events = [event for commit in store.commits[seen:] for event in commit.events]
        assert [event.number for event in events if isinstance(event, HandVoided | HandDealt)] == [hand, hand]
        assert anna.view.hand_number == ben.view.hand_number == hand


async def test_a_card_played_before_a_rollback_is_stale_in_the_redealt_hand_though_its_number_fits() -> None:
    store, anna, ben = RollbackLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with two_servers(store) as (here, there):
        table, other = await partners_apart(here, there, anna, ben)
        await bid_both((anna, table), (ben, other))
        store.remember()
        async with asyncio.TaskGroup() as group:
            group.create_task(play(anna, table, "scored"))
            group.create_task(play(ben, other, "scored"))
        lost = {each: {update.n: update.e for update in each.updates} for each in (anna, ben)}
        store.rollback()
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


async def test_a_bid_that_meets_a_redealt_hand_at_its_append_is_stale() -> None:
    store, anna = RollbackLog(), FakeViewer("Anna")
    async with two_servers(store) as (here, _):
        await started(here.tables, anna)
        slower, faster = [await another_server(store, seed) for seed in (1, 2)]
        on, first = slower.replica.at.id, slower.replica.table.turn
        assert first is not None
        await faster.commit(Redeal(1, shuffled(Random(5), STANDARD)))
        with pytest.raises(CommandRefused) as refused:
            await slower.commit(PlaceBid(first, 3, blind=False), on=on)
        assert refused.value.code == "stale"
        assert slower.replica.at == faster.replica.at
        await slower.commit(PlaceBid(first, 3, blind=False), on=slower.replica.at.id)
        assert slower.replica.at.n == faster.replica.at.n + 1


async def test_the_hand_goes_on_when_the_store_lost_nothing_that_was_shown() -> None:
    store, anna, ben, cleo = RollbackLog(), FakeViewer("Anna"), FakeViewer("Ben"), FakeViewer("Cleo")
    async with two_servers(store) as (here, there):
        table, other = await partners_apart(here, there, anna, ben)
        await bid_both((anna, table), (ben, other))
        store.remember()
        await cleo.sit(table, SEATS[1])
        await check_the_hand_goes_on_without(cleo, anna, store)


async def check_the_hand_goes_on_without(newcomer: FakeViewer, player: FakeViewer, store: RollbackLog) -> None:
    """Roll the store back by the newcomer's sitting down, and check that play goes on."""
    hand = player.view.hand
    store.rollback()
    await newcomer.until_view(lambda view: view.you is None)
    await asyncio.sleep(20)
    assert player.view.hand == hand
    assert not any(isinstance(event, HandVoided) for commit in store.commits for event in commit.events)


async def bid_both(*players: tuple[FakeViewer, LiveTable]) -> None:
    """Let all bid, until it is the turn of one of them to play a card."""

    async def bid(viewer: FakeViewer, table: LiveTable) -> None:
        await viewer.until_view(lambda view: bool(view.legal_bids))
        await viewer.ask(table, Bid(viewer.new_id(), viewer.updates[-1].e, 3))
        await viewer.until_view(lambda view: view.phase == "playing" and view.turn in (0, 2))

    await asyncio.gather(*(bid(viewer, table) for viewer, table in players))


def now() -> float:
    return asyncio.get_running_loop().time()
