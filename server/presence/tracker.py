"""The players connected to one table, on any server, and whether this server leads the table.

The viewers of this server are known exactly. Remote presence is the last one read from the store, minus servers that
have died since then.
"""

import math

from server.presence.membership import Membership
from server.presence.viewers import Viewers
from server.store.log import StoreUnavailable, TableLog, TablePresence
from spades_core.protocol.messages import CLOSE_REPLACED
from spades_core.seats import SEATS, BySeat, Seat
from spades_core.state import Table


class PresenceTracker:
    def __init__(self, code: str, viewers: Viewers, store: TableLog, membership: Membership) -> None:
        self._code = code
        self._viewers = viewers
        self._store = store
        self._membership = membership
        self._stored = TablePresence()
        self._published_connections: dict[str, int] | None = {}
        self._announced_at = 0.0

    @property
    def is_leader(self) -> bool:
        """Return whether this server runs the timers and bots. Two may briefly believe so; conflicting appends fail."""
        return self._membership.lease_is_valid and self._stored.leader == self._membership.server_id

    @property
    def is_published(self) -> bool:
        """Return whether our viewers are published; False during a publication, and after it has failed."""
        return self._published_connections == self._viewers.connected_at

    @property
    def is_stale(self) -> bool:
        """Return whether there was a remote change that we have not read from the store."""
        return self._announced_at > self._stored.changed_at

    def in_sync_with(self, changed_at: int) -> bool:
        """Return whether our viewers are published and this server has read the last change, at `changed_at`."""
        return changed_at == self._stored.changed_at and self.is_published

    def involves(self, servers: frozenset[str]) -> bool:
        return bool(self._stored.servers & servers)

    def note_remote_change(self, presence: TablePresence | None) -> None:
        """Note a change that another server announced, or, with None, the death of a server.

        The announced presence is not applied: it may be delayed, and from before a rollback.
        """
        self._announced_at = max(self._announced_at, math.inf if presence is None else presence.changed_at)

    async def sync(self) -> bool:
        """Publish our viewers and read remote presence; return False if the table no longer exists.

        Viewers whose players have connected to another server since are removed and closed. Raises StoreUnavailable.
        """
        here, self._published_connections, self._announced_at = self._viewers.connected_at, None, 0.0
        presence = await self._set_presence(here, self._stored.servers - self._membership.alive)
        if presence is not None and presence.servers - self._membership.alive:
            await self._membership.heartbeat()  # an unknown server: new, or dead
            if dead := presence.servers - self._membership.alive:
                presence = await self._set_presence(here, dead)
        if presence is None:
            return False
        self._stored, self._published_connections = presence, here
        for viewer in self._viewers:
            if presence.players.get(viewer.player, self._membership.server_id) != self._membership.server_id:
                self._viewers.remove(viewer)
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
            raise StoreUnavailable("the presence at the table could not be published")
        return self._is_connected(player)

    def _has_player(self, table: Table, seat: Seat) -> bool:
        occupant = table.seats[seat]
        return occupant is not None and occupant.player is not None and self._is_connected(occupant.player)

    def _is_connected(self, player: str) -> bool:
        at = self._stored.players.get(player)
        return self._viewers.has(player) or (at != self._membership.server_id and at in self._membership.alive)
