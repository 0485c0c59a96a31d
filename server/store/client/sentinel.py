"""The master that Sentinels name: asked for by one after the other, and believed once it says itself that it is one.

Invariant: nothing is asked of a server that is no master when it is found; one
that Sentinels no longer name is left with the next look at them.
"""

import asyncio
from collections.abc import Callable, Sequence

from redis.exceptions import AskError, ResponseError

from server.store.client.faults import NotSettled
from server.store.client.node import Node
from server.store.client.topology import Nodes, Problem, gravest, part_of_a_cluster, problem, said_by
from server.store.log import StoreUnavailable


class SentinelService:
    kind = "sentinel"
    copies = 1

    def __init__(self, sentinels: Sequence[Node], service: str, node_at: Callable[[str, int], Node]) -> None:
        self.place = f"{', '.join(each.place for each in sentinels)} (Sentinels of {service})"
        self._sentinels = list(sentinels)
        self._service = service
        self._nodes = Nodes(node_at)
        self._master: Node | None = None
        self._looking = asyncio.Lock()

    async def owner(self, key: str) -> Node:  # noqa: ARG002
        if self._master is not None:
            return self._master
        async with self._looking:
            return self._master or await self._look()

    async def owners(self) -> Sequence[Node]:
        async with self._looking:
            return (await self._look(),)

    def doubt(self, node: Node) -> None:
        """The Sentinel that named it may be behind the times: next, others are asked."""
        if node is self._master:
            self._master = None
            self._sentinels.append(self._sentinels.pop(0))

    def elsewhere(self, node: Node, redirect: AskError) -> Node:
        raise part_of_a_cluster(node) from redirect

    async def close(self) -> None:
        for sentinel in self._sentinels:
            await sentinel.close()
        await self._nodes.close()

    async def _look(self) -> Node:
        """One Sentinel after the other; those that did not help go to the end of the row."""
        problems: list[Problem] = []
        in_vain: set[Node | None] = set()
        for sentinel in tuple(self._sentinels):
            node = None
            try:
                node = await self._named_by(sentinel)
                if node not in in_vain:
                    await _is_a_master(node)
                    self._master = node
                    await self._nodes.rest_but((node,))
                    return node
            except (NotSettled, StoreUnavailable) as error:
                problems.append(error)
                in_vain.add(node)
            self._sentinels.remove(sentinel)
            self._sentinels.append(sentinel)
        raise gravest(problems)

    async def _named_by(self, sentinel: Node) -> Node:
        answer = await said_by(sentinel, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", self._service, what="the Sentinel")
        if isinstance(answer, ResponseError):
            if str(answer).startswith("unknown command"):
                raise StoreUnavailable(f"the server at {sentinel.place} is no Sentinel") from answer
            raise problem(answer, sentinel, "the Sentinel") from answer
        if answer is None:
            raise StoreUnavailable(f"the Sentinel at {sentinel.place} knows no master called {self._service}")
        return self._nodes.at(answer[0].decode(), int(answer[1]))


async def _is_a_master(node: Node) -> None:
    role = await said_by(node, "ROLE")
    if isinstance(role, ResponseError):
        raise problem(role, node) from role
    if role[0] != b"master":
        raise NotSettled(f"the store at {node.place} is no master yet, or no longer")
