"""The shipped nginx configuration in a real nginx, with TLS, in front of a real server."""

import asyncio
import http.client
import json
import os
import re
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import msgpack
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tests.ports import free_ports
from tests.serving import serving

ROOT = Path(__file__).parents[2]
TEMPLATE = (ROOT / "deploy" / "nginx.conf.template").read_text(encoding="utf-8")
NGINX_CONF = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log stderr notice;
events {{ }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/fourth-seat.conf;
}}
"""
"""The nginx.conf of a distribution, with all files in the folder of the test."""


@dataclass(frozen=True, slots=True)
class Proxy:
    """The ports of the proxy, and the certificate to trust."""

    port: int
    plain_port: int
    trust: ssl.SSLContext

    async def get(self, path: str) -> tuple[http.client.HTTPResponse, bytes]:
        return await asyncio.to_thread(self._get, path)

    def _get(self, path: str) -> tuple[http.client.HTTPResponse, bytes]:
        asking = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=10, context=self.trust)
        try:
            asking.request("GET", path)
            answer = asking.getresponse()
            return answer, answer.read()
        finally:
            asking.close()


@pytest.fixture
async def proxy(tmp_path: Path) -> AsyncIterator[Proxy]:
    nginx, openssl = _program("nginx", "nginx-light"), _program("openssl", "openssl")
    certificate = _certificate(openssl, tmp_path / "tls")
    port, plain_port = free_ports(2)
    async with serving(tmp_path) as server:
        _configure(tmp_path, server.port, port, plain_port)
        async with _running(nginx, tmp_path):
            yield Proxy(port, plain_port, ssl.create_default_context(cafile=certificate))


def _program(name: str, package: str) -> str:
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")
    if found is None:
        pytest.fail(f"the tests of the proxy need {name}: apt-get install {package}", pytrace=False)
    return found


def _certificate(openssl: str, folder: Path) -> Path:
    folder.mkdir()
    certificate = folder / "fullchain.pem"
    words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    files = ("-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(folder / "privkey.pem"), "-out", str(certificate))
    subprocess.run([openssl, *words.split(), *files], check=True, capture_output=True)
    return certificate


def _configure(folder: Path, server_port: int, port: int, plain_port: int) -> None:
    """Fill in the template as README.md says, with other ports and for this machine only."""
    filled = TEMPLATE.replace("${SPADES_UPSTREAM}", f"127.0.0.1:{server_port}")
    for shipped, ours in {
        "listen 443 ssl;": f"listen 127.0.0.1:{port} ssl;",
        "listen 80;": f"listen 127.0.0.1:{plain_port};",
        "listen [::]:443 ssl;": "",
        "listen [::]:80;": "",
        "/etc/nginx/tls/": f"{folder}/tls/",
    }.items():
        assert shipped in filled
        filled = filled.replace(shipped, ours)
    (folder / "fourth-seat.conf").write_text(filled, encoding="utf-8")
    (folder / "nginx.conf").write_text(NGINX_CONF.format(folder=folder), encoding="utf-8")


@asynccontextmanager
async def _running(nginx: str, folder: Path) -> AsyncIterator[None]:
    """Run nginx; it logs its version once it listens."""
    arguments = ("-e", "stderr", "-p", str(folder), "-c", str(folder / "nginx.conf"))
    process = await asyncio.create_subprocess_exec(nginx, *arguments, stderr=asyncio.subprocess.PIPE)
    assert process.stderr is not None
    said = b""
    try:
        async with asyncio.timeout(20):
            while not re.search(rb"\[notice\].* nginx/", said):
                line = await process.stderr.readline()
                assert line, f"nginx did not start:\n{said.decode()}"
                said += line
        yield
    finally:
        if process.returncode is None:
            process.terminate()
        await process.communicate()


async def test_the_page_is_served_over_tls(proxy: Proxy) -> None:
    answer, body = await proxy.get("/")
    assert answer.status == 200
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert b"Fourth Seat" in body


async def test_a_link_to_a_table_opens_the_page(proxy: Proxy) -> None:
    answer, body = await proxy.get("/t/KQXZP")
    assert answer.status == 200
    assert b"Fourth Seat" in body


async def test_health_passes_through(proxy: Proxy) -> None:
    answer, body = await proxy.get("/health")
    assert answer.status == 200
    assert json.loads(body)["status"] == "ok"


@pytest.mark.parametrize(
    "path", ["/metrics", "/metrics?name[]=x", "//metrics", "/%6Detrics", "/t/../metrics", "/./metrics"]
)
async def test_metrics_do_not_pass_through(proxy: Proxy, path: str) -> None:
    answer, body = await proxy.get(path)
    assert answer.status == 404
    assert b"spades_" not in body


async def test_a_socket_is_upgraded_and_a_table_made(proxy: Proxy) -> None:
    async with connect(f"wss://127.0.0.1:{proxy.port}/ws", ssl=proxy.trust, compression=None) as player:
        await player.send(msgpack.packb({"t": "hello", "name": "Mara"}))
        welcome = msgpack.unpackb(await player.recv())
        assert (welcome["t"], welcome["name"]) == ("welcome", "Mara")
        await player.send(msgpack.packb({"t": "make_table", "id": "1"}))
        update = msgpack.unpackb(await player.recv())
        assert (update["t"], update["re"], update["view"]["you"]) == ("update", "1", 0)


async def test_the_servers_own_page_may_open_a_socket(proxy: Proxy) -> None:
    own = f"https://127.0.0.1:{proxy.port}"
    async with connect(f"wss://127.0.0.1:{proxy.port}/ws", ssl=proxy.trust, origin=own) as player:
        await player.send(msgpack.packb({"t": "hello", "name": "Mara"}))
        assert msgpack.unpackb(await player.recv())["t"] == "welcome"


@pytest.mark.parametrize("origin", ["https://elsewhere.example", "https://127.0.0.1", "null"])
async def test_another_page_may_not(proxy: Proxy, origin: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        await connect(f"wss://127.0.0.1:{proxy.port}/ws", ssl=proxy.trust, origin=origin)
    assert refused.value.response.status_code == 403


async def test_plain_http_leads_to_tls(proxy: Proxy) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy.plain_port)
    writer.write(b"GET /t/KQXZP HTTP/1.0\r\nHost: spades.example\r\n\r\n")
    answer = (await reader.read()).decode()
    writer.close()
    assert answer.startswith("HTTP/1.1 301")
    assert "\r\nLocation: https://spades.example/t/KQXZP\r\n" in answer


def test_the_proxy_waits_longer_than_the_server_between_two_pings() -> None:
    source = (ROOT / "server" / "gateway" / "websocket.py").read_text(encoding="utf-8")
    silence = sum(int(seconds) for seconds in re.findall(r"ping_(?:interval|timeout)=(\d+)", source))
    waits = [int(seconds) for seconds in re.findall(r"proxy_(?:read|send)_timeout (\d+)s;", TEMPLATE)]
    assert silence
    assert len(waits) == 2
    assert min(waits) > silence
