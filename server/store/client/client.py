"""Requests to the server that owns a key, and writes that survive a failover once they are answered.

Invariant: a replicated write is answered only after the number of replicas that
the topology requires has confirmed it, over the connection it was written on.
"""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any

from redis.exceptions import AskError, MovedError, NoScriptError, ResponseError

from server.store.client.address import Options, parse_address
from server.store.client.cluster import Cluster
from server.store.client.errors import (
    CLIENT_ERRORS,
    NODE_ERRORS,
    TransientError,
    is_transient,
    raise_if_cancelled,
)
from server.store.client.node import Command, Node
from server.store.client.sentinel import SentinelService
from server.store.client.topology import SingleServer, Topology


class StoreClient:
    """`timeout_s` is the time limit of a request; two thirds of it are spent at most on waiting for replicas.

    All requests raise one of CLIENT_ERRORS.
    """

    def __init__(self, topology: Topology, *, timeout_s: float) -> None:
        self.kind, self.address = topology.kind, topology.address
        self.required_replicas = topology.required_replicas
        self._topology = topology
        self._timeout_s = timeout_s
        self._wait_command = ("WAIT", topology.required_replicas, int(timeout_s * 1000 * 2 / 3))

    @classmethod
    def from_url(cls, url: str, *, connections: int, timeout_s: float) -> "StoreClient":
        """Create a client for any form of address, with `connections` to each server. Raises StoreError."""
        address = parse_address(url, timeout_s=timeout_s)

        def make_node(options: Options, host: str, port: int) -> Node:
            return Node({**options, "host": host, "port": port}, connections=connections)

        topology: Topology
        match address.kind:
            case "single":
                topology = SingleServer(Node(address.options, connections=connections))
            case "sentinel":
                sentinels = [make_node(address.sentinel, host, port) for host, port in address.seeds]
                topology = SentinelService(sentinels, address.service, partial(make_node, address.options))
            case "cluster":
                topology = Cluster(address.seeds, partial(make_node, address.options))
        return cls(topology, timeout_s=timeout_s)

    async def execute(self, key: str, *command: str | bytes | int) -> Any:
        """Send a command to the owner of the key and return the reply."""
        _, (reply,) = await self._execute(key, command)
        return reply

    async def execute_replicated(self, key: str, *command: str | bytes | int) -> Any:
        """Like `execute`, but return only after the required replicas have the write.

        A command that finds its work done must write something, too, or WAIT has nothing to wait for.
        """
        if self.required_replicas == 0:
            return await self.execute(key, *command)
        node, (reply, replicas) = await self._execute(key, command, self._wait_command)
        if isinstance(replicas, Exception):
            self._topology.invalidate(node)
            raise replicas
        if replicas < self.required_replicas:
            self._topology.invalidate(node)
            raise TransientError(f"the store at {node.address} has no replica that confirms the write")
        return reply

    async def execute_each(self, requests: Sequence[tuple[str, Command]]) -> list[Any]:
        """Send many commands, batched by server; retry those refused once, one by one.

        Return the replies in order, with an error in place of each missing one.
        """
        replies: list[Any] = [None] * len(requests)
        batches: dict[Node, list[int]] = {}
        for index, (key, _) in enumerate(requests):
            try:
                batches.setdefault(await self._topology.primary(key), []).append(index)
            except CLIENT_ERRORS as error:
                raise_if_cancelled()
                replies[index] = error
        for node, indexes in batches.items():
            batch = await self._execute_batch(node, [requests[index][1] for index in indexes])
            for index, reply in zip(indexes, batch, strict=True):
                replies[index] = reply
        for index, (key, command) in enumerate(requests):
            if isinstance(replies[index], ResponseError):
                try:
                    replies[index] = await self.execute(key, *command)
                except CLIENT_ERRORS as error:
                    raise_if_cancelled()
                    replies[index] = error
        return replies

    async def primaries(self) -> Sequence[Node]:
        """Look up all servers that own keys."""
        return await self._topology.primaries()

    async def channels_by_primary(self, channels: Sequence[str]) -> dict[Node, tuple[str, ...]]:
        """Look up the channels of each server; a channel without an owner for now is left out."""
        await self._topology.primaries()
        owned: dict[Node, list[str]] = {}
        for channel in channels:
            try:
                node = await self._topology.primary(channel)
            except TransientError:
                continue
            owned.setdefault(node, []).append(channel)
        return {node: tuple(names) for node, names in owned.items()}

    async def close(self) -> None:
        await self._topology.close()

    async def _execute(self, key: str, *commands: Command) -> tuple[Node, list[Any]]:
        """Return the server that replied and its replies; raise the refusal of the first command."""
        node = await self._topology.primary(key)
        replies = await self._execute_on(node, commands)
        if isinstance(redirect := replies[0], AskError):
            node = self._topology.redirect(node, redirect)
            asking: tuple[Command, ...] = () if isinstance(redirect, MovedError) else (("ASKING",),)
            replies = (await self._execute_on(node, (*asking, *commands)))[len(asking) :]
        if isinstance(error_reply := replies[0], Exception):
            if is_transient(error_reply) and not isinstance(error_reply, NoScriptError):
                self._topology.invalidate(node)
            raise error_reply
        return node, replies

    async def _execute_batch(self, node: Node, commands: Sequence[Command]) -> list[Any]:
        """Send a batch. The time limit includes the wait for a connection, which is long at a server that hangs."""
        try:
            async with asyncio.timeout(self._timeout_s):
                return await self._execute_on(node, commands)
        except NODE_ERRORS as error:
            raise_if_cancelled()
            return [error] * len(commands)

    async def _execute_on(self, node: Node, commands: Sequence[Command]) -> list[Any]:
        try:
            return await node.execute(*commands)
        except NODE_ERRORS:
            self._topology.invalidate(node)
            raise
