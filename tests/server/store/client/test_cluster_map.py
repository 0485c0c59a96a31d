"""The map of a cluster: what its servers say of their slots, and what happens while they are asked."""

from collections.abc import Callable

import pytest
from redis.exceptions import MovedError

from server.store.client.cluster import Cluster
from server.store.client.errors import TransientError


class FakeNode:
    """Says of itself that it keeps `slots`."""

    def __init__(self, host: str, port: int, slots: list[tuple[int, int]]) -> None:
        self.host, self.address = host, f"{host}:{port}"
        self.slots = [[first, last, (host.encode(), port)] for first, last in slots]
        self.meanwhile: Callable[[], object] = lambda: None

    async def execute(self, *_commands: object) -> list[object]:
        return [self.slots]

    async def release_idle(self) -> None:
        self.meanwhile()

    async def close(self) -> None:
        self.meanwhile()


async def test_a_cluster_whose_slots_nobody_keeps_is_not_settled() -> None:
    cluster = Cluster([("h", 1)], lambda host, port: FakeNode(host, port, []))  # type: ignore[arg-type, return-value]
    with pytest.raises(TransientError, match=r"^in the store at h:1 \(a cluster\) no server owns any slot"):
        await cluster.owners()


async def test_who_is_sent_to_a_new_server_while_others_are_let_go_disturbs_nobody() -> None:
    nodes: list[FakeNode] = []

    def node_at(host: str, port: int) -> FakeNode:
        node = FakeNode(host, port, [(0, 16383)])
        node.meanwhile = sent_elsewhere
        nodes.append(node)
        return node

    def sent_elsewhere() -> None:
        cluster.redirect(nodes[0], MovedError(f"7 new:{len(nodes)}"))  # type: ignore[arg-type]

    cluster = Cluster([("h", 1)], node_at)  # type: ignore[arg-type]
    await cluster.owners()
    sent_elsewhere()
    sent_elsewhere()
    await cluster.owners()
    await cluster.close()
    assert len(nodes) > 3
