"""HTTP: the page and its headers, /health, /metrics, and the origins that may open the WebSocket."""

import asyncio
import gzip
import http.client
import re

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from server import metrics
from tests.server.gateway.conftest import ClientFactory


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
async def test_the_page_is_served_at_every_link(port: int, path: str) -> None:
    response, body = await get(port, path)
    assert response.status == 200
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    assert b"Fourth Seat" in body


async def test_the_page_may_load_nothing_external_and_run_no_inline_script(port: int) -> None:
    response, body = await get(port, "/")
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert b"://" not in body
    assert response.headers["X-Content-Type-Options"] == "nosniff"


async def test_the_page_is_revalidated_and_its_assets_are_immutable(port: int) -> None:
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


async def test_compressible_files_are_sent_gzipped_if_accepted(port: int) -> None:
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
async def test_everything_else_gets_its_status(port: int, path: str, method: str, status: int) -> None:
    response, _ = await get(port, path, method)
    assert response.status == status


async def test_metrics_are_in_the_text_format_of_prometheus(port: int, new_client: ClientFactory) -> None:
    def connections(body: bytes) -> list[str]:
        return re.findall(r"^spades_connections (\S+)$", body.decode(), re.MULTILINE)

    response, body = await get(port, "/metrics")
    assert response.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert response.headers["Cache-Control"] == "no-store"
    assert b"# TYPE spades_bot_decisions_total counter\n" in body
    (before,) = connections(body)
    async with new_client() as anna:
        await anna.hello()
        _, body = await get(port, "/metrics")
        assert connections(body) == [f"{float(before) + 1}"]


def test_the_metrics_of_a_worker_are_labelled_with_its_number() -> None:
    assert b'\nspades_tables{worker="2"} ' in metrics.text(2)
    assert b'\nspades_expert_decision_seconds_bucket{le="+Inf",worker="2"} ' in metrics.text(2)
    assert b"worker=" not in metrics.text(None)


async def test_a_page_of_another_origin_may_not_open_the_websocket(port: int) -> None:
    url = f"ws://127.0.0.1:{port}/ws"
    for origin in ("https://elsewhere.example", "null", f"http://127.0.0.1:{port}.elsewhere.example"):
        with pytest.raises(InvalidStatus) as refused:
            await connect(url, origin=origin)  # type: ignore[arg-type]
        assert refused.value.response.status_code == 403
    async with connect(url, origin=f"http://127.0.0.1:{port}"):  # type: ignore[arg-type]
        pass


async def test_a_repeated_header_is_accepted(port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    twice = b"Accept-Encoding: gzip\r\nAccept-Encoding: br\r\nIf-None-Match: a\r\nIf-None-Match: b\r\n"
    writer.write(b"GET / HTTP/1.1\r\nHost: here\r\n" + twice + b"\r\n")
    assert (await reader.readline()).startswith(b"HTTP/1.1 200")
    writer.close()


async def test_an_invalid_origin_is_refused(port: int) -> None:
    with pytest.raises(InvalidStatus) as refused:
        await connect(f"ws://127.0.0.1:{port}/ws", origin="http://[")  # type: ignore[arg-type]
    assert refused.value.response.status_code == 403
