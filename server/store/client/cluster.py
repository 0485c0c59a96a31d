"""A cluster: the owners of its slots, as reported by one of its servers.

A slot map of our own instead of redis-py's cluster client: that one sends a
script and the WAIT after it over different connections, retries by itself, and
blocks every request while it looks for one lost server.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence

from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot
from redis.exceptions import AskError, MovedError, ResponseError

from server.store.client.errors import TransientError
from server.store.client.node import Node
from server.store.client.topology import LookupFailure, NodePool, lookup_failure, most_severe, query
from server.store.log import StoreUnavailable

SlotMap = list[Node | None]


class Cluster:
    kind = "cluster"
    required_replicas = 1

    def __init__(self, seeds: Sequence[tuple[str, int]], make_node: Callable[[str, int], Node]) -> None:
        self.address = f"{', '.join(f'{host}:{port}' for host, port in seeds)} (a cluster)"
        self._seeds = seeds
        self._nodes = NodePool(make_node)
        self._slots: SlotMap = [None] * REDIS_CLUSTER_HASH_SLOTS
        self._invalid: set[Node] = set()
        self._refreshing = asyncio.Lock()

    async def primary(self, key: str) -> Node:
        slot = key_slot(key.encode())
        if not self._is_valid(slot):
            async with self._refreshing:
                if not self._is_valid(slot):  # another task may have refreshed the map meanwhile
                    await self._refresh()
        primary = self._slots[slot]
        if primary is None:
            raise TransientError(f"in the store at {self.address} no server owns slot {slot}")
        return primary

    async def primaries(self) -> Sequence[Node]:
        async with self._refreshing:
            await self._refresh()
        primaries = tuple({node for node in self._slots if node is not None})
        if not primaries:
            raise TransientError(f"in the store at {self.address} no server owns any slot: assign them first")
        return primaries

    def invalidate(self, node: Node) -> None:
        self._invalid.add(node)

    def redirect(self, node: Node, error: AskError) -> Node:
        target = self._nodes.get(error.host or node.host, error.port)
        if isinstance(error, MovedError):
            self._slots[error.slot_id] = target
        return target

    async def close(self) -> None:
        await self._nodes.close()

    def _is_valid(self, slot: int) -> bool:
        primary = self._slots[slot]
        return primary is not None and primary not in self._invalid

    async def _refresh(self) -> None:
        """Get the slot map from the first server that answers."""
        failures: list[LookupFailure] = []
        for node in self._candidates():
            try:
                self._slots = await self._slot_map_of(node)
            except (TransientError, StoreUnavailable) as error:
                failures.append(error)
                continue
            self._invalid.clear()
            await self._nodes.release_idle_except(self._slots)
            return
        raise most_severe(failures)

    def _candidates(self) -> Iterator[Node]:
        """Yield the valid owners, then the invalid ones, then the seeds."""
        primaries = dict.fromkeys(node for node in self._slots if node is not None)
        seeds = [self._nodes.get(host, port) for host, port in self._seeds]
        yield from dict.fromkeys((*sorted(primaries, key=self._invalid.__contains__), *seeds))

    async def _slot_map_of(self, node: Node) -> SlotMap:
        reply = await query(node, "CLUSTER", "SLOTS")
        if isinstance(reply, ResponseError):
            if "cluster support disabled" in str(reply):
                raise StoreUnavailable(
                    f"the store at {node.address} is not a cluster: its address is redis://HOST:PORT"
                )
            raise lookup_failure(reply, node) from reply
        slots: SlotMap = [None] * REDIS_CLUSTER_HASH_SLOTS
        for first, last, (host, port, *_), *_ in reply:
            primary = self._nodes.get((host or b"").decode() or node.host, port)
            slots[first : last + 1] = [primary] * (last + 1 - first)
        return slots
