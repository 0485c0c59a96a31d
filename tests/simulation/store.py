"""The store of a simulated fleet: the one in memory, with everything it ever stored, and able to go back in time."""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from copy import copy
from typing import Any, TypeVar

from server.store.log import AppendResult, TablePresence
from server.store.memory_log import MemoryLog
from spades_core.commit import Commit, LogPosition
from spades_core.state import Table
from tests.simulation.virtual_time import VirtualLoop

T = TypeVar("T")


class SimulatedStore(MemoryLog):
    """`commits` is every commit ever stored, by its id; `snapshots` the tables that were stored with them.

    `tell` is called with every wake-up: the commit, or the attendance when that changed.
    """

    def __init__(self, code: str, loop: VirtualLoop) -> None:
        super().__init__()
        self.code = code
        self.loop = loop
        self.commits: dict[str, Commit] = {}
        self.stored_at: dict[str, float] = {}
        self.snapshots: dict[str, Table] = {}
        self.tell: Callable[[Commit | TablePresence], None] = lambda _: None
        self.moments: list[Any] = []
        self._last: Commit | None = None

    def perform(self, name: str, *args: Any, **options: Any) -> Any:
        """One operation at one moment, by the store's own clock."""
        return at_once(getattr(self, name)(*args, **options))

    @property
    def top(self) -> LogPosition:
        return self._tables[self.code].last

    @property
    def attendance(self) -> TablePresence:
        return self._tables[self.code].presence

    def chain(self) -> list[Commit]:
        """The commits of the log as it is now, back to the oldest one known, oldest first."""
        return self.chain_of(self.top)

    def chain_of(self, top: LogPosition) -> list[Commit]:
        chain = []
        commit = self.commits.get(top.e)
        while commit is not None:
            chain.append(commit)
            commit = self.commits.get(commit.parent)
        return chain[::-1]

    def rewind(self, commits: int) -> LogPosition:
        """As after a failover that lost the end: all is as it was `commits` before, or as far back as is known."""
        n = self.top.n - commits
        while len(self.moments) > 1 and self.moments[-1][0].last.n > n:
            self.moments.pop()
        kept, games = self.moments[-1]
        self._tables[self.code] = _copied(kept)
        self.games[self.code] = list(games)
        return kept.last

    def begin(self, moments: Sequence[Any], commits: Sequence[Commit]) -> None:
        """With what another store has remembered: its moments, the last of which is now."""
        self.moments = list(moments)
        self.commits = {commit.e: commit for commit in commits}
        kept, games = moments[-1]
        self._tables[self.code] = _copied(kept)
        self.games[self.code] = list(games)

    async def append(self, code: str, commit: Commit, *, snapshot: Table | None = None, **options: Any) -> AppendResult:
        if snapshot is not None:
            self.snapshots[commit.e] = snapshot
        outcome = await super().append(code, commit, snapshot=snapshot, **options)
        self._remember()
        return outcome

    async def set_presence(
        self, code: str, server_id: str, connected_at: Mapping[str, int], **options: Any
    ) -> TablePresence | None:
        attendance = await super().set_presence(code, server_id, connected_at, **options)
        self._remember()
        return attendance

    def _remember(self) -> None:
        kept = self._tables.get(self.code)
        if kept is not None:
            self.moments.append((_copied(kept), tuple(self.games.get(self.code, ()))))

    def _now_ms(self) -> int:
        return int(1000 * self.loop.time())

    def _add(self, code: str, kept: Any, commit: Commit) -> None:
        self.commits[commit.e] = self._last = commit
        super()._add(code, kept, commit)
        self.stored_at[commit.e] = self.loop.clock.now

    def _publish(self, _code: str, news: bytes | TablePresence) -> None:
        self.tell(news if isinstance(news, TablePresence) else self._last)


def at_once(doing: Coroutine[None, None, T]) -> T:
    """The result of what waits for nothing but its turn."""
    while True:
        try:
            doing.send(None)
        except StopIteration as done:
            return done.value


def _copied(kept: Any) -> Any:
    twin = copy(kept)
    twin.log, twin.snapshots, twin.requests = dict(kept.log), dict(kept.snapshots), dict(kept.requests)
    return twin
