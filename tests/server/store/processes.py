"""Store processes seen from outside."""

import os
import sys
from pathlib import Path

from redis.asyncio import Redis


async def send(url: str, *command: str):
    client = Redis.from_url(url, protocol=2)
    try:
        return await client.execute_command(*command)
    finally:
        await client.aclose()


async def pid_at(url: str) -> int:
    return (await send(url, "INFO", "server"))["process_id"]


def is_alive(pid: int) -> bool:
    """Return whether a process runs; a zombie does not."""
    try:
        status = Path(f"/proc/{pid}/stat")
        if status.exists():
            return status.read_text().rpartition(")")[2].split()[0] != "Z"
        os.kill(pid, 0)
    except (ProcessLookupError, FileNotFoundError):
        return False
    return sys.platform != "linux"
