"""One Redis or Valkey server: the connections to it, requests over them, and a line to listen on.

Invariant: the commands of one request go over one connection, in order, and a
connection goes back to the pool only when every answer to it has been read.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any

from redis.asyncio import ConnectionPool
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ResponseError

from server.store.client.faults import NotSettled, closed_is_lost, place, stop_if_told_to

Command = tuple[str | bytes | int, ...]

LINES = 2
"""Connections for listening, on top of those for requests: when what is told of here changes, the new line is drawn
while the old one is just being hung up."""


class Node:
    """`options` are those of a connection of the client library; connects with the first request."""

    def __init__(self, options: Mapping[str, Any], *, connections: int) -> None:
        self.place = place(options)
        self.host = str(options.get("host", ""))
        self._pool = ConnectionPool(**{**options, "max_connections": connections + LINES})
        # First come, first served; the library's own queue starves some. Each server has turns of its own: those
        # who wait for one that hangs are in nobody else's way.
        self._turns = asyncio.Semaphore(connections)

    async def ask(self, *commands: Command) -> list[Any]:
        """The answers as they came, a refusal among them as the error it is; raises only when answers are missing."""
        async with self._turns:
            return await self._ask(commands)

    async def _ask(self, commands: Sequence[Command]) -> list[Any]:
        connection = await self._connected()
        try:
            await _send(connection, commands)
            answers: list[Any] = []
            for _ in commands:
                try:
                    answers.append(await connection.read_response())
                except ResponseError as refusal:
                    answers.append(refusal)
        except BaseException:
            await connection.disconnect(nowait=True)
            raise
        finally:
            await self._pool.release(connection)
        return answers

    async def line(self, channels: Sequence[str], *, keepalive_s: float) -> AsyncGenerator[bytes | None, None]:
        """None once all channels are subscribed to, then what is said on them.

        Ends with one of LOST; NotSettled when a channel has moved to another server.
        """
        connection = await self._connected()
        try:
            # One by one: in a cluster, each is in a slot of its own.
            await _send(connection, [("SSUBSCRIBE", each) for each in channels])
            subscribed = asked = False
            while True:
                stop_if_told_to()
                # Without a time of its own an answer has as long as any answer, and its absence is an error.
                said = await connection.read_response(timeout=keepalive_s if subscribed else None)
                if said is None and asked:
                    raise TimeoutError
                asked = said is None
                match said:
                    case None:
                        await _send(connection, [("PING",)])
                    case [b"smessage", _, payload]:
                        yield payload
                    case [b"ssubscribe", _, number] if number == len(channels):
                        subscribed = True
                        yield None
                    case [b"sunsubscribe", *_]:
                        raise NotSettled(f"channels of the store at {self.place} have moved to another server")
        finally:
            await connection.disconnect(nowait=True)
            await self._pool.release(connection)

    async def _connected(self) -> AbstractConnection:
        with closed_is_lost():
            connection: AbstractConnection = await self._pool.get_connection()  # type: ignore[no-untyped-call]
        return connection

    async def rest(self) -> None:
        """Let go of the connections that nobody uses: not much will be asked here for a while."""
        await self._pool.disconnect(inuse_connections=False)

    async def close(self) -> None:
        await self._pool.aclose()


async def _send(connection: AbstractConnection, commands: Sequence[Command]) -> None:
    with closed_is_lost():
        await connection.send_packed_command(connection.pack_commands(commands))
