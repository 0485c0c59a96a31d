"""What of the image can be tried without a container engine: its health check, on a real server and on none."""

import asyncio
import json
import os
import re
import sys
from pathlib import Path

from tests.serving import serving

DOCKERFILE = (Path(__file__).parents[2] / "deploy" / "Dockerfile").read_text(encoding="utf-8")


async def health_check(port: int) -> int:
    """The exit code of the image's own command, run by this Python."""
    found = re.search(r"^HEALTHCHECK .*?CMD (\[.*\])$", DOCKERFILE, re.MULTILINE)
    assert found
    program, *arguments = json.loads(found[1])
    assert program == "python"
    environment = {**os.environ, "SPADES_PORT": str(port)}
    checking = await asyncio.create_subprocess_exec(
        sys.executable, *arguments, env=environment, stderr=asyncio.subprocess.DEVNULL
    )
    return await checking.wait()


async def test_the_health_check_passes_while_the_server_runs_and_fails_after(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        assert await health_check(server.port) == 0
    assert await health_check(server.port) != 0
