"""The log of a table in memory, for the tests of other layers: the same promises, gone with the process.

It is here and not among the tests so that whoever changes the contract changes,
and has the types checked of, both of its implementations.

Invariant: what goes in comes out as new values, written and read as in the real
store; nothing that a caller could change is shared.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from server.store.log import (
    CHECKPOINTS,
    Appended,
    Conflict,
    Duplicate,
    Early,
    Gone,
    Head,
    Loaded,
    Outcome,
    Snapshot,
    Subscriber,
    TablePresence,
)
from server.store.serialization import chained, read_commit, read_snapshot, read_wakeup, whole, write
from spades_core.commit import Commit, LogPosition
from spades_core.state import Table


@dataclass(slots=True)
class _Kept:
    """One table. `requests` holds the last request of each player and the commit it became."""

    top: LogPosition
    log: dict[int, bytes]
    deadline_ms: int | None = None
    snapshots: dict[int, bytes] = field(default_factory=dict)
    checkpoints: tuple[str, ...] = ()
    requests: dict[str, tuple[str, LogPosition]] = field(default_factory=dict)
    attendance: TablePresence = field(default_factory=TablePresence)
    connected_at: dict[str, int] = field(default_factory=dict)


_News = bytes | TablePresence
_Line = asyncio.Queue[tuple[str, _News] | None]


class MemoryLog:
    """A TableLog. Several servers of one test share one MemoryLog; the store's own clock is that of the event loop."""

    def __init__(self) -> None:
        self._tables: dict[str, _Kept] = {}
        self._lines: set[_Line] = set()
        self._alive_until: dict[str, int] = {}
        self.games: dict[str, list[str]] = {}
        """The archive: the texts of the games of each table."""

    async def create(self, code: str, commit: Commit) -> bool:
        await asyncio.sleep(0)  # as everywhere here: a real store lets others in before and after
        kept = self._tables.get(code)
        if kept is None:
            kept = self._tables[code] = _Kept(commit.at, {})
            self._store(code, kept, commit)
        created = 1 in kept.log and read_commit(code, 1, kept.log[1]).e == commit.e
        await asyncio.sleep(0)
        return created

    async def append(
        self,
        code: str,
        commit: Commit,
        *,
        snapshot: Table | None = None,
        trim: bool = False,
        game: str | None = None,
        due_in_ms: int | None = None,
        only_when_due: bool = False,
    ) -> Outcome:
        await asyncio.sleep(0)
        outcome = self._refusal(code, commit, only_when_due)
        if outcome is None:
            kept = self._tables[code]
            kept.top = commit.at
            self._store(code, kept, commit)
            if due_in_ms is not None:
                kept.deadline_ms = self._now_ms() + due_in_ms
            if snapshot is not None:
                kept.snapshots[commit.n] = write(Snapshot(commit.at, snapshot))
                kept.checkpoints = (*kept.checkpoints, commit.e)[-CHECKPOINTS:]
            if trim:
                kept.log = {n: written for n, written in kept.log.items() if n >= commit.n}
                kept.snapshots = {n: written for n, written in kept.snapshots.items() if n >= commit.n}
            if game is not None:
                self.games.setdefault(code, []).append(game)
            outcome = Appended(commit.at)
        await asyncio.sleep(0)
        return outcome

    async def load(self, code: str, *, whole_game: bool = False) -> Loaded | None:
        await asyncio.sleep(0)
        kept = self._tables.get(code)
        if kept is None:
            return None
        first = max(kept.snapshots, default=0)
        if whole_game:
            first = 0 if 1 in kept.log else min(kept.snapshots)
        snapshot = read_snapshot(code, first, kept.snapshots[first]) if first else None
        commits = [read_commit(code, n, written) for n, written in kept.log.items() if n >= first]
        due_in_ms = None if kept.deadline_ms is None else max(0, kept.deadline_ms - self._now_ms())
        loaded = whole(code, kept.top, snapshot, commits)
        return replace(loaded, due_in_ms=due_in_ms, begins=min(kept.log), checkpoints=kept.checkpoints)

    async def read(self, code: str, after: LogPosition) -> tuple[Commit, ...] | None:
        await asyncio.sleep(0)
        kept = self._tables.get(code)
        if kept is None or after.n not in kept.log or read_commit(code, after.n, kept.log[after.n]).at != after:
            return None
        return chained(code, after, [read_commit(code, n, w) for n, w in kept.log.items() if n > after.n])

    async def find_request(self, code: str, player: str, request: str) -> int | None:
        await asyncio.sleep(0)
        kept = self._tables.get(code)
        last, at = kept.requests.get(player, ("", None)) if kept else ("", None)
        return at.n if at is not None and last == request else None

    async def heads(self, codes: Sequence[str]) -> dict[str, Head | None]:
        await asyncio.sleep(0)
        kept = {code: self._tables.get(code) for code in codes}
        return {code: Head(table.top, table.attendance.changed_at) if table else None for code, table in kept.items()}

    async def set_presence(
        self, code: str, server: str, here: Mapping[str, int], *, dead: Collection[str] = ()
    ) -> TablePresence | None:
        await asyncio.sleep(0)
        kept = self._tables.get(code)
        if kept is None:
            return None
        before = kept.attendance
        players = {
            player: at for player, at in before.players.items() if at not in dead and (at != server or player in here)
        }
        for player, connected_at in here.items():
            if player not in players or connected_at > kept.connected_at[player]:
                players[player], kept.connected_at = server, {**kept.connected_at, player: connected_at}
        servers = set(players.values())
        leader = before.leader
        if leader not in servers:
            leader = server if server in servers else min(servers, default=None)
        if (players, leader) != (before.players, before.leader):
            changed_at = max(before.changed_at + 1, 1000 * self._now_ms())
            kept.attendance = TablePresence(changed_at, leader, players)
            self._tell(code, kept.attendance)
        await asyncio.sleep(0)
        return kept.attendance

    async def heartbeat(self, server: str, lease_ms: int) -> frozenset[str]:
        await asyncio.sleep(0)
        self._alive_until[server] = self._now_ms() + lease_ms
        return frozenset(name for name, until in self._alive_until.items() if until > self._now_ms())

    async def leave(self, server: str) -> None:
        await asyncio.sleep(0)
        self._alive_until.pop(server, None)

    async def listen(self, ear: Subscriber) -> None:
        line: _Line = asyncio.Queue()
        line.put_nowait(None)
        self._lines.add(line)
        try:
            while True:
                match await line.get():
                    case None:
                        ear.resubscribed()
                    case (code, TablePresence() as attendance) if ear.wants(code):
                        ear.presence_changed(code, attendance)
                    case (code, bytes(written)) if ear.wants(code):
                        ear.committed(code, read_wakeup(code, written))
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

    def _now_ms(self) -> int:
        return int(1000 * asyncio.get_running_loop().time())

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
        if kept.top != LogPosition(commit.n - 1, commit.parent):
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
        self._tell(code, written)

    def _tell(self, code: str, news: _News) -> None:
        for line in self._lines:
            line.put_nowait((code, news))
