"""The protocol session of one connection: the handshake, then requests to the lobby and the current table."""

import asyncio
import time

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from server import __version__
from server.gateway.connection import Connection
from server.gateway.frames import decode_frame
from server.gateway.identity import identify
from server.gateway.token_bucket import TokenBucket
from server.lobby.lobby import Lobby
from server.settings import Settings
from server.tables.table import LiveTable
from spades_core.commands import CommandRefused
from spades_core.protocol.codec import ValidationError
from spades_core.protocol.messages import (
    CLOSE_HELLO_TIMEOUT,
    CLOSE_PROTOCOL,
    CLOSE_RESTARTING,
    PROTOCOL,
    ClientMessage,
    Hello,
    JoinTable,
    Leave,
    Left,
    MakeTable,
    Ping,
    Pong,
    Refusal,
    Restarting,
    Welcome,
)
from spades_core.seats import clean_name

MAX_CONSECUTIVE_REFUSALS = 3
HELLO_TIMEOUT = 5.0
REQUEST_BURST = 20
"""Maximum burst of requests; the sustained rate comes from the settings."""
DRAIN_GRACE = 0.1
"""How long a session that stops reading still accepts frames in flight, in seconds."""


class CloseConnection(Exception):
    """Ends the session; `code` is the WebSocket close code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Drained(Exception):
    """Ends the session after `stop_reading`: every frame received before has been processed."""


class ClientSession:
    """A connection from its hello to its end. `drained` is set when no more of its frames will be processed."""

    def __init__(self, socket: ServerConnection, lobby: Lobby, settings: Settings) -> None:
        self._socket = socket
        self._lobby = lobby
        self._connection = Connection(socket)
        self._current_table: LiveTable | None = None
        self._attached_tables: set[LiveTable] = set()
        """The current table, and tables with a pending join request."""
        self._refusals = 0
        self._read_until: float | None = None
        self._receive_timeout: asyncio.Timeout | None = None
        self.drained = asyncio.Event()
        self._now = asyncio.get_running_loop().time
        self._bucket = TokenBucket(settings.requests_per_second, REQUEST_BURST, self._now())

    async def run(self) -> None:
        writing = asyncio.create_task(self._connection.write())
        try:
            await self._read()
            await writing
        except ConnectionClosed:
            pass
        finally:
            if self._read_until is None:  # in a shutdown all viewers leave, and nobody has to be notified
                self._detach()
            writing.cancel()

    async def _read(self) -> None:
        """Process frames until the session is closed or drained. Raises ConnectionClosed if the client closes it."""
        try:
            await self._handshake()
            while True:
                await self._handle_frame()
        except CloseConnection as end:
            self._connection.close(end.code)
        except Drained:
            pass
        finally:
            self.drained.set()

    def stop_reading(self) -> None:
        """Stop reading after the frames already received or in flight."""
        self._read_until = self._now() + DRAIN_GRACE
        if self._receive_timeout is not None and not self._receive_timeout.expired():
            self._receive_timeout.reschedule(self._read_until)

    def announce_restart(self, ms: int) -> None:
        """Tell the client to reconnect in `ms` milliseconds, then close the connection."""
        self._connection.close(CLOSE_RESTARTING, Restarting(ms))

    def abort(self) -> None:
        """Close the socket at once, without a closing handshake."""
        self._socket.transport.abort()

    async def _receive(self, within: float | None = None) -> str | bytes:
        until = self._read_until
        if until is None and within is not None:
            until = self._now() + within
        try:
            async with asyncio.timeout_at(until) as self._receive_timeout:
                return await self._socket.recv()
        except TimeoutError:
            raise (CloseConnection(CLOSE_HELLO_TIMEOUT) if self._read_until is None else Drained) from None
        finally:
            self._receive_timeout = None

    async def _handshake(self) -> None:
        """Wait for a valid hello, and refuse everything else."""
        while self._connection.identity is None:
            message = self._parse(await self._receive(within=HELLO_TIMEOUT))
            if isinstance(message, Hello):
                self._welcome(message)
            elif message is not None:
                self._refuse(Refusal("hello_first", "Say hello first, with a name.", "t"))

    def _welcome(self, hello: Hello) -> None:
        if hello.protocol != PROTOCOL:
            text = f"This server speaks version {PROTOCOL} of the protocol, the client {hello.protocol}. Please reload."
            self._connection.send(Refusal("protocol", text, "protocol"))
            raise CloseConnection(CLOSE_PROTOCOL)
        try:
            name = clean_name(hello.name)
        except ValueError as problem:
            self._refuse(Refusal("bad_name", f"That name does not work: {problem}.", "name"))
            return
        identity = identify(name, hello.token, hello.connected_at, time.time_ns() // 1_000_000)
        self._connection.identity = identity
        self._connection.send(Welcome(identity.token, name, __version__))

    async def _handle_frame(self) -> None:
        message = self._parse(await self._receive())
        if message is None:
            return
        if isinstance(message, Ping):
            self._connection.send(Pong())
            await asyncio.sleep(0)  # let the pong go out before the next ping is read
            return
        await asyncio.sleep(self._bucket.take(self._now()))
        if isinstance(message, Hello):
            self._refuse(Refusal("hello_once", "Hello was said already.", "t"))
        else:
            await self._route(message)

    def _parse(self, frame: str | bytes) -> ClientMessage | None:
        """Return the message of a frame; refuse a malformed frame and return None."""
        try:
            message = decode_frame(frame)
        except ValidationError as problem:
            self._refuse(Refusal("malformed", f"This frame was not understood: {problem}.", problem.field or None))
            return None
        self._refusals = 0
        return message

    def _refuse(self, refusal: Refusal) -> None:
        """Refuse a frame. Raises CloseConnection after `MAX_CONSECUTIVE_REFUSALS` in a row."""
        self._connection.send(refusal)
        self._refusals += 1
        if self._refusals >= MAX_CONSECUTIVE_REFUSALS:
            raise CloseConnection(CLOSE_PROTOCOL)

    async def _route(self, message: ClientMessage) -> None:
        assert not isinstance(message, Hello | Ping)
        player = self._connection.player
        try:
            if isinstance(message, MakeTable):
                table = await self._lobby.make(player, self._connection.name, message.rules, message.id)
                self._join(table, JoinTable(message.id, table.replica.code))
            elif isinstance(message, JoinTable):
                self._join(await self._lobby.find(message.code), message)
            elif self._current_table is None and isinstance(message, Leave):
                self._connection.send(Left(message.id))
            elif self._current_table is None:
                raise CommandRefused("no_table", "You are at no table; make or join one first.")
            else:
                self._current_table.ask(self._connection, message)
        except CommandRefused as refused:
            self._connection.send(Refusal(refused.code, refused.text, refused.field, message.id))

    def _join(self, table: LiveTable, request: JoinTable) -> None:
        """Ask to join a table; the current table is left when the new one accepts."""
        self._attached_tables.add(table)
        table.join(self._connection, request, lambda: self._joined(table))

    def _joined(self, table: LiveTable) -> None:
        if self._current_table is not None and self._current_table is not table:
            self._current_table.disconnected(self._connection)
            self._attached_tables.discard(self._current_table)
        self._current_table = table

    def _detach(self) -> None:
        """Notify the tables of this session, including those with a pending join, that the client disconnected."""
        for table in self._attached_tables:
            table.disconnected(self._connection)
