"""One run: players at tables of several servers on one store, with faults for a while; then the games are finished."""

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
from tests.chaos.append_only_file import read_logs_of_tables
from tests.chaos.checks import violations
from tests.chaos.faults import Faults
from tests.chaos.players import RULES, PlayedTable
from tests.chaos.proxy import Proxy
from tests.chaos.servers import ChaosServer, StoreSocket, disable_aof_rewrite, read_logs
from tests.history import History, Violation
from tests.players import NAMES, RecordingPlayer

PLAYERS_PER_TABLE = (4, 2, 1)
"""Of the first table, the second and so on, in turn; bots take the other seats."""
FINISH_TIMEOUT_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Plan:
    """The settings of a run; times are in seconds, and `away` is that of SPADES_AWAY_SECONDS."""

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
    history: History
    violations: tuple[Violation, ...]
    log_events: Counter[str]


@dataclass(frozen=True, slots=True)
class Deployment:
    store_url: str
    servers: Sequence[ChaosServer]
    client_proxy: Proxy
    store_proxy: Proxy


@contextlib.asynccontextmanager
async def deployed(plan: Plan, folder: Path, rng: Random) -> AsyncIterator[Deployment]:
    """Run a store and servers, with proxies in front of both."""
    async with contextlib.AsyncExitStack() as stack:
        store_url = await stack.enter_async_context(EmbeddedStore(folder / "store"))
        await disable_aof_rewrite(store_url)
        upstream = StoreSocket(store_url.removeprefix("unix://"))
        store_proxy = Proxy(lambda: upstream)
        await store_proxy.listen(str(folder / "store.sock"))
        stack.push_async_callback(store_proxy.close)
        redis = f"unix://{folder / 'store.sock'}"
        servers = [
            ChaosServer(folder / f"server{number}", "--redis", redis, SPADES_AWAY_SECONDS=str(plan.away))
            for number in range(1, plan.servers + 1)
        ]
        for server in servers:
            stack.push_async_callback(server.stop)
        await asyncio.gather(*(server.start() for server in servers))
        client_proxy = Proxy(lambda: rng.choice([server for server in servers if server.up] or [None]))
        await client_proxy.listen()
        stack.push_async_callback(client_proxy.close)
        yield Deployment(store_url, servers, client_proxy, store_proxy)


def make_tables(plan: Plan, url: str, rng: Random) -> list[PlayedTable]:
    """Create the tables of a run, with their players."""
    tables = []
    for number in range(plan.tables):
        players = [
            RecordingPlayer(url, f"{name} {number}", Random(rng.random()), think_seconds=plan.think)
            for name in NAMES[: PLAYERS_PER_TABLE[number % len(PLAYERS_PER_TABLE)]]
        ]
        tables.append(PlayedTable(players, RULES[number // len(PLAYERS_PER_TABLE) % len(RULES)]))
    return tables


async def run(plan: Plan, folder: Path) -> Report:
    """Run a plan in a new folder, whose path is short; all logs of the run are in it afterwards."""
    rng = Random(plan.seed)
    async with deployed(plan, folder, rng) as deployment:
        faults = Faults(deployment.servers, deployment.client_proxy, deployment.store_proxy, deployment.store_url, rng)
        tables = make_tables(plan, f"ws://127.0.0.1:{deployment.client_proxy.port}/ws", rng)
        stuck = await _play(tables, faults, plan.seconds)
        for server in deployment.servers:
            await server.stop()
        final = await _load(deployment.store_url, [table.code for table in tables if table.code])
    players = [player for table in tables for player in table.players]
    history = History(
        tuple(record for player in players for record in player.records),
        tuple(stream for player in players for stream in player.streams),
        read_logs_of_tables(folder / "store" / "data"),
        final,
    )
    log_events, failures = read_logs(deployment.servers)
    problems = [*(text for server in deployment.servers for text in server.problems), *failures]
    found = (*stuck, *(Violation("server", text) for text in problems), *violations(history))
    return Report(plan, faults.counts, history, found, log_events)


async def _play(tables: Sequence[PlayedTable], faults: Faults, seconds: float) -> list[Violation]:
    """Play during the faults and then to the end of every game; return the tables that do not get there."""
    finishing = asyncio.Event()
    async with contextlib.AsyncExitStack() as stack:
        for table in tables:
            for player in table.players:
                await stack.enter_async_context(player)
        playing = [asyncio.create_task(table.play(lambda: not finishing.is_set())) for table in tables]
        await faults.inject(seconds)
        finishing.set()
        ends = await asyncio.gather(*(_finish(table, task) for table, task in zip(tables, playing, strict=True)))
    return [end for end in ends if end is not None]


async def _finish(table: PlayedTable, playing: asyncio.Task[None]) -> Violation | None:
    """Wait for the end of a table's game; return a violation if it does not come in time."""
    over = asyncio.create_task(table.game_over())
    await asyncio.wait([over, playing], timeout=FINISH_TIMEOUT_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    reached = over.done() and over.exception() is None
    failures = [task.exception() for task in (over, playing) if task.done()]
    for task in (over, playing):
        task.cancel()
    await asyncio.gather(over, playing, return_exceptions=True)
    return None if reached else Violation("stuck", f"{table}, {table.state()}: {failures or 'no end in time'}")


async def _load(store_url: str, codes: Sequence[str]) -> dict[str, LoadedTable | None]:
    log = RedisLog(store_url)
    try:
        return {code: await log.load(code) for code in codes}
    finally:
        await log.close()
