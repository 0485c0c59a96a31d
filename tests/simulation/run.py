"""One seed: a game in a fleet where things go wrong, then the healing, and what people and store remember of it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from logging import ERROR
from random import Random
from typing import Any

import structlog

from tests.simulation.faults import CHAOS, SETTLE, WATCH, Faults
from tests.simulation.network import FaultRates, Network
from tests.simulation.player import SimulatedPlayer
from tests.simulation.recorded_games import CODE, GAMES, recorded_game
from tests.simulation.simulation import Simulation
from tests.simulation.store import SimulatedStore
from tests.simulation.trace import Trace
from tests.simulation.virtual_time import VirtualClock, VirtualLoop

SEVERE_SHARE = 0.25
"""How many of the runs are."""


def simulate(seed: int, store_kind: type[SimulatedStore] = SimulatedStore) -> Simulation:
    """Play one seed to its end."""
    sim = _build(seed, store_kind)
    with _loud_words(sim):
        try:
            sim.servers += [sim.start(number, 1) for number in range(sim.rng.choice((2, 3, 3)))]
            for person in sim.players:
                sim.clock.after(sim.rng.uniform(0, 1), person.come)
            faults = Faults(sim)
            faults.draw()
            sim.clock.run(CHAOS)
            faults.heal()
            sim.clock.run(CHAOS + SETTLE + WATCH)
            sim.note_leaders()
        finally:
            for server in (*sim.servers, *sim.buried):
                server.loop.bury()
    return sim


def _build(seed: int, store_kind: type[SimulatedStore]) -> Simulation:
    rng, clock = Random(seed), VirtualClock()
    trace = Trace(clock)
    store = store_kind(CODE, VirtualLoop(clock, began_at=rng.uniform(0, 10_000)))
    network = Network(clock, store, FaultRates(), rng, trace)
    store.tell = network.tell
    begun = recorded_game(rng.randrange(len(GAMES)))
    moment = rng.randrange(begun.begins, len(begun.moments)) + 1
    store.begin(begun.moments[max(begun.begins, moment - 6) : moment], begun.commits)
    sim = Simulation(seed, rng, clock, trace, store, network, begun, severe=rng.random() < SEVERE_SHARE)
    guests = ("Emil",) if len(begun.players) < 4 and rng.random() < 0.3 else ()
    sim.players = [
        SimulatedPlayer(name, sim.clock, sim.trace, Random(f"{seed} {name}"), lambda: sim.servers, restless=sim.severe)
        for name in (*begun.players, *guests)
    ]
    return sim


@contextmanager
def _loud_words(sim: Simulation) -> Iterator[None]:
    """What the servers log as an error goes into the trace, and what they call a failure is one."""

    def write(_: object, method: str, said: dict[str, Any]) -> dict[str, Any]:
        sim.trace.add("LOG", method, said)
        if said.get("exc_info"):
            sim.alarms.append(f"{said['event']}: {sys.exc_info()[1]!r}")
        raise structlog.DropEvent

    before = structlog.get_config()
    structlog.configure(processors=[write], wrapper_class=structlog.make_filtering_bound_logger(ERROR))
    try:
        yield
    finally:
        structlog.configure(**before)
