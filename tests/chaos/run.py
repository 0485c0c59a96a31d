"""One run: servers on one store, tables full of people, faults for a while; then peace, and the reckoning."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from server.store.embedded.process import EmbeddedStore
from server.store.log import LoadedTable
from server.store.redis_log import RedisLog
from tests.chaos.append_only_file import read_append_only_file
from tests.chaos.checks import Violation, violations
from tests.chaos.faults import Faults
from tests.chaos.history import History
from tests.chaos.players import RULES, Person, PlayedTable
from tests.chaos.proxy import Proxy
from tests.chaos.servers import Server, StoreSocket, keep_all, said

PEOPLE = (4, 2, 1)
"""At one table and the next and so on; the other seats are for bots."""
FINISH_WITHIN_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Plan:
    seed: int
    seconds: float
    tables: int
    servers: int
    think: float
    away: float


@dataclass(frozen=True, slots=True)
class Report:
    plan: Plan
    faults: Counter[str]
    facts: History
    violations: tuple[Violation, ...]
    said: Counter[str]


@dataclass(frozen=True, slots=True)
class World:
    store_url: str
    servers: Sequence[Server]
    clients: Proxy
    store: Proxy


@contextlib.asynccontextmanager
async def world(plan: Plan, folder: Path, rng: Random) -> AsyncIterator[World]:
    """Everything there is to break, in order."""
    async with contextlib.AsyncExitStack() as stack:
        store_url = await stack.enter_async_context(EmbeddedStore(folder / "store"))
        await keep_all(store_url)
        behind = StoreSocket(store_url.removeprefix("unix://"))
        store = Proxy(lambda: behind)
        await store.listen(str(folder / "store.sock"))
        stack.push_async_callback(store.close)
        redis = f"unix://{folder / 'store.sock'}"
        servers = [
            Server(folder / f"server{number}", "--redis", redis, SPADES_AWAY_SECONDS=str(plan.away))
            for number in range(1, plan.servers + 1)
        ]
        for server in servers:
            stack.push_async_callback(server.stop)
        await asyncio.gather(*(server.start() for server in servers))
        clients = Proxy(lambda: rng.choice([server for server in servers if server.up] or [None]))
        await clients.listen()
        stack.push_async_callback(clients.close)
        yield World(store_url, servers, clients, store)


def invited(plan: Plan, url: str, rng: Random) -> list[PlayedTable]:
    """The tables of a run, with their people."""
    tables = []
    for number in range(plan.tables):
        people = [
            Person(url, f"{name} {number}", Random(rng.random()), plan.think)
            for name in ("Anna", "Ben", "Cleo", "Dora")[: PEOPLE[number % len(PEOPLE)]]
        ]
        tables.append(PlayedTable(people, RULES[number // len(PEOPLE) % len(RULES)]))
    return tables


async def run(plan: Plan, folder: Path) -> Report:
    """`folder` is new and its path is short; all of the run is in it afterwards."""
    rng = Random(plan.seed)
    async with world(plan, folder, rng) as there:
        faults = Faults(there.servers, there.clients, there.store, there.store_url, rng)
        tables = invited(plan, f"ws://127.0.0.1:{there.clients.port}/ws", rng)
        stuck = await _played(tables, faults, plan.seconds)
        for server in there.servers:
            await server.stop()
        final = await _final(there.store_url, [table.code for table in tables if table.code])
    people = [person for table in tables for person in table.people]
    facts = History(
        tuple(asked for person in people for asked in person.asked),
        tuple(stream for person in people for stream in person.streams),
        read_append_only_file(folder / "store" / "data"),
        final,
    )
    counts, bad = said(there.servers)
    failed = [*(text for server in there.servers for text in server.complaints), *bad]
    wrong = (*stuck, *(Violation("server", text) for text in failed), *violations(facts))
    return Report(plan, faults.counts, facts, wrong, counts)


async def _played(tables: Sequence[PlayedTable], faults: Faults, seconds: float) -> list[Violation]:
    """Play while all goes wrong, and then to the end of every game; tells of tables that do not get there."""
    finishing = asyncio.Event()
    async with contextlib.AsyncExitStack() as stack:
        for table in tables:
            for person in table.people:
                await stack.enter_async_context(person)
        playing = [asyncio.create_task(table.play(finishing)) for table in tables]
        await faults.rage(seconds)
        finishing.set()
        ends = await asyncio.gather(*(_ended(table, task) for table, task in zip(tables, playing, strict=True)))
    return [end for end in ends if end is not None]


async def _ended(table: PlayedTable, playing: asyncio.Task[None]) -> Violation | None:
    """What kept the people of a table from ending their game, if anything did."""
    over = asyncio.create_task(table.over())
    await asyncio.wait([over, playing], timeout=FINISH_WITHIN_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    reached = over.done() and over.exception() is None
    failures = [task.exception() for task in (over, playing) if task.done()]
    for task in (over, playing):
        task.cancel()
    await asyncio.gather(over, playing, return_exceptions=True)
    return None if reached else Violation("stuck", f"{table}, {table.stand()}: {failures or 'no end in time'}")


async def _final(store_url: str, codes: Sequence[str]) -> dict[str, LoadedTable | None]:
    log = RedisLog(store_url)
    try:
        return {code: await log.load(code) for code in codes}
    finally:
        await log.close()
