"""Which server keeps a key, as a contract, and the simplest answer: always the same one.

Invariant: what is known is used until an answer casts doubt on it; then it is
asked for anew before the next request to the same server, and requests to
others do not wait for that.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any, Protocol

from redis.exceptions import AskError

from server.store.client.faults import LOST, NotSettled, may_pass, sentence, stop_if_told_to
from server.store.client.node import Node
from server.store.log import StoreUnavailable


class Topology(Protocol):
    kind: str
    place: str
    """Where the store is, for sentences."""

    copies: int
    """How many replicas must have a write before it counts."""

    async def owner(self, key: str) -> Node:
        """The server that keeps a key, as far as is known; raises NotSettled, StoreUnavailable."""

    async def owners(self) -> Sequence[Node]:
        """All that keep keys, asked for anew; raises NotSettled, StoreUnavailable."""

    def doubt(self, node: Node) -> None:
        """It did not answer as an owner does."""

    def elsewhere(self, node: Node, redirect: AskError) -> Node:
        """The server that this one names instead of itself; raises StoreUnavailable."""

    async def close(self) -> None: ...


class SingleServer:
    kind = "single"
    copies = 0

    def __init__(self, node: Node) -> None:
        self.place = node.place
        self._node = node

    async def owner(self, key: str) -> Node:  # noqa: ARG002
        return self._node

    async def owners(self) -> Sequence[Node]:
        return (self._node,)

    def doubt(self, node: Node) -> None:
        """There is no other."""

    def elsewhere(self, node: Node, redirect: AskError) -> Node:
        raise part_of_a_cluster(node) from redirect

    async def close(self) -> None:
        await self._node.close()


class Nodes:
    """The servers there is, or was, a reason to connect to, each known once."""

    def __init__(self, node_at: Callable[[str, int], Node]) -> None:
        self._node_at = node_at
        self._nodes: dict[tuple[str, int], Node] = {}

    def at(self, host: str, port: int) -> Node:
        if (host, port) not in self._nodes:
            self._nodes[host, port] = self._node_at(host, port)
        return self._nodes[host, port]

    async def rest_but(self, needed: Collection[Node | None]) -> None:
        for node in list(self._nodes.values()):  # one may be added meanwhile
            if node not in needed:
                await node.rest()

    async def close(self) -> None:
        for node in list(self._nodes.values()):
            await node.close()


def part_of_a_cluster(node: Node) -> StoreUnavailable:
    return StoreUnavailable(f"the store at {node.place} is part of a cluster: its address is redis+cluster://HOST:PORT")


Problem = NotSettled | StoreUnavailable


def problem(error: BaseException, node: Node, what: str = "the store") -> Problem:
    kind = NotSettled if may_pass(error) else StoreUnavailable
    return kind(sentence(error, node.place, what))


async def said_by(node: Node, *command: str, what: str = "the store") -> Any:
    """The answer of one server, a refusal as the error it is; raises NotSettled, StoreUnavailable for none."""
    try:
        (answer,) = await node.ask(command)
    except LOST as error:
        stop_if_told_to()
        raise problem(error, node, what) from error
    return answer


def gravest(problems: Sequence[Problem]) -> Problem:
    """Of what several servers said: final when all of them are, else to be asked again."""
    final = [each for each in problems if isinstance(each, StoreUnavailable)]
    return final[0] if len(final) == len(problems) else NotSettled(str((final or problems)[0]))
