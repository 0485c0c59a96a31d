"""Plain HTTP on the same port: the files of the web page, /health and /metrics.

The files are read once, at start, and served from memory, so a request cannot
reach any other file.
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

SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}
IMMUTABLE = "public, max-age=31536000, immutable"
"""For files whose name contains a hash of their content."""
REVALIDATE = "no-cache"
NO_STORE = {"Cache-Control": "no-store"}
MEDIA_TYPES = {".js": "text/javascript", ".webmanifest": "application/manifest+json", ".svg": "image/svg+xml"}
COMPRESSED_TYPES = ("text/", "application/json", "application/manifest+json", "image/svg+xml")
NO_PAGE = (
    b"<!doctype html><title>Fourth Seat</title><p>The server runs, but its page was not built yet: "
    b"<code>make web</code> builds it.</p>"
)


@dataclass(frozen=True, slots=True)
class File:
    body: bytes
    gzipped: bytes | None
    media_type: str
    cache_control: str
    etag: str


class HttpPages:
    """Responds to every request that is not for the WebSocket."""

    def __init__(self, health: Callable[[], dict[str, object]], metrics_text: Callable[[], bytes]) -> None:
        self._health = health
        self._metrics_text = metrics_text
        self._files = dict(_read_files(files("server.gateway").joinpath("page"), ""))

    def respond(self, request: Request) -> Response:
        path = request.path.partition("?")[0]
        if request.method not in ("GET", "HEAD"):
            return _plain(HTTPStatus.METHOD_NOT_ALLOWED, "Only GET and HEAD are answered here.", {"Allow": "GET, HEAD"})
        if path == "/health":
            health = self._health()
            status = HTTPStatus.OK if health["status"] == "ok" else HTTPStatus.SERVICE_UNAVAILABLE
            body = json.dumps(health).encode()
            return _response(status, body, "application/json", NO_STORE, head=_is_head(request))
        if path == "/metrics":
            return _response(HTTPStatus.OK, self._metrics_text(), MEDIA_TYPE, NO_STORE, head=_is_head(request))
        file = self._files.get("/index.html" if path == "/" or path.startswith("/t/") else path)
        if file is None:
            return _plain(HTTPStatus.NOT_FOUND, "There is nothing here. The game is at /.", head=_is_head(request))
        return _file_response(file, request)


def _read_files(folder: Traversable, path: str) -> list[tuple[str, File]]:
    """Return all files below the folder with their URL paths."""
    if not folder.is_dir():
        return [("/index.html", _file("index.html", NO_PAGE, REVALIDATE))]
    found = []
    for entry in folder.iterdir():
        name = f"{path}/{entry.name}"
        if entry.is_dir():
            found += _read_files(entry, name)
        else:
            found.append((name, _file(entry.name, entry.read_bytes(), IMMUTABLE if "/assets/" in name else REVALIDATE)))
    return found


def _file(name: str, body: bytes, cache_control: str) -> File:
    suffix = name[name.rfind(".") :]
    media_type = MEDIA_TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    gzipped = gzip.compress(body, mtime=0) if media_type.startswith(COMPRESSED_TYPES) else None
    if media_type.startswith("text/"):
        media_type += "; charset=utf-8"
    return File(body, gzipped, media_type, cache_control, f'"{sha256(body).hexdigest()[:20]}"')


def _file_response(file: File, request: Request) -> Response:
    headers = {"Cache-Control": file.cache_control, "ETag": file.etag, "Vary": "Accept-Encoding"}
    if file.etag in header(request, "If-None-Match"):
        return _response(HTTPStatus.NOT_MODIFIED, b"", None, headers)
    body = file.body
    if file.gzipped is not None and "gzip" in header(request, "Accept-Encoding"):
        body = file.gzipped
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
    all_headers = Headers({**fields, **SECURITY_HEADERS, **headers})
    return Response(status.value, status.phrase, all_headers, b"" if head else body)


def header(request: Request, name: str) -> str:
    """Return all values of a header joined by commas; empty if there are none."""
    return ", ".join(request.headers.get_all(name))


def _is_head(request: Request) -> bool:
    return request.method == "HEAD"
