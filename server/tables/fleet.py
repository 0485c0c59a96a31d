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
BEAT_SECONDS = LEASE_SECONDS / 3

log = structlog.get_logger()


class Fleet:
    """`me` is this server's name, new for every start.

    While the store is away nobody can show that they live, and all leases run out. So who was alive
    before counts as alive until, after our first sign of life that was late, a whole lease has passed.
    """

    def __init__(self, store: TableLog, chance: Random) -> None:
        self.me = f"{chance.getrandbits(64):016x}"
        self.alive: frozenset[str] = frozenset({self.me})
        self._store = store
        self._chance = chance
        self._now = asyncio.get_running_loop().time
        self._sure_until = 0.0
        self._spared_until = 0.0

    @property
    def sure(self) -> bool:
        """Whether the others know that we are alive."""
        return self._now() < self._sure_until

    async def run(self, died: Callable[[frozenset[str]], None]) -> None:
        """Until cancelled: show that we live, and tell of servers that were found dead: us, if we were too late."""
        known = self.alive
        while True:
            late = 0 < self._sure_until < self._now() - LEASE_SECONDS / 2
            try:
                await self.look()
            except StoreUnavailable as problem:  # who was alive still counts as such: nobody can know better
                log.warning("sign of life not given", problem=str(problem))
            else:
                # Since the last time here, not since the last look: tables look too, and do not tell the others.
                dead = known - self.alive | (frozenset({self.me}) if late else frozenset())
                known = self.alive
                if dead:
                    log.info("servers found dead", servers=sorted(dead))
                    died(dead)
            await asyncio.sleep(BEAT_SECONDS * self._chance.uniform(0.8, 1.0))

    async def look(self) -> None:
        """Show that we live and see who does, now. Raises StoreUnavailable."""
        asked_at = self._now()
        told = await self._store.beat(self.me, round(1000 * LEASE_SECONDS))
        if not self.sure:
            self._spared_until = self._now() + LEASE_SECONDS
        self.alive = told | self.alive if self._now() < self._spared_until else told
        self._sure_until = asked_at + LEASE_SECONDS / 2

    async def retire(self) -> None:
        """Let the others know at once. Raises StoreUnavailable."""
        self._sure_until = 0.0
        await self._store.retire(self.me)
