"""Who looks at one table, on this server and on all others, and whether this server is the one that drives it.

The viewers of this server are known for sure. Who is elsewhere is what the store
said last, less the servers that have died since.
"""

import asyncio
from collections.abc import Sequence

from server.store.log import Attendance, TableLog
from server.tables.audience import Audience, Viewer
from server.tables.fleet import Fleet
from spades_core.protocol.messages import CLOSE_REPLACED
from spades_core.seats import SEATS, BySeat, Seat
from spades_core.state import Table

DISPUTE_SECONDS = 4.0
"""How long a player may be here while the store names another server, until we claim them."""


class Attendants:
    def __init__(self, code: str, audience: Audience, store: TableLog, fleet: Fleet) -> None:
        self._code = code
        self._audience = audience
        self._store = store
        self._fleet = fleet
        self._known = Attendance()
        self._told = frozenset[str]()
        self._disputed: dict[str, float] = {}
        self._now = asyncio.get_running_loop().time

    @property
    def drives(self) -> bool:
        """Whether clocks and bots are ours; two servers may believe so for a moment, and the append judges."""
        return self._fleet.sure and self._known.driver == self._fleet.me

    def agrees(self, count: int) -> bool:
        """Whether the store knows our viewers, and we know all it has to say."""
        return count == self._known.count and self._told == self._audience.players and not self._disputed

    def involves(self, servers: frozenset[str]) -> bool:
        return bool(self._known.servers & servers)

    async def call(self, arrived: str | None = None) -> bool:
        """Tell the store who is here and learn who is elsewhere; False when the table is gone.

        Raises StoreUnavailable. A viewer who went on to another server is shown out.
        """
        here, before = self._audience.players, self._known
        claimed = [arrived] if arrived is not None else self._long_disputed()
        said = await self._tell(here, claimed, before.servers - self._fleet.alive)
        if said is not None and said.servers - self._fleet.alive:
            await self._fleet.look()  # somebody new to us, or somebody dead
            if dead := said.servers - self._fleet.alive:
                said = await self._tell(here, [], dead)
        if said is None:
            return False
        self._known, self._told = said, here
        for viewer in self._audience:
            self._settle(viewer, before, said)
        return True

    def is_news(self, told: Attendance) -> bool:
        """Most of what the store tells everybody it has answered us already. The rest may be late, so it is asked."""
        return told.count >= self._known.count and told != self._known

    async def _tell(self, here: frozenset[str], arrived: Sequence[str], dead: frozenset[str]) -> Attendance | None:
        said = None
        for player in arrived or (None,):
            said = await self._store.attend(self._code, self._fleet.me, sorted(here), arrived=player, dead=sorted(dead))
        return said

    def _settle(self, viewer: Viewer, before: Attendance, said: Attendance) -> None:
        """Whether a viewer has gone on to another server is sure only if the store knew before that they were here.

        Else it may not have heard that they came, or may have been rewound. The other server is
        given time to say that they are not there; then they are claimed as if they came just now.
        """
        player, me = viewer.player, self._fleet.me
        if said.players.get(player, me) == me:
            self._disputed.pop(player, None)
        elif before.players.get(player) == me and said.count > before.count:
            self._audience.dismiss(viewer)
            viewer.close(CLOSE_REPLACED)
        else:
            self._disputed.setdefault(player, self._now())

    def _long_disputed(self) -> list[str]:
        here, until = self._audience.players, self._now() - DISPUTE_SECONDS
        self._disputed = {player: since for player, since in self._disputed.items() if player in here}
        return [player for player, since in self._disputed.items() if since <= until]

    def present(self, table: Table) -> BySeat[bool]:
        """Which seats are looked after by a connection of their own, to any server."""
        north, east, south, west = (self._has(table, seat) for seat in SEATS)
        return north, east, south, west

    def _has(self, table: Table, seat: Seat) -> bool:
        occupant = table.seats[seat]
        if occupant is None or occupant.player is None:
            return False
        at = self._known.players.get(occupant.player)
        return occupant.player in self._audience.players or (at != self._fleet.me and at in self._fleet.alive)
