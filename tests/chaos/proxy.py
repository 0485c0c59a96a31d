"""A wire that can be cut: it passes bytes on between who connects and one of those behind it, until told otherwise.

Invariant: bytes are late or never there, but not damaged and not in another order.
"""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Protocol

Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Behind(Protocol):
    """Somebody to pass a connection on to."""

    async def connect(self) -> Ends:
        """Raises OSError when nobody listens."""


class Line:
    """One connection through the proxy: `near` is who connected, `far` leads to `behind`."""

    def __init__(self, near: Ends, far: Ends, behind: Behind) -> None:
        self.behind = behind
        self._near, self._far = near, far
        self._open = asyncio.Event()
        self._open.set()
        self._lag = 0.0

    async def carry(self) -> None:
        """Until both sides are done."""
        await asyncio.gather(self._pass_on(self._near[0], self._far[1]), self._pass_on(self._far[0], self._near[1]))

    def drop(self) -> None:
        """The cable is pulled: what is on its way is lost."""
        for _, writer in (self._near, self._far):
            writer.transport.abort()
        self._open.set()

    def part(self) -> None:
        """Only who connected is cut off; what it has said still arrives."""
        self._near[1].transport.abort()

    def hold(self) -> None:
        """Silence in both directions, without a word about it."""
        self._open.clear()

    def release(self) -> None:
        self._open.set()

    def slow(self, lag: float) -> None:
        """Everything takes this many seconds longer; 0 for as usual."""
        self._lag = lag

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while said := await reader.read(1 << 16):
                await self._open.wait()
                if self._lag:
                    await asyncio.sleep(self._lag)
                if writer.is_closing():
                    return
                writer.write(said)
                await writer.drain()
        writer.close()


class Proxy:
    """`choose` names whom to pass the next connection on to; None turns it away."""

    def __init__(self, choose: Callable[[], Behind | None]) -> None:
        self._choose = choose
        self._server: asyncio.Server | None = None
        self._carrying: set[asyncio.Task[None]] = set()
        self.lines: list[Line] = []
        self.port = 0

    async def listen(self, path: str | None = None) -> None:
        """On a Unix socket, or on a free port of this machine."""
        if path is not None:
            self._server = await asyncio.start_unix_server(self._accept, path)
        else:
            self._server = await asyncio.start_server(self._accept, "127.0.0.1")
            self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        assert self._server is not None
        self._server.close()
        for line in self.lines:
            line.drop()
        await asyncio.gather(*self._carrying)

    def _accept(self, *near: *Ends) -> None:
        task = asyncio.create_task(self._carry(near))
        self._carrying.add(task)
        task.add_done_callback(self._carrying.discard)

    async def _carry(self, near: Ends) -> None:
        behind = self._choose()
        try:
            far = await behind.connect() if behind else None
        except OSError:
            far = None
        if behind is None or far is None:
            near[1].transport.abort()
            return
        line = Line(near, far, behind)
        self.lines.append(line)
        try:
            await line.carry()
        finally:
            self.lines.remove(line)
