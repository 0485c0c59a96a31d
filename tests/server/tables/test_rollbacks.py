"""Logs that lost their end, perhaps twice, and repeated requests: nothing is done twice, no lost hand played on."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from random import Random
from typing import Any

from server.store.log import AppendResult, Conflict, StoreUnavailable
from server.tables.replica import Reloaded, TableReplica, includes_request
from server.tables.table import MAX_TRIES, LiveTable
from spades_core.commands import LeaveSeat, PlaceBid, Redeal, StartGame, TakeSeat
from spades_core.commit import Commit
from spades_core.deck import STANDARD, shuffled
from spades_core.events import BotTookOver, SeatLeft
from spades_core.protocol.messages import Leave, Left, Refusal, Sit, Start
from spades_core.schedule import Pace
from spades_core.seats import SEATS
from tests.server.tables.fixtures import CODE, FakeViewer, another_server, open_table, server_on, started
from tests.server.tables.test_several_servers import RollbackLog, play
from tests.server.tables.test_table import ForgetfulLog


async def bid(replica: TableReplica, bids: int) -> None:
    for _ in range(bids):
        assert replica.table.turn is not None
        await replica.commit(PlaceBid(replica.table.turn, 3))


async def fresh_hand(store: RollbackLog) -> TableReplica:
    """Return the record of a server that saw the deal of a hand that no other server plays."""
    async with server_on(store, Pace(bot_delay_min=60, bot_delay_max=60)) as tables:
        await started(tables, FakeViewer("Anna"))
        return (await another_server(store, 1)).replica


async def test_a_redealt_hand_can_be_lost_in_turn() -> None:
    store = RollbackLog()
    replica = await fresh_hand(store)
    await bid(replica, 1)
    store.remember()
    await replica.commit(Redeal(1, shuffled(Random(5), STANDARD)))
    later = (await another_server(store, 2)).replica
    store.rollback()
    await later.catch_up()
    assert later.hand_to_redeal == 1
    assert (await another_server(store, 3)).replica.hand_to_redeal is None  # it has seen none of its cards


async def test_a_hand_dealt_after_a_rollback_is_sound_for_a_server_that_never_saw_it() -> None:
    store = RollbackLog()
    replica = await fresh_hand(store)
    store.remember()
    await bid(replica, 2)
    store.rollback()
    faster = (await another_server(store, 2)).replica
    await faster.commit(Redeal(1, shuffled(Random(5), STANDARD)))
    await replica.catch_up()
    assert replica.hand_to_redeal is None


async def test_a_lost_hand_stays_lost_after_a_rollback_that_took_none_of_its_cards() -> None:
    store = RollbackLog()
    replica = await fresh_hand(store)
    await bid(replica, 1)
    store.remember()
    await bid(replica, 1)
    store.rollback()
    await replica.catch_up()
    assert replica.hand_to_redeal == 1
    store.remember()
    await replica.commit(TakeSeat("ben", "Ben", SEATS[1]))
    store.rollback()
    await replica.catch_up()
    assert replica.hand_to_redeal == 1


async def test_a_lost_hand_does_not_matter_once_another_game_is_played() -> None:
    store, anna = RollbackLog(), FakeViewer("Anna")
    async with server_on(store) as tables:
        table = await started(tables, anna)
        store.remember()
        idle = (await another_server(store, 1)).replica
        await bid(idle, 1)
        store.rollback()
        await idle.catch_up()
        assert idle.hand_to_redeal == 1
        await play(anna, table, "over")
        await anna.ask(table, Start(anna.new_id()))
        await anna.until_view(lambda view: view.phase == "bidding")
        await idle.catch_up()
        assert idle.hand_to_redeal is None


async def test_a_request_found_done_by_a_reload_is_not_reported_as_a_change() -> None:
    store, anna = RollbackLog(), FakeViewer("Anna")
    async with server_on(store) as tables:
        await open_table(tables, anna)
        slower, faster = [await another_server(store, seed) for seed in (1, 2)]
        sit = TakeSeat("ben", "Ben", SEATS[2])
        assert await faster.commit(sit, "ben", "sit")
        await faster.commit(StartGame(SEATS[0], SEATS[0], "easy"), anna.player, "start")  # which trims the log
        result = await slower.replica.commit(sit, "ben", "sit")
        assert [type(change) for change in result.changes] == [Reloaded]
        assert not includes_request(result.changes, "ben", "sit")


async def test_a_request_that_another_server_has_done_is_not_done_again() -> None:
    store, anna = RollbackLog(), FakeViewer("Anna")
    async with server_on(store) as tables:
        await open_table(tables, anna)
        first = await another_server(store, 1)
        await first.commit(TakeSeat("ben", "Ben", SEATS[2]), "ben", "sit")
        slower, faster = [await another_server(store, seed) for seed in (2, 3)]
        await faster.commit(LeaveSeat(SEATS[2]), "ben", "bye")
        await faster.commit(TakeSeat("ben", "Ben", SEATS[2]), "ben", "back")
        assert await slower.commit(LeaveSeat(SEATS[2]), "ben", "bye")
        assert slower.replica.at == faster.replica.at
        assert slower.replica.table.seat_of("ben") == SEATS[2]


ALL = ("append", "set_presence", "heartbeat", "load", "read", "heads")


class CuttableLog:
    """The connection of one server to the store; the methods in `cut` fail."""

    def __init__(self, store: RollbackLog) -> None:
        self._store = store
        self.cut: Sequence[str] = ()

    def __getattr__(self, name: str) -> Any:
        if name in self.cut:
            raise StoreUnavailable("the wire is cut")
        return getattr(self._store, name)


@asynccontextmanager
async def lobby_for_two(
    store: RollbackLog, wire: CuttableLog, anna: FakeViewer, ben: FakeViewer
) -> AsyncIterator[tuple[LiveTable, LiveTable]]:
    """Anna has seat 0 and a server of her own, Ben seat 2 and the server with the cuttable connection."""
    async with server_on(store) as hers, server_on(wire, seed=8) as his:
        table = await open_table(hers, anna)
        other = await his.find(CODE)
        assert other is not None
        await ben.sit(other, SEATS[2])
        await anna.until_view(lambda view: view.seats[2].name == "Ben")
        his.committed = lambda *_: None  # type: ignore[method-assign]  # its wake-ups are lost from now on
        yield table, other


def leave_count(viewer: FakeViewer) -> int:
    """Count the events of seats left that the viewer was sent."""
    events = [event for update in viewer.updates for event in update.events]
    return sum(isinstance(event, SeatLeft | BotTookOver) for event in events)


async def test_an_unsaved_leave_is_dropped_once_its_player_has_reconnected_elsewhere() -> None:
    store, anna, ben = RollbackLog(), FakeViewer("Anna"), FakeViewer("Ben")
    wire = CuttableLog(store)
    async with lobby_for_two(store, wire, anna, ben) as (table, other):
        wire.cut = ALL
        other.ask(ben, Leave("bye"))
        await ben.until(lambda: bool(ben.refusals))
        again = FakeViewer("Ben", ben.player)
        await again.join(table)
        assert isinstance(await again.ask(table, Leave("bye")), Left)
        back = FakeViewer("Ben", ben.player)
        await back.join(table)
        await back.ask(table, Sit("back", SEATS[2]))
        await anna.ask(table, Start(anna.new_id()))  # which trims the log: the other server loads it anew
        wire.cut = ()
        answer = await ben.answer("bye")
        assert isinstance(answer, Refusal)
        assert answer.code == "no_table"
        assert leave_count(anna) == 1
        assert not back.view.seats[2].away


async def test_a_leave_waits_until_presence_elsewhere_is_known() -> None:
    store, anna, ben = RollbackLog(), FakeViewer("Anna"), FakeViewer("Ben")
    wire = CuttableLog(store)
    async with lobby_for_two(store, wire, anna, ben) as (_, other):
        wire.cut = ("append",)
        other.ask(ben, Leave("bye"))
        await ben.until(lambda: bool(ben.refusals))
        wire.cut = ("set_presence",)
        await asyncio.sleep(5)
        assert anna.view.seats[2].name == "Ben"
        assert not [message for message in ben.messages if isinstance(message, Left)]
        wire.cut = ()
        assert isinstance(await ben.answer("bye"), Left)
        await anna.until_view(lambda view: view.seats[2].kind == "empty")


async def test_a_leave_from_a_seat_lost_meanwhile_is_answered_with_left() -> None:
    store, anna, ben = RollbackLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with server_on(store) as tables:
        table = await open_table(tables, anna)
        await ben.join(table)
        store.remember()
        await ben.ask(table, Sit(ben.new_id(), SEATS[2]))
        store.rollback()
        assert isinstance(await ben.ask(table, Leave("bye")), Left)
        assert anna.view.seats[2].kind == "empty"
        assert leave_count(anna) == 0


class BusyLog(RollbackLog):
    """Other servers are faster, `faster` times."""

    faster = 0

    async def append(self, code: str, commit: Commit, **given: Any) -> AppendResult:
        if self.faster:
            self.faster -= 1
            return Conflict(commit.at)
        return await super().append(code, commit, **given)


async def test_a_leave_is_retried_however_often_others_are_faster() -> None:
    store, anna, ben = BusyLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with server_on(store) as tables:
        table = await open_table(tables, anna)
        await ben.sit(table, SEATS[2])
        store.faster = 2 * MAX_TRIES
        assert isinstance(await ben.ask(table, Leave("bye")), Left)
        assert anna.view.seats[2].kind == "empty"


async def test_a_second_leave_is_answered_although_the_first_is_done_only_then() -> None:
    store, anna, ben = ForgetfulLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with server_on(store) as tables:
        table = await open_table(tables, anna)
        await ben.sit(table, SEATS[2])
        tables.committed = lambda *_: None  # type: ignore[method-assign]  # wake-ups are lost from now on
        store.forgets = True
        table.ask(ben, Leave("bye"))
        await ben.until(lambda: bool(ben.refusals))
        again = FakeViewer("Ben", ben.player)
        await again.join(table)
        store.forgets = False
        await again.until_view(lambda view: view.seats[2].kind == "empty")
        assert isinstance(await again.ask(table, Leave("bye")), Left)
        assert isinstance(await ben.answer("bye"), Left)
        assert "bye" not in [update.re for update in again.updates]
