"""The faults of a run, drawn from its seed, and their repair."""

from collections.abc import Callable

from tests.simulation.server import Server
from tests.simulation.simulation import Simulation

FAULT_SECONDS = 10.0
"""Virtual time with faults."""
RECOVERY_SECONDS = 7.0
"""Time to recover: leases expire, positions are compared, players reconnect."""
OBSERVATION_SECONDS = 5.5
"""Time in which the table then has to do whatever it does by itself."""


class Faults:
    def __init__(self, sim: Simulation) -> None:
        self._sim = sim
        self._rng = sim.rng
        self._over = False
        self._paused: list[Server] = []

    def schedule(self) -> None:
        """Draw the fault rates of the network, and all other faults with their times."""
        rates, rng, severe = self._sim.network.faults, self._rng, self._sim.severe
        rates.requests = rng.choice((0.0, 0.02, 0.08) if severe else (0.0, 0.01, 0.05))
        rates.changes = rng.choice((0.0, 0.1, 0.4))
        kinds = [self._kill, self._pause, self._stop_store, self._rollback, self._interrupt]
        kinds += 2 * [self._lose_connection]
        kinds += 2 * [self._rollback] if severe else []
        for _ in range(rng.randrange(4, 14) if severe else rng.randrange(2, 9)):
            self._sim.clock.after(rng.uniform(0.5, FAULT_SECONDS), rng.choice(kinds))

    def repair(self) -> None:
        """End all faults: every server and the store are up, and every player connects."""
        self._over = True
        sim = self._sim
        sim.trace.add("REPAIRED")
        sim.network.faults.requests = sim.network.faults.changes = 0.0
        self._start_store()
        for server in self._paused:
            server.loop.resume()
        for server in sim.servers:
            if not server.up:
                self._start(server)
        for player in sim.players:
            player.calm = True
            player.connect()

    def _later(self, seconds: float, callback: Callable[[], None]) -> None:
        self._sim.clock.after(seconds, lambda: None if self._over else callback())

    def _kill(self) -> None:
        server = self._rng.choice(self._sim.servers)
        if not server.up:
            return
        self._sim.trace.fault("server killed", server.name)
        server.kill()
        self._sim.network.clients.remove(server.store)
        self._later(self._rng.uniform(0.1, 9), lambda: self._start(server))

    def _start(self, server: Server) -> None:
        sim = self._sim
        sim.dead_servers.append(server)
        sim.servers[server.number] = sim.start_server(server.number, server.incarnation + 1)
        sim.trace.add(sim.servers[server.number].name, "starts")

    def _pause(self) -> None:
        server = self._rng.choice(self._sim.servers)
        if not server.up or server in self._paused:
            return
        self._sim.trace.fault("server paused", server.name)
        server.loop.pause()
        self._paused.append(server)
        self._later(self._rng.uniform(0.2, 8), lambda: self._resume(server))

    def _resume(self, server: Server) -> None:
        self._sim.trace.add(server.name, "resumes")
        self._paused.remove(server)
        server.loop.resume()

    def _stop_store(self) -> None:
        self._sim.trace.fault("store down")
        self._sim.network.faults.store_down = True
        self._later(self._rng.uniform(0.2, 7), self._start_store)

    def _start_store(self) -> None:
        if self._sim.network.faults.store_down:
            self._sim.trace.add("store up")
            self._sim.network.faults.store_down = False
            self._interrupt_all()

    def _interrupt_all(self) -> None:
        for client in self._sim.network.clients:
            client.interrupt(self._rng.uniform(0, 0.5))

    def _interrupt(self) -> None:
        client = self._rng.choice(self._sim.network.clients) if self._sim.network.clients else None
        if client is not None:
            self._sim.trace.fault("subscription interrupted", client.name)
            client.interrupt(self._rng.uniform(0, 4))

    def _lose_connection(self) -> None:
        player = self._rng.choice(self._sim.players)
        if player.connection is not None:
            self._sim.trace.fault("connection lost", player.name)
            player.disconnect(self._rng.choice((0.0, self._rng.uniform(0, 9))))

    def _rollback(self) -> None:
        sim = self._sim
        before = sim.store.last
        sim.store.rollback(self._rng.choice((1, 1, 2, 3, 5, 9)))
        sim.record_rollback(before)
        sim.trace.fault("log rolled back", before, "to", sim.store.last)
        if self._rng.random() < 0.5:
            self._interrupt_all()
