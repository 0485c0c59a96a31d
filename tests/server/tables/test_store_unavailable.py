"""A store that is unavailable, in whole or in part, in virtual time: nobody is taken for dead or gone."""

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


class PartlyUnavailableLog(MemoryLog):
    """A store without answers about the tables in `away`."""

    def __init__(self) -> None:
        super().__init__()
        self.away: set[str] = set()

    async def heads(self, codes: Sequence[str]) -> dict[str, Head | None]:
        told = {code: top for code, top in (await super().heads(codes)).items() if code not in self.away}
        if codes and not told:
            raise StoreUnavailable("the store is away")
        return told


async def test_a_table_in_an_unavailable_part_of_the_store_is_not_taken_for_gone() -> None:
    store, anna, ben = PartlyUnavailableLog(), FakeViewer("Anna"), FakeViewer("Ben")
    async with server_on(store) as here, server_on(store, seed=8) as there:
        table = await open_table(here, anna)
        elsewhere = await there.find(CODE)
        await ben.join(elsewhere)
        await here.create(OpenTable("OTHER", CLASSIC, "somebody", "Somebody"), "1")
        store.away = {"OTHER"}
        here.committed = lambda *_: None  # wake-ups are lost
        with capture_logs() as logs:
            await ben.ask(elsewhere, Sit(ben.new_id(), SEATS[1]))
            await asyncio.sleep(POSITION_CHECK_INTERVAL * 1.2)
        assert table.replica.at == elsewhere.replica.at
        assert {"event": "position check incomplete", "log_level": "warning", "unknown": 1, "of": 2} in logs
        assert here.store_answers
        store.away = {"OTHER", CODE}
        await asyncio.sleep(POSITION_CHECK_INTERVAL * 1.2)
        assert not here.store_answers
        assert len(here) == 2


class Servers:
    """Servers on one store that can be unavailable, and the deaths reported to them."""

    def __init__(self) -> None:
        self.store = MemoryLog()
        self.away = False
        self.deaths: list[frozenset[str]] = []
        heartbeat = self.store.heartbeat

        async def heartbeat_if_available(server: str, lease_ms: int) -> frozenset[str]:
            if self.away:
                raise StoreUnavailable("the store is away")
            return await heartbeat(server, lease_ms)

        self.store.heartbeat = heartbeat_if_available  # type: ignore[method-assign]

    def start(self, seed: int) -> tuple[Membership, asyncio.Task[None]]:
        membership = Membership(self.store, Random(seed))
        return membership, asyncio.create_task(membership.run(self.deaths.append))


@pytest.mark.parametrize("seconds", [1.0, 2.0, 3.0, 4.0, 5.0, 12.0])
async def test_after_an_outage_of_the_store_no_living_server_is_taken_for_dead(seconds: float) -> None:
    servers = Servers()
    running = [servers.start(seed) for seed in range(3)]
    everybody = {membership.server_id for membership, _ in running}
    for _ in range(8):
        await asyncio.sleep(1.5 * HEARTBEAT_INTERVAL + LEASE_SECONDS)
        assert all(membership.alive == everybody for membership, _ in running)
        servers.away = True
        await asyncio.sleep(seconds)
        servers.away = False
    ids = [membership.server_id for membership, _ in running]
    others = [death - {server_id} for death in servers.deaths for server_id in ids if death == {server_id}]
    assert len(others) == len(servers.deaths)  # each was told of its own death only
    for _, task in running:
        task.cancel()


async def test_a_server_that_died_during_an_outage_is_found_dead_a_lease_later() -> None:
    servers = Servers()
    (here, living), (there, dying) = servers.start(1), servers.start(2)
    await asyncio.sleep(2 * HEARTBEAT_INTERVAL)
    servers.away = True
    dying.cancel()
    await asyncio.sleep(10)
    servers.away = False
    await asyncio.sleep(LEASE_SECONDS)
    assert here.alive == {here.server_id, there.server_id}
    await asyncio.sleep(2 * HEARTBEAT_INTERVAL)
    assert here.alive == {here.server_id}
    assert {there.server_id} in servers.deaths
    living.cancel()
