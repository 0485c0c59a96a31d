"""Build the parts of a server, connect them, and shut them down in order.

A shutdown stops accepting connections and reading requests, answers the requests
received so far, tells the clients when to reconnect, and tells the other servers
that our players are gone. Each step has a timeout, so that all of them together
take less than ten seconds, whatever clients and store do.
"""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

import structlog

from server import __version__, metrics
from server.experts.pending import Experts
from server.experts.pool import running_pool
from server.gateway.websocket import open_sockets, serving
from server.lobby.lobby import Lobby
from server.settings import Settings
from server.store.embedded.process import EmbeddedStore
from server.store.log import StoreUnavailable, TableLog
from server.store.redis_log import RedisLog
from server.tables.registry import TableRegistry
from spades_core.schedule import Pace

# In seconds.
DRAIN_TIMEOUT = 3.0
LEAVE_TIMEOUT = 1.0

log = structlog.get_logger()


async def run(settings: Settings, ready: Callable[[int], None], stop: asyncio.Event) -> None:
    """Serve from this process until `stop` is set; call `ready` with the port once connections are accepted.

    Raises StoreError if the store cannot be used, OSError if the port cannot be opened.
    """
    async with store_url(settings) as url, checked_store(url) as store:
        sockets = await open_sockets(settings.host, settings.port)
        port = sockets[0].getsockname()[1]

        def accepting() -> None:
            log.info("serving", host=settings.host, port=port, store="redis" if settings.redis else str(settings.data))
            ready(port)

        await serve(settings, store, sockets, accepting, stop)


async def serve(
    settings: Settings,
    store: TableLog,
    sockets: Sequence[socket.socket],
    ready: Callable[[], None],
    stop: asyncio.Event,
    *,
    worker: int | None = None,
) -> None:
    """Serve connections to the sockets until `stop` is set. `worker` is the number of this process among several."""
    async with (
        running_pool(settings.expert_workers_per_process) as experts,
        _running_tables(store, experts, settings) as tables,
        serving(
            sockets, settings, Lobby(tables), lambda: _health(tables, stop, worker), lambda: metrics.text(worker)
        ) as server,
    ):
        ready()
        await stop.wait()
        log.info("stopping")
        await server.stop_reading()
        await _within(DRAIN_TIMEOUT, tables.drain(), "draining the tables")


@asynccontextmanager
async def store_url(settings: Settings) -> AsyncIterator[str]:
    """Give the URL of the configured store, or run the embedded store until the end of the block."""
    if settings.redis is not None:
        yield settings.redis
        return
    async with EmbeddedStore(settings.data) as url:
        yield url


@asynccontextmanager
async def checked_store(url: str) -> AsyncIterator[TableLog]:
    """Connect to the store. Raises StoreError if it cannot be used."""
    store = RedisLog(url)
    try:
        await store.check()
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def _running_tables(store: TableLog, experts: Experts, settings: Settings) -> AsyncIterator[TableRegistry]:
    """Run the tables in a task of their own; an unexpected error in it ends the server."""
    pace = Pace(takeover_after=settings.away_seconds).scaled(settings.pace)
    tables = TableRegistry(store, experts, pace=pace)
    async with asyncio.TaskGroup() as group:
        task = group.create_task(tables.run())
        await asyncio.sleep(0)  # let it start, so that tables can be opened
        try:
            yield tables
            await _within(LEAVE_TIMEOUT, tables.leave(), "leaving the tables")
        finally:
            task.cancel()


async def _within(seconds: float, step: Awaitable[None], name: str) -> None:
    try:
        async with asyncio.timeout(seconds):
            await step
    except (TimeoutError, StoreUnavailable) as problem:
        log.warning("shutdown step abandoned", step=name, problem=str(problem) or "timed out")


def _health(tables: TableRegistry, stop: asyncio.Event, worker: int | None) -> dict[str, object]:
    status = "stopping" if stop.is_set() else "ok" if tables.store_answers else "store unavailable"
    return {
        "status": status,
        "version": __version__,
        "tables": len(tables),
        **({} if worker is None else {"worker": worker}),
    }
