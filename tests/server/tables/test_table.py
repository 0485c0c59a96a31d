"""Requests to one table, in virtual time: repeated, too late, and while nothing can be saved."""

import asyncio
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from structlog.testing import capture_logs

from server.store.log import AppendResult, StoreUnavailable
from server.store.memory_log import MemoryLog
from server.tables.table import IDLE_SECONDS, LiveTable
from spades_core.commands import CommandRefused, LeaveSeat, TakeSeat
from spades_core.evolve import evolve_all
from spades_core.protocol.messages import CLOSE_REPLACED, Bid, Leave, Left, Play, Refusal, Start, Update
from spades_core.seats import SEATS
from tests.server.tables.fixtures import CODE, FakeViewer, another_server, open_table, server_on, started


async def play_until_over(viewer: FakeViewer, table: LiveTable) -> None:
    rng = Random(3)
    while viewer.view.phase != "over":
        seen = len(viewer.messages)
        if await viewer.act(table, rng) is None:
            await viewer.until(lambda seen=seen: len(viewer.messages) > seen)


async def test_one_person_and_three_bots_play_a_game_to_its_end() -> None:
    store, anna = MemoryLog(), FakeViewer("Anna")
    async with server_on(store) as tables:
        table = await started(tables, anna)
        await play_until_over(anna, table)
        assert [update.n for update in anna.updates] == list(range(1, table.replica.at.n + 1))
        assert anna.view.outcome is not None
        sheets = [update.sheet for update in anna.updates if update.sheet is not None]
        assert sheets[-1][-1].sides[0].score == anna.view.sides[0].score


async def test_the_log_replays_to_the_same_table() -> None:
    store, anna = MemoryLog(), FakeViewer("Anna")
    async with server_on(store) as tables:
        table = await started(tables, anna)
        await anna.until_view(lambda view: bool(view.legal_bids))
        await anna.ask(table, Bid(anna.new_id(), anna.updates[-1].e, 3))
        loaded = await store.load(CODE)
        assert loaded is not None
        assert loaded.snapshot is not None
        events = tuple(event for commit in loaded.commits for event in commit.events)
        assert evolve_all(loaded.snapshot.table, events) == table.replica.table


async def test_a_card_out_of_turn_is_refused_and_changes_nothing() -> None:
    store, anna, ben = MemoryLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with server_on(store) as tables:
        table = await open_table(tables, anna)
        await ben.sit(table, SEATS[1])
        await anna.ask(table, Start(anna.new_id()))
        await anna.until_view(lambda view: view.turn is not None)
        waiting = ben if anna.view.turn == 0 else anna
        before = table.replica.table
        answer = await waiting.ask(table, Bid(waiting.new_id(), table.replica.at.id, 3))
        assert isinstance(answer, Refusal)
        assert answer.code == "not_your_turn"
        assert table.replica.table == before


async def test_an_answer_to_an_older_view_is_refused_as_stale() -> None:
    store, anna = MemoryLog(), FakeViewer("Anna")
    async with server_on(store) as tables:
        table = await started(tables, anna)
        await anna.until_view(lambda view: bool(view.legal_bids))
        answer = await anna.ask(table, Bid(anna.new_id(), anna.updates[0].e, 3))
        assert isinstance(answer, Refusal)
        assert answer.code == "stale"
        unknown = await anna.ask(table, Bid(anna.new_id(), "of no commit", 3))
        assert isinstance(unknown, Refusal)
        assert unknown.code == "stale"


async def test_a_player_sitting_down_meanwhile_does_not_make_a_bid_stale() -> None:
    store, anna, ben = MemoryLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with server_on(store) as tables:
        table = await started(tables, anna)
        await anna.until_view(lambda view: bool(view.legal_bids))
        seen = anna.updates[-1].e
        await ben.sit(table, SEATS[1])
        answer = await anna.ask(table, Bid(anna.new_id(), seen, 3))
        assert isinstance(answer, Update)


