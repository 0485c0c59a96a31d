"""The listening sockets: who may open a connection, what every connection runs, and how all of them are ended.

Invariant: ending takes a bounded time, whatever the clients do.
"""

import asyncio
import random
import resource
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus
from urllib.parse import urlsplit

import structlog
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.http11 import Request, Response

from server import metrics
from server.gateway.http import Pages, header
from server.gateway.router import Conversation
from server.gateway.wire import MAX_FRAME
from server.lobby.lobby import Lobby
from server.settings import Settings
from spades_core.protocol.messages import CLOSE_REASONS, CLOSE_RESTARTING

SOCKET_PATH = "/ws"
BACKLOG = 4096
"""How many connections may wait to be accepted, if the system allows so many. When a server dies, thousands come
to the others at once; one that finds no place is not refused but left alone for 1, 3, then 7 seconds."""
FILES_KEPT_BACK = 256
"""Of the files a process may have open, those that are not for players: for the store, of which every master may take
34 (`connections` of RedisLog and LINES of its nodes), for the page, for who just knocks."""
FULL_SAID_SECONDS = 60.0
"""How often the log says that there is no room."""
HEAR_OUT_SECONDS = 2.0
"""How long it may take, at a stop, until what was received is passed on to the tables."""
GOODBYE_SECONDS = 2.5
"""How long the last words may take; who has not listened by then is cut off."""

log = structlog.get_logger()


async def open_sockets(host: str, port: int) -> list[socket.socket]:
    """One that listens for each address of the host, opened as asyncio opens them; raises OSError."""
    server = await asyncio.get_running_loop().create_server(asyncio.Protocol, host, port, backlog=BACKLOG)
    sockets = [socket.socket(fileno=each.dup().detach()) for each in server.sockets]
    server.close()
    return sockets


@asynccontextmanager
async def listening(
    sockets: Sequence[socket.socket],
    settings: Settings,
    lobby: Lobby,
    health: Callable[[], dict[str, object]],
    measured: Callable[[], bytes],
) -> AsyncIterator["Door"]:
    """Accept connections from the sockets until the end of the block; then say goodbye to those who are there."""
    door = Door(settings, lobby, Pages(health, measured))
    try:
        await door.open(sockets)
        yield door
    finally:
        await door.close()


class Door:
    """Open until `stop_reading`; `close` ends every connection."""

    def __init__(self, settings: Settings, lobby: Lobby, pages: Pages) -> None:
        self._settings = settings
        self._lobby = lobby
        self._pages = pages
        self._servers: list[Server] = []
        self._here: dict[Conversation, asyncio.Task[None]] = {}
        self._stopping = False
        self._full_said_at = float("-inf")

    async def open(self, sockets: Sequence[socket.socket]) -> None:
        for each in sockets:
            server = await serve(
                self._converse,
                sock=each,
                backlog=BACKLOG,
                process_request=self._answer,
                server_header=None,
                compression=None,
                max_size=MAX_FRAME,
                open_timeout=4,
                ping_interval=20,
                ping_timeout=20,
                close_timeout=2,
            )
            self._servers.append(server)

    async def stop_reading(self) -> None:
        """Nobody new comes in, and nobody is listened to any more, once what came before is passed on."""
        self._stop_accepting()
        for conversation in self._here:
            conversation.stop_reading()
        with suppress(TimeoutError):
            async with asyncio.timeout(HEAR_OUT_SECONDS):
                for conversation in list(self._here):
                    await conversation.heard_out.wait()

    async def close(self) -> None:
        """Tell everybody when to come back, and end all connections."""
        self._stop_accepting()
        spread = _spread_ms(len(self._here))
        for conversation in self._here:
            conversation.send_away(round(random.uniform(0, spread)))
        if self._here:
            await asyncio.wait(self._here.values(), timeout=GOODBYE_SECONDS)
        if self._here:
            log.warning("cut off who does not listen", connections=len(self._here))
        for conversation, task in list(self._here.items()):
            conversation.cut_off()
            task.cancel()
        for server in self._servers:
            await server.wait_closed()

    def _stop_accepting(self) -> None:
        self._stopping = True
        for server in self._servers:
            server.close(close_connections=False)

    async def _converse(self, connection: ServerConnection) -> None:
        if self._stopping:  # its handshake was just ending
            await connection.close(CLOSE_RESTARTING, CLOSE_REASONS[CLOSE_RESTARTING])
            return
        conversation = Conversation(connection, self._lobby, self._settings)
        task: asyncio.Task[None] | None = asyncio.current_task()
        assert task is not None
        self._here[conversation] = task
        metrics.CONNECTIONS.inc()
        try:
            await conversation.run()
        finally:
            del self._here[conversation]
            metrics.CONNECTIONS.dec()

    def _answer(self, connection: ServerConnection, request: Request) -> Response | None:
        if request.path.partition("?")[0] != SOCKET_PATH:
            return self._pages.answer(request)
        if not _from_here(request):
            return connection.respond(HTTPStatus.FORBIDDEN, "This page belongs to another server.\n")
        if self._is_full():
            return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, "There is no room for more players here now.\n")
        return None

    def _is_full(self) -> bool:
        """Those who are here keep what they need; without files the system would hang up on anybody without a word."""
        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if len(self._here) < files - FILES_KEPT_BACK:
            return False
        now = asyncio.get_running_loop().time()
        if now >= self._full_said_at + FULL_SAID_SECONDS:
            self._full_said_at = now
            log.warning("no room for more connections: raise ulimit -n", connections=len(self._here), files=files)
        return True


def _spread_ms(connections: int) -> float:
    """Over how long the players of a server that stops come back.

    One who comes back costs about a millisecond of a processor: the handshake, the session, the whole
    view. So many milliseconds let whoever takes them in keep up. The first 200 keep even a single
    table from coming in one instant; 5000 is as long as a player likes to wait.
    """
    return min(5000.0, 200.0 + connections)


def _from_here(request: Request) -> bool:
    """A browser says which page opens the socket: only ours may. Other programs say nothing."""
    origin = header(request, "Origin")
    try:
        return not origin or urlsplit(origin).netloc == header(request, "Host")
    except ValueError:
        return False
