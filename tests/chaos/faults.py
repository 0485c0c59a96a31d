"""Random faults, each undone after a while.

Invariant: every fault ends by itself, and at least one server is up.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from random import Random

from tests.chaos.proxy import ProxiedConnection, Proxy
from tests.chaos.servers import ChaosServer, kill_store

INTERVAL_SECONDS = (0.1, 0.8)
"""Shortest and longest time between two faults."""


class Faults:
    """`clients` is the proxy between players and servers, `store` the one between servers and the store."""

    def __init__(
        self, servers: Sequence[ChaosServer], clients: Proxy, store: Proxy, store_url: str, rng: Random
    ) -> None:
        self.counts: Counter[str] = Counter()
        self._servers = servers
        self._clients = clients
        self._store = store
        self._store_url = store_url
        self._rng = rng
        self._killing_store = asyncio.Lock()
        self._weights: dict[Callable[[], Awaitable[None]], int] = {
            self._kill_server: 3,
            self._pause_server: 5,
            self._stop_server: 1,
            self._kill_store: 1,
            self._drop_connections: 5,
            self._stall_connections: 4,
            self._slow_connections: 3,
            self._drop_clients: 5,
        }

    async def inject(self, seconds: float) -> None:
        """Inject faults for so long; return when the last one is undone."""
        until = asyncio.get_running_loop().time() + seconds
        faults, weights = tuple(self._weights), tuple(self._weights.values())
        async with asyncio.TaskGroup() as group:
            while asyncio.get_running_loop().time() < until:
                await asyncio.sleep(self._rng.uniform(*INTERVAL_SECONDS))
                (fault,) = self._rng.choices(faults, weights)
                group.create_task(fault())

    def _victim(self) -> ChaosServer | None:
        """Return a server that is up, unless it is the last one."""
        up = [server for server in self._servers if server.up]
        return self._rng.choice(up) if len(up) > 1 else None

    async def _kill_server(self) -> None:
        if server := self._victim():
            self.counts["servers killed"] += 1
            await server.kill()
            await self._wait(0, 3)
            await server.start()

    async def _stop_server(self) -> None:
        if server := self._victim():
            self.counts["servers stopped"] += 1
            await server.stop()
            await self._wait(0, 2)
            await server.start()

    async def _pause_server(self) -> None:
        """Pause a server; sometimes its clients are dropped meanwhile, and it reads their requests when it resumes."""
        if server := self._victim():
            self.counts["servers paused"] += 1
            server.pause()
            try:
                await self._wait(0.2, 0.5)
                if self._rng.random() < 0.6:
                    connections = [each for each in self._clients.connections if each.upstream is server]
                    self._drop(ProxiedConnection.drop_client, connections)
                await self._wait(0.3, 5.5)
            finally:
                server.resume()

    async def _kill_store(self) -> None:
        if not self._killing_store.locked():
            async with self._killing_store:
                self.counts["stores killed"] += 1
                await kill_store(self._store_url)

    async def _drop_connections(self) -> None:
        self._drop(ProxiedConnection.drop, self._some_connections())

    async def _drop_clients(self) -> None:
        """Drop clients while their requests are held back, so that these arrive after the client is gone."""
        connections = self._some_connections()
        for connection in connections:
            connection.stall()
        await self._wait(0, 0.3)
        self._drop(ProxiedConnection.drop_client, connections)
        await self._wait(0, 4)
        for connection in connections:
            connection.resume()

    async def _stall_connections(self) -> None:
        connections = self._some_connections()
        self.counts["connections stalled"] += len(connections)
        for connection in connections:
            connection.stall()
        await self._wait(0.5, 6)
        for connection in connections:
            connection.resume()
        if self._rng.random() < 0.5:
            self._drop(ProxiedConnection.drop, connections)

    async def _slow_connections(self) -> None:
        connections = self._some_connections()
        self.counts["connections slowed"] += len(connections)
        for connection in connections:
            connection.slow(self._rng.uniform(0.01, 0.2))
        await self._wait(1, 4)
        for connection in connections:
            connection.slow(0)

    def _some_connections(self) -> list[ProxiedConnection]:
        """Return a few, many or all connections, of clients or of servers."""
        (proxy,) = self._rng.choices((self._clients, self._store), (4, 1))
        connections = proxy.connections
        total = len(connections)
        (count,) = self._rng.choices((1, 2, total // 8, total // 3, total), (3, 3, 3, 2, 1))
        return self._rng.sample(connections, min(count, total))

    def _drop(self, drop: Callable[[ProxiedConnection], None], connections: Sequence[ProxiedConnection]) -> None:
        self.counts["connections dropped"] += len(connections)
        for connection in connections:
            drop(connection)

    async def _wait(self, least: float, most: float) -> None:
        await asyncio.sleep(self._rng.uniform(least, most))
