"""The health check of the image, run without a container engine against a real server and a stopped one."""

import asyncio
import json
import os
import re
import sys
from pathlib import Path

from tests.serving import serving

DOCKERFILE = (Path(__file__).parents[2] / "deploy" / "Dockerfile").read_text(encoding="utf-8")


async def health_check(port: int) -> int:
    """Run the command of the health check with this Python; return its exit code."""
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
