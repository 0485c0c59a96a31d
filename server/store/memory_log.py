"""The log of a table in memory, for the tests of other layers: the same promises, gone with the process.

Invariant: what goes in comes out as new values, written and read as in the real
store; nothing that a caller could change is shared.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from server.store.log import (
    Appended,
    Commit,
    Conflict,
    Duplicate,
    Early,
    Gone,
    Loaded,
    Outcome,
    Position,
    Snapshot,
    Woken,
)
from server.store.written import chained, read_commit, read_snapshot, read_wakeup, whole, write
from spades_core.state import Table


@dataclass(slots=True)
class _Kept:
    """One table. `requests` holds the last request of each player and the commit it became."""

    top: Position
    status: str
    log: dict[int, bytes]
    deadline_ms: int | None = None
    snapshot: tuple[int, bytes] | None = None
    requests: dict[str, tuple[str, Position]] = field(default_factory=dict)


_Line = asyncio.Queue[tuple[str, bytes] | None]


class MemoryLog:
    """A TableLog. Several servers of one test share one MemoryLog; `now_ms` is the store's own clock."""

    def __init__(self, now_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000) -> None:
        self._now_ms = now_ms
        self._tables: dict[str, _Kept] = {}
        self._lines: set[_Line] = set()

    async def create(self, code: str, commit: Commit, *, status: str = "lobby") -> bool:
        await asyncio.sleep(0)  # as everywhere here: a real store lets others in before and after
        kept = self._tables.get(code)
        if kept is None:
            kept = self._tables[code] = _Kept(commit.at, status, {})
            self._store(code, kept, commit)
        created = 1 in kept.log and read_commit(code, 1, kept.log[1]).e == commit.e
        await asyncio.sleep(0)
        return created

    async def append(
        self,
        code: str,
        commit: Commit,
        *,
        snapshot: Table | None,
        deadline_ms: int | None,
        status: str,
        only_when_due: bool = False,
    ) -> Outcome:
        await asyncio.sleep(0)
        outcome = self._refusal(code, commit, only_when_due)
        if outcome is None:
            kept = self._tables[code]
            kept.top, kept.status, kept.deadline_ms = commit.at, status, deadline_ms
            self._store(code, kept, commit)
            if snapshot is not None:
                kept.snapshot = commit.n, write(Snapshot(commit.at, snapshot))
                kept.log = {n: written for n, written in kept.log.items() if n >= commit.n}
            outcome = Appended(commit.at)
        await asyncio.sleep(0)
        return outcome

    async def load(self, code: str) -> Loaded | None:
        await asyncio.sleep(0)
        kept = self._tables.get(code)
        if kept is None:
            return None
        snapshot = None if kept.snapshot is None else read_snapshot(code, *kept.snapshot)
        return whole(code, kept.top, snapshot, [read_commit(code, n, written) for n, written in kept.log.items()])

    async def read(self, code: str, after: Position) -> tuple[Commit, ...] | None:
        await asyncio.sleep(0)
        kept = self._tables.get(code)
        if kept is None or after.n not in kept.log or read_commit(code, after.n, kept.log[after.n]).at != after:
            return None
        return chained(code, after, [read_commit(code, n, w) for n, w in kept.log.items() if n > after.n])

    async def answered(self, code: str, player: str, request: str) -> int | None:
        await asyncio.sleep(0)
        kept = self._tables.get(code)
        last, at = kept.requests.get(player, ("", None)) if kept else ("", None)
        return at.n if at is not None and last == request else None

    async def tops(self, codes: Sequence[str]) -> dict[str, Position | None]:
        await asyncio.sleep(0)
        return {code: kept.top if (kept := self._tables.get(code)) else None for code in codes}

    async def listen(self, woken: Woken, resubscribed: Callable[[], None]) -> None:
        line: _Line = asyncio.Queue()
        line.put_nowait(None)
        self._lines.add(line)
        try:
            while True:
                said = await line.get()
                if said is None:
                    resubscribed()
                else:
                    woken(said[0], read_wakeup(*said))
        finally:
            self._lines.discard(line)

    async def close(self) -> None:
        """Nothing to let go of: the tables stay, for the next server of the same test."""

    def forget(self, code: str) -> None:
        """As if somebody had deleted the table, or it had expired."""
        self._tables.pop(code, None)

    def interrupt(self) -> None:
        """As if every listener had lost its connection, with what was under way on it, and subscribed again."""
        for line in self._lines:
            while not line.empty():
                line.get_nowait()
            line.put_nowait(None)

    def _refusal(self, code: str, commit: Commit, only_when_due: bool) -> Outcome | None:
        """The same questions in the same order as in append.lua."""
        kept = self._tables.get(code)
        if kept is None:
            return Gone()
        if commit.player and commit.request and commit.player in kept.requests:
            request, at = kept.requests[commit.player]
            if at.e == commit.e:
                return Appended(commit.at)
            if request == commit.request:
                return Duplicate(at.n)
        if kept.top != Position(commit.n - 1, commit.p):
            stored = kept.log.get(commit.n)
            if stored is not None and read_commit(code, commit.n, stored).e == commit.e:
                return Appended(commit.at)
            return Conflict(kept.top)
        if only_when_due and kept.deadline_ms is not None and kept.deadline_ms > self._now_ms():
            return Early(kept.deadline_ms - self._now_ms())
        return None

    def _store(self, code: str, kept: _Kept, commit: Commit) -> None:
        written = write(commit)
        kept.log[commit.n] = written
        if commit.player and commit.request:
            kept.requests[commit.player] = commit.request, commit.at
        for line in self._lines:
            line.put_nowait((code, written))
