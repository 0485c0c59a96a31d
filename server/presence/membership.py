"""This server among all servers of the same store: which of them are alive, and whether they can know that we are.

Invariant: a server counts itself alive only while its lease surely holds, by its own steady clock and with half the
lease to spare. So a suspended server stops leading tables before it resumes, or at that very moment.
"""

import asyncio
from collections.abc import Callable
from random import Random

import structlog

from server.store.log import StoreUnavailable, TableLog

LEASE_SECONDS = 4.0
"""How long after its last heartbeat a server counts as dead."""
HEARTBEAT_INTERVAL = LEASE_SECONDS / 3

log = structlog.get_logger()


class Membership:
    """`server_id` names this server, and is new for every start.

    While the store is away no server can send a heartbeat, and all leases run out. So the servers that were alive
    before count as alive until a whole lease has passed since our first late heartbeat.
    """

    def __init__(self, store: TableLog, rng: Random) -> None:
        self.server_id = f"{rng.getrandbits(64):016x}"
        self.alive: frozenset[str] = frozenset({self.server_id})
        self._store = store
        self._rng = rng
        self._now = asyncio.get_running_loop().time
        self._lease_until = 0.0
        self._grace_until = 0.0

    @property
    def lease_is_valid(self) -> bool:
        """Return whether the other servers know that we are alive."""
        return self._now() < self._lease_until

    async def run(self, on_servers_dead: Callable[[frozenset[str]], None]) -> None:
        """Send heartbeats until cancelled, and report dead servers; this one, too, if its heartbeat was late."""
        known = self.alive
        while True:
            late = 0 < self._lease_until < self._now() - LEASE_SECONDS / 2
            try:
                await self.heartbeat()
            except StoreUnavailable as problem:
                log.warning("heartbeat failed", problem=str(problem))
            else:
                # Since the last round, not since the last heartbeat: tables send some, too, and report nothing.
                dead = known - self.alive | (frozenset({self.server_id}) if late else frozenset())
                known = self.alive
                if dead:
                    log.info("servers found dead", servers=sorted(dead))
                    on_servers_dead(dead)
            await asyncio.sleep(HEARTBEAT_INTERVAL * self._rng.uniform(0.8, 1.0))

    async def heartbeat(self) -> None:
        """Renew our lease and learn which servers are alive. Raises StoreUnavailable."""
        asked_at = self._now()
        alive = await self._store.heartbeat(self.server_id, round(1000 * LEASE_SECONDS))
        if not self.lease_is_valid:
            self._grace_until = self._now() + LEASE_SECONDS
        self.alive = alive | self.alive if self._now() < self._grace_until else alive
        self._lease_until = asked_at + LEASE_SECONDS / 2

    async def leave(self) -> None:
        """End our lease, so that the other servers need not wait for its end. Raises StoreUnavailable."""
        self._lease_until = 0.0
        await self._store.leave(self.server_id)
