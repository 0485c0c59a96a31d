"""Everything in one run: servers and players, the store and the network."""

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
class Rollback:
    """A rollback of the log to `last`.

    `servers_with_lost_commits` are the servers that had seen a lost bid or card, with the id of its commit.
    """

    time: float
    last: LogPosition
    servers_with_lost_commits: tuple[tuple[Server, str], ...]


@dataclass(slots=True)
class Simulation:
    """With `severe`, there are many more faults and rollbacks, and players do the unexpected more often."""

    seed: int
    rng: Random
    clock: VirtualClock
    trace: Trace
    store: SimulatedStore
    network: Network
    recorded_game: RecordedGame
    severe: bool
    servers: list[Server] = field(default_factory=list)
    dead_servers: list[Server] = field(default_factory=list)
    players: list[SimulatedPlayer] = field(default_factory=list)
    rollbacks: list[Rollback] = field(default_factory=list)
    logged_exceptions: list[str] = field(default_factory=list)
    leaders: list[str] = field(default_factory=list)
    """Names of the servers that lead the table at the end."""

    def start_server(self, number: int, incarnation: int) -> Server:
        return Server(self.clock, self.network, number, incarnation, pace=PACE, seed=str(self.seed))

    def record_rollback(self, last_before: LogPosition) -> None:
        lost = {commit.id for commit in self.store.chain_to(last_before)} - {commit.id for commit in self.store.chain()}
        live = ((server, _table_of(server)) for server in self.servers if server.up)
        last_moves = ((server, table.replica.last_progress.id) for server, table in live if table is not None)
        servers_with_lost_commits = tuple((server, e) for server, e in last_moves if e in lost)
        self.rollbacks.append(Rollback(self.clock.now, self.store.last, servers_with_lost_commits))

    def record_leaders(self) -> None:
        tables = ((server, _table_of(server)) for server in self.servers)
        self.leaders = [server.name for server, table in tables if table and table.viewers and table.presence.is_leader]


def _table_of(server: Server) -> LiveTable | None:
    return server.tables._live.get(CODE)
