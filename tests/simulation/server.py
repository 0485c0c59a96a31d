"""One server of a simulated fleet: the tables of the product, without sockets. It may be paused, or die unheard."""

from math import inf
from random import Random

from server.store.log import StoreError
from server.tables.registry import TableRegistry
from server.tables.table import LiveTable
from spades_core.protocol.messages import JoinTable, Refusal, ServerMessage, TableRequest
from spades_core.schedule import Pace
from tests.expert_pools import SlowPool
from tests.simulation.network import Network, RemoteStore
from tests.simulation.trace import Trace
from tests.simulation.virtual_time import VirtualClock, VirtualLoop


class Server:
    """`number` stays when it is started again, `life` counts the starts."""

    def __init__(self, clock: VirtualClock, network: Network, number: int, life: int, *, pace: Pace, seed: str) -> None:
        self.name = f"server {number}.{life}"
        self.number = number
        self.life = life
        self.up = True
        rng = Random(f"{seed} {self.name}")
        self.loop = VirtualLoop(clock, began_at=rng.uniform(0, 10_000), rate=rng.uniform(0.99, 1.01))
        self.store_client = RemoteStore(self.name, self.loop, network)
        self.connections: set[Connection] = set()
        with self.loop.running():
            self.tables = TableRegistry(
                self.store_client, SlowPool(0.0, 0.4, Random(f"{seed} {self.name} thinks")), pace=pace, rng=rng
            )
            self.running = self.loop.create_task(self.tables.run())

    def hear(self, connection: "Connection", request: JoinTable | TableRequest) -> None:
        if isinstance(request, JoinTable):
            self.loop.create_task(self._join(connection, request))
        elif connection.table is None:
            connection.send(Refusal("no_table", "You are at no table.", re=request.id))
        else:
            connection.table.ask(connection, request)

    def gone(self, connection: "Connection") -> None:
        self.connections.discard(connection)
        connection.gone_at = self.loop.clock.now
        if connection.table is not None:
            connection.table.disconnected(connection)

    async def _join(self, connection: "Connection", request: JoinTable) -> None:
        try:
            table = await self.tables.find(request.code)
        except StoreError as problem:
            connection.send(Refusal("saving_paused", str(problem), re=request.id))
            return
        if table is None:
            connection.send(Refusal("no_table", f"There is no table {request.code}.", re=request.id))
        elif connection.gone_at == inf:
            connection.table = table
            table.join(connection, request, lambda: None)

    def die(self) -> None:
        """Nothing of it runs any more, and every connection breaks."""
        self.up = False
        self.loop.die()
        self.store_client.interrupt(0)
        for connection in sorted(self.connections, key=lambda each: each.player):
            connection.break_off()
        self.connections.clear()


class Connection:
    """A viewer of tables; what is sent takes its time, and arrives in order or, once it is broken, not at all."""

    def __init__(self, clock: VirtualClock, trace: Trace, person: "Far", server: Server, travel: float) -> None:
        self.player = person.player
        self.name = person.name
        self.server = server
        self.connected_at = round(1000 * clock.now)
        self.table: LiveTable | None = None
        self.gone_at = inf
        self._world = clock
        self._trace = trace
        self._person = person
        self._travel = travel
        server.connections.add(self)

    def send(self, message: ServerMessage) -> None:
        if self.server.up:
            self._world.after(self._travel, lambda: self._person.hear(self, message))

    def close(self, code: int) -> None:
        if self.server.up:
            self._world.after(self._travel, lambda: self._person.closed(self, code))

    def break_off(self) -> None:
        self.gone_at = self._world.now
        self._world.after(self._travel, lambda: self._person.closed(self, None))

    def ask(self, request: JoinTable | TableRequest) -> None:
        self.server.loop.post(self._travel, lambda: self.server.hear(self, request))

    def hang_up(self, seconds: float) -> None:
        """The server finds out so much later."""
        self.server.loop.post(self._travel + seconds, lambda: self.server.gone(self))


class Far:
    """Whoever is at the other end of a connection."""

    player: str
    name: str

    def hear(self, connection: Connection, message: ServerMessage) -> None: ...

    def closed(self, connection: Connection, code: int | None) -> None: ...
