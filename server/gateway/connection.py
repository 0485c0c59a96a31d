"""One socket: what comes in is read at a measured rate, what goes out waits in a bounded outbox.

Invariant: `send` and `close` never wait and never fail, so a slow or dead
client cannot hold up a table. After `close` nothing more is said.
"""

import asyncio

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from server.gateway.sessions import Session
from server.gateway.wire import write_frame
from spades_core.protocol.messages import CLOSE_REASONS, CLOSE_TOO_SLOW, ServerMessage

OUTBOX_FRAMES = 64


class Connection:
    """A viewer of tables. One whose outbox is full is let go: it comes back, and asks again for what was lost."""

    def __init__(self, socket: ServerConnection) -> None:
        self._socket = socket
        self._outbox: asyncio.Queue[bytes | int] = asyncio.Queue()
        self._closed = False
        self.session: Session | None = None

    @property
    def player(self) -> str:
        assert self.session is not None
        return self.session.player

    @property
    def name(self) -> str:
        assert self.session is not None
        return self.session.name

    @property
    def connected_at(self) -> int:
        assert self.session is not None
        return self.session.connected_at

    def send(self, message: ServerMessage) -> None:
        if self._closed:
            return
        if self._outbox.qsize() >= OUTBOX_FRAMES:
            self._empty()
            self.close(CLOSE_TOO_SLOW)
            return
        self._outbox.put_nowait(write_frame(message))

    def close(self, code: int, last: ServerMessage | None = None) -> None:
        """Say why and hang up, after what is already in the outbox; `last` is said even if that is full."""
        if self._closed:
            return
        self._closed = True
        if last is not None:
            self._outbox.put_nowait(write_frame(last))
        self._outbox.put_nowait(code)

    async def write(self) -> None:
        """Send what is in the outbox until the connection ends, by either side."""
        try:
            while True:
                item = await self._outbox.get()
                if isinstance(item, int):
                    await self._socket.close(item, CLOSE_REASONS[item])
                    return
                await self._socket.send(item)
        except ConnectionClosed:
            return

    def _empty(self) -> None:
        while not self._outbox.empty():
            self._outbox.get_nowait()