async def test_a_repeated_request_is_answered_and_not_done_twice() -> None:
    store, anna = MemoryLog(), FakeViewer("Anna")
    async with server_on(store) as tables:
        table = await started(tables, anna)
        await anna.until_view(lambda view: bool(view.legal_bids))
        bid = Bid("the same", anna.updates[-1].e, 3)
        await anna.ask(table, bid)
        n = table.replica.at.n
    again = FakeViewer("Anna", anna.player)
    async with server_on(store) as tables:
        table = await tables.find(CODE)
        await again.join(table)
        answer = await again.ask(table, bid)
        assert isinstance(answer, Update)
        loaded = await store.load(CODE)
        assert sum(commit.request == "the same" for commit in loaded.commits) == 1
        assert loaded.commits[n - loaded.snapshot.at.n - 1].request == "the same"


async def test_a_fifth_player_is_refused() -> None:
    store, anna = MemoryLog(), FakeViewer("Anna")
    async with server_on(store) as tables:
        table = await open_table(tables, anna)
        for seat, name in enumerate(("Ben", "Cleo", "Dora"), start=1):
            friend = FakeViewer(name)
            await friend.sit(table, SEATS[seat])
        answer = await FakeViewer("Emil").join(table)
        assert isinstance(answer, Refusal)
        assert answer.code == "table_full"


async def test_the_newest_window_of_a_seat_wins_and_the_older_one_is_closed() -> None:
    store, anna = MemoryLog(), FakeViewer("Anna")
    async with server_on(store) as tables:
        table = await open_table(tables, anna)
        newer = FakeViewer("Anna", anna.player)
        answer = await newer.join(table)
        assert isinstance(answer, Update)
        assert answer.view.you == 0
        assert anna.closed == CLOSE_REPLACED
        table.disconnected(anna)
        answer = await anna.ask(table, Start("old"))
        assert isinstance(answer, Refusal)
        assert newer.present == (True, False, False, False)


class FailingLog(MemoryLog):
    """A store whose appends fail while it is `away`."""

    away = False

    async def append(self, *args: Any, **kwargs: Any) -> AppendResult:
        if self.away:
            raise StoreUnavailable("the store is away")
        return await super().append(*args, **kwargs)


async def test_while_nothing_can_be_saved_cards_stay_in_hand_and_play_resumes_by_itself() -> None:
    store, anna = FailingLog(), FakeViewer("Anna")
    async with server_on(store) as tables:
        table = await started(tables, anna)
        await anna.until_view(lambda view: bool(view.legal_bids))
        await anna.ask(table, Bid(anna.new_id(), anna.updates[-1].e, 3))
        await anna.until_view(lambda view: bool(view.legal_cards))
        store.away = True
        before = table.replica.table
        table.ask(anna, Play("the card", anna.updates[-1].e, anna.view.legal_cards[0]))
        await anna.until(lambda: bool(anna.refusals))
        assert (anna.refusals[-1].code, anna.refusals[-1].re) == ("saving_paused", None)
        with capture_logs() as logs:
            await asyncio.sleep(10)
            assert table.replica.table == before
            store.away = False
            answer = await anna.answer("the card")
        assert isinstance(answer, Update)
        assert [each["event"] for each in logs] == ["saving resumed"]  # the pause was logged before, and once
        store.away = True
        n = table.replica.at.n
        await asyncio.sleep(10)
        assert table.replica.at.n == n
        store.away = False
        await anna.until_view(lambda view: bool(view.legal_cards) or view.phase != "playing")
        assert table.replica.at.n > n


class ForgetfulLog(MemoryLog):
    """A store that stores, but whose answer is lost."""

    forgets = False

    async def append(self, *args: Any, **kwargs: Any) -> AppendResult:
        outcome = await super().append(*args, **kwargs)
        if self.forgets:
            raise StoreUnavailable("the answer was lost")
        return outcome


async def test_a_card_whose_append_was_not_confirmed_is_played_and_answered_once() -> None:
    store, anna = ForgetfulLog(), FakeViewer("Anna")
    async with server_on(store) as tables:
        table = await started(tables, anna)
        await anna.until_view(lambda view: bool(view.legal_bids))
        store.forgets = True
        table.ask(anna, Bid("the bid", anna.updates[-1].e, 3))
        await anna.until(lambda: bool(anna.refusals))
        store.forgets = False
        await anna.until_view(lambda view: view.phase == "playing")
        includes_request = [message for message in anna.messages if getattr(message, "re", None) == "the bid"]
        assert len(includes_request) == 1
        assert isinstance(includes_request[0], Update)
        assert anna.view.seats[0].bid == 3


