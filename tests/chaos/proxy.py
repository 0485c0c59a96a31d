"""A TCP proxy whose connections can be slowed, stalled and cut.

Invariant: bytes arrive late or never, but neither damaged nor reordered.
"""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Protocol

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Upstream(Protocol):
    async def connect(self) -> Streams:
        """Connect to the server behind the proxy. Raises OSError if it does not listen."""


class ProxiedConnection:
    """A connection from a client through the proxy to an upstream server."""

    def __init__(self, client: Streams, server: Streams, upstream: Upstream) -> None:
        self.upstream = upstream
        self._client, self._server = client, server
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._delay = 0.0

    async def forward(self) -> None:
        """Forward bytes both ways until both sides are closed."""
        await asyncio.gather(self._copy(self._client[0], self._server[1]), self._copy(self._server[0], self._client[1]))

    def drop(self) -> None:
        """Reset both sides; bytes in flight are lost."""
        for _, writer in (self._client, self._server):
            writer.transport.abort()
        self._flowing.set()

    def drop_client(self) -> None:
        """Reset the client's side only; what the client has sent still arrives."""
        self._client[1].transport.abort()

    def stall(self) -> None:
        """Hold back all bytes in both directions."""
        self._flowing.clear()

    def resume(self) -> None:
        """Undo `stall`."""
        self._flowing.set()

    def slow(self, delay: float) -> None:
        """Delay everything by `delay` seconds; 0 undoes it."""
        self._delay = delay

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(1 << 16):
                await self._flowing.wait()
                if self._delay:
                    await asyncio.sleep(self._delay)
                if writer.is_closing():
                    return
                writer.write(data)
                await writer.drain()
        writer.close()


class Proxy:
    """`choose` returns the upstream of the next connection, or None to reset it."""

    def __init__(self, choose: Callable[[], Upstream | None]) -> None:
        self._choose = choose
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.connections: list[ProxiedConnection] = []
        self.port = 0

    async def listen(self, path: str | None = None) -> None:
        """Listen on a Unix socket, or on a free local port."""
        if path is not None:
            self._server = await asyncio.start_unix_server(self._accept, path)
        else:
            self._server = await asyncio.start_server(self._accept, "127.0.0.1")
            self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        assert self._server is not None
        self._server.close()
        for connection in self.connections:
            connection.drop()
        await asyncio.gather(*self._tasks)

    def _accept(self, *client: *Streams) -> None:
        task = asyncio.create_task(self._forward(client))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _forward(self, client: Streams) -> None:
        upstream = self._choose()
        try:
            server = await upstream.connect() if upstream else None
        except OSError:
            server = None
        if upstream is None or server is None:
            client[1].transport.abort()
            return
        connection = ProxiedConnection(client, server, upstream)
        self.connections.append(connection)
        try:
            await connection.forward()
        finally:
            self.connections.remove(connection)
