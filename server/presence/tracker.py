"""Who looks at one table, on this server and on all others, and whether this server is the one that leads it.

The viewers of this server are known for sure. Who is elsewhere is what the store
said last, less the servers that have on_servers_dead since.
"""

import math

from server.presence.audience import Audience
from server.presence.membership import Membership
from server.store.log import StoreUnavailable, TableLog, TablePresence
from spades_core.protocol.messages import CLOSE_REPLACED
from spades_core.seats import SEATS, BySeat, Seat
from spades_core.state import Table


class Attendants:
    def __init__(self, code: str, audience: Audience, store: TableLog, membership: Membership) -> None:
        self._code = code
        self._audience = audience
        self._store = store
        self._membership = membership
        self._known = TablePresence()
        self._told: dict[str, int] | None = {}
        self._news = 0.0

    @property
    def is_leader(self) -> bool:
        """Whether clocks and bots are ours; two servers may believe so for a moment, and the append judges."""
        return self._membership.lease_is_valid and self._known.leader == self._membership.server_id

    def agrees(self, attended: int) -> bool:
        """Whether the store knows our viewers, and we know all it has to say."""
        return attended == self._known.changed_at and self.are_told

    @property
    def are_told(self) -> bool:
        """Whether the store knows who is here; not known while it is told, and after it could not be."""
        return self._told == self._audience.connected_at

    def involves(self, servers: frozenset[str]) -> bool:
        return bool(self._known.servers & servers)

    async def call(self) -> bool:
        """Tell the store who is here and learn who is elsewhere; False when the table is gone.

        Raises StoreUnavailable. A viewer who went on to another server is shown out.
        """
        here, self._told, self._news = self._audience.connected_at, None, 0.0
        said = await self._tell(here, self._known.servers - self._membership.alive)
        if said is not None and said.servers - self._membership.alive:
            await self._membership.heartbeat()  # somebody new to us, or somebody dead
            if dead := said.servers - self._membership.alive:
                said = await self._tell(here, dead)
        if said is None:
            return False
        self._known, self._told = said, here
        for viewer in self._audience:
            if said.players.get(viewer.player, self._membership.server_id) != self._membership.server_id:
                self._audience.dismiss(viewer)
                viewer.close(CLOSE_REPLACED)
        return True

    def hear(self, told: TablePresence | None) -> None:
        """What the store tells everybody, or None for the death of a server. What is news is asked about.

        It is not just taken: a wake-up may be late, and from before a rewind.
        """
        self._news = max(self._news, math.inf if told is None else told.changed_at)

    @property
    def are_behind(self) -> bool:
        """Whether there is news that the store has not been asked about."""
        return self._news > self._known.changed_at

    async def _tell(self, here: dict[str, int], dead: frozenset[str]) -> TablePresence | None:
        return await self._store.set_presence(self._code, self._membership.server_id, here, dead=sorted(dead))

    def present(self, table: Table) -> BySeat[bool]:
        """Which seats are looked after by a connection of their own, to any server."""
        north, east, south, west = (self._looked_after(table, seat) for seat in SEATS)
        return north, east, south, west

    def has_come_again(self, player: str) -> bool:
        """Whether a player who went from here is connected anew, to any server. Raises StoreUnavailable: not known."""
        if not self.are_told:
            raise StoreUnavailable("the store has not been told who went, nor asked who came elsewhere")
        return self._has(player)

    def _looked_after(self, table: Table, seat: Seat) -> bool:
        occupant = table.seats[seat]
        return occupant is not None and occupant.player is not None and self._has(occupant.player)

    def _has(self, player: str) -> bool:
        """Whether the player is connected to any server."""
        at = self._known.players.get(player)
        return self._audience.has(player) or (at != self._membership.server_id and at in self._membership.alive)
