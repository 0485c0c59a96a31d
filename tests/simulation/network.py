"""What a server has of the store: requests and wake-ups that travel, are late, get lost, or come twice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from server.store.log import AppendResult, Head, LoadedTable, StoreError, StoreUnavailable, Subscriber, TablePresence
from spades_core.commit import Commit, LogPosition
from tests.simulation.store import SimulatedStore
from tests.simulation.trace import Trace
from tests.simulation.virtual_time import VirtualClock, VirtualLoop

BUDGET = 5.0
"""How long a request is tried, as in RedisLog."""
TRAVEL = 0.002

FATES = ("slow", "answer lost", "request lost", "asked twice", "asked again", "too late")


@dataclass(slots=True)
class FaultRates:
    """How often a request to the store, and a wake-up from it, comes to grief; while `away` none gets through."""

    requests: float = 0.0
    wakeups: float = 0.0
    away: bool = False


@dataclass(slots=True)
class Network:
    """What all links have in common."""

    clock: VirtualClock
    store: SimulatedStore
    faults: FaultRates
    rng: Random
    trace: Trace
    clients: list["RemoteStore"] = field(default_factory=list)

    def tell(self, news: Commit | TablePresence) -> None:
        for store_client in self.clients:
            store_client.hear(news)


class RemoteStore:
    """A TableLog: one server's way to the store."""

    def __init__(self, name: str, loop: VirtualLoop, network: Network) -> None:
        self.name = name
        self._loop = loop
        self._sea = network
        self._ear: Subscriber | None = None
        self._deaf = False
        network.clients.append(self)

    # Requests.

    async def _ask(self, operation: str, *args: Any, **options: Any) -> Any:
        network = self._sea
        fate = network.rng.choice(FATES) if network.rng.random() < network.faults.requests else "well"
        if fate != "well":
            network.trace.fault(f"store: {fate}", self.name, operation)
        request = _Request(self, operation, args, options, self._loop.create_future())
        request.give_up_at = network.clock.now + BUDGET
        match fate:
            case "slow":
                request.travel(network.rng.uniform(0.1, 3))
            case "answer lost":
                request.travel(TRAVEL, heard=False)
            case "request lost":
                pass
            case "asked twice":  # the answer was lost, and the client asks again by itself
                request.travel(TRAVEL, heard=False)
                request.travel(network.rng.uniform(0.3, 3))
            case "asked again":
                request.travel(network.rng.uniform(0.3, 3))
            case "too late":
                request.travel(BUDGET + network.rng.uniform(0.001, 4), heard=False)
            case _:
                request.travel(TRAVEL)
        if fate != "well":
            self._loop.post(BUDGET, request.give_up)
        return await request.answer

    async def create(self, code: str, commit: Commit) -> bool:
        return await self._ask("create", code, commit)

    async def append(self, code: str, commit: Commit, **options: Any) -> AppendResult:
        return await self._ask("append", code, commit, **options)

    async def load(self, code: str, *, whole_game: bool = False) -> LoadedTable | None:
        return await self._ask("load", code, whole_game=whole_game)

    async def read(self, code: str, after: LogPosition) -> tuple[Commit, ...] | None:
        return await self._ask("read", code, after)

    async def find_request(self, code: str, player: str, request: str) -> int | None:
        return await self._ask("find_request", code, player, request)

    async def heads(self, codes: Sequence[str]) -> dict[str, Head | None]:
        return await self._ask("heads", codes)

    async def set_presence(
        self, code: str, server_id: str, connected_at: Mapping[str, int], **options: Any
    ) -> TablePresence | None:
        return await self._ask("set_presence", code, server_id, connected_at, **options)

    async def heartbeat(self, server_id: str, lease_ms: int) -> frozenset[str]:
        return await self._ask("heartbeat", server_id, lease_ms)

    async def leave(self, server_id: str) -> None:
        await self._ask("leave", server_id)

    async def close(self) -> None:
        self._sea.clients.remove(self)

    # Wake-ups.

    async def listen(self, subscriber: Subscriber) -> None:
        self._ear = subscriber
        self._loop.post(TRAVEL, subscriber.resubscribed)
        await self._loop.create_future()

    def interrupt(self, seconds: float) -> None:
        """Deaf for so long; what is on its way still arrives. In the end the ear is told that it missed something."""
        self._deaf = True
        self._sea.clock.after(seconds, self._resubscribe)

    def _resubscribe(self) -> None:
        self._deaf = False
        if self._ear is not None:
            self._loop.post(TRAVEL, self._ear.resubscribed)

    def hear(self, news: Commit | TablePresence) -> None:
        network, ear = self._sea, self._ear
        if self._deaf or ear is None:
            return
        delays: tuple[float, ...] = (TRAVEL,)
        if network.rng.random() < network.faults.wakeups:
            kind = network.rng.choice(("lost", "doubled", "delayed"))
            network.trace.fault(f"wake-up {kind}", self.name)
            late = network.rng.uniform(0.01, 3)
            delays = {"lost": (), "doubled": (TRAVEL, late), "delayed": (late,)}[kind]
        for delay in delays:
            self._loop.post(delay, lambda: _tell(ear, network.store.code, news))


def _tell(ear: Subscriber, code: str, news: Commit | TablePresence) -> None:
    if not ear.wants(code):
        return
    if isinstance(news, TablePresence):
        ear.presence_changed(code, news)
    else:
        ear.committed(code, news)


class _Request:
    """One request to the store, which may get there more than once."""

    def __init__(self, store_client: RemoteStore, operation: str, args: Any, options: Any, answer: Any) -> None:
        self._link, self._sea, self._loop = store_client, store_client._sea, store_client._loop
        self._operation, self._args, self._options = operation, args, options
        self.answer = answer
        self.give_up_at = 0.0

    def travel(self, seconds: float, *, heard: bool = True) -> None:
        self._sea.clock.after(seconds, lambda: self._arrive(heard))

    def give_up(self) -> None:
        if not self.answer.done():
            self.answer.set_exception(StoreUnavailable(f"{self._operation}: no answer came"))

    def _arrive(self, heard: bool) -> None:
        network = self._sea
        if network.faults.away:
            if self._loop.dead:
                return
            if heard and network.clock.now < self.give_up_at:
                self.travel(0.3)
            elif heard:
                self._loop.post(0, self.give_up)
            return
        result: Any
        try:
            result = network.store.perform(self._operation, *self._args, **self._options)
        except StoreError as problem:
            result = problem
        said = sorted(result) if isinstance(result, frozenset) else result
        network.trace.add(self._link.name, self._operation, self._args, said)
        if heard:
            self._loop.post(TRAVEL, lambda: self._hear(result))

    def _hear(self, result: Any) -> None:
        if self.answer.done():
            return
        if isinstance(result, StoreError):
            self.answer.set_exception(result)
        else:
            self.answer.set_result(result)
