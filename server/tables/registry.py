"""The tables in the memory of this server: each loaded once, however many ask, and dropped when nobody looks."""

import asyncio
import secrets
from random import Random

import structlog

from server import metrics
from server.experts.pending import Thinking
from server.presence.membership import Membership
from server.store.log import StoreUnavailable, TableLog, TablePresence, new_commit_id
from server.tables.record import Record
from server.tables.table import LiveTable
from spades_core.commands import OpenTable
from spades_core.commit import Commit
from spades_core.decide import decide
from spades_core.schedule import Pace
from spades_core.state import Table

CHECK_SECONDS = 5.0
"""How often every table's position is compared with the store: a lost wake-up is found this late at the most."""
MOST_IDLE = 1000
"""How many tables that nobody looks at are kept in memory; the one left longest ago goes first."""

log = structlog.get_logger()


class Tables:
    """Chance decides cards here, so it comes from the system's secure source.

    `store_answers` is what the last position check found: whether any part of the store is there.
    """

    def __init__(self, store: TableLog, thinking: Thinking, *, pace: Pace, rng: Random | None = None) -> None:
        self._store = store
        self._thinking = thinking
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
        """Until cancelled: the tables themselves, the signs of life, the wake-ups and the position check."""
        async with asyncio.TaskGroup() as self._tasks:
            self._tasks.create_task(self._membership.run(self._servers_died))
            self._tasks.create_task(self._store.listen(self))
            self._tasks.create_task(self._check_positions())

    async def settle(self) -> None:
        """Wait until all that the tables were asked before is done."""
        await asyncio.gather(*(table.settle() for table in self._live.values()))

    async def retire(self) -> None:
        """After the last viewer has gone: other servers need not wait for our lease to end. Raises StoreUnavailable."""
        await self._membership.leave()

    async def open(self, opening: OpenTable, request: str) -> LiveTable | None:
        """The new table of a player's request, or the one that this request has opened before.

        None when the code is another's. Raises CommandRefused for what cannot be opened, StoreUnavailable.
        """
        commit = Commit(1, new_commit_id(self._rng), "", opening.player, request, decide(Table(), opening))
        created = await self._store.create(opening.code, commit)
        if not created and await self._store.find_request(opening.code, opening.player, request) is None:
            return None
        return await self.find(opening.code)

    async def find(self, code: str) -> LiveTable | None:
        """The table of that code; None when there is none. Raises StoreUnavailable."""
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
        next_hand_ms = round(1000 * self._pace.next_hand)
        record = Record(code, self._store, loaded, rng=self._rng, next_hand_ms=next_hand_ms)
        table = LiveTable(record, self._store, self._membership, self._thinking, pace=self._pace, rng=self._rng)
        self._live[code] = table
        metrics.TABLES.inc()
        log.debug("table loaded", table=code)
        assert self._tasks is not None
        self._tasks.create_task(self._run_table(code, table))
        self._keep_few_idle()
        return table

    def _keep_few_idle(self) -> None:
        if len(self._live) <= MOST_IDLE:
            return
        idle = [table for table in self._live.values() if not table.audience]
        if len(idle) > MOST_IDLE:
            min(idle, key=lambda table: table.idle_since).put_away()

    async def _run_table(self, code: str, table: LiveTable) -> None:
        try:
            await table.run()
        finally:
            del self._live[code]
            metrics.TABLES.dec()

    # What the store tells: see Subscriber.

    def wants(self, code: str) -> bool:
        return code in self._live

    def committed(self, code: str, commit: Commit) -> None:
        self._live[code].wake(commit)

    def presence_changed(self, code: str, attendance: TablePresence) -> None:
        self._live[code].call_roll(attendance)

    def resubscribed(self) -> None:
        """Wake-ups may have been lost: every table reads for itself."""
        for table in self._live.values():
            table.wake(None)

    def _servers_died(self, servers: frozenset[str]) -> None:
        for table in self._live.values():
            if table.attendants.involves(servers):
                table.call_roll()

    async def _check_positions(self) -> None:
        while True:
            await asyncio.sleep(CHECK_SECONDS * self._rng.uniform(0.8, 1.2))
            positions = {code: table.record.at for code, table in self._live.items()}
            try:
                heads = await self._store.heads(list(positions))
            except StoreUnavailable as problem:
                log.warning("position check failed", problem=str(problem))
                self.store_answers = False
                continue
            self.store_answers = bool(positions) or self._membership.lease_is_valid  # about no table nobody was asked
            if unknown := positions.keys() - heads.keys():
                log.warning("position check incomplete", unknown=len(unknown), of=len(positions))
            for code, top in heads.items():
                table = self._live.get(code)
                # A table that has moved meanwhile was not missed.
                if table is not None and table.record.at == positions[code] and not table.is_at(top):
                    table.wake(None)
