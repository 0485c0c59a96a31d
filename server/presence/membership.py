"""This server among all that serve the same store: which of them are alive, and whether they can know that we are.

Invariant: a server believes itself alive only while its lease surely holds, by
its own steady clock and with half the lease to spare. So one that was paused
stops driving tables before, or at the very moment when, it wakes up.
"""

import asyncio
from collections.abc import Callable
from random import Random

import structlog

from server.store.log import StoreUnavailable, TableLog

LEASE_SECONDS = 4.0
"""How long after its last sign of life a server counts as dead."""
HEARTBEAT_INTERVAL = LEASE_SECONDS / 3

log = structlog.get_logger()


class Membership:
    """`me` is this server's name, new for every start.

    While the store is away nobody can show that they live, and all leases run out. So who was alive
    before counts as alive until, after our first sign of life that was late, a whole lease has passed.
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
        """Whether the others know that we are alive."""
        return self._now() < self._lease_until

    async def run(self, on_servers_dead: Callable[[frozenset[str]], None]) -> None:
        """Until cancelled: show that we live, and tell of servers that were found dead: us, if we were too late."""
        known = self.alive
        while True:
            late = 0 < self._lease_until < self._now() - LEASE_SECONDS / 2
            try:
                await self.heartbeat()
            except StoreUnavailable as problem:  # who was alive still counts as such: nobody can know better
                log.warning("sign of life not given", problem=str(problem))
            else:
                # Since the last time here, not since the last look: tables look too, and do not tell the others.
                dead = known - self.alive | (frozenset({self.server_id}) if late else frozenset())
                known = self.alive
                if dead:
                    log.info("servers found dead", servers=sorted(dead))
                    on_servers_dead(dead)
            await asyncio.sleep(HEARTBEAT_INTERVAL * self._rng.uniform(0.8, 1.0))

    async def heartbeat(self) -> None:
        """Show that we live and see who does, now. Raises StoreUnavailable."""
        asked_at = self._now()
        told = await self._store.heartbeat(self.server_id, round(1000 * LEASE_SECONDS))
        if not self.lease_is_valid:
            self._grace_until = self._now() + LEASE_SECONDS
        self.alive = told | self.alive if self._now() < self._grace_until else told
        self._lease_until = asked_at + LEASE_SECONDS / 2

    async def leave(self) -> None:
        """Let the others know at once. Raises StoreUnavailable."""
        self._lease_until = 0.0
        await self._store.leave(self.server_id)
