"""One WebSocket connection and its bounded outbox.

Invariant: `send` and `close` neither wait nor fail, so a slow or dead client
cannot hold up a table. Nothing is sent after `close`.
"""

import asyncio

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from server.gateway.frames import encode_frame
from server.gateway.identity import Identity
from spades_core.protocol.messages import CLOSE_REASONS, CLOSE_TOO_SLOW, ServerMessage

OUTBOX_FRAMES = 64


class Connection:
    """A viewer of tables. It is closed when its outbox is full; the client reconnects and catches up."""

    def __init__(self, socket: ServerConnection) -> None:
        self._socket = socket
        self._outbox: asyncio.Queue[bytes | int] = asyncio.Queue()
        self._closed = False
        self.identity: Identity | None = None
        """None until the handshake is complete."""

    @property
    def player(self) -> str:
        assert self.identity is not None
        return self.identity.player

    @property
    def name(self) -> str:
        assert self.identity is not None
        return self.identity.name

    @property
    def connected_at(self) -> int:
        assert self.identity is not None
        return self.identity.connected_at

    def send(self, message: ServerMessage) -> None:
        """Queue a message; close the connection as too slow if the outbox is full."""
        if self._closed:
            return
        if self._outbox.qsize() >= OUTBOX_FRAMES:
            self._discard_outbox()
            self.close(CLOSE_TOO_SLOW)
            return
        self._outbox.put_nowait(encode_frame(message))

    def close(self, code: int, last: ServerMessage | None = None) -> None:
        """Close after sending the outbox and then `last`, which is sent even if the outbox is full."""
        if self._closed:
            return
        self._closed = True
        if last is not None:
            self._outbox.put_nowait(encode_frame(last))
        self._outbox.put_nowait(code)

    async def write(self) -> None:
        """Send the contents of the outbox until either side closes the connection."""
        try:
            while True:
                item = await self._outbox.get()
                if isinstance(item, int):
                    await self._socket.close(item, CLOSE_REASONS[item])
                    return
                await self._socket.send(item)
        except ConnectionClosed:
            return

    def _discard_outbox(self) -> None:
        while not self._outbox.empty():
            self._outbox.get_nowait()
