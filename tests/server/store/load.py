"""Players who append at a steady pace whatever happens to the store, and remember what was acknowledged when."""

import asyncio
import contextlib
import secrets
import time
from collections.abc import AsyncIterator, Sequence
from itertools import pairwise

from server.store.log import Appended, Conflict, LoadedTable, TableLog
from spades_core.commit import Commit, LogPosition
from spades_core.events import BidPlaced
from spades_core.seats import SEATS

PACE_S = 0.01


class Load:
    def __init__(self) -> None:
        self.acknowledged: dict[str, list[float]] = {}
        self._enough = asyncio.Event()

    @contextlib.asynccontextmanager
    async def on(self, logs: Sequence[TableLog], stories: Sequence, shared: "Shared") -> AsyncIterator["Load"]:
        """Each table has a player who alone appends to it; all logs together append to the shared one."""
        async with asyncio.TaskGroup() as group:
            for number, story in enumerate(stories):
                group.create_task(self._alone(logs[number % len(logs)], story))
            for number, log in enumerate(logs):
                group.create_task(self._together(log, shared, f"player {number}"))
            yield self
            self._enough.set()

    async def _alone(self, log: TableLog, story) -> None:
        """Nobody else is there: every append must be Appended, on whatever server it ends."""
        while not self._enough.is_set():
            await story.add(log, story.next(player="ann", request=f"{story.last.n}"))
            self._note(story.code)
            await asyncio.sleep(PACE_S)

    async def _together(self, log: TableLog, shared: "Shared", name: str) -> None:
        last = shared.begun_at
        while not self._enough.is_set():
            commit = Commit(
                *(last.n + 1, secrets.token_hex(8), last.e, name, secrets.token_hex(4)),
                (BidPlaced(SEATS[last.n % 4], 3),),
            )
            match await log.append(shared.code, commit):
                case Appended(at):
                    shared.appended.append(commit)
                    self._note(shared.code)
                    last = at
                    await asyncio.sleep(PACE_S)
                case Conflict():
                    missed = await log.read(shared.code, last)
                    assert missed is not None, "the log was rewound"
                    last = missed[-1].at if missed else last
                case other:
                    raise AssertionError(other)

    def _note(self, code: str) -> None:
        self.acknowledged.setdefault(code, []).append(time.monotonic())

    def count(self, code: str) -> int:
        return len(self.acknowledged.get(code, ()))

    def longest_silence(self, code: str) -> float:
        return max(after - before for before, after in pairwise(self.acknowledged[code]))

    async def goes_on(self, codes: Sequence[str], times: int = 20) -> None:
        """Until each of the tables has been appended to some more."""
        before = {code: self.count(code) for code in codes}
        async with asyncio.timeout(30):
            while any(self.count(code) < before[code] + times for code in codes):  # noqa: ASYNC110
                await asyncio.sleep(PACE_S)


async def all_is_there(stories: Sequence, shared: "Shared", logs: Sequence[TableLog], hearing, heard: Sequence) -> None:
    """What was acknowledged is in the log, and what is appended now is heard of, at the tables `heard`."""
    one, two = logs
    for each in stories:
        assert await one.load(each.code) == LoadedTable(None, tuple(each.told))
    assert await shared.has_all_in(two)
    for each in heard:
        last = await each.add(one)
        while await hearing.of(each) != last:
            pass


class Shared:
    """A table that several append to."""

    def __init__(self, code: str, begun_at: LogPosition) -> None:
        self.code = code
        self.begun_at = begun_at
        self.appended: list[Commit] = []

    async def has_all_in(self, log: TableLog) -> bool:
        """Every acknowledged commit once; the log itself sees to numbers and ids."""
        loaded = await log.load(self.code)
        assert loaded is not None
        return {commit.e for commit in self.appended} <= {commit.e for commit in loaded.commits}
