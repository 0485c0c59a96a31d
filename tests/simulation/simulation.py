"""Everything there is in one run: the servers, the people, their store and the sea between them."""

from dataclasses import dataclass, field
from random import Random

from server.tables.table import LiveTable
from spades_core.commit import LogPosition
from spades_core.schedule import Pace
from tests.simulation.network import Network
from tests.simulation.player import SimulatedPlayer
from tests.simulation.recorded_games import CODE, RecordedGame
from tests.simulation.server import Server
from tests.simulation.store import SimulatedStore
from tests.simulation.trace import Trace
from tests.simulation.virtual_time import VirtualClock

PACE = Pace(bot_delay_min=0.15, bot_delay_max=0.4, trick_pause=0.2, next_hand_timeout=7.0, takeover_after=5.0)


@dataclass(frozen=True, slots=True)
class Rewound:
    """The log was rewound to `top`; the servers that had `seen` a bid or a card which is lost, and its id."""

    at: float
    top: LogPosition
    seen: tuple[tuple[Server, str], ...]


@dataclass(slots=True)
class Simulation:
    """`stormy`: much more goes wrong, the store rewinds again and again, and people are restless."""

    seed: int
    rng: Random
    clock: VirtualClock
    trace: Trace
    store: SimulatedStore
    network: Network
    recorded_game: RecordedGame
    severe: bool
    servers: list[Server] = field(default_factory=list)
    buried: list[Server] = field(default_factory=list)
    players: list[SimulatedPlayer] = field(default_factory=list)
    rewound: list[Rewound] = field(default_factory=list)
    alarms: list[str] = field(default_factory=list)
    leaders: list[str] = field(default_factory=list)

    def start(self, number: int, life: int) -> Server:
        return Server(self.clock, self.network, number, life, pace=PACE, seed=str(self.seed))

    def note_rewind(self, lost: LogPosition) -> None:
        """Which servers have seen more than the log now knows."""
        gone = {commit.e for commit in self.store.chain_of(lost)} - {commit.e for commit in self.store.chain()}
        live = ((server, self.table_on(server)) for server in self.servers if server.up)
        moved = ((server, table.record.last_move.e) for server, table in live if table is not None)
        seen = tuple((server, e) for server, e in moved if e in gone)
        self.rewound.append(Rewound(self.clock.now, self.store.top, seen))

    def table_on(self, server: Server) -> LiveTable | None:
        return server.tables._live.get(CODE)

    def note_leaders(self) -> None:
        """Who leads the table now."""
        tables = ((server, self.table_on(server)) for server in self.servers)
        self.leaders = [
            server.name for server, table in tables if table and table.audience and table.presence.is_leader
        ]
