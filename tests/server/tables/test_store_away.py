"""What a store that was away, all of it or in part, does not bring about, in virtual time."""

import asyncio
from collections.abc import Sequence
from random import Random

import pytest
from structlog.testing import capture_logs

from server.presence.membership import HEARTBEAT_INTERVAL, LEASE_SECONDS, Membership
from server.store.log import Head, StoreUnavailable
from server.store.memory_log import MemoryLog
from server.tables.registry import POSITION_CHECK_INTERVAL
from spades_core.commands import OpenTable
from spades_core.protocol.messages import Sit
from spades_core.ruleset import CLASSIC
from spades_core.seats import SEATS
from tests.server.tables.fixtures import CODE, FakeViewer, open_table, server_on


class PartlyAway(MemoryLog):
    """Of the tables in `away` nothing can be asked."""

    def __init__(self) -> None:
        super().__init__()
        self.away: set[str] = set()

    async def heads(self, codes: Sequence[str]) -> dict[str, Head | None]:
        told = {code: top for code, top in (await super().heads(codes)).items() if code not in self.away}
        if codes and not told:
            raise StoreUnavailable("the store is away")
        return told


async def test_a_table_whose_part_of_the_store_is_away_is_not_taken_for_gone_and_the_others_are_compared() -> None:
    store, anna, ben = PartlyAway(), FakeViewer("Anna"), FakeViewer("Ben")
    async with server_on(store) as here, server_on(store, seed=8) as there:
        table = await open_table(here, anna)
        elsewhere = await there.find(CODE)
        await ben.join(elsewhere)
        await here.create(OpenTable("OTHER", CLASSIC, "somebody", "Somebody"), "1")
        store.away = {"OTHER"}
        here.committed = lambda *_: None  # wake-ups are lost
        with capture_logs() as said:
            await ben.ask(elsewhere, Sit(ben.new_id(), SEATS[1]))
            await asyncio.sleep(POSITION_CHECK_INTERVAL * 1.2)
        assert table.record.at == elsewhere.record.at
        assert {"event": "position check incomplete", "log_level": "warning", "unknown": 1, "of": 2} in said
        assert here.store_answers
        store.away = {"OTHER", CODE}
        await asyncio.sleep(POSITION_CHECK_INTERVAL * 1.2)
        assert not here.store_answers
        assert len(here) == 2


class Fleets:
    """Servers on one store that can be away, and what they heard of deaths."""

    def __init__(self) -> None:
        self.store = MemoryLog()
        self.away = False
        self.deaths: list[frozenset[str]] = []
        heartbeat = self.store.heartbeat

        async def beat_if_there(server: str, lease_ms: int) -> frozenset[str]:
            if self.away:
                raise StoreUnavailable("the store is away")
            return await heartbeat(server, lease_ms)

        self.store.heartbeat = beat_if_there  # type: ignore[method-assign]

    def start(self, seed: int) -> tuple[Membership, asyncio.Task[None]]:
        fleet = Membership(self.store, Random(seed))
        return fleet, asyncio.create_task(fleet.run(self.deaths.append))


@pytest.mark.parametrize("seconds", [1.0, 2.0, 3.0, 4.0, 5.0, 12.0])
async def test_after_the_store_was_away_no_server_takes_another_for_dead_that_lives(seconds: float) -> None:
    fleets = Fleets()
    running = [fleets.start(seed) for seed in range(3)]
    everybody = {fleet.server_id for fleet, _ in running}
    for _ in range(8):
        await asyncio.sleep(1.5 * HEARTBEAT_INTERVAL + LEASE_SECONDS)
        assert all(fleet.alive == everybody for fleet, _ in running)
        fleets.away = True
        await asyncio.sleep(seconds)
        fleets.away = False
    others = [
        death - {fleet.server_id} for death in fleets.deaths for fleet, _ in running if death == {fleet.server_id}
    ]
    assert len(others) == len(fleets.deaths)  # each heard only of its own
    for _, task in running:
        task.cancel()


async def test_a_server_that_died_while_the_store_was_away_is_found_dead_a_lease_later() -> None:
    fleets = Fleets()
    (here, living), (there, dying) = fleets.start(1), fleets.start(2)
    await asyncio.sleep(2 * HEARTBEAT_INTERVAL)
    fleets.away = True
    dying.cancel()
    await asyncio.sleep(10)
    fleets.away = False
    await asyncio.sleep(LEASE_SECONDS)
    assert here.alive == {here.server_id, there.server_id}
    await asyncio.sleep(2 * HEARTBEAT_INTERVAL)
    assert here.alive == {here.server_id}
    assert {there.server_id} in fleets.deaths
    living.cancel()
