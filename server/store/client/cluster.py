"""The owners of the slots of a cluster, as one of its servers tells them.

A small map of our own rather than the client library's cluster client: that one
sends a script and the WAIT after it over different connections, tries again by
itself, and makes every request wait while it looks around for one lost server.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence

from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot
from redis.exceptions import AskError, MovedError, ResponseError

from server.store.client.faults import NotSettled
from server.store.client.node import Node
from server.store.client.topology import Nodes, Problem, gravest, problem, said_by
from server.store.log import StoreUnavailable

Slots = list[Node | None]


class Cluster:
    kind = "cluster"
    copies = 1

    def __init__(self, seeds: Sequence[tuple[str, int]], node_at: Callable[[str, int], Node]) -> None:
        self.place = f"{', '.join(f'{host}:{port}' for host, port in seeds)} (a cluster)"
        self._seeds = seeds
        self._nodes = Nodes(node_at)
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
        other = self._nodes.at(redirect.host or node.host, redirect.port)
        if isinstance(redirect, MovedError):
            self._owners[redirect.slot_id] = other
        return other

    async def close(self) -> None:
        await self._nodes.close()

    def _is_known(self, slot: int) -> bool:
        owner = self._owners[slot]
        return owner is not None and owner not in self._doubted

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
            await self._nodes.rest_but(self._owners)
            return
        raise gravest(problems)

    def _to_be_asked(self) -> Iterator[Node]:
        owners = {node: None for node in self._owners if node is not None}
        known = sorted(owners, key=self._doubted.__contains__)
        seeds = [self._nodes.at(host, port) for host, port in self._seeds]
        yield from dict.fromkeys((*known, *seeds))

    async def _seen_by(self, node: Node) -> Slots:
        shards = await said_by(node, "CLUSTER", "SLOTS")
        if isinstance(shards, ResponseError):
            if "cluster support disabled" in str(shards):
                raise StoreUnavailable(f"the store at {node.place} is not a cluster: its address is redis://HOST:PORT")
            raise problem(shards, node) from shards
        owners: Slots = [None] * REDIS_CLUSTER_HASH_SLOTS
        for first, last, (host, port, *_), *_ in shards:
            owner = self._nodes.at((host or b"").decode() or node.host, port)
            owners[first : last + 1] = [owner] * (last + 1 - first)
        return owners
