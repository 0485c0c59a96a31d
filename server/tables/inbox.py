"""The jobs that a table has to do, in order, and the ones it did but could not save.

Invariant: a job with a viewer is answered once, or rejected once.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from server.presence.viewers import Viewer


@dataclass(frozen=True, slots=True)
class Job:
    """Work for the table's task; `viewer`, if any, waits for the answer to its request `re`."""

    do: Callable[[], Awaitable[None]]
    viewer: Viewer | None = None
    re: str | None = None


class Inbox:
    """`reject` is called with every job that arrives, or is still waiting, after the inbox was closed."""

    def __init__(self, reject: Callable[[Job], None]) -> None:
        self._reject = reject
        self._waiting: asyncio.Queue[Job | None] = asyncio.Queue()
        self._parked: list[Job] = []
        self._closed = False

    @property
    def has_parked(self) -> bool:
        return bool(self._parked)

    @property
    def is_empty(self) -> bool:
        return self._waiting.empty()

    def put(self, job: Job | None) -> None:
        """Add a job; None makes the table reconsider what is next, and whether to stay in memory."""
        if not self._closed:
            self._waiting.put_nowait(job)
        elif job is not None:
            self._reject(job)

    async def next(self, until: float | None) -> Job | None:
        """Return the next job. Raises TimeoutError if there is none by `until`, by the clock of the loop."""
        async with asyncio.timeout_at(until):
            return await self._waiting.get()

    def park(self, job: Job) -> None:
        """Keep a job of which it is not known whether it was saved."""
        self._parked.append(job)

    def discard_parked(self, is_done: Callable[[Job], bool]) -> None:
        """Forget the parked jobs that turned out to be done."""
        self._parked = [job for job in self._parked if not is_done(job)]

    def retry_parked(self) -> None:
        """Put the parked jobs behind the waiting ones."""
        parked, self._parked = self._parked, []
        for job in parked:
            self._waiting.put_nowait(job)

    def close(self) -> None:
        self._closed = True
        self.retry_parked()
        while not self._waiting.empty():
            job = self._waiting.get_nowait()
            if job is not None:
                self._reject(job)
