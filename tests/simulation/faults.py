"""What goes wrong in a run, drawn from its seed; and how all of it is healed."""

from collections.abc import Callable

from tests.simulation.fleet import Fleet
from tests.simulation.server import Server

CHAOS = 10.0
"""How long things go wrong, in seconds of virtual time."""
SETTLE = 7.0
"""So much later nothing may remind of it: a lease has ended, positions were compared, everybody came back."""
WATCH = 5.5
"""How long the table is then watched: all it does by itself has to be done by then."""


class Faults:
    def __init__(self, fleet: Fleet) -> None:
        self._fleet = fleet
        self._rng = fleet.rng
        self._over = False
        self._paused: list[Server] = []

    def draw(self) -> None:
        """The weather, and what happens when."""
        weather, rng = self._fleet.sea.weather, self._rng
        stormy = self._fleet.stormy
        weather.requests = rng.choice((0.0, 0.02, 0.08) if stormy else (0.0, 0.01, 0.05))
        weather.wakeups = rng.choice((0.0, 0.1, 0.4))
        kinds = (self._kill, self._pause, self._store_goes, self._rewind, self._interrupt, self._drop, self._drop)
        kinds += (self._rewind, self._rewind) if stormy else ()
        for _ in range(rng.randrange(4, 14) if stormy else rng.randrange(2, 9)):
            self._fleet.world.after(rng.uniform(0.5, CHAOS), rng.choice(kinds))

    def heal(self) -> None:
        """Nothing goes wrong any more, every server runs, and everybody comes."""
        self._over = True
        fleet = self._fleet
        fleet.trace.add("HEALED")
        weather = fleet.sea.weather
        weather.requests = weather.wakeups = 0.0
        self._store_comes_back()
        for server in self._paused:
            server.loop.resume()
        for server in fleet.servers:
            if not server.up:
                self._start(server)
        for person in fleet.people:
            person.calm = True
            person.come()

    def _later(self, seconds: float, do: Callable[[], None]) -> None:
        self._fleet.world.after(seconds, lambda: None if self._over else do())

    def _kill(self) -> None:
        server = self._rng.choice(self._fleet.servers)
        if not server.up:
            return
        self._fleet.trace.fault("server killed", server.name)
        server.die()
        self._fleet.sea.links.remove(server.link)
        self._later(self._rng.uniform(0.1, 9), lambda: self._start(server))

    def _start(self, server: Server) -> None:
        fleet = self._fleet
        fleet.buried.append(server)
        fleet.servers[server.number] = fleet.start(server.number, server.life + 1)
        fleet.trace.add(fleet.servers[server.number].name, "starts")

    def _pause(self) -> None:
        server = self._rng.choice(self._fleet.servers)
        if not server.up or server in self._paused:
            return
        self._fleet.trace.fault("server paused", server.name)
        server.loop.pause()
        self._paused.append(server)
        self._later(self._rng.uniform(0.2, 8), lambda: self._resume(server))

    def _resume(self, server: Server) -> None:
        self._fleet.trace.add(server.name, "goes on")
        self._paused.remove(server)
        server.loop.resume()

    def _store_goes(self) -> None:
        self._fleet.trace.fault("store away")
        self._fleet.sea.weather.away = True
        self._later(self._rng.uniform(0.2, 7), self._store_comes_back)

    def _store_comes_back(self) -> None:
        if self._fleet.sea.weather.away:
            self._fleet.trace.add("store is back")
            self._fleet.sea.weather.away = False
            self._interrupt_all()

    def _interrupt_all(self) -> None:
        for link in self._fleet.sea.links:
            link.interrupt(self._rng.uniform(0, 0.5))

    def _interrupt(self) -> None:
        link = self._rng.choice(self._fleet.sea.links) if self._fleet.sea.links else None
        if link is not None:
            self._fleet.trace.fault("listener interrupted", link.name)
            link.interrupt(self._rng.uniform(0, 4))

    def _drop(self) -> None:
        person = self._rng.choice(self._fleet.people)
        if person.connection is not None:
            self._fleet.trace.fault("connection dropped", person.name)
            person.drop(self._rng.choice((0.0, self._rng.uniform(0, 9))))

    def _rewind(self) -> None:
        fleet = self._fleet
        before = fleet.store.top
        lost = self._rng.choice((1, 1, 2, 3, 5, 9))
        fleet.store.rewind(lost)
        fleet.note_rewind(before)
        fleet.trace.fault("log rewound", before, "to", fleet.store.top)
        if self._rng.random() < 0.5:
            self._interrupt_all()
