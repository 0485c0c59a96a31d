"""The network between servers and store: requests and published changes are late, lost or duplicated."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from server.store.log import AppendResult, Head, LoadedTable, StoreError, StoreUnavailable, Subscriber, TablePresence
from spades_core.commit import Commit, LogPosition
from tests.simulation.store import SimulatedStore
from tests.simulation.trace import Trace
from tests.simulation.virtual_time import VirtualClock, VirtualLoop

REQUEST_TIMEOUT = 5.0
"""As of RedisLog."""
RETRY_INTERVAL = 0.3
LATENCY = 0.002
"""One way."""

REQUEST_FAULTS = ("slow", "answer lost", "request lost", "sent twice", "sent again", "too late")


@dataclass(slots=True)
class FaultRates:
    """The probability of a fault of a request to the store, and of a published change."""

    requests: float = 0.0
    changes: float = 0.0
    store_down: bool = False


@dataclass(slots=True)
class Network:
    """What all servers share."""

    clock: VirtualClock
    store: SimulatedStore
    faults: FaultRates
    rng: Random
    trace: Trace
    clients: list["RemoteStore"] = field(default_factory=list)

    def publish(self, change: Commit | TablePresence) -> None:
        for client in self.clients:
            client.receive(change)


class RemoteStore:
    """A TableLog: the store as one server reaches it over the network."""

    def __init__(self, name: str, loop: VirtualLoop, network: Network) -> None:
        self.name = name
        self.loop = loop
        self.network = network
        self._subscriber: Subscriber | None = None
        self._interrupted = False
        network.clients.append(self)

    async def _call(self, operation: str, *args: Any, **options: Any) -> Any:
        network, rng = self.network, self.network.rng
        fault = rng.choice(REQUEST_FAULTS) if rng.random() < network.faults.requests else None
        if fault is not None:
            network.trace.fault(f"store: {fault}", self.name, operation)
        request = _Request(self, operation, args, options)
        match fault:
            case "slow" | "sent again":
                request.send(rng.uniform(0.1 if fault == "slow" else 0.3, 3))
            case "answer lost":
                request.send(LATENCY, answered=False)
            case "request lost":
                pass
            case "sent twice":  # the answer was lost, and the client sends the request again
                request.send(LATENCY, answered=False)
                request.send(rng.uniform(0.3, 3))
            case "too late":
                request.send(REQUEST_TIMEOUT + rng.uniform(0.001, 4), answered=False)
            case _:
                request.send(LATENCY)
        if fault is not None:
            self.loop.post(REQUEST_TIMEOUT, request.time_out)
        return await request.answer

    async def create(self, code: str, commit: Commit) -> bool:
        return await self._call("create", code, commit)

    async def append(self, code: str, commit: Commit, **options: Any) -> AppendResult:
        return await self._call("append", code, commit, **options)

    async def load(self, code: str, *, whole_game: bool = False) -> LoadedTable | None:
        return await self._call("load", code, whole_game=whole_game)

    async def read(self, code: str, after: LogPosition) -> tuple[Commit, ...] | None:
        return await self._call("read", code, after)

    async def find_request(self, code: str, player: str, request: str) -> int | None:
        return await self._call("find_request", code, player, request)

    async def heads(self, codes: Sequence[str]) -> dict[str, Head | None]:
        return await self._call("heads", codes)

    async def set_presence(
        self, code: str, server_id: str, connected_at: Mapping[str, int], **options: Any
    ) -> TablePresence | None:
        return await self._call("set_presence", code, server_id, connected_at, **options)

    async def heartbeat(self, server_id: str, lease_ms: int) -> frozenset[str]:
        return await self._call("heartbeat", server_id, lease_ms)

    async def leave(self, server_id: str) -> None:
        await self._call("leave", server_id)

    async def close(self) -> None:
        self.network.clients.remove(self)

    async def listen(self, subscriber: Subscriber) -> None:
        self._subscriber = subscriber
        self.loop.post(LATENCY, subscriber.resubscribed)
        await self.loop.create_future()

    def interrupt(self, seconds: float) -> None:
        """Interrupt the subscription; changes in flight still arrive, and in the end the subscriber is told."""
        self._interrupted = True
        self.network.clock.after(seconds, self._resubscribe)

    def _resubscribe(self) -> None:
        self._interrupted = False
        if self._subscriber is not None:
            self.loop.post(LATENCY, self._subscriber.resubscribed)

    def receive(self, change: Commit | TablePresence) -> None:
        network, subscriber = self.network, self._subscriber
        if self._interrupted or subscriber is None:
            return
        delays: tuple[float, ...] = (LATENCY,)
        if network.rng.random() < network.faults.changes:
            kind = network.rng.choice(("lost", "doubled", "delayed"))
            network.trace.fault(f"change {kind}", self.name)
            late = network.rng.uniform(0.01, 3)
            delays = {"lost": (), "doubled": (LATENCY, late), "delayed": (late,)}[kind]
        for delay in delays:
            self.loop.post(delay, lambda: _deliver(subscriber, network.store.code, change))


def _deliver(subscriber: Subscriber, code: str, change: Commit | TablePresence) -> None:
    if not subscriber.wants(code):
        return
    if isinstance(change, TablePresence):
        subscriber.presence_changed(code, change)
    else:
        subscriber.committed(code, change)


class _Request:
    """A request to the store, which may arrive more than once."""

    def __init__(self, client: RemoteStore, operation: str, args: Any, options: Any) -> None:
        self._client = client
        self._operation, self._args, self._options = operation, args, options
        self._deadline = client.network.clock.now + REQUEST_TIMEOUT
        self.answer = client.loop.create_future()

    def send(self, latency: float, *, answered: bool = True) -> None:
        self._client.network.clock.after(latency, lambda: self._arrive(answered))

    def time_out(self) -> None:
        if not self.answer.done():
            self.answer.set_exception(StoreUnavailable(f"{self._operation}: no answer"))

    def _arrive(self, answered: bool) -> None:
        network, loop = self._client.network, self._client.loop
        if network.faults.store_down:
            if answered and not loop.dead:
                if network.clock.now < self._deadline:
                    self.send(RETRY_INTERVAL)
                else:
                    loop.post(0, self.time_out)
            return
        result: Any
        try:
            result = network.store.call(self._operation, *self._args, **self._options)
        except StoreError as problem:
            result = problem
        traced = sorted(result) if isinstance(result, frozenset) else result
        network.trace.add(self._client.name, self._operation, self._args, traced)
        if answered:
            loop.post(LATENCY, lambda: self._answer(result))

    def _answer(self, result: Any) -> None:
        if self.answer.done():
            return
        if isinstance(result, StoreError):
            self.answer.set_exception(result)
        else:
            self.answer.set_result(result)
