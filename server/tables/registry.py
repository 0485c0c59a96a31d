"""The tables in the memory of this server: each loaded once, however many ask, and dropped when nobody watches."""

import asyncio
import secrets
from random import Random

import structlog

from server import metrics
from server.experts.pending import Experts
from server.presence.membership import Membership
from server.store.log import StoreUnavailable, TableLog, TablePresence, new_commit_id
from server.tables.replica import TableReplica
from server.tables.table import LiveTable
from spades_core.commands import OpenTable
from spades_core.commit import Commit
from spades_core.decide import decide
from spades_core.schedule import Pace
from spades_core.state import Table

POSITION_CHECK_INTERVAL = 5.0
"""How often the position of every table is compared with the store: a lost wake-up is found after this time."""
MAX_IDLE_TABLES = 1000
"""How many tables without viewers are kept in memory; the one left longest ago goes first."""

log = structlog.get_logger()


class TableRegistry:
    """Its random numbers decide cards, so they come from the system's secure source.

    `store_answers` is what the last position check found: whether any part of the store can be reached.
    """

    def __init__(self, store: TableLog, experts: Experts, *, pace: Pace, rng: Random | None = None) -> None:
        self._store = store
        self._experts = experts
        self._pace = pace
        self._rng = rng or secrets.SystemRandom()
        self._membership = Membership(store, self._rng)
        self._live: dict[str, LiveTable] = {}
        self._loading: dict[str, asyncio.Future[LiveTable | None]] = {}
        self._tasks: asyncio.TaskGroup | None = None
        self.store_answers = True

    def __len__(self) -> int:
        return len(self._live)

    async def run(self) -> None:
        """Run the tables, the heartbeats, the wake-ups and the position check until cancelled."""
        async with asyncio.TaskGroup() as self._tasks:
            self._tasks.create_task(self._membership.run(self._on_servers_dead))
            self._tasks.create_task(self._store.listen(self))
            self._tasks.create_task(self._check_positions())

    async def drain(self) -> None:
        """Wait until all jobs that the tables were given before are done."""
        await asyncio.gather(*(table.drain() for table in self._live.values()))

    async def leave(self) -> None:
        """End this server's lease, after the last viewer has gone. Raises StoreUnavailable."""
        await self._membership.leave()

    async def create(self, opening: OpenTable, request: str) -> LiveTable | None:
        """Return the new table of a player's request, or the one that this request has created before.

        None if the code is taken. Raises CommandRefused for what cannot be opened, StoreUnavailable.
        """
        commit = Commit(1, new_commit_id(self._rng), "", opening.player, request, decide(Table(), opening))
        created = await self._store.create(opening.code, commit)
        if not created and await self._store.find_request(opening.code, opening.player, request) is None:
            return None
        return await self.find(opening.code)

    async def find(self, code: str) -> LiveTable | None:
        """Return the table of that code; None if there is none. Raises StoreUnavailable."""
        if code in self._live:
            return self._live[code]
        if code not in self._loading:
            self._loading[code] = asyncio.ensure_future(self._load(code))
            self._loading[code].add_done_callback(lambda _: self._loading.pop(code, None))
        return await asyncio.shield(self._loading[code])

    async def _load(self, code: str) -> LiveTable | None:
        loaded = await self._store.load(code)
        if loaded is None:
            return None
        next_hand_delay_ms = round(1000 * self._pace.next_hand_timeout)
        replica = TableReplica(code, self._store, loaded, rng=self._rng, next_hand_delay_ms=next_hand_delay_ms)
        table = LiveTable(replica, self._store, self._membership, self._experts, pace=self._pace, rng=self._rng)
        self._live[code] = table
        metrics.TABLES.inc()
        log.debug("table loaded", table=code)
        assert self._tasks is not None
        self._tasks.create_task(self._run_table(code, table))
        self._evict_idle()
        return table

    def _evict_idle(self) -> None:
        if len(self._live) <= MAX_IDLE_TABLES:
            return
        idle = [table for table in self._live.values() if not table.viewers]
        if len(idle) > MAX_IDLE_TABLES:
            min(idle, key=lambda table: table.idle_since).evict()

    async def _run_table(self, code: str, table: LiveTable) -> None:
        try:
            await table.run()
        finally:
            del self._live[code]
            metrics.TABLES.dec()

    # Subscriber: what the store announces.

    def wants(self, code: str) -> bool:
        return code in self._live

    def committed(self, code: str, commit: Commit) -> None:
        self._live[code].on_wakeup(commit)

    def presence_changed(self, code: str, presence: TablePresence) -> None:
        self._live[code].refresh_presence(presence)

    def resubscribed(self) -> None:
        """Wake-ups may have been lost: every table reads its log."""
        for table in self._live.values():
            table.on_wakeup(None)

    def _on_servers_dead(self, servers: frozenset[str]) -> None:
        for table in self._live.values():
            if table.presence.involves(servers):
                table.refresh_presence()

    async def _check_positions(self) -> None:
        while True:
            await asyncio.sleep(POSITION_CHECK_INTERVAL * self._rng.uniform(0.8, 1.2))
            positions = {code: table.replica.at for code, table in self._live.items()}
            try:
                heads = await self._store.heads(list(positions))
            except StoreUnavailable as problem:
                log.warning("position check failed", problem=str(problem))
                self.store_answers = False
                continue
            self.store_answers = bool(positions) or self._membership.lease_is_valid  # without tables nobody was asked
            if unknown := positions.keys() - heads.keys():
                log.warning("position check incomplete", unknown=len(unknown), of=len(positions))
            for code, head in heads.items():
                table = self._live.get(code)
                # A table that has advanced meanwhile was not missed.
                if table is not None and table.replica.at == positions[code] and not table.is_at(head):
                    table.on_wakeup(None)
