"""The store of a simulation: the one in memory, which also keeps every commit and can be rolled back."""

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
    """Holds one table.

    `commits` has every commit ever stored, by id; `snapshots` the snapshots by the id
    of their commit; `states` the states to roll back to. `publish` is called with every
    commit and every change of presence.
    """

    def __init__(self, code: str, loop: VirtualLoop) -> None:
        super().__init__()
        self.code = code
        self.loop = loop
        self.commits: dict[str, Commit] = {}
        self.stored_at: dict[str, float] = {}
        self.snapshots: dict[str, Table] = {}
        self.publish: Callable[[Commit | TablePresence], None] = lambda _: None
        self.states: list[Any] = []
        self._last_commit: Commit | None = None

    def call(self, operation: str, *args: Any, **options: Any) -> Any:
        """Execute an operation of the log at once."""
        return run_sync(getattr(self, operation)(*args, **options))

    @property
    def last(self) -> LogPosition:
        return self._tables[self.code].last

    def chain(self) -> list[Commit]:
        """Return the commits of the present log, back to the oldest one known, oldest first."""
        return self.chain_to(self.last)

    def chain_to(self, last: LogPosition) -> list[Commit]:
        chain = []
        commit = self.commits.get(last.id)
        while commit is not None:
            chain.append(commit)
            commit = self.commits.get(commit.parent)
        return chain[::-1]

    def rollback(self, commits: int) -> None:
        """Restore the state of so many commits ago, or the oldest one, as a failover does that loses the end."""
        n = self.last.n - commits
        while len(self.states) > 1 and self.states[-1][0].last.n > n:
            self.states.pop()
        self._restore_last_state()

    def restore(self, states: Sequence[Any], commits: Sequence[Commit]) -> None:
        """Restore the last of the states that another store has saved."""
        self.states = list(states)
        self.commits = {commit.id: commit for commit in commits}
        self._restore_last_state()

    def _restore_last_state(self) -> None:
        table, games = self.states[-1]
        self._tables[self.code] = _copy(table)
        self.games[self.code] = list(games)

    def _save_state(self) -> None:
        table = self._tables.get(self.code)
        if table is not None:
            self.states.append((_copy(table), tuple(self.games.get(self.code, ()))))

    async def append(self, code: str, commit: Commit, *, snapshot: Table | None = None, **options: Any) -> AppendResult:
        if snapshot is not None:
            self.snapshots[commit.id] = snapshot
        result = await super().append(code, commit, snapshot=snapshot, **options)
        self._save_state()
        return result

    async def set_presence(
        self, code: str, server_id: str, connected_at: Mapping[str, int], **options: Any
    ) -> TablePresence | None:
        presence = await super().set_presence(code, server_id, connected_at, **options)
        self._save_state()
        return presence

    def _now_ms(self) -> int:
        return int(1000 * self.loop.time())

    def _add(self, code: str, table: Any, commit: Commit) -> None:
        self.commits[commit.id] = self._last_commit = commit
        super()._add(code, table, commit)
        self.stored_at[commit.id] = self.loop.clock.now

    def _publish(self, _code: str, change: bytes | TablePresence) -> None:
        self.publish(change if isinstance(change, TablePresence) else self._last_commit)


def run_sync(coroutine: Coroutine[None, None, T]) -> T:
    """Run a coroutine that never suspends for longer than a bare yield, and return its result."""
    while True:
        try:
            coroutine.send(None)
        except StopIteration as done:
            return done.value


def _copy(table: Any) -> Any:
    twin = copy(table)
    twin.log, twin.snapshots, twin.requests = dict(table.log), dict(table.snapshots), dict(table.requests)
    return twin
