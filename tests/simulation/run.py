"""One run: a game with faults drawn from a seed, then the repair and a recovery."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from logging import ERROR
from random import Random
from typing import Any

import structlog

from tests.simulation.faults import FAULT_SECONDS, OBSERVATION_SECONDS, RECOVERY_SECONDS, Faults
from tests.simulation.network import FaultRates, Network
from tests.simulation.player import SimulatedPlayer
from tests.simulation.recorded_games import CODE, GAMES, recorded_game
from tests.simulation.simulation import Simulation
from tests.simulation.store import SimulatedStore
from tests.simulation.trace import Trace
from tests.simulation.virtual_time import VirtualClock, VirtualLoop

SEVERE_SHARE = 0.25
"""Share of the runs that are severe."""


def simulate(seed: int) -> Simulation:
    """Run one seed."""
    sim = _build(seed)
    with _capture_logs(sim):
        try:
            sim.servers += [sim.start_server(number, 1) for number in range(sim.rng.choice((2, 3, 3)))]
            for player in sim.players:
                sim.clock.after(sim.rng.uniform(0, 1), player.connect)
            faults = Faults(sim)
            faults.schedule()
            sim.clock.run(FAULT_SECONDS)
            faults.repair()
            sim.clock.run(FAULT_SECONDS + RECOVERY_SECONDS + OBSERVATION_SECONDS)
            sim.record_leaders()
        finally:
            for server in (*sim.servers, *sim.dead_servers):
                server.loop.cancel_all()
    return sim


def _build(seed: int) -> Simulation:
    rng, clock = Random(seed), VirtualClock()
    trace = Trace(clock)
    store = SimulatedStore(CODE, VirtualLoop(clock, offset=rng.uniform(0, 10_000)))
    network = Network(clock, store, FaultRates(), rng, trace)
    store.publish = network.publish
    game = recorded_game(rng.randrange(len(GAMES)))
    end = rng.randrange(game.first_state, len(game.states)) + 1
    store.restore(game.states[max(game.first_state, end - 6) : end], game.commits)
    sim = Simulation(seed, rng, clock, trace, store, network, game, severe=rng.random() < SEVERE_SHARE)
    guests = ("Emil",) if len(game.players) < 4 and rng.random() < 0.3 else ()
    sim.players = [
        SimulatedPlayer(name, sim.clock, sim.trace, Random(f"{seed} {name}"), lambda: sim.servers, restless=sim.severe)
        for name in (*game.players, *guests)
    ]
    return sim


@contextmanager
def _capture_logs(sim: Simulation) -> Iterator[None]:
    """Trace what the servers log as an error, and record the exceptions among it."""

    def write(_: object, method: str, entry: dict[str, Any]) -> dict[str, Any]:
        sim.trace.add("LOG", method, entry)
        if entry.get("exc_info"):
            sim.logged_exceptions.append(f"{entry['event']}: {sys.exc_info()[1]!r}")
        raise structlog.DropEvent

    before = structlog.get_config()
    structlog.configure(processors=[write], wrapper_class=structlog.make_filtering_bound_logger(ERROR))
    try:
        yield
    finally:
        structlog.configure(**before)
