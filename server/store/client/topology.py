"""The owner of each key: the contract, and the simplest implementation, a single server.

Invariant: a known owner is used until a reply invalidates it; it is then looked
up again before the next request to that server. Requests to other servers do
not wait for the lookup.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any, Protocol

from redis.exceptions import AskError

from server.store.client.errors import NODE_ERRORS, TransientError, describe, is_transient, raise_if_cancelled
from server.store.client.node import Node
from server.store.log import StoreUnavailable


class Topology(Protocol):
    kind: str
    address: str
    """The address of the store, for messages."""

    required_replicas: int
    """The number of replicas that must confirm a write."""

    async def primary(self, key: str) -> Node:
        """Return the server that owns a key, as far as known. Raises TransientError, StoreUnavailable."""

    async def primaries(self) -> Sequence[Node]:
        """Look up all servers that own keys. Raises TransientError, StoreUnavailable."""

    def invalidate(self, node: Node) -> None:
        """Look up the owner before the next request to this server, which did not behave as one."""

    def redirect(self, node: Node, error: AskError) -> Node:
        """Return the server that this one redirects to. Raises StoreUnavailable."""

    async def close(self) -> None: ...


class SingleServer:
    kind = "single"
    required_replicas = 0

    def __init__(self, node: Node) -> None:
        self.address = node.address
        self._node = node

    async def primary(self, key: str) -> Node:  # noqa: ARG002
        return self._node

    async def primaries(self) -> Sequence[Node]:
        return (self._node,)

    def invalidate(self, node: Node) -> None:
        """Do nothing: there is no other server."""

    def redirect(self, node: Node, error: AskError) -> Node:
        raise unexpected_cluster(node) from error

    async def close(self) -> None:
        await self._node.close()


class NodePool:
    """The servers of a store, present and past, with one Node for each address."""

    def __init__(self, make_node: Callable[[str, int], Node]) -> None:
        self._make_node = make_node
        self._nodes: dict[tuple[str, int], Node] = {}

    def get(self, host: str, port: int) -> Node:
        if (host, port) not in self._nodes:
            self._nodes[host, port] = self._make_node(host, port)
        return self._nodes[host, port]

    async def release_idle_except(self, needed: Collection[Node | None]) -> None:
        for node in list(self._nodes.values()):  # nodes may be added meanwhile
            if node not in needed:
                await node.release_idle()

    async def close(self) -> None:
        for node in list(self._nodes.values()):
            await node.close()


def unexpected_cluster(node: Node) -> StoreUnavailable:
    return StoreUnavailable(
        f"the store at {node.address} is part of a cluster: its address is redis+cluster://HOST:PORT"
    )


LookupFailure = TransientError | StoreUnavailable


def lookup_failure(error: BaseException, node: Node, role: str = "the store") -> LookupFailure:
    kind = TransientError if is_transient(error) else StoreUnavailable
    return kind(describe(error, node.address, role))


async def query(node: Node, *command: str, role: str = "the store") -> Any:
    """Return the reply of one server, a refusal as its ResponseError. Raises TransientError, StoreUnavailable."""
    try:
        (reply,) = await node.execute(command)
    except NODE_ERRORS as error:
        raise_if_cancelled()
        raise lookup_failure(error, node, role) from error
    return reply


def most_severe(failures: Sequence[LookupFailure]) -> LookupFailure:
    """Combine the failures of several servers: StoreUnavailable if all of them are, else a TransientError."""
    final = [failure for failure in failures if isinstance(failure, StoreUnavailable)]
    return final[0] if len(final) == len(failures) else TransientError(str((final or failures)[0]))
