"""What goes wrong in a run, drawn from its seed; and how all of it is healed."""

from collections.abc import Callable

from tests.simulation.server import Server
from tests.simulation.simulation import Simulation

CHAOS = 10.0
"""How long things go wrong, in seconds of virtual time."""
SETTLE = 7.0
"""So much later nothing may remind of it: a lease has ended, positions were compared, everybody came back."""
WATCH = 5.5
"""How long the table is then watched: all it does by itself has to be done by then."""


class Faults:
    def __init__(self, sim: Simulation) -> None:
        self._build = sim
        self._rng = sim.rng
        self._over = False
        self._paused: list[Server] = []

    def draw(self) -> None:
        """The weather, and what happens when."""
        faults, rng = self._build.network.faults, self._rng
        severe = self._build.severe
        faults.requests = rng.choice((0.0, 0.02, 0.08) if severe else (0.0, 0.01, 0.05))
        faults.wakeups = rng.choice((0.0, 0.1, 0.4))
        kinds = (self._kill, self._pause, self._store_goes, self._rewind, self._interrupt, self._drop, self._drop)
        kinds += (self._rewind, self._rewind) if severe else ()
        for _ in range(rng.randrange(4, 14) if severe else rng.randrange(2, 9)):
            self._build.clock.after(rng.uniform(0.5, CHAOS), rng.choice(kinds))

    def heal(self) -> None:
        """Nothing goes wrong any more, every server runs, and everybody comes."""
        self._over = True
        sim = self._build
        sim.trace.add("HEALED")
        faults = sim.network.faults
        faults.requests = faults.wakeups = 0.0
        self._store_comes_back()
        for server in self._paused:
            server.loop.resume()
        for server in sim.servers:
            if not server.up:
                self._start(server)
        for person in sim.players:
            person.calm = True
            person.come()

    def _later(self, seconds: float, do: Callable[[], None]) -> None:
        self._build.clock.after(seconds, lambda: None if self._over else do())

    def _kill(self) -> None:
        server = self._rng.choice(self._build.servers)
        if not server.up:
            return
        self._build.trace.fault("server killed", server.name)
        server.die()
        self._build.network.clients.remove(server.store_client)
        self._later(self._rng.uniform(0.1, 9), lambda: self._start(server))

    def _start(self, server: Server) -> None:
        sim = self._build
        sim.buried.append(server)
        sim.servers[server.number] = sim.start(server.number, server.life + 1)
        sim.trace.add(sim.servers[server.number].name, "starts")

    def _pause(self) -> None:
        server = self._rng.choice(self._build.servers)
        if not server.up or server in self._paused:
            return
        self._build.trace.fault("server paused", server.name)
        server.loop.pause()
        self._paused.append(server)
        self._later(self._rng.uniform(0.2, 8), lambda: self._resume(server))

    def _resume(self, server: Server) -> None:
        self._build.trace.add(server.name, "goes on")
        self._paused.remove(server)
        server.loop.resume()

    def _store_goes(self) -> None:
        self._build.trace.fault("store away")
        self._build.network.faults.away = True
        self._later(self._rng.uniform(0.2, 7), self._store_comes_back)

    def _store_comes_back(self) -> None:
        if self._build.network.faults.away:
            self._build.trace.add("store is back")
            self._build.network.faults.away = False
            self._interrupt_all()

    def _interrupt_all(self) -> None:
        for store_client in self._build.network.clients:
            store_client.interrupt(self._rng.uniform(0, 0.5))

    def _interrupt(self) -> None:
        store_client = self._rng.choice(self._build.network.clients) if self._build.network.clients else None
        if store_client is not None:
            self._build.trace.fault("listener interrupted", store_client.name)
            store_client.interrupt(self._rng.uniform(0, 4))

    def _drop(self) -> None:
        person = self._rng.choice(self._build.players)
        if person.connection is not None:
            self._build.trace.fault("connection dropped", person.name)
            person.drop(self._rng.choice((0.0, self._rng.uniform(0, 9))))

    def _rewind(self) -> None:
        sim = self._build
        before = sim.store.top
        lost = self._rng.choice((1, 1, 2, 3, 5, 9))
        sim.store.rewind(lost)
        sim.note_rewind(before)
        sim.trace.fault("log rewound", before, "to", sim.store.top)
        if self._rng.random() < 0.5:
            self._interrupt_all()
