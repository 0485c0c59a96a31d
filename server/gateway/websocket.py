"""The listening socket: who may open a connection, and what every connection runs."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus
from urllib.parse import urlsplit

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.http11 import Request, Response

from server.gateway.http import Pages, header
from server.gateway.router import Conversation
from server.gateway.wire import MAX_FRAME
from server.lobby.lobby import Lobby
from server.settings import Settings
from spades_core.protocol.messages import CLOSE_REASONS, CLOSE_RESTARTING

SOCKET_PATH = "/ws"


@asynccontextmanager
async def listening(settings: Settings, lobby: Lobby, health: Callable[[], dict[str, object]]) -> AsyncIterator[Server]:
    """Accept connections until the end of the block; then say goodbye to those who are there."""
    pages = Pages(health)

    async def converse(socket: ServerConnection) -> None:
        await Conversation(socket, lobby, settings).run()

    def answer(connection: ServerConnection, request: Request) -> Response | None:
        if request.path.partition("?")[0] != SOCKET_PATH:
            return pages.answer(request)
        if not _from_here(request):
            return connection.respond(HTTPStatus.FORBIDDEN, "This page belongs to another server.\n")
        return None

    server = await serve(
        converse,
        settings.host,
        settings.port,
        process_request=answer,
        server_header=None,
        compression=None,
        max_size=MAX_FRAME,
        open_timeout=4,
        ping_interval=20,
        ping_timeout=20,
        close_timeout=2,
    )
    try:
        yield server
    finally:
        server.close(code=CLOSE_RESTARTING, reason=CLOSE_REASONS[CLOSE_RESTARTING])
        await server.wait_closed()


def _from_here(request: Request) -> bool:
    """A browser says which page opens the socket: only ours may. Other programs say nothing."""
    origin = header(request, "Origin")
    try:
        return not origin or urlsplit(origin).netloc == header(request, "Host")
    except ValueError:
        return False
