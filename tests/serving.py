"""The command `spades serve` as a process that tests start, stop and kill."""

import asyncio
import http.client
import json
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from tests.ports import free_ports

TIMEOUT_SECONDS = 30
COMMAND = Path(sys.executable).with_name("spades")
FAST = {"SPADES_PACE": "0", "SPADES_REQUESTS_PER_SECOND": "100000"}
"""Settings for bots without pauses and requests without a rate limit."""


class ServerProcess:
    """A server, with its data and its log in `folder`. It keeps its port when it is started again.

    Its settings are those of the environment, FAST and `environment`; the last has precedence.
    """

    program: Sequence[str | Path] = (COMMAND,)

    def __init__(self, folder: Path, *arguments: str, **environment: str) -> None:
        self.folder = folder
        (self.port,) = free_ports(1)
        self._arguments = arguments
        self._environment = environment
        self._process: asyncio.subprocess.Process | None = None

    @property
    def page_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    @property
    def ws_url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/ws"

    @property
    def log(self) -> str:
        return (self.folder / "server.log").read_text()

    def logged(self, event: str) -> list[dict[str, Any]]:
        """Return the log entries of an event."""
        entries = [json.loads(line) for line in self.log.splitlines() if line.startswith("{")]
        return [entry for entry in entries if entry["event"] == event]

    async def wait_logged(self, event: str, times: int = 1) -> list[dict[str, Any]]:
        """Wait until an event is logged so often; return its log entries."""
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while len(found := self.logged(event)) < times:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        return found

    async def metrics(self) -> dict[str, float]:
        """Read /metrics. The name of a metric labelled by level is followed by the level."""

        def read() -> str:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
            connection.request("GET", "/metrics")
            text = connection.getresponse().read().decode()
            connection.close()
            return text

        found = re.findall(r'^(\w+)(?:\{level="(\w+)"\})? (\S+)$', await asyncio.to_thread(read), re.MULTILINE)
        return {f"{name} {level}".strip(): float(value) for name, level, value in found}

    async def start(self) -> None:
        """Start the server and wait until it serves."""
        command = ("serve", "--host", "127.0.0.1", "--port", str(self.port), "--data", str(self.folder / "data"))
        with (self.folder / "server.log").open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *self.program,
                *command,
                *self._arguments,
                env={**os.environ, **FAST, **self._environment},
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                start_new_session=True,  # a process group of its own, as a command in a terminal has
            )
        assert self._process.stdout is not None
        async with asyncio.timeout(TIMEOUT_SECONDS):
            line = (await self._process.stdout.readline()).decode()
        found = re.fullmatch(r"Open http://[^/]+:(\d+)/ to play\.\n", line)
        assert found, f"the server printed {line!r} instead of its address:\n{self.log}"
        assert int(found[1]) == self.port

    async def kill(self) -> None:
        """Send SIGKILL and wait for the exit."""
        self.signal(signal.SIGKILL)
        await self.wait()

    async def stop(self) -> None:
        """Send SIGTERM, unless it has exited, and wait for an exit without an error."""
        assert self._process is not None
        if self._process.returncode is None:
            self.signal(signal.SIGTERM)
        code = await self.wait()
        assert code == 0, f"the server exited with {code}:\n{self.log}"

    def signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    def press_ctrl_c(self) -> None:
        """Send SIGINT to the whole process group, as a terminal does."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGINT)

    async def wait(self) -> int | None:
        """Wait for the exit; return the exit code."""
        assert self._process is not None
        await self._process.communicate()
        return self._process.returncode


@asynccontextmanager
async def serving(
    folder: Path, *arguments: str, kind: type[ServerProcess] = ServerProcess, **environment: str
) -> AsyncIterator[Any]:
    """Run a server."""
    server = kind(folder, *arguments, **environment)
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


@asynccontextmanager
async def several_servers(
    folder: Path, names: Sequence[str], *arguments: str, **options: Any
) -> AsyncIterator[list[Any]]:
    """Run a server for each name, in a new folder of that name; options as for `serving`."""
    async with AsyncExitStack() as stack:
        servers = []
        for name in names:
            (folder / name).mkdir()
            servers.append(await stack.enter_async_context(serving(folder / name, *arguments, **options)))
        yield servers
