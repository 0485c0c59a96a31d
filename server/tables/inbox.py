"""What a table has to do, in order, and what it did but could not save.

Invariant: a job with a viewer is answered once, or turned away once.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from server.presence.audience import Viewer


@dataclass(frozen=True, slots=True)
class Job:
    """Something for the table's task to do; `viewer` waits for the answer to the request `re`."""

    do: Callable[[], Awaitable[None]]
    viewer: Viewer | None = None
    re: str | None = None


class Inbox:
    """`turn_away` is called with every job that comes, or is still there, after the end."""

    def __init__(self, turn_away: Callable[[Job], None]) -> None:
        self._turn_away = turn_away
        self._waiting: asyncio.Queue[Job | None] = asyncio.Queue()
        self._held: list[Job] = []
        self._ended = False

    @property
    def holds(self) -> bool:
        return bool(self._held)

    @property
    def is_empty(self) -> bool:
        return self._waiting.empty()

    def put(self, job: Job | None) -> None:
        """None asks the table to look anew at what comes next, and whether it has a reason to stay."""
        if not self._ended:
            self._waiting.put_nowait(job)
        elif job is not None:
            self._turn_away(job)

    async def next(self, at: float | None) -> Job | None:
        """Raises TimeoutError when nothing came until then, by the clock of the loop."""
        async with asyncio.timeout_at(at):
            return await self._waiting.get()

    def hold(self, job: Job) -> None:
        """Whether it was saved is not known."""
        self._held.append(job)

    def let_go(self, is_answered: Callable[[Job], bool]) -> None:
        """Forget the held jobs that turned out to be done."""
        self._held = [job for job in self._held if not is_answered(job)]

    def try_again(self) -> None:
        """The held jobs wait once more, behind the others."""
        held, self._held = self._held, []
        for job in held:
            self._waiting.put_nowait(job)

    def end(self) -> None:
        self._ended = True
        self.try_again()
        while not self._waiting.empty():
            job = self._waiting.get_nowait()
            if job is not None:
                self._turn_away(job)
