"""The one place that builds the parts of a server and connects them."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import structlog

from server import __version__
from server.gateway.websocket import listening
from server.lobby.lobby import Lobby
from server.settings import Settings
from server.store.embedded import EmbeddedStore
from server.store.log import TableLog
from server.store.redis_log import RedisLog
from server.tables.clock import Pace
from server.tables.registry import Tables

log = structlog.get_logger()


async def run(settings: Settings, opened: Callable[[int], None], stop: asyncio.Event) -> None:
    """Serve until `stop` is set. `opened` hears the port once the door is open.

    Raises StoreError for a store that is not there, OSError for a port in use.
    """
    async with (
        _store(settings) as store,
        _running_tables(store, settings) as tables,
        listening(settings, Lobby(tables), lambda: _health(tables)) as server,
    ):
        port = server.sockets[0].getsockname()[1]
        log.info("serving", host=settings.host, port=port, store="redis" if settings.redis else str(settings.data))
        opened(port)
        await stop.wait()
        log.info("stopping")


@asynccontextmanager
async def _store(settings: Settings) -> AsyncIterator[TableLog]:
    async with contextlib.AsyncExitStack() as stack:
        url = settings.redis
        if url is None:
            url = await stack.enter_async_context(EmbeddedStore(settings.data))
        store = RedisLog.at(url)
        stack.push_async_callback(store.close)
        await store.check()
        yield store


@asynccontextmanager
async def _running_tables(store: TableLog, settings: Settings) -> AsyncIterator[Tables]:
    """The tables and their task; what they cannot survive ends the server, visibly."""
    pace = Pace(away=settings.away_seconds).times(settings.pace)
    tables = Tables(store, pace=pace)
    async with asyncio.TaskGroup() as group:
        task = group.create_task(tables.run())
        await asyncio.sleep(0)  # let it begin, so that tables can be opened
        try:
            yield tables
        finally:
            task.cancel()


def _health(tables: Tables) -> dict[str, object]:
    return {
        "status": "ok" if tables.store_answers else "store unavailable",
        "version": __version__,
        "tables": len(tables),
    }
