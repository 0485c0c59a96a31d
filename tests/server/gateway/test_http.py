"""The page, its headers, the health of the server; and which pages may open the socket."""

import asyncio
import gzip
import http.client
import re

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from server import metrics
from tests.server.gateway.conftest import Door


async def get(port: int, path: str, method: str = "GET", **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
    def ask() -> tuple[http.client.HTTPResponse, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        try:
            connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
            response = connection.getresponse()
            return response, response.read()
        finally:
            connection.close()

    return await asyncio.to_thread(ask)


@pytest.mark.parametrize("path", ["/", "/t/KQXZP", "/?pace=0"])
async def test_the_page_is_served_where_links_point(port: int, path: str) -> None:
    response, body = await get(port, path)
    assert response.status == 200
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    assert b"Fourth Seat" in body


async def test_the_page_may_load_nothing_from_elsewhere_and_run_nothing_inline(port: int) -> None:
    response, body = await get(port, "/")
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert b"://" not in body
    assert response.headers["X-Content-Type-Options"] == "nosniff"


async def test_the_page_is_asked_for_again_and_its_parts_never(port: int) -> None:
    response, body = await get(port, "/")
    assert response.headers["Cache-Control"] == "no-cache"
    part = body.split(b'src="')[1].split(b'"')[0].decode()
    script, _ = await get(port, part)
    assert script.status == 200
    assert script.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert "immutable" in script.headers["Cache-Control"]
    again, nothing = await get(port, "/", If_None_Match=response.headers["ETag"])
    assert again.status == 304
    assert nothing == b""


async def test_what_packs_well_is_sent_packed_to_those_who_unpack(port: int) -> None:
    _, body = await get(port, "/")
    packed, sent = await get(port, "/", Accept_Encoding="gzip, br")
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(sent) == body
    assert int(packed.headers["Content-Length"]) == len(sent)


async def test_a_head_is_answered_without_a_body(port: int) -> None:
    response, body = await get(port, "/", "HEAD")
    assert response.status == 200
    assert int(response.headers["Content-Length"]) > 0
    assert body == b""


@pytest.mark.parametrize(
    ("path", "method", "status"),
    [
        ("/nothing", "GET", 404),
        ("/../../etc/passwd", "GET", 404),
        ("/assets/%2e%2e/index.html", "GET", 404),
        ("/", "POST", 405),
        ("/", "DELETE", 405),
        ("/health", "GET", 200),
        ("/metrics", "GET", 200),
        ("/metrics", "POST", 405),
        ("/metrics/", "GET", 404),
        ("/ws", "GET", 426),
    ],
)
async def test_everything_else_is_answered_plainly(port: int, path: str, method: str, status: int) -> None:
    response, _ = await get(port, path, method)
    assert response.status == status


async def test_what_is_measured_is_told_in_the_words_of_prometheus(port: int, door: Door) -> None:
    def connections(body: bytes) -> list[str]:
        return re.findall(r"^spades_connections (\S+)$", body.decode(), re.MULTILINE)

    response, body = await get(port, "/metrics")
    assert response.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert response.headers["Cache-Control"] == "no-store"
    assert b"# TYPE spades_bot_decisions_total counter\n" in body
    (before,) = connections(body)
    async with door() as anna:
        await anna.hello()
        _, body = await get(port, "/metrics")
        assert connections(body) == [f"{float(before) + 1}"]


def test_what_a_worker_measures_is_labelled_with_its_number() -> None:
    assert b'\nspades_tables{worker="2"} ' in metrics.text(2)
    assert b'\nspades_expert_thinking_seconds_bucket{le="+Inf",worker="2"} ' in metrics.text(2)
    assert b"worker" not in metrics.text(None)


async def test_a_page_of_another_server_may_not_open_the_socket(port: int) -> None:
    url = f"ws://127.0.0.1:{port}/ws"
    for origin in ("https://elsewhere.example", "null", f"http://127.0.0.1:{port}.elsewhere.example"):
        with pytest.raises(InvalidStatus) as refused:
            await connect(url, origin=origin)  # type: ignore[arg-type]
        assert refused.value.response.status_code == 403
    async with connect(url, origin=f"http://127.0.0.1:{port}"):  # type: ignore[arg-type]
        pass


async def test_a_header_that_comes_twice_is_no_matter(port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    twice = b"Accept-Encoding: gzip\r\nAccept-Encoding: br\r\nIf-None-Match: a\r\nIf-None-Match: b\r\n"
    writer.write(b"GET / HTTP/1.1\r\nHost: here\r\n" + twice + b"\r\n")
    assert (await reader.readline()).startswith(b"HTTP/1.1 200")
    writer.close()


async def test_an_origin_that_is_no_address_is_refused(port: int) -> None:
    with pytest.raises(InvalidStatus) as refused:
        await connect(f"ws://127.0.0.1:{port}/ws", origin="http://[")  # type: ignore[arg-type]
    assert refused.value.response.status_code == 403
