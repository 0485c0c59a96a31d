"""Plain HTTP beside the socket: the page's files, the health of the server and what is measured in it.

The files are read once, at start, and served from memory; whatever is asked
for can only be one of them.
"""

import gzip
import json
import mimetypes
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import formatdate
from hashlib import sha256
from http import HTTPStatus
from importlib.resources import files
from importlib.resources.abc import Traversable

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from server.metrics import MEDIA_TYPE

SECURITY = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}
FOREVER = "public, max-age=31536000, immutable"
"""For files whose name changes with what is in them."""
FRESH = "no-cache"
UNKEPT = {"Cache-Control": "no-store"}
TYPES = {".js": "text/javascript", ".webmanifest": "application/manifest+json", ".svg": "image/svg+xml"}
PACKED_TYPES = ("text/", "application/json", "application/manifest+json", "image/svg+xml")
NO_PAGE = (
    b"<!doctype html><title>Fourth Seat</title><p>The server runs, but its page was not built yet: "
    b"<code>make web</code> builds it.</p>"
)


@dataclass(frozen=True, slots=True)
class File:
    body: bytes
    packed: bytes | None
    media_type: str
    caching: str
    etag: str


class Pages:
    """Answers every request that is not for the socket."""

    def __init__(self, health: Callable[[], dict[str, object]], measured: Callable[[], bytes]) -> None:
        self._health = health
        self._measured = measured
        self._files = dict(_read(files("server.gateway").joinpath("page"), ""))

    def answer(self, request: Request) -> Response:
        path = request.path.partition("?")[0]
        if request.method not in ("GET", "HEAD"):
            return _plain(HTTPStatus.METHOD_NOT_ALLOWED, "Only GET and HEAD are answered here.", {"Allow": "GET, HEAD"})
        if path == "/health":
            health = self._health()
            status = HTTPStatus.OK if health["status"] == "ok" else HTTPStatus.SERVICE_UNAVAILABLE
            body = json.dumps(health).encode()
            return _response(status, body, "application/json", UNKEPT, head=_is_head(request))
        if path == "/metrics":
            return _response(HTTPStatus.OK, self._measured(), MEDIA_TYPE, UNKEPT, head=_is_head(request))
        file = self._files.get("/index.html" if path == "/" or path.startswith("/t/") else path)
        if file is None:
            return _plain(HTTPStatus.NOT_FOUND, "There is nothing here. The game is at /.", head=_is_head(request))
        return _file_response(file, request)


def _read(folder: Traversable, path: str) -> list[tuple[str, File]]:
    """All files below the folder, by the path under which they are asked for."""
    if not folder.is_dir():
        return [("/index.html", _file("index.html", NO_PAGE, FRESH))]
    found = []
    for entry in folder.iterdir():
        name = f"{path}/{entry.name}"
        if entry.is_dir():
            found += _read(entry, name)
        else:
            found.append((name, _file(entry.name, entry.read_bytes(), FOREVER if "/assets/" in name else FRESH)))
    return found


def _file(name: str, body: bytes, caching: str) -> File:
    suffix = name[name.rfind(".") :]
    media_type = TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    packed = gzip.compress(body, mtime=0) if media_type.startswith(PACKED_TYPES) else None
    if media_type.startswith("text/"):
        media_type += "; charset=utf-8"
    return File(body, packed, media_type, caching, f'"{sha256(body).hexdigest()[:20]}"')


def _file_response(file: File, request: Request) -> Response:
    headers = {"Cache-Control": file.caching, "ETag": file.etag, "Vary": "Accept-Encoding"}
    if file.etag in header(request, "If-None-Match"):
        return _response(HTTPStatus.NOT_MODIFIED, b"", None, headers)
    body = file.body
    if file.packed is not None and "gzip" in header(request, "Accept-Encoding"):
        body = file.packed
        headers["Content-Encoding"] = "gzip"
    return _response(HTTPStatus.OK, body, file.media_type, headers, head=_is_head(request))


def _plain(status: HTTPStatus, text: str, headers: dict[str, str] | None = None, *, head: bool = False) -> Response:
    return _response(status, f"{text}\n".encode(), "text/plain; charset=utf-8", headers or {}, head=head)


def _response(
    status: HTTPStatus, body: bytes, media_type: str | None, headers: dict[str, str], *, head: bool = False
) -> Response:
    fields = {"Date": formatdate(usegmt=True), "Connection": "close", "Content-Length": str(len(body))}
    if media_type is not None:
        fields["Content-Type"] = media_type
    all_headers = Headers({**fields, **SECURITY, **headers})
    return Response(status.value, status.phrase, all_headers, b"" if head else body)


def header(request: Request, name: str) -> str:
    """All lines of a header in one; empty when there is none."""
    return ", ".join(request.headers.get_all(name))


def _is_head(request: Request) -> bool:
    return request.method == "HEAD"
