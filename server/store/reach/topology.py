"""Which server keeps a key, as a contract, and the simplest answer: always the same one.

Invariant: what is known is used until an answer casts doubt on it; then it is
asked for anew before the next request to the same server, and requests to
others do not wait for that.
"""

from collections.abc import Sequence
from typing import Protocol

from redis.exceptions import AskError

from server.store.log import StoreUnavailable
from server.store.reach.faults import NotSettled, may_pass, sentence
from server.store.reach.node import Node


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


def part_of_a_cluster(node: Node) -> StoreUnavailable:
    return StoreUnavailable(f"the store at {node.place} is part of a cluster: its address is redis+cluster://HOST:PORT")


Problem = NotSettled | StoreUnavailable


def problem(error: BaseException, node: Node, what: str = "the store") -> Problem:
    kind = NotSettled if may_pass(error) else StoreUnavailable
    return kind(sentence(error, node.place, what))


def gravest(problems: Sequence[Problem]) -> Problem:
    """Of what several servers said: final when all of them are, else to be asked again."""
    final = [each for each in problems if isinstance(each, StoreUnavailable)]
    return final[0] if len(final) == len(problems) else NotSettled(str((final or problems)[0]))
