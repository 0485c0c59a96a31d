"""Everything there is in one run: the servers, the people, their store and the sea between them."""

from dataclasses import dataclass, field
from random import Random

from server.tables.table import LiveTable
from spades_core.commit import LogPosition
from spades_core.schedule import Pace
from tests.simulation.link import Sea
from tests.simulation.opening import CODE, Opening
from tests.simulation.person import Person
from tests.simulation.server import Server
from tests.simulation.store import SimulatedStore
from tests.simulation.trace import Trace
from tests.simulation.world import World

PACE = Pace(bot_delay_min=0.15, bot_delay_max=0.4, trick_pause=0.2, next_hand_timeout=7.0, takeover_after=5.0)


@dataclass(frozen=True, slots=True)
class Rewound:
    """The log was rewound to `top`; the servers that had `seen` a bid or a card which is lost, and its id."""

    at: float
    top: LogPosition
    seen: tuple[tuple[Server, str], ...]


@dataclass(slots=True)
class Fleet:
    """`stormy`: much more goes wrong, the store rewinds again and again, and people are restless."""

    seed: int
    rng: Random
    world: World
    trace: Trace
    store: SimulatedStore
    sea: Sea
    opening: Opening
    stormy: bool
    servers: list[Server] = field(default_factory=list)
    buried: list[Server] = field(default_factory=list)
    people: list[Person] = field(default_factory=list)
    rewound: list[Rewound] = field(default_factory=list)
    alarms: list[str] = field(default_factory=list)
    drivers: list[str] = field(default_factory=list)

    def start(self, number: int, life: int) -> Server:
        return Server(self.world, self.sea, number, life, pace=PACE, seed=str(self.seed))

    def note_rewind(self, lost: LogPosition) -> None:
        """Which servers have seen more than the log now knows."""
        gone = {commit.e for commit in self.store.chain_of(lost)} - {commit.e for commit in self.store.chain()}
        live = ((server, self.table_on(server)) for server in self.servers if server.up)
        moved = ((server, table.record.last_move.e) for server, table in live if table is not None)
        seen = tuple((server, e) for server, e in moved if e in gone)
        self.rewound.append(Rewound(self.world.now, self.store.top, seen))

    def table_on(self, server: Server) -> LiveTable | None:
        return server.tables._live.get(CODE)

    def note_drivers(self) -> None:
        """Who leads the table now."""
        tables = ((server, self.table_on(server)) for server in self.servers)
        self.drivers = [
            server.name for server, table in tables if table and table.audience and table.presence.is_leader
        ]
