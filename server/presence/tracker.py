"""Who is present at one table, on this server and on all others, and whether this server leads the table.

The viewers of this server are known for sure. Who is elsewhere is what the store said last, less the servers that have
died since.
"""

import math

from server.presence.audience import Audience
from server.presence.membership import Membership
from server.store.log import StoreUnavailable, TableLog, TablePresence
from spades_core.protocol.messages import CLOSE_REPLACED
from spades_core.seats import SEATS, BySeat, Seat
from spades_core.state import Table


class PresenceTracker:
    def __init__(self, code: str, audience: Audience, store: TableLog, membership: Membership) -> None:
        self._code = code
        self._audience = audience
        self._store = store
        self._membership = membership
        self._known = TablePresence()
        self._published: dict[str, int] | None = {}
        self._remote_change = 0.0

    @property
    def is_leader(self) -> bool:
        """Return whether clocks and bots are ours. Two servers may believe so for a moment; the append judges."""
        return self._membership.lease_is_valid and self._known.leader == self._membership.server_id

    @property
    def is_published(self) -> bool:
        """Return whether the store knows our viewers; False while it is told, and after that has failed."""
        return self._published == self._audience.connected_at

    @property
    def is_stale(self) -> bool:
        """Return whether there was a remote change that we have not read from the store."""
        return self._remote_change > self._known.changed_at

    def in_sync_with(self, changed_at: int) -> bool:
        """Return whether the store knows our viewers, and we know its last change."""
        return changed_at == self._known.changed_at and self.is_published

    def mentions(self, servers: frozenset[str]) -> bool:
        return bool(self._known.servers & servers)

    def note_remote_change(self, presence: TablePresence | None) -> None:
        """Note a change that another server announced, or, with None, the death of a server.

        What was announced is not simply taken over: it may be late, and from before a rewind.
        """
        self._remote_change = max(self._remote_change, math.inf if presence is None else presence.changed_at)

    async def sync(self) -> bool:
        """Publish our viewers and learn who is elsewhere; return False if the table is gone.

        A viewer whose player has connected to another server since is removed. Raises StoreUnavailable.
        """
        here, self._published, self._remote_change = self._audience.connected_at, None, 0.0
        presence = await self._set_presence(here, self._known.servers - self._membership.alive)
        if presence is not None and presence.servers - self._membership.alive:
            await self._membership.heartbeat()  # a server new to us, or a dead one
            if dead := presence.servers - self._membership.alive:
                presence = await self._set_presence(here, dead)
        if presence is None:
            return False
        self._known, self._published = presence, here
        for viewer in self._audience:
            if presence.players.get(viewer.player, self._membership.server_id) != self._membership.server_id:
                self._audience.remove(viewer)
                viewer.close(CLOSE_REPLACED)
        return True

    async def _set_presence(self, here: dict[str, int], dead: frozenset[str]) -> TablePresence | None:
        return await self._store.set_presence(self._code, self._membership.server_id, here, dead=sorted(dead))

    def present(self, table: Table) -> BySeat[bool]:
        """Return which seats have a player connected to any server."""
        north, east, south, west = (self._has_player(table, seat) for seat in SEATS)
        return north, east, south, west

    def is_reconnected(self, player: str) -> bool:
        """Return whether a player who left this server is connected again, to any server.

        Raises StoreUnavailable if that is not known.
        """
        if not self.is_published:
            raise StoreUnavailable("the presence at the table could not be shared with the store")
        return self._is_connected(player)

    def _has_player(self, table: Table, seat: Seat) -> bool:
        occupant = table.seats[seat]
        return occupant is not None and occupant.player is not None and self._is_connected(occupant.player)

    def _is_connected(self, player: str) -> bool:
        at = self._known.players.get(player)
        return self._audience.has(player) or (at != self._membership.server_id and at in self._membership.alive)