async def test_a_leave_that_could_not_be_saved_at_once_is_done_later() -> None:
    store, anna, ben = FailingLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with server_on(store) as tables:
        table = await open_table(tables, anna)
        await ben.sit(table, SEATS[2])
        store.away = True
        table.ask(ben, Leave("bye"))
        await ben.until(lambda: bool(ben.refusals))
        store.away = False
        assert isinstance(await ben.answer("bye"), Left)
        await anna.until_view(lambda view: view.seats[2].kind == "empty")
        assert anna.present == (True, False, False, False)


async def test_a_leave_whose_append_was_not_confirmed_is_answered() -> None:
    store, anna, ben = ForgetfulLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with server_on(store) as tables:
        table = await open_table(tables, anna)
        await ben.sit(table, SEATS[2])
        store.forgets = True
        table.ask(ben, Leave("bye"))
        await ben.until(lambda: bool(ben.refusals))
        store.forgets = False
        assert isinstance(await ben.answer("bye"), Left)
        assert anna.view.seats[2].kind == "empty"


async def test_a_table_that_has_ended_rejects_requests() -> None:
    store, anna = MemoryLog(), FakeViewer("Anna")
    async with server_on(store) as tables:
        table = await open_table(tables, anna)
        table.disconnected(anna)
        await asyncio.sleep(IDLE_SECONDS + 1)
        assert len(tables) == 0
        for asked in (await anna.ask(table, Start("late")), await anna.join(table)):
            assert isinstance(asked, Refusal)
            assert asked.code == "closed"


async def test_players_on_two_servers_play_one_game() -> None:
    store, anna, ben = MemoryLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with server_on(store) as here, server_on(store, seed=8) as there:
        table = await open_table(here, anna)
        other = await there.find(CODE)
        await ben.sit(other, SEATS[2])
        await anna.until_view(lambda view: view.seats[2].name == "Ben")
        await anna.ask(table, Start(anna.new_id()))
        async with asyncio.TaskGroup() as group:
            group.create_task(play_until_over(anna, table))
            group.create_task(play_until_over(ben, other))
        assert table.replica.table == other.replica.table
        assert anna.view.outcome is not None
        for earlier, later in pairwise(ben.updates):
            assert later.fresh or later.n == earlier.n + bool(later.events)


async def test_an_expired_table_closes_with_a_sentence() -> None:
    store, anna = MemoryLog(), FakeViewer("Anna")
    async with server_on(store) as tables:
        table = await started(tables, anna)
        await anna.until_view(lambda view: bool(view.legal_bids))
        store.delete(CODE)
        table.ask(anna, Bid(anna.new_id(), anna.updates[-1].e, 3))
        await anna.until(lambda: bool(anna.refusals))
        assert anna.refusals[-1].code == "no_table"
        assert isinstance(await anna.ask(table, Start(anna.new_id())), Refusal)
        assert await tables.find(CODE) is None


async def test_a_request_from_a_lost_seat_is_not_done_to_its_new_player() -> None:
    store, anna = MemoryLog(), FakeViewer("Anna")
    async with server_on(store) as tables:
        await open_table(tables, anna)
        slower, faster = [await another_server(store, seed) for seed in (1, 2)]
        await faster.commit(TakeSeat("ben", "Ben", SEATS[2]), "ben", "1")
        await slower.replica.catch_up()
        await faster.commit(LeaveSeat(SEATS[2]), "ben", "2")
        await faster.commit(TakeSeat("cleo", "Cleo", SEATS[2]), "cleo", "3")
        with pytest.raises(CommandRefused) as refused:
            await slower.commit(LeaveSeat(SEATS[2]), "ben", "4")
    assert refused.value.code == "stale"
    assert slower.replica.table.seat_of("cleo") == SEATS[2]
