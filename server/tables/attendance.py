"""Who looks at one table, on this server and on all others, and whether this server is the one that drives it.

The viewers of this server are known for sure. Who is elsewhere is what the store
said last, less the servers that have died since.
"""

import math

from server.store.log import Attendance, StoreUnavailable, TableLog
from server.tables.audience import Audience
from server.tables.fleet import Fleet
from spades_core.protocol.messages import CLOSE_REPLACED
from spades_core.seats import SEATS, BySeat, Seat
from spades_core.state import Table


class Attendants:
    def __init__(self, code: str, audience: Audience, store: TableLog, fleet: Fleet) -> None:
        self._code = code
        self._audience = audience
        self._store = store
        self._fleet = fleet
        self._known = Attendance()
        self._told: dict[str, int] | None = {}
        self._news = 0.0

    @property
    def drives(self) -> bool:
        """Whether clocks and bots are ours; two servers may believe so for a moment, and the append judges."""
        return self._fleet.sure and self._known.driver == self._fleet.me

    def agrees(self, attended: int) -> bool:
        """Whether the store knows our viewers, and we know all it has to say."""
        return attended == self._known.changed_at and self.are_told

    @property
    def are_told(self) -> bool:
        """Whether the store knows who is here; not known while it is told, and after it could not be."""
        return self._told == self._audience.dialled

    def involves(self, servers: frozenset[str]) -> bool:
        return bool(self._known.servers & servers)

    async def call(self) -> bool:
        """Tell the store who is here and learn who is elsewhere; False when the table is gone.

        Raises StoreUnavailable. A viewer who went on to another server is shown out.
        """
        here, self._told, self._news = self._audience.dialled, None, 0.0
        said = await self._tell(here, self._known.servers - self._fleet.alive)
        if said is not None and said.servers - self._fleet.alive:
            await self._fleet.look()  # somebody new to us, or somebody dead
            if dead := said.servers - self._fleet.alive:
                said = await self._tell(here, dead)
        if said is None:
            return False
        self._known, self._told = said, here
        for viewer in self._audience:
            if said.players.get(viewer.player, self._fleet.me) != self._fleet.me:
                self._audience.dismiss(viewer)
                viewer.close(CLOSE_REPLACED)
        return True

    def hear(self, told: Attendance | None) -> None:
        """What the store tells everybody, or None for the death of a server. What is news is asked about.

        It is not just taken: a wake-up may be late, and from before a rewind.
        """
        self._news = max(self._news, math.inf if told is None else told.changed_at)

    @property
    def are_behind(self) -> bool:
        """Whether there is news that the store has not been asked about."""
        return self._news > self._known.changed_at

    async def _tell(self, here: dict[str, int], dead: frozenset[str]) -> Attendance | None:
        return await self._store.attend(self._code, self._fleet.me, here, dead=sorted(dead))

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
        return self._audience.has(player) or (at != self._fleet.me and at in self._fleet.alive)
