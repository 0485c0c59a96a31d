"""The listening sockets: accept connections, run a session for each, and close them all on shutdown.

Invariant: closing takes a bounded time, whatever the clients do.
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
from server.gateway.client_session import ClientSession
from server.gateway.frames import MAX_FRAME
from server.gateway.http import HttpPages, header
from server.lobby.lobby import Lobby
from server.settings import Settings
from spades_core.protocol.messages import CLOSE_REASONS, CLOSE_RESTARTING

SOCKET_PATH = "/ws"
BACKLOG = 4096
"""Length of the accept queue, as far as the system allows. When a server dies, thousands of clients come to the
others at once; a connection that does not fit is not refused but retried by its system after 1, 3, then 7 seconds."""
RESERVED_FILES = 256
"""File descriptors kept free for everything but players: for the store, which may take 34 per master (`connections`
of RedisLog and LINES of its nodes), and for HTTP requests."""
FULL_LOG_INTERVAL = 60.0
DRAIN_TIMEOUT = 2.0
"""How long a shutdown waits until all received frames have been passed on, in seconds."""
CLOSE_TIMEOUT = 2.5
"""How long a shutdown waits for closing handshakes; connections still open after that are aborted."""

log = structlog.get_logger()


async def open_sockets(host: str, port: int) -> list[socket.socket]:
    """Open a listening socket for each address of the host, as asyncio would. Raises OSError."""
    server = await asyncio.get_running_loop().create_server(asyncio.Protocol, host, port, backlog=BACKLOG)
    sockets = [socket.socket(fileno=each.dup().detach()) for each in server.sockets]
    server.close()
    return sockets


@asynccontextmanager
async def serving(
    sockets: Sequence[socket.socket],
    settings: Settings,
    lobby: Lobby,
    health: Callable[[], dict[str, object]],
    metrics_text: Callable[[], bytes],
) -> AsyncIterator["WebSocketServer"]:
    """Serve connections to the sockets until the end of the block, then close them all."""
    server = WebSocketServer(settings, lobby, HttpPages(health, metrics_text))
    try:
        await server.start(sockets)
        yield server
    finally:
        await server.close()


class WebSocketServer:
    def __init__(self, settings: Settings, lobby: Lobby, pages: HttpPages) -> None:
        self._settings = settings
        self._lobby = lobby
        self._pages = pages
        self._servers: list[Server] = []
        self._connections: dict[ClientSession, asyncio.Task[None]] = {}
        self._stopping = False
        self._full_logged_at = float("-inf")

    async def start(self, sockets: Sequence[socket.socket]) -> None:
        for each in sockets:
            server = await serve(
                self._handle,
                sock=each,
                backlog=BACKLOG,
                process_request=self._process_request,
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
        """Accept no more connections, pass on the frames received so far, and read no more."""
        self._stop_accepting()
        for session in self._connections:
            session.stop_reading()
        with suppress(TimeoutError):
            async with asyncio.timeout(DRAIN_TIMEOUT):
                for session in list(self._connections):
                    await session.drained.wait()

    async def close(self) -> None:
        """Tell every client when to reconnect, and close all connections."""
        self._stop_accepting()
        spread = _restart_spread_ms(len(self._connections))
        for session in self._connections:
            session.announce_restart(round(random.uniform(0, spread)))
        if self._connections:
            await asyncio.wait(self._connections.values(), timeout=CLOSE_TIMEOUT)
        if self._connections:
            log.warning("aborting unresponsive connections", connections=len(self._connections))
        for session, task in list(self._connections.items()):
            session.abort()
            task.cancel()
        for server in self._servers:
            await server.wait_closed()

    def _stop_accepting(self) -> None:
        self._stopping = True
        for server in self._servers:
            server.close(close_connections=False)

    async def _handle(self, connection: ServerConnection) -> None:
        if self._stopping:  # the opening handshake was in progress
            await connection.close(CLOSE_RESTARTING, CLOSE_REASONS[CLOSE_RESTARTING])
            return
        session = ClientSession(connection, self._lobby, self._settings)
        task: asyncio.Task[None] | None = asyncio.current_task()
        assert task is not None
        self._connections[session] = task
        metrics.CONNECTIONS.inc()
        try:
            await session.run()
        finally:
            del self._connections[session]
            metrics.CONNECTIONS.dec()

    def _process_request(self, connection: ServerConnection, request: Request) -> Response | None:
        """Return a response for plain HTTP and for refused handshakes, or None to open a WebSocket."""
        if request.path.partition("?")[0] != SOCKET_PATH:
            return self._pages.respond(request)
        if not _is_same_origin(request):
            return connection.respond(HTTPStatus.FORBIDDEN, "This page belongs to another server.\n")
        if self._is_full():
            return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, "There is no room for more players here now.\n")
        return None

    def _is_full(self) -> bool:
        """Return whether the file descriptors for players are used up.

        Without the reserve the system would drop new connections without an answer.
        """
        limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if len(self._connections) < limit - RESERVED_FILES:
            return False
        now = asyncio.get_running_loop().time()
        if now >= self._full_logged_at + FULL_LOG_INTERVAL:
            self._full_logged_at = now
            log.warning("too many connections: raise ulimit -n", connections=len(self._connections), files=limit)
        return True


def _restart_spread_ms(connections: int) -> float:
    """Return the time over which the clients of a stopping server reconnect.

    A client that reconnects costs about a millisecond of processor time: the
    handshake, the identity, the whole view. At one millisecond each, the server
    that takes them keeps up. At least 200 ms, so that even the players of a
    single table do not come in one instant; at most 5 s, the longest a player
    likes to wait.
    """
    return min(5000.0, 200.0 + connections)


def _is_same_origin(request: Request) -> bool:
    """Return whether our own page opens the socket, or a client that is no browser and sends no Origin."""
    origin = header(request, "Origin")
    try:
        return not origin or urlsplit(origin).netloc == header(request, "Host")
    except ValueError:
        return False
