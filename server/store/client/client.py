"""Asking the server that keeps a key, whichever that is, and writing so that a failover keeps what was answered.

Invariant: the answer to a write is given only when as many replicas confirm it
as the topology asks for, over the connection it was written on.
"""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any

from redis.exceptions import AskError, MovedError, NoScriptError, ResponseError

from server.store.client.address import Options, read_address
from server.store.client.cluster import Cluster
from server.store.client.faults import LOST, NotSettled, may_pass, stop_if_told_to
from server.store.client.node import Command, Node
from server.store.client.sentinel import SentinelService
from server.store.client.topology import SingleServer, Topology
from server.store.log import StoreUnavailable

UNANSWERED = (StoreUnavailable, *LOST)
"""What a request may end with besides an answer, or before it finds somebody to ask."""


class Reach:
    """`answer_within_s` is the time in which any answer must come; replicas are waited for two thirds of it."""

    def __init__(self, topology: Topology, *, attempt_timeout_s: float) -> None:
        self.kind, self.place, self.copies = topology.kind, topology.place, topology.copies
        self._topology = topology
        self._answer_within_s = attempt_timeout_s
        self._wait = ("WAIT", topology.copies, int(attempt_timeout_s * 1000 * 2 / 3))

    async def ask(self, key: str, *command: str | bytes | int) -> Any:
        _, (answer,) = await self._ask(key, command)
        return answer

    async def write(self, key: str, *command: str | bytes | int) -> Any:
        """A command that finds its work done must write too, be it a lifetime: else WAIT has nothing to wait for."""
        if self.copies == 0:
            return await self.ask(key, *command)
        node, (answer, copies) = await self._ask(key, command, self._wait)
        if isinstance(copies, Exception):
            self._topology.doubt(node)
            raise copies
        if copies < self.copies:
            self._topology.doubt(node)
            raise NotSettled(f"the store at {node.place} has no replica that confirms what is written")
        return answer

    async def ask_each(self, requests: Sequence[tuple[str, Command]]) -> list[Any]:
        """Many at once, one request to each server; those refused are asked for once more, each by itself.

        Where there is no answer, in its place is the error.
        """
        answers: list[Any] = [None] * len(requests)
        places: dict[Node, list[int]] = {}
        for index, (key, _) in enumerate(requests):
            try:
                places.setdefault(await self._topology.owner(key), []).append(index)
            except UNANSWERED as error:
                stop_if_told_to()
                answers[index] = error
        for node, indexes in places.items():
            said = await self._all_from(node, [requests[index][1] for index in indexes])
            for index, answer in zip(indexes, said, strict=True):
                answers[index] = answer
        for index, (key, command) in enumerate(requests):
            if isinstance(answers[index], ResponseError):
                try:
                    answers[index] = await self.ask(key, *command)
                except UNANSWERED as error:
                    stop_if_told_to()
                    answers[index] = error
        return answers

    async def owners(self) -> Sequence[Node]:
        """Every server that keeps keys."""
        return await self._topology.owners()

    async def lines(self, channels: Sequence[str]) -> dict[Node, tuple[str, ...]]:
        """Where to listen for which channels, looked up anew; one that is nowhere for now is left out."""
        await self._topology.owners()
        lines: dict[Node, list[str]] = {}
        for channel in channels:
            try:
                node = await self._topology.owner(channel)
            except NotSettled:
                continue
            lines.setdefault(node, []).append(channel)
        return {node: tuple(told) for node, told in lines.items()}

    async def close(self) -> None:
        await self._topology.close()

    async def _ask(self, key: str, *commands: Command) -> tuple[Node, list[Any]]:
        """Who answered and what; raises the refusal of the first command."""
        node = await self._topology.owner(key)
        answers = await self._from(node, commands)
        if isinstance(redirect := answers[0], AskError):
            node = self._topology.elsewhere(node, redirect)
            asking: tuple[Command, ...] = () if isinstance(redirect, MovedError) else (("ASKING",),)
            answers = (await self._from(node, (*asking, *commands)))[len(asking) :]
        if isinstance(refusal := answers[0], Exception):
            if may_pass(refusal) and not isinstance(refusal, NoScriptError):
                self._topology.doubt(node)
            raise refusal
        return node, answers

    async def _all_from(self, node: Node, commands: Sequence[Command]) -> list[Any]:
        """The wait for a turn counts too: at a server that hangs many may wait, and other servers are to be asked."""
        try:
            async with asyncio.timeout(self._answer_within_s):
                return await self._from(node, commands)
        except LOST as error:
            stop_if_told_to()
            return [error] * len(commands)

    async def _from(self, node: Node, commands: Sequence[Command]) -> list[Any]:
        try:
            return await node.ask(*commands)
        except LOST:
            self._topology.doubt(node)
            raise


def reach_store(url: str, *, connections: int, attempt_timeout_s: float) -> Reach:
    """For every form of address, with so many connections to each server. Raises StoreError."""
    address = read_address(url, attempt_timeout_s=attempt_timeout_s)

    def node(options: Options, host: str, port: int) -> Node:
        return Node({**options, "host": host, "port": port}, connections=connections)

    topology: Topology
    match address.kind:
        case "single":
            topology = SingleServer(Node(address.options, connections=connections))
        case "sentinel":
            sentinels = [node(address.sentinel, host, port) for host, port in address.seeds]
            topology = SentinelService(sentinels, address.service, partial(node, address.options))
        case "cluster":
            topology = Cluster(address.seeds, partial(node, address.options))
    return Reach(topology, attempt_timeout_s=attempt_timeout_s)
