"""The real command `spades serve`, started, killed and started again as a person or a bad day would."""

import asyncio
import json
import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.ports import free_ports

START_SECONDS = 30
COMMAND = Path(sys.executable).with_name("spades")
AT_ONCE = {"SPADES_PACE": "0", "SPADES_REQUESTS_PER_SECOND": "100000"}
"""Bots that do not wait and nobody who types too fast."""


class Serving:
    """One server; `folder` takes its data and its log. Its port stays the same.

    It is told all settings that make it fast, and, more strongly, those of `environment`.
    """

    def __init__(self, folder: Path, *arguments: str, **environment: str) -> None:
        self.folder = folder
        (self.port,) = free_ports(1)
        self._arguments = arguments
        self._environment = environment
        self._process: asyncio.subprocess.Process | None = None

    @property
    def page(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    @property
    def socket(self) -> str:
        return f"ws://127.0.0.1:{self.port}/ws"

    @property
    def log(self) -> str:
        return (self.folder / "server.log").read_text()

    def events(self, event: str) -> list[dict[str, Any]]:
        """The lines of its log that tell of this."""
        lines = [json.loads(line) for line in self.log.splitlines() if line.startswith("{")]
        return [line for line in lines if line["event"] == event]

    async def until_said(self, event: str, times: int = 1) -> list[dict[str, Any]]:
        async with asyncio.timeout(START_SECONDS):
            while len(found := self.events(event)) < times:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        return found

    async def start(self) -> None:
        """Until it says where to play."""
        command = ("serve", "--host", "127.0.0.1", "--port", str(self.port), "--data", str(self.folder / "data"))
        with (self.folder / "server.log").open("ab") as said:
            self._process = await asyncio.create_subprocess_exec(
                COMMAND,
                *command,
                *self._arguments,
                env={**os.environ, **AT_ONCE, **self._environment},
                stdout=asyncio.subprocess.PIPE,
                stderr=said,
                start_new_session=True,  # a process group of its own, as a command in a terminal has
            )
        assert self._process.stdout is not None
        async with asyncio.timeout(START_SECONDS):
            line = (await self._process.stdout.readline()).decode()
        found = re.fullmatch(r"Open http://[^/]+:(\d+)/ to play\.\n", line)
        assert found, f"the server said {line!r} instead of where to play:\n{self.log}"
        assert int(found[1]) == self.port

    async def kill(self) -> None:
        """SIGKILL: it cannot write or say anything any more."""
        self.signal(signal.SIGKILL)
        await self.ended()

    async def stop(self) -> None:
        """SIGTERM: it has to stop well."""
        assert self._process is not None
        if self._process.returncode is None:
            self.signal(signal.SIGTERM)
        code = await self.ended()
        assert code == 0, f"the server ended with {code}:\n{self.log}"

    def signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    def press_ctrl_c(self) -> None:
        """A terminal sends SIGINT to the whole process group."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGINT)

    async def ended(self) -> int | None:
        """Wait for it; how it ended."""
        assert self._process is not None
        await self._process.communicate()
        return self._process.returncode


@asynccontextmanager
async def serving(folder: Path, *arguments: str, **environment: str) -> AsyncIterator[Serving]:
    server = Serving(folder, *arguments, **environment)
    await server.start()
    try:
        yield server
    finally:
        await server.stop()
