"""The command `spades archive`, run as a person or a program runs it."""

import asyncio
import json
import os
from pathlib import Path

from tests.serving import COMMAND


async def spades(*words: str | Path, **environment: str) -> tuple[int | None, str, str]:
    """How the command ends, what it prints and what it complains of."""
    process = await asyncio.create_subprocess_exec(
        COMMAND,
        *words,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(30):
        told, said = await process.communicate()
    return process.returncode, told.decode(), said.decode()


async def listed(*options: str | Path) -> list[dict[str, object]]:
    code, told, said = await spades("archive", "list", "--json", *options)
    assert (code, said) == (0, "")
    games: list[dict[str, object]] = json.loads(told)
    return games


async def exported(name: object, *options: str | Path) -> str:
    code, told, said = await spades("archive", "export", str(name), "--to", "-", *options)
    assert (code, said) == (0, "")
    return told
