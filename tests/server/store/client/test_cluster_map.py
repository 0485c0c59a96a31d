"""The slot map of a cluster, with fake servers."""

from collections.abc import Callable

import pytest
from redis.exceptions import MovedError

from server.store.client.cluster import Cluster
from server.store.client.errors import TransientError


class FakeNode:
    """Reports itself as the owner of `slots`; calls `on_release` when its connections are released."""

    def __init__(self, host: str, port: int, slots: list[tuple[int, int]]) -> None:
        self.host, self.address = host, f"{host}:{port}"
        self.slots = [[first, last, (host.encode(), port)] for first, last in slots]
        self.on_release: Callable[[], object] = lambda: None

    async def execute(self, *_commands: object) -> list[object]:
        return [self.slots]

    async def release_idle(self) -> None:
        self.on_release()

    async def close(self) -> None:
        self.on_release()


async def test_a_cluster_without_owners_of_slots_is_a_transient_error() -> None:
    cluster = Cluster([("h", 1)], lambda host, port: FakeNode(host, port, []))  # type: ignore[arg-type, return-value]
    with pytest.raises(TransientError, match=r"^in the store at h:1 \(a cluster\) no server owns any slot"):
        await cluster.primaries()


async def test_a_redirect_while_idle_connections_are_released_is_harmless() -> None:
    nodes: list[FakeNode] = []

    def node_at(host: str, port: int) -> FakeNode:
        node = FakeNode(host, port, [(0, 16383)])
        node.on_release = redirect
        nodes.append(node)
        return node

    def redirect() -> None:
        cluster.redirect(nodes[0], MovedError(f"7 new:{len(nodes)}"))  # type: ignore[arg-type]

    cluster = Cluster([("h", 1)], node_at)  # type: ignore[arg-type]
    await cluster.primaries()
    redirect()
    redirect()
    await cluster.primaries()
    await cluster.close()
    assert len(nodes) > 3
