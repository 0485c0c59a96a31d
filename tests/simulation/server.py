"""One server of a simulation: the tables of the product, without sockets. It can be paused or killed."""

from math import inf
from random import Random
from typing import Protocol

from server.store.log import StoreError
from server.tables.registry import TableRegistry
from server.tables.table import LiveTable
from spades_core.protocol.messages import JoinTable, Refusal, ServerMessage, TableRequest
from spades_core.schedule import Pace
from tests.expert_pools import SlowPool
from tests.simulation.network import Network, RemoteStore
from tests.simulation.virtual_time import VirtualClock, VirtualLoop


class Server:
    """A restarted server keeps its `number` and has the next `incarnation`."""

    def __init__(
        self, clock: VirtualClock, network: Network, number: int, incarnation: int, *, pace: Pace, seed: str
    ) -> None:
        self.name = f"server {number}.{incarnation}"
        self.number = number
        self.incarnation = incarnation
        self.up = True
        rng = Random(f"{seed} {self.name}")
        self.loop = VirtualLoop(clock, offset=rng.uniform(0, 10_000), rate=rng.uniform(0.99, 1.01))
        self.store = RemoteStore(self.name, self.loop, network)
        self.connections: set[Connection] = set()
        experts = SlowPool(0.0, 0.4, Random(f"{seed} {self.name} experts"))
        with self.loop.running():
            self.tables = TableRegistry(self.store, experts, pace=pace, rng=rng)
            self.running = self.loop.create_task(self.tables.run())

    def receive(self, connection: "Connection", request: JoinTable | TableRequest) -> None:
        if isinstance(request, JoinTable):
            self.loop.create_task(self._join(connection, request))
        elif connection.table is None:
            connection.send(Refusal("no_table", "You are at no table.", re=request.id))
        else:
            connection.table.ask(connection, request)

    def disconnected(self, connection: "Connection") -> None:
        self.connections.discard(connection)
        connection.closed_at = self.loop.clock.now
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
        elif connection.closed_at == inf:
            connection.table = table
            table.join(connection, request, lambda: None)

    def kill(self) -> None:
        """Stop running anything, and lose every connection."""
        self.up = False
        self.loop.kill()
        self.store.interrupt(0)
        for connection in sorted(self.connections, key=lambda each: each.player):
            connection.lose()
        self.connections.clear()


class Endpoint(Protocol):
    """The player's end of a connection."""

    player: str
    name: str

    def receive(self, connection: "Connection", message: ServerMessage) -> None: ...

    def closed(self, connection: "Connection", code: int | None) -> None: ...


class Connection:
    """A viewer of tables. Messages take `latency` seconds and stay in order; none arrive once the server is dead."""

    def __init__(self, clock: VirtualClock, endpoint: Endpoint, server: Server, latency: float) -> None:
        self.player = endpoint.player
        self.name = endpoint.name
        self.server = server
        self.connected_at = round(1000 * clock.now)
        self.table: LiveTable | None = None
        self.closed_at = inf
        self._clock = clock
        self._endpoint = endpoint
        self._latency = latency
        server.connections.add(self)

    def send(self, message: ServerMessage) -> None:
        if self.server.up:
            self._clock.after(self._latency, lambda: self._endpoint.receive(self, message))

    def close(self, code: int) -> None:
        if self.server.up:
            self._clock.after(self._latency, lambda: self._endpoint.closed(self, code))

    def lose(self) -> None:
        """Close both ends, as the server is dead."""
        self.closed_at = self._clock.now
        self._clock.after(self._latency, lambda: self._endpoint.closed(self, None))

    def request(self, request: JoinTable | TableRequest) -> None:
        """Send a request to the server."""
        self.server.loop.post(self._latency, lambda: self.server.receive(self, request))

    def hang_up(self, unnoticed: float) -> None:
        """Close the player's end; the server notices after so many seconds."""
        self.server.loop.post(self._latency + unnoticed, lambda: self.server.disconnected(self))
