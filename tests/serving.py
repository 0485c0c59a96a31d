"""The real command `spades serve`, started, killed and started again as a person or a bad day would."""

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

START_SECONDS = 30
COMMAND = Path(sys.executable).with_name("spades")
AT_ONCE = {"SPADES_PACE": "0", "SPADES_REQUESTS_PER_SECOND": "100000"}
"""Bots that do not wait and nobody who types too fast."""


class Serving:
    """One server; `folder` takes its data and its log. Its port is free at first and stays the same."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.folder = folder
        self.port = 0
        self._arguments = arguments
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

    async def start(self) -> None:
        """Until it says where to play."""
        command = ("serve", "--host", "127.0.0.1", "--port", str(self.port), "--data", str(self.folder / "data"))
        with (self.folder / "server.log").open("ab") as said:
            self._process = await asyncio.create_subprocess_exec(
                COMMAND,
                *command,
                *self._arguments,
                env={**os.environ, **AT_ONCE},
                stdout=asyncio.subprocess.PIPE,
                stderr=said,
            )
        assert self._process.stdout is not None
        async with asyncio.timeout(START_SECONDS):
            line = (await self._process.stdout.readline()).decode()
        found = re.fullmatch(r"Open http://[^/]+:(\d+)/ to play\.\n", line)
        assert found, f"the server said {line!r} instead of where to play:\n{self.log}"
        self.port = int(found[1])

    async def kill(self) -> None:
        """SIGKILL: it cannot write or say anything any more."""
        assert self._process is not None
        self._process.kill()
        await self._process.communicate()

    async def stop(self) -> None:
        """SIGTERM: it has to stop well."""
        assert self._process is not None
        if self._process.returncode is None:
            self._process.terminate()
        await self._process.communicate()
        assert self._process.returncode == 0, f"the server ended with {self._process.returncode}:\n{self.log}"


@asynccontextmanager
async def serving(folder: Path, *arguments: str) -> AsyncIterator[Serving]:
    server = Serving(folder, *arguments)
    await server.start()
    try:
        yield server
    finally:
        await server.stop()
