"""The real command `spades serve`, started as a person would, on a free port and with bots that do not wait."""

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

START_SECONDS = 30
COMMAND = Path(sys.executable).with_name("spades")


@asynccontextmanager
async def spades_serve(folder: Path) -> AsyncIterator[int]:
    """Gives the port. `folder` takes the data and what the server logs; at the end it has to stop well."""
    log = folder / "server.log"
    others = {name: value for name, value in os.environ.items() if not name.startswith("SPADES_")}
    environment = {**others, "SPADES_PACE": "0", "SPADES_REQUESTS_PER_SECOND": "100000"}
    arguments = ("serve", "--host", "127.0.0.1", "--port", "0", "--data", str(folder / "data"))
    with log.open("wb") as said:
        server = await asyncio.create_subprocess_exec(
            COMMAND, *arguments, env=environment, stdout=asyncio.subprocess.PIPE, stderr=said
        )
    try:
        line = await _first_line(server)
        found = re.fullmatch(r"Open http://[^/]+:(\d+)/ to play\.\n", line)
        assert found, f"the server said {line!r} instead of where to play:\n{log.read_text()}"
        yield int(found[1])
    finally:
        if server.returncode is None:
            server.terminate()
        await server.communicate()
    assert server.returncode == 0, f"the server ended with {server.returncode}:\n{log.read_text()}"


async def _first_line(server: asyncio.subprocess.Process) -> str:
    assert server.stdout is not None
    async with asyncio.timeout(START_SECONDS):
        return (await server.stdout.readline()).decode()
