"""Runs the command `spades archive`."""

import asyncio
import json
import os
from pathlib import Path

from tests.serving import COMMAND


async def spades(*arguments: str | Path, **environment: str) -> tuple[int | None, str, str]:
    """Run a command; return its exit status, standard output and standard error."""
    process = await asyncio.create_subprocess_exec(
        COMMAND,
        *arguments,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(30):
        output, errors = await process.communicate()
    return process.returncode, output.decode(), errors.decode()


async def listed(*options: str | Path) -> list[dict[str, object]]:
    code, output, errors = await spades("archive", "list", "--json", *options)
    assert (code, errors) == (0, "")
    games: list[dict[str, object]] = json.loads(output)
    return games


async def exported(name: object, *options: str | Path) -> str:
    code, output, errors = await spades("archive", "export", str(name), "--to", "-", *options)
    assert (code, errors) == (0, "")
    return output
