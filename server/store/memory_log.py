"""The log of a table in memory, for the tests of other layers: the same contract, gone with the process.

It is here and not among the tests so that a change of the contract is made, and
type-checked, in both of its implementations.

Invariant: values are serialized and loaded again, as in the real store; nothing
that a caller could change is shared.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from server.store.log import (
    MAX_SNAPSHOT_IDS,
    Appended,
    AppendResult,
    Conflict,
    Duplicate,
    Gone,
    Head,
    LoadedTable,
    NotDue,
    Snapshot,
    Subscriber,
    TablePresence,
)
from server.store.serialization import assemble, dump, load_commit, load_snapshot, verify_chain
from spades_core.commit import Commit, LogPosition
from spades_core.state import Table


@dataclass(slots=True)
class _StoredTable:
    """One table. `requests` holds the last request of each player and the position of its commit."""

    last: LogPosition
    log: dict[int, bytes]
    deadline_ms: int | None = None
    snapshots: dict[int, bytes] = field(default_factory=dict)
    snapshot_ids: tuple[str, ...] = ()
    requests: dict[str, tuple[str, LogPosition]] = field(default_factory=dict)
    presence: TablePresence = field(default_factory=TablePresence)
    connected_at: dict[str, int] = field(default_factory=dict)


_Message = bytes | TablePresence
_Queue = asyncio.Queue[tuple[str, _Message] | None]


class MemoryLog:
    """A TableLog. The servers of one test share one MemoryLog; the store's clock is that of the event loop."""

    def __init__(self) -> None:
        self._tables: dict[str, _StoredTable] = {}
        self._queues: set[_Queue] = set()
        self._alive_until: dict[str, int] = {}
        self.games: dict[str, list[str]] = {}
        """The archive: the texts of the games of each table."""

    async def create(self, code: str, commit: Commit) -> bool:
        await asyncio.sleep(0)  # as in every method: a real store lets other tasks run before and after
        table = self._tables.get(code)
        if table is None:
            table = self._tables[code] = _StoredTable(commit.at, {})
            self._add(code, table, commit)
        created = 1 in table.log and load_commit(code, 1, table.log[1]).id == commit.id
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
        ms_until_deadline: int | None = None,
        only_when_due: bool = False,
    ) -> AppendResult:
        await asyncio.sleep(0)
        result = self._check_append(code, commit, only_when_due)
        if result is None:
            table = self._tables[code]
            table.last = commit.at
            self._add(code, table, commit)
            if ms_until_deadline is not None:
                table.deadline_ms = self._now_ms() + ms_until_deadline
            if snapshot is not None:
                table.snapshots[commit.n] = dump(Snapshot(commit.at, snapshot))
                table.snapshot_ids = (*table.snapshot_ids, commit.id)[-MAX_SNAPSHOT_IDS:]
            if trim:
                table.log = {n: data for n, data in table.log.items() if n >= commit.n}
                table.snapshots = {n: data for n, data in table.snapshots.items() if n >= commit.n}
            if game is not None:
                self.games.setdefault(code, []).append(game)
            result = Appended(commit.at)
        await asyncio.sleep(0)
        return result

    async def load(self, code: str, *, whole_game: bool = False) -> LoadedTable | None:
        await asyncio.sleep(0)
        table = self._tables.get(code)
        if table is None:
            return None
        start = max(table.snapshots, default=0)
        if whole_game:
            start = 0 if 1 in table.log else min(table.snapshots)
        snapshot = load_snapshot(code, start, table.snapshots[start]) if start else None
        commits = [load_commit(code, n, data) for n, data in table.log.items() if n >= start]
        return replace(
            assemble(code, table.last, snapshot, commits),
            ms_until_deadline=None if table.deadline_ms is None else max(0, table.deadline_ms - self._now_ms()),
            first_n=min(table.log),
            snapshot_ids=table.snapshot_ids,
        )

    async def read(self, code: str, after: LogPosition) -> tuple[Commit, ...] | None:
        await asyncio.sleep(0)
        table = self._tables.get(code)
        if table is None or after.n not in table.log or load_commit(code, after.n, table.log[after.n]).at != after:
            return None
        return verify_chain(code, after, [load_commit(code, n, data) for n, data in table.log.items() if n > after.n])

    async def find_request(self, code: str, player: str, request: str) -> int | None:
        await asyncio.sleep(0)
        table = self._tables.get(code)
        if table is None or player not in table.requests:
            return None
        last_request, at = table.requests[player]
        return at.n if last_request == request else None

    async def heads(self, codes: Sequence[str]) -> dict[str, Head | None]:
        await asyncio.sleep(0)
        tables = {code: self._tables.get(code) for code in codes}
        return {code: Head(table.last, table.presence.changed_at) if table else None for code, table in tables.items()}

    async def set_presence(
        self, code: str, server_id: str, connected_at: Mapping[str, int], *, dead: Collection[str] = ()
    ) -> TablePresence | None:
        await asyncio.sleep(0)
        table = self._tables.get(code)
        if table is None:
            return None
        before = table.presence
        players = {
            player: server
            for player, server in before.players.items()
            if server not in dead and (server != server_id or player in connected_at)
        }
        for player, since in connected_at.items():
            if player not in players or since > table.connected_at[player]:
                players[player], table.connected_at = server_id, {**table.connected_at, player: since}
        servers = set(players.values())
        leader = before.leader
        if leader not in servers:
            leader = server_id if server_id in servers else min(servers, default=None)
        if (players, leader) != (before.players, before.leader):
            changed_at = max(before.changed_at + 1, 1000 * self._now_ms())
            table.presence = TablePresence(changed_at, leader, players)
            self._publish(code, table.presence)
        await asyncio.sleep(0)
        return table.presence

    async def heartbeat(self, server_id: str, lease_ms: int) -> frozenset[str]:
        await asyncio.sleep(0)
        self._alive_until[server_id] = self._now_ms() + lease_ms
        return frozenset(server for server, until in self._alive_until.items() if until > self._now_ms())

    async def leave(self, server_id: str) -> None:
        await asyncio.sleep(0)
        self._alive_until.pop(server_id, None)

    async def listen(self, subscriber: Subscriber) -> None:
        queue: _Queue = asyncio.Queue()
        queue.put_nowait(None)
        self._queues.add(queue)
        try:
            while True:
                match await queue.get():
                    case None:
                        subscriber.resubscribed()
                    case (code, TablePresence() as presence) if subscriber.wants(code):
                        subscriber.presence_changed(code, presence)
                    case (code, bytes(data)) if subscriber.wants(code):
                        subscriber.committed(code, load_commit(code, None, data))
        finally:
            self._queues.discard(queue)

    async def close(self) -> None:
        """Do nothing: the tables stay for the next server of the same test."""

    def delete(self, code: str) -> None:
        """Remove a table, as if it had been deleted or had expired."""
        self._tables.pop(code, None)

    def interrupt(self) -> None:
        """Drop all pending wake-ups and resubscribe, as if every listener had lost its connection."""
        for queue in self._queues:
            while not queue.empty():
                queue.get_nowait()
            queue.put_nowait(None)

    def _now_ms(self) -> int:
        return int(1000 * asyncio.get_running_loop().time())

    def _check_append(self, code: str, commit: Commit, only_when_due: bool) -> AppendResult | None:
        """Make the checks of append.lua in the same order; None if the commit can be added."""
        table = self._tables.get(code)
        if table is None:
            return Gone()
        if commit.player and commit.request and commit.player in table.requests:
            request, at = table.requests[commit.player]
            if at.id == commit.id:
                return Appended(commit.at)
            if request == commit.request:
                return Duplicate(at.n)
        if table.last != LogPosition(commit.n - 1, commit.parent):
            stored = table.log.get(commit.n)
            if stored is not None and load_commit(code, commit.n, stored).id == commit.id:
                return Appended(commit.at)
            return Conflict(table.last)
        if only_when_due and table.deadline_ms is not None and table.deadline_ms > self._now_ms():
            return NotDue(table.deadline_ms - self._now_ms())
        return None

    def _add(self, code: str, table: _StoredTable, commit: Commit) -> None:
        table.log[commit.n] = data = dump(commit)
        if commit.player and commit.request:
            table.requests[commit.player] = commit.request, commit.at
        self._publish(code, data)

    def _publish(self, code: str, message: _Message) -> None:
        for queue in self._queues:
            queue.put_nowait((code, message))
