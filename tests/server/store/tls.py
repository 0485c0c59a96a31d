"""TLS proxies of servers. Replies name each server by the port of its proxy.

All ports have five digits, so that one can replace another in any reply.
"""

import asyncio
import contextlib
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from tests.ports import free_ports


def certificate(folder: Path) -> Path:
    """Make a self-signed certificate of 127.0.0.1, with the key in the same file."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.fail("the tests of TLS need openssl: apt-get install openssl", pytrace=False)
    made = folder / "tls.pem"
    words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    files = ("-addext", "subjectAltName=IP:127.0.0.1", "-keyout", made, "-out", folder / "certificate.pem")
    subprocess.run([openssl, *words.split(), *files], check=True, capture_output=True)
    with made.open("ab") as both:
        both.write((folder / "certificate.pem").read_bytes())
    return made


@contextlib.asynccontextmanager
async def tls_proxies(ports: Sequence[int], pem: Path) -> AsyncIterator[dict[int, int]]:
    """Run a proxy for each port; give the TLS port of each."""
    fronts = dict(zip(ports, free_ports(len(ports)), strict=True))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    writers: set[asyncio.StreamWriter] = set()

    async def connected(port: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_reader, there_writer = await asyncio.open_connection("127.0.0.1", port)
        writers.update((writer, there_writer))
        async with asyncio.TaskGroup() as group:
            group.create_task(_pump(reader, there_writer, {}))
            group.create_task(_pump(there_reader, writer, fronts))

    async with contextlib.AsyncExitStack() as stack:
        for port, front in fronts.items():
            serve = lambda reader, writer, port=port: connected(port, reader, writer)  # noqa: E731
            server = await asyncio.start_server(serve, "127.0.0.1", front, ssl=context)
            stack.push_async_callback(server.wait_closed)
            stack.callback(server.close)
        yield fronts
        for writer in writers:
            writer.close()


async def _pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter, names: dict[int, int]) -> None:
    with contextlib.suppress(OSError):
        while chunk := await source.read(65536):
            for port, front in names.items():
                chunk = chunk.replace(str(port).encode(), str(front).encode())
            sink.write(chunk)
            await sink.drain()
    sink.close()
