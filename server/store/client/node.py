"""One Redis or Valkey server: its connections, requests and subscriptions.

Invariant: the commands of one request go over one connection, in order, and a
connection returns to the pool only after all replies to it have been read.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any

from redis.asyncio import ConnectionPool
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ResponseError

from server.store.client.errors import TransientError, closed_handler_is_connection_error, raise_if_cancelled

Command = tuple[str | bytes | int, ...]

SUBSCRIPTIONS = 2
"""Connections for subscriptions, in addition to those for requests: when the channels change, the new subscription
starts before the old one has ended."""


class Node:
    """`options` are those of a redis-py connection; the first request connects."""

    def __init__(self, options: Mapping[str, Any], *, connections: int) -> None:
        self.host = str(options.get("host", ""))
        self.address = str(options.get("path") or f"{self.host or 'localhost'}:{options.get('port', 6379)}")
        self._pool = ConnectionPool(**{**options, "max_connections": connections + SUBSCRIPTIONS})
        # Requests are served in order; redis-py's own queue starves some of them. Each server has a semaphore of
        # its own, so that a server that hangs delays no request to another one.
        self._semaphore = asyncio.Semaphore(connections)

    async def execute(self, *commands: Command) -> list[Any]:
        """Return the replies in order, a refusal as its ResponseError; raises only if replies are missing."""
        async with self._semaphore:
            return await self._execute(commands)

    async def _execute(self, commands: Sequence[Command]) -> list[Any]:
        connection = await self._connect()
        try:
            await _send(connection, commands)
            replies: list[Any] = []
            for _ in commands:
                try:
                    replies.append(await connection.read_response())
                except ResponseError as error_reply:
                    replies.append(error_reply)
        except BaseException:
            await connection.disconnect(nowait=True)
            raise
        finally:
            await self._pool.release(connection)
        return replies

    async def subscribe(self, channels: Sequence[str], *, keepalive_s: float) -> AsyncGenerator[bytes | None, None]:
        """Yield None once all channels are subscribed to, then each message.

        Raises one of REQUEST_ERRORS when the connection is lost, TransientError when a channel
        has moved to another server.
        """
        connection = await self._connect()
        try:
            # One by one: in a cluster each channel has its own slot.
            await _send(connection, [("SSUBSCRIBE", channel) for channel in channels])
            subscribed = ping_sent = False
            while True:
                raise_if_cancelled()
                # Without a timeout here the connection's own one applies, and raises an error.
                message = await connection.read_response(timeout=keepalive_s if subscribed else None)
                if message is None and ping_sent:
                    raise TimeoutError
                ping_sent = message is None
                match message:
                    case None:
                        await _send(connection, [("PING",)])
                    case [b"smessage", _, payload]:
                        yield payload
                    case [b"ssubscribe", _, number] if number == len(channels):
                        subscribed = True
                        yield None
                    case [b"sunsubscribe", *_]:
                        raise TransientError(f"channels of the store at {self.address} have moved to another server")
        finally:
            await connection.disconnect(nowait=True)
            await self._pool.release(connection)

    async def _connect(self) -> AbstractConnection:
        with closed_handler_is_connection_error():
            connection: AbstractConnection = await self._pool.get_connection()  # type: ignore[no-untyped-call]
        return connection

    async def release_idle(self) -> None:
        """Close the connections that are not in use, as few requests are expected here for a while."""
        await self._pool.disconnect(inuse_connections=False)

    async def close(self) -> None:
        await self._pool.aclose()


async def _send(connection: AbstractConnection, commands: Sequence[Command]) -> None:
    with closed_handler_is_connection_error():
        await connection.send_packed_command(connection.pack_commands(commands))
