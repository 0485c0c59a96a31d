"""The owners of the slots of a cluster, as one of its servers tells them.

A small map of our own rather than the client library's cluster client: that one
sends a script and the WAIT after it over different connections, tries again by
itself, and makes every request wait while it looks around for one lost server.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence

from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot
from redis.exceptions import AskError, MovedError, ResponseError

from server.store.log import StoreUnavailable
from server.store.reach.faults import LOST, NotSettled, stop_if_told_to
from server.store.reach.node import Node
from server.store.reach.topology import Problem, gravest, problem

Slots = list[Node | None]


class Cluster:
    kind = "cluster"
    copies = 1

    def __init__(self, seeds: Sequence[tuple[str, int]], node_at: Callable[[str, int], Node]) -> None:
        self.place = f"{', '.join(f'{host}:{port}' for host, port in seeds)} (a cluster)"
        self._seeds = seeds
        self._node_at = node_at
        self._nodes: dict[tuple[str, int], Node] = {}
        self._owners: Slots = [None] * REDIS_CLUSTER_HASH_SLOTS
        self._doubted: set[Node] = set()
        self._looking = asyncio.Lock()

    async def owner(self, key: str) -> Node:
        slot = key_slot(key.encode())
        if not self._is_known(slot):
            async with self._looking:
                if not self._is_known(slot):  # somebody else may have looked meanwhile
                    await self._look()
        owner = self._owners[slot]
        if owner is None:
            raise NotSettled(f"in the store at {self.place} nobody keeps slot {slot}")
        return owner

    async def owners(self) -> Sequence[Node]:
        async with self._looking:
            await self._look()
        owners = tuple({node for node in self._owners if node is not None})
        if not owners:
            raise NotSettled(f"in the store at {self.place} nobody keeps any slot: they have to be assigned first")
        return owners

    def doubt(self, node: Node) -> None:
        self._doubted.add(node)

    def elsewhere(self, node: Node, redirect: AskError) -> Node:
        other = self._at(redirect.host or node.host, redirect.port)
        if isinstance(redirect, MovedError):
            self._owners[redirect.slot_id] = other
        return other

    async def close(self) -> None:
        for node in list(self._nodes.values()):
            await node.close()

    def _is_known(self, slot: int) -> bool:
        owner = self._owners[slot]
        return owner is not None and owner not in self._doubted

    def _at(self, host: str, port: int) -> Node:
        if (host, port) not in self._nodes:
            self._nodes[host, port] = self._node_at(host, port)
        return self._nodes[host, port]

    async def _look(self) -> None:
        """Ask for the map: those that own slots and are not in doubt first, the seeds at last."""
        problems: list[Problem] = []
        for node in self._to_be_asked():
            try:
                self._owners = await self._seen_by(node)
            except (NotSettled, StoreUnavailable) as error:
                problems.append(error)
                continue
            self._doubted.clear()
            for other in list(self._nodes.values()):  # somebody may be sent elsewhere meanwhile
                if other not in self._owners:
                    await other.rest()
            return
        raise gravest(problems)

    def _to_be_asked(self) -> Iterator[Node]:
        owners = {node: None for node in self._owners if node is not None}
        known = sorted(owners, key=self._doubted.__contains__)
        seeds = [self._at(host, port) for host, port in self._seeds]
        yield from dict.fromkeys((*known, *seeds))

    async def _seen_by(self, node: Node) -> Slots:
        try:
            (shards,) = await node.ask(("CLUSTER", "SLOTS"))
        except LOST as error:
            stop_if_told_to()
            raise problem(error, node) from error
        if isinstance(shards, ResponseError):
            if "cluster support disabled" in str(shards):
                raise StoreUnavailable(f"the store at {node.place} is not a cluster: its address is redis://HOST:PORT")
            raise problem(shards, node) from shards
        owners: Slots = [None] * REDIS_CLUSTER_HASH_SLOTS
        for first, last, (host, port, *_), *_ in shards:
            owner = self._at((host or b"").decode() or node.host, port)
            owners[first : last + 1] = [owner] * (last + 1 - first)
        return owners
