"""A service of Sentinels: the master that one of them names and that confirms its role.

Invariant: requests go only to a server that was a master when it was found; one
that the Sentinels no longer name is dropped with the next lookup.
"""

import asyncio
from collections.abc import Callable, Sequence

from redis.exceptions import AskError, ResponseError

from server.store.client.errors import TransientError
from server.store.client.node import Node
from server.store.client.topology import (
    LookupFailure,
    NodePool,
    lookup_failure,
    most_severe,
    query,
    unexpected_cluster,
)
from server.store.log import StoreUnavailable


class SentinelService:
    kind = "sentinel"
    required_replicas = 1

    def __init__(self, sentinels: Sequence[Node], service: str, make_node: Callable[[str, int], Node]) -> None:
        self.address = f"{', '.join(each.address for each in sentinels)} (Sentinels of {service})"
        self._sentinels = list(sentinels)
        self._service = service
        self._nodes = NodePool(make_node)
        self._primary: Node | None = None
        self._refreshing = asyncio.Lock()

    async def primary(self, key: str) -> Node:  # noqa: ARG002
        if self._primary is not None:
            return self._primary
        async with self._refreshing:
            return self._primary or await self._refresh()

    async def primaries(self) -> Sequence[Node]:
        async with self._refreshing:
            return (await self._refresh(),)

    def invalidate(self, node: Node) -> None:
        """Ask the other Sentinels first next time: the one that named this master may be outdated."""
        if node is self._primary:
            self._primary = None
            self._sentinels.append(self._sentinels.pop(0))

    def redirect(self, node: Node, error: AskError) -> Node:
        raise unexpected_cluster(node) from error

    async def close(self) -> None:
        for sentinel in self._sentinels:
            await sentinel.close()
        await self._nodes.close()

    async def _refresh(self) -> Node:
        """Ask one Sentinel after the other; move those that did not help to the end of the list."""
        failures: list[LookupFailure] = []
        rejected: set[Node | None] = set()
        for sentinel in tuple(self._sentinels):
            node = None
            try:
                node = await self._primary_named_by(sentinel)
                if node not in rejected:
                    await _check_is_primary(node)
                    self._primary = node
                    await self._nodes.release_idle_except((node,))
                    return node
            except (TransientError, StoreUnavailable) as error:
                failures.append(error)
                rejected.add(node)
            self._sentinels.remove(sentinel)
            self._sentinels.append(sentinel)
        raise most_severe(failures)

    async def _primary_named_by(self, sentinel: Node) -> Node:
        reply = await query(sentinel, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", self._service, role="the Sentinel")
        if isinstance(reply, ResponseError):
            if str(reply).startswith("unknown command"):
                raise StoreUnavailable(f"the server at {sentinel.address} is not a Sentinel") from reply
            raise lookup_failure(reply, sentinel, "the Sentinel") from reply
        if reply is None:
            raise StoreUnavailable(f"the Sentinel at {sentinel.address} knows no master called {self._service}")
        return self._nodes.get(reply[0].decode(), int(reply[1]))


async def _check_is_primary(node: Node) -> None:
    reply = await query(node, "ROLE")
    if isinstance(reply, ResponseError):
        raise lookup_failure(reply, node) from reply
    if reply[0] != b"master":
        raise TransientError(f"the store at {node.address} is not a master yet, or no longer")
