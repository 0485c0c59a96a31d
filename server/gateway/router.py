"""What one connection says, in order: hello first, then requests to the lobby and to the table it is at."""

import asyncio
import time

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from server import __version__
from server.gateway.connection import Connection
from server.gateway.limits import Bucket
from server.gateway.sessions import open_session
from server.gateway.wire import read_frame
from server.lobby.lobby import Lobby
from server.settings import Settings
from server.tables.table import LiveTable
from spades_core.protocol.codec import ValidationError
from spades_core.protocol.messages import (
    CLOSE_PROTOCOL,
    CLOSE_RESTARTING,
    CLOSE_SILENT,
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
from spades_core.refusal import Refused
from spades_core.seats import clean_name

BAD_FRAMES_IN_A_ROW = 3
FIRST_FRAME_SECONDS = 5.0
"""How long somebody may take to say hello."""
REQUEST_BURST = 20
"""How many requests are looked at at once; after that, so many a second as the settings say."""
LATE_FRAMES_SECONDS = 0.1
"""How long a conversation that is stopped still listens: for what was on its way."""


class HangUp(Exception):
    """The conversation is over; `code` says why."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class HeardOut(Exception):
    """Reading was stopped, and what had come before has been listened to."""


class Conversation:
    """One connection from hello to its end. `heard_out` is set when nothing it says will be listened to any more."""

    def __init__(self, socket: ServerConnection, lobby: Lobby, settings: Settings) -> None:
        self._socket = socket
        self._lobby = lobby
        self._connection = Connection(socket)
        self._table: LiveTable | None = None
        self._asked: set[LiveTable] = set()
        self._bad_frames = 0
        self._listen_until: float | None = None
        self._waiting: asyncio.Timeout | None = None
        self.heard_out = asyncio.Event()
        self._now = asyncio.get_running_loop().time
        self._bucket = Bucket(settings.requests_per_second, REQUEST_BURST, self._now())

    async def run(self) -> None:
        writing = asyncio.create_task(self._connection.write())
        try:
            await self._greet()
            while True:
                await self._read_one()
        except ConnectionClosed:
            pass
        except HangUp as end:
            self._connection.close(end.code)
            self.heard_out.set()
            await writing
        except HeardOut:
            self.heard_out.set()
            await writing
        finally:
            self.heard_out.set()
            if self._listen_until is None:  # at a stop everybody goes, and nobody is left to be told of it
                self._part()
            writing.cancel()

    def stop_reading(self) -> None:
        """What has been received already, or is on its way, is still listened to."""
        self._listen_until = self._now() + LATE_FRAMES_SECONDS
        if self._waiting is not None and not self._waiting.expired():
            self._waiting.reschedule(self._listen_until)

    def send_away(self, ms: int) -> None:
        """Come back in so many milliseconds, to a server that is not about to stop."""
        self._connection.close(CLOSE_RESTARTING, Restarting(ms))

    def cut_off(self) -> None:
        """For who takes in nothing, not even a goodbye."""
        self._socket.transport.abort()

    async def _receive(self, within: float | None = None) -> str | bytes:
        until = self._listen_until
        if until is None and within is not None:
            until = self._now() + within
        try:
            async with asyncio.timeout_at(until) as self._waiting:
                return await self._socket.recv()
        except TimeoutError:
            raise (HangUp(CLOSE_SILENT) if self._listen_until is None else HeardOut) from None
        finally:
            self._waiting = None

    async def _greet(self) -> None:
        """Nothing but hello is listened to first."""
        while self._connection.session is None:
            message = self._understood(await self._receive(within=FIRST_FRAME_SECONDS))
            if isinstance(message, Hello):
                self._welcome(message)
            elif message is not None:
                self._refuse(Refusal("hello_first", "Say hello first, with a name.", "t"))

    def _welcome(self, hello: Hello) -> None:
        if hello.protocol != PROTOCOL:
            text = f"This server speaks version {PROTOCOL} of the protocol, the client {hello.protocol}. Please reload."
            self._connection.send(Refusal("protocol", text, "protocol"))
            raise HangUp(CLOSE_PROTOCOL)
        try:
            name = clean_name(hello.name)
        except ValueError as problem:
            self._refuse(Refusal("bad_name", f"That name does not work: {problem}.", "name"))
            return
        session = open_session(name, hello.token, hello.connected_at, time.time_ns() // 1_000_000)
        self._connection.session = session
        self._connection.send(Welcome(session.token, name, __version__))

    async def _read_one(self) -> None:
        message = self._understood(await self._receive())
        if message is None:
            return
        if isinstance(message, Ping):
            self._connection.send(Pong())
            await asyncio.sleep(0)  # the pong goes out before the next ping is looked at
            return
        await asyncio.sleep(self._bucket.take(self._now()))
        if isinstance(message, Hello):
            self._refuse(Refusal("hello_once", "Hello was said already.", "t"))
        else:
            await self._route(message)

    def _understood(self, frame: str | bytes) -> ClientMessage | None:
        """The message of a frame; what cannot be read is answered, and three in a row end the conversation."""
        try:
            message = read_frame(frame)
        except ValidationError as problem:
            self._refuse(Refusal("malformed", f"This frame was not understood: {problem}.", problem.field or None))
            return None
        self._bad_frames = 0
        return message

    def _refuse(self, refusal: Refusal) -> None:
        self._connection.send(refusal)
        self._bad_frames += 1
        if self._bad_frames >= BAD_FRAMES_IN_A_ROW:
            raise HangUp(CLOSE_PROTOCOL)

    async def _route(self, message: ClientMessage) -> None:
        assert not isinstance(message, Hello | Ping)
        player = self._connection.player
        try:
            if isinstance(message, MakeTable):
                table = await self._lobby.make(player, self._connection.name, message.rules, message.id)
                self._come_to(table, JoinTable(message.id, table.record.code))
            elif isinstance(message, JoinTable):
                self._come_to(await self._lobby.find(message.code), message)
            elif self._table is None and isinstance(message, Leave):
                self._connection.send(Left(message.id))
            elif self._table is None:
                raise Refused("no_table", "You are at no table; make or join one first.")
            else:
                self._table.ask(self._connection, message)
        except Refused as refused:
            self._connection.send(Refusal(refused.code, refused.text, refused.field, message.id))

    def _come_to(self, table: LiveTable, request: JoinTable) -> None:
        """The table we are at stays ours until the other one has let us in."""
        self._asked.add(table)
        table.join(self._connection, request, lambda: self._arrived(table))

    def _arrived(self, table: LiveTable) -> None:
        if self._table is not None and self._table is not table:
            self._table.disconnected(self._connection)
            self._asked.discard(self._table)
        self._table = table

    def _part(self) -> None:
        """Every table that was asked is told, also one that has not let us in yet."""
        for table in self._asked:
            table.disconnected(self._connection)
