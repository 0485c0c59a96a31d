"""A store of each kind, with the operations that the tests for all kinds need, and logs on real stores."""

import contextlib
from typing import Protocol

from redis.asyncio import Redis

from server.store.keys import keys_of
from server.store.log import TableLog
from server.store.memory_log import MemoryLog
from server.store.redis_log import RedisLog
from tests.server.store.deployments import Deployment


class Store(Protocol):
    def open(self) -> TableLog: ...

    async def delete_table(self, code: str) -> None: ...

    async def interrupt_listeners(self) -> None: ...

    async def close(self) -> None: ...


class MemoryStore:
    def __init__(self) -> None:
        self._log = MemoryLog()

    def open(self) -> TableLog:
        return self._log

    async def delete_table(self, code: str) -> None:
        self._log.delete(code)

    async def interrupt_listeners(self) -> None:
        self._log.interrupt()

    async def close(self) -> None:
        await self._log.close()


class _LogOpener:
    def __init__(self, url: str) -> None:
        self._url = url
        self._logs: list[RedisLog] = []

    def open(self) -> TableLog:
        self._logs.append(RedisLog(self._url))
        return self._logs[-1]

    async def close(self) -> None:
        for log in self._logs:
            await log.close()


class RedisStore(_LogOpener):
    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.client = Redis.from_url(url, protocol=2)

    async def delete_table(self, code: str) -> None:
        keys = keys_of(code)
        await self.client.delete(keys.head, keys.log)

    async def interrupt_listeners(self) -> None:
        await self.client.execute_command("CLIENT", "KILL", "TYPE", "pubsub")

    async def close(self) -> None:
        await super().close()
        await self.client.aclose()


class ReplicatedStore(_LogOpener):
    def __init__(self, deployment: Deployment) -> None:
        super().__init__(deployment.url)
        self._deployment = deployment

    async def delete_table(self, code: str) -> None:
        keys = keys_of(code)
        self._deployment.owner_of(keys.head).client.delete(keys.head, keys.log)

    async def interrupt_listeners(self) -> None:
        for server in self._deployment.servers:
            server.client.execute_command("CLIENT", "KILL", "TYPE", "pubsub")


@contextlib.asynccontextmanager
async def open_log(url, **settings):
    log = RedisLog(url, **settings)
    try:
        yield log
    finally:
        await log.close()


async def no_retry(_seconds):
    raise AssertionError("a final error was retried")


async def dump_all(client):
    return {key: await client.dump(key) for key in sorted(await client.keys("*"))}
