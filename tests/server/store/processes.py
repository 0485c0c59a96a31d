"""Store processes looked at from outside: who runs, who answers."""

import os
import sys
from pathlib import Path

from redis.asyncio import Redis


async def asked(url: str, *command: str):
    client = Redis.from_url(url, protocol=2)
    try:
        return await client.execute_command(*command)
    finally:
        await client.aclose()


async def pid_at(url: str) -> int:
    return (await asked(url, "INFO", "server"))["process_id"]


def lives(pid: int) -> bool:
    """Whether a process runs; one that only waits for its parent to look does not."""
    try:
        status = Path(f"/proc/{pid}/stat")
        if status.exists():
            return status.read_text().rpartition(")")[2].split()[0] != "Z"
        os.kill(pid, 0)
    except (ProcessLookupError, FileNotFoundError):
        return False
    return sys.platform != "linux"
