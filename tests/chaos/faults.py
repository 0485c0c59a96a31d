"""What goes wrong, and when: drawn by chance, done for a while, and undone.

Invariant: every fault ends by itself, and one server at least is up.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from random import Random

from tests.chaos.proxy import Line, Proxy
from tests.chaos.servers import Server, kill_store

PAUSES = (0.1, 0.8)
"""Seconds between one fault and the next, least and most."""


class Faults:
    """`clients` carries what people say to the servers, `store` what the servers say to their store at `store_url`."""

    def __init__(self, servers: Sequence[Server], clients: Proxy, store: Proxy, store_url: str, rng: Random) -> None:
        self.counts: Counter[str] = Counter()
        self._servers = servers
        self._clients = clients
        self._store = store
        self._store_url = store_url
        self._rng = rng
        self._killing_store = asyncio.Lock()
        self._kinds: dict[Callable[[], Awaitable[None]], int] = {
            self._kill_server: 3,
            self._pause_server: 5,
            self._stop_server: 1,
            self._kill_store: 1,
            self._drop: 5,
            self._hold: 4,
            self._slow: 3,
            self._part: 5,
        }

    async def rage(self, seconds: float) -> None:
        """For so long; returns when the last of it is undone."""
        until = asyncio.get_running_loop().time() + seconds
        kinds, weights = tuple(self._kinds), tuple(self._kinds.values())
        async with asyncio.TaskGroup() as group:
            while asyncio.get_running_loop().time() < until:
                await asyncio.sleep(self._rng.uniform(*PAUSES))
                (kind,) = self._rng.choices(kinds, weights)
                group.create_task(kind())

    def _victim(self) -> Server | None:
        """A server that is up, unless it is the last."""
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
            self.counts["servers stopped in order"] += 1
            await server.stop()
            await self._wait(0, 2)
            await server.start()

    async def _pause_server(self) -> None:
        """Now and then its connections are taken away meanwhile, and what they carried is read when it goes on."""
        if server := self._victim():
            self.counts["servers paused"] += 1
            server.pause()
            try:
                await self._wait(0.2, 0.5)
                if self._rng.random() < 0.6:
                    self._cut(Line.part, [line for line in self._clients.lines if line.behind is server])
                await self._wait(0.3, 5.5)
            finally:
                server.resume()

    async def _kill_store(self) -> None:
        if not self._killing_store.locked():
            async with self._killing_store:
                self.counts["stores killed"] += 1
                await kill_store(self._store_url)

    async def _drop(self) -> None:
        self._cut(Line.drop, self._some_lines())

    async def _part(self) -> None:
        """What was said arrives later, from somebody who is no longer there."""
        lines = self._some_lines()
        for line in lines:
            line.hold()
        await self._wait(0, 0.3)
        self._cut(Line.part, lines)
        await self._wait(0, 4)
        for line in lines:
            line.release()

    async def _hold(self) -> None:
        lines = self._some_lines()
        self.counts["connections held"] += len(lines)
        for line in lines:
            line.hold()
        await self._wait(0.5, 6)
        for line in lines:
            line.release()
        if self._rng.random() < 0.5:
            self._cut(Line.drop, lines)

    async def _slow(self) -> None:
        lines = self._some_lines()
        self.counts["connections slowed"] += len(lines)
        for line in lines:
            line.slow(self._rng.uniform(0.01, 0.2))
        await self._wait(1, 4)
        for line in lines:
            line.slow(0)

    def _some_lines(self) -> list[Line]:
        """A few, many or all, of people or of servers."""
        (proxy,) = self._rng.choices((self._clients, self._store), (4, 1))
        lines = proxy.lines
        (wanted,) = self._rng.choices((1, 2, len(lines) // 8, len(lines) // 3, len(lines)), (3, 3, 3, 2, 1))
        return self._rng.sample(lines, min(wanted, len(lines)))

    def _cut(self, how: Callable[[Line], None], lines: Sequence[Line]) -> None:
        self.counts["connections dropped"] += len(lines)
        for line in lines:
            how(line)

    async def _wait(self, least: float, most: float) -> None:
        await asyncio.sleep(self._rng.uniform(least, most))
