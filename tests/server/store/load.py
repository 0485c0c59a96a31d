"""Writers that append at a steady pace whatever happens to the store, and record what was acknowledged when."""

import asyncio
import contextlib
import secrets
import time
from collections.abc import AsyncIterator, Sequence
from itertools import pairwise
from typing import Self

from server.store.log import Appended, Conflict, LoadedTable, TableLog
from spades_core.commit import Commit, LogPosition
from spades_core.events import BidPlaced
from spades_core.seats import SEATS

INTERVAL_S = 0.01


class SharedTable:
    """A table with several writers."""

    def __init__(self, code: str, start: LogPosition) -> None:
        self.code = code
        self.start = start
        self.appended: list[Commit] = []

    async def has_all_in(self, log: TableLog) -> bool:
        """Return whether every acknowledged commit is in the log; `load` verifies numbers and ids."""
        loaded = await log.load(self.code)
        assert loaded is not None
        return {commit.id for commit in self.appended} <= {commit.id for commit in loaded.commits}


class LoadGenerator:
    def __init__(self) -> None:
        self.acknowledged: dict[str, list[float]] = {}
        self._done = asyncio.Event()

    @contextlib.asynccontextmanager
    async def on(self, logs: Sequence[TableLog], histories: Sequence, shared: SharedTable) -> AsyncIterator[Self]:
        """Append to each table with one writer, and to the shared table with one writer per log."""
        async with asyncio.TaskGroup() as group:
            for number, history in enumerate(histories):
                group.create_task(self._write_alone(logs[number % len(logs)], history))
            for number, log in enumerate(logs):
                group.create_task(self._write_shared(log, shared, f"player {number}"))
            yield self
            self._done.set()

    async def _write_alone(self, log: TableLog, history) -> None:
        """The only writer: every append must end as Appended."""
        while not self._done.is_set():
            await history.add(log, history.next(player="ann", request=f"{history.last.n}"))
            self._record(history.code)
            await asyncio.sleep(INTERVAL_S)

    async def _write_shared(self, log: TableLog, shared: SharedTable, name: str) -> None:
        last = shared.start
        while not self._done.is_set():
            commit = Commit(
                *(last.n + 1, secrets.token_hex(8), last.id, name, secrets.token_hex(4)),
                (BidPlaced(SEATS[last.n % 4], 3),),
            )
            match await log.append(shared.code, commit):
                case Appended(at):
                    shared.appended.append(commit)
                    self._record(shared.code)
                    last = at
                    await asyncio.sleep(INTERVAL_S)
                case Conflict():
                    missed = await log.read(shared.code, last)
                    assert missed is not None, "the log was rolled back"
                    last = missed[-1].at if missed else last
                case other:
                    raise AssertionError(other)

    def _record(self, code: str) -> None:
        self.acknowledged.setdefault(code, []).append(time.monotonic())

    def count(self, code: str) -> int:
        return len(self.acknowledged.get(code, ()))

    def longest_gap(self, code: str) -> float:
        return max(after - before for before, after in pairwise(self.acknowledged[code]))

    async def wait_for_progress(self, codes: Sequence[str], appends: int = 20) -> None:
        """Wait until each of the tables has had some more appends."""
        before = {code: self.count(code) for code in codes}
        async with asyncio.timeout(30):
            while any(self.count(code) < before[code] + appends for code in codes):  # noqa: ASYNC110
                await asyncio.sleep(INTERVAL_S)


async def check_nothing_lost(
    histories: Sequence, shared: SharedTable, logs: Sequence[TableLog], received, published: Sequence
) -> None:
    """Check that all acknowledged commits are in the logs, and that new ones of the tables `published` are received."""
    one, two = logs
    for history in histories:
        assert await one.load(history.code) == LoadedTable(None, tuple(history.commits))
    assert await shared.has_all_in(two)
    for history in published:
        async with asyncio.timeout(20):
            while not await _is_received(await history.add(one), history, received):
                pass  # lost: the last move of a channel may not be over yet


async def _is_received(commit: Commit, history, received) -> bool:
    try:
        async with asyncio.timeout(2):
            while await received.of(history) != commit:
                pass
    except TimeoutError:
        return False
    return True
