"""One seed: a game in a fleet where things go wrong, then the healing, and what people and store remember of it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from logging import ERROR
from random import Random
from typing import Any

import structlog

from tests.simulation.faults import CHAOS, SETTLE, WATCH, Faults
from tests.simulation.fleet import Fleet
from tests.simulation.link import Sea, Weather
from tests.simulation.opening import CODE, GAMES, opening
from tests.simulation.person import Person
from tests.simulation.store import SimulatedStore
from tests.simulation.trace import Trace
from tests.simulation.world import Loop, World

STORMY = 0.25
"""How many of the runs are."""


def simulate(seed: int, store_kind: type[SimulatedStore] = SimulatedStore) -> Fleet:
    """Play one seed to its end."""
    fleet = _fleet(seed, store_kind)
    with _loud_words(fleet):
        try:
            fleet.servers += [fleet.start(number, 1) for number in range(fleet.rng.choice((2, 3, 3)))]
            for person in fleet.people:
                fleet.world.after(fleet.rng.uniform(0, 1), person.come)
            faults = Faults(fleet)
            faults.draw()
            fleet.world.run(CHAOS)
            faults.heal()
            fleet.world.run(CHAOS + SETTLE + WATCH)
            fleet.note_drivers()
        finally:
            for server in (*fleet.servers, *fleet.buried):
                server.loop.bury()
    return fleet


def _fleet(seed: int, store_kind: type[SimulatedStore]) -> Fleet:
    rng, world = Random(seed), World()
    trace = Trace(world)
    store = store_kind(CODE, Loop(world, began_at=rng.uniform(0, 10_000)))
    sea = Sea(world, store, Weather(), rng, trace)
    store.tell = sea.tell
    begun = opening(rng.randrange(len(GAMES)))
    moment = rng.randrange(begun.begins, len(begun.moments)) + 1
    store.begin(begun.moments[max(begun.begins, moment - 6) : moment], begun.commits)
    fleet = Fleet(seed, rng, world, trace, store, sea, begun, stormy=rng.random() < STORMY)
    guests = ("Emil",) if len(begun.people) < 4 and rng.random() < 0.3 else ()
    fleet.people = [
        Person(name, fleet.world, fleet.trace, Random(f"{seed} {name}"), lambda: fleet.servers, restless=fleet.stormy)
        for name in (*begun.people, *guests)
    ]
    return fleet


@contextmanager
def _loud_words(fleet: Fleet) -> Iterator[None]:
    """What the servers log as an error goes into the trace, and what they call a failure is one."""

    def write(_: object, method: str, said: dict[str, Any]) -> dict[str, Any]:
        fleet.trace.add("LOG", method, said)
        if said.get("exc_info"):
            fleet.alarms.append(f"{said['event']}: {sys.exc_info()[1]!r}")
        raise structlog.DropEvent

    before = structlog.get_config()
    structlog.configure(processors=[write], wrapper_class=structlog.make_filtering_bound_logger(ERROR))
    try:
        yield
    finally:
        structlog.configure(**before)
