"""A recorder of all commits: a table's log is cut when its next game starts, but subscribers are sent every commit."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Self

from server.store.log import TablePresence
from server.store.redis_log import RedisLog
from spades_core.commit import Commit


class CommitRecorder:
    """A subscriber to every table of a store."""

    def __init__(self, log: RedisLog) -> None:
        self.commits: list[Commit] = []
        self._log = log
        self._subscribed = asyncio.Event()

    @contextlib.asynccontextmanager
    async def recording(self) -> AsyncIterator[Self]:
        listening = asyncio.create_task(self._log.listen(self))
        await self._subscribed.wait()
        yield self
        listening.cancel()

    async def until(self, condition: Callable[[], bool], seconds: float = 5.0) -> None:
        """Wait for a condition over `commits`. Raises TimeoutError."""
        async with asyncio.timeout(seconds):
            while not condition():  # noqa: ASYNC110
                await asyncio.sleep(0.01)

    def wants(self, _code: str) -> bool:
        return True

    def committed(self, _code: str, commit: Commit) -> None:
        self.commits.append(commit)

    def presence_changed(self, _code: str, _presence: TablePresence) -> None:
        pass

    def resubscribed(self) -> None:
        self._subscribed.set()
