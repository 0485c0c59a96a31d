"""The one place that builds the parts of a server and connects them, and that ends them in the right order.

The order of a stop: nobody new comes in, nothing more is read, what was asked is
done and answered, everybody is told when to come back, other servers are told
that our players are gone. Each step has its time, so that all of them together
stay under ten seconds, whatever clients and store do.
"""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

import structlog

from server import __version__, metrics
from server.experts.pending import Experts
from server.experts.pool import thinking
from server.gateway.websocket import listening, open_sockets
from server.lobby.lobby import Lobby
from server.settings import Settings
from server.store.embedded.process import EmbeddedStore
from server.store.log import StoreUnavailable, TableLog
from server.store.redis_log import RedisLog
from server.tables.registry import TableRegistry
from spades_core.schedule import Pace

SETTLE_SECONDS = 3.0
RETIRE_SECONDS = 1.0

log = structlog.get_logger()


async def run(settings: Settings, opened: Callable[[int], None], stop: asyncio.Event) -> None:
    """Serve from this process until `stop` is set. `opened` hears the port once the door is open.

    Raises StoreError for a store that is not there, OSError for a port in use.
    """
    async with store_url(settings) as url, checked_store(url) as store:
        sockets = await open_sockets(settings.host, settings.port)
        port = sockets[0].getsockname()[1]
        where = "redis" if settings.redis else str(settings.data)

        def serving() -> None:
            log.info("serving", host=settings.host, port=port, store=where)
            opened(port)

        await serve(settings, store, sockets, serving, stop)


async def serve(
    settings: Settings,
    store: TableLog,
    sockets: Sequence[socket.socket],
    serving: Callable[[], None],
    stop: asyncio.Event,
    *,
    worker: int | None = None,
) -> None:
    """What one process serves: its tables, and who comes in at the sockets. `worker` is its number among several."""
    async with (
        thinking(settings.thinkers_each) as thinkers,
        _running_tables(store, thinkers, settings) as tables,
        listening(
            sockets, settings, Lobby(tables), lambda: _health(tables, stop, worker), lambda: metrics.text(worker)
        ) as door,
    ):
        serving()
        await stop.wait()
        log.info("stopping")
        await door.stop_reading()
        await _within(SETTLE_SECONDS, tables.drain(), "settling the tables")


@asynccontextmanager
async def store_url(settings: Settings) -> AsyncIterator[str]:
    """Where the tables are kept: a store of our own, running until the end of the block, or the one that was named."""
    if settings.redis is not None:
        yield settings.redis
        return
    async with EmbeddedStore(settings.data) as url:
        yield url


@asynccontextmanager
async def checked_store(url: str) -> AsyncIterator[TableLog]:
    store = RedisLog(url)
    try:
        await store.check()
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def _running_tables(store: TableLog, thinkers: Experts, settings: Settings) -> AsyncIterator[TableRegistry]:
    """The tables and their task; what they cannot survive ends the server, visibly."""
    pace = Pace(takeover_after=settings.away_seconds).scaled(settings.pace)
    tables = TableRegistry(store, thinkers, pace=pace)
    async with asyncio.TaskGroup() as group:
        task = group.create_task(tables.run())
        await asyncio.sleep(0)  # let it begin, so that tables can be opened
        try:
            yield tables
            await _within(RETIRE_SECONDS, tables.leave(), "retiring from the tables")
        finally:
            task.cancel()


async def _within(seconds: float, step: Awaitable[None], name: str) -> None:
    try:
        async with asyncio.timeout(seconds):
            await step
    except (TimeoutError, StoreUnavailable) as problem:
        log.warning("a step of stopping was given up", step=name, problem=str(problem) or "it took too long")


def _health(tables: TableRegistry, stop: asyncio.Event, worker: int | None) -> dict[str, object]:
    status = "stopping" if stop.is_set() else "ok" if tables.store_answers else "store unavailable"
    return {
        "status": status,
        "version": __version__,
        "tables": len(tables),
        **({} if worker is None else {"worker": worker}),
    }
