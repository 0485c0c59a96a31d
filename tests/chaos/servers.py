"""What can be killed: servers as processes of their own, and the store's process."""

import asyncio
import json
import os
import signal
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from redis.asyncio import Redis
from redis.exceptions import RedisError

from tests.chaos.proxy import Ends
from tests.serving import Serving

AGAIN_SECONDS = 0.1
ENDS_WITHIN_SECONDS = 20.0
FAILURES = ("table failed", "table rewound")


class Server(Serving):
    """`up` is what a balancer knows of it; `complaints` are ends that were not in order."""

    def __init__(self, folder: Path, *arguments: str, **environment: str) -> None:
        folder.mkdir()
        super().__init__(folder, *arguments, **environment)
        self.up = False
        self.complaints: list[str] = []

    async def start(self) -> None:
        """However often it takes: without a store it ends at once."""
        while True:
            try:
                await super().start()
            except (AssertionError, TimeoutError):
                await super().kill()
                await asyncio.sleep(AGAIN_SECONDS)
            else:
                self.up = True
                return

    async def connect(self) -> Ends:
        return await asyncio.open_connection("127.0.0.1", self.port)

    async def kill(self) -> None:
        """SIGKILL; one that is gone already is complained about."""
        self.up = False
        if self._has_ended():
            self.complaints.append(f"{self.folder.name} ended by itself with {await self.ended()}")
        await super().kill()

    async def stop(self) -> None:
        """SIGTERM; one that does not heed it, or not well, is complained about."""
        self.up = False
        try:
            async with asyncio.timeout(ENDS_WITHIN_SECONDS):
                await super().stop()
        except TimeoutError:
            self.complaints.append(f"{self.folder.name} did not end within {ENDS_WITHIN_SECONDS} s of SIGTERM")
            await super().kill()
        except AssertionError as problem:
            self.complaints.append(f"{self.folder.name}: {str(problem).splitlines()[0]}")

    def pause(self) -> None:
        self.signal(signal.SIGSTOP)
        self.up = False

    def resume(self) -> None:
        self.signal(signal.SIGCONT)
        self.up = True

    def signal(self, number: signal.Signals) -> None:
        if not self._has_ended():
            super().signal(number)

    def _has_ended(self) -> bool:
        return self._process is not None and self._process.returncode is not None


def said(servers: Sequence[Server]) -> tuple[Counter[str], list[str]]:
    """How often each thing was said in the logs, and the lines that should never be there."""
    counts: Counter[str] = Counter()
    bad = []
    for server in servers:
        for line in server.log.splitlines():
            try:
                entry = json.loads(line)
            except ValueError:
                entry = {"event": "not a line of the log", "exception": line}
            counts[entry["event"]] += 1
            if entry["event"] in FAILURES or "exception" in entry:
                bad.append(f"{server.folder.name} said {entry}")
    return counts, bad


class StoreSocket:
    """The store, as its proxy sees it."""

    def __init__(self, path: str) -> None:
        self._path = path

    async def connect(self) -> Ends:
        return await asyncio.open_unix_connection(self._path)


async def keep_all(url: str) -> int:
    """Have the store never write its append-only file anew, as soon as it answers; returns its process id."""
    while True:
        client = Redis.from_url(url, protocol=2)
        try:
            await client.config_set("auto-aof-rewrite-percentage", 0)
            return int((await client.info("server"))["process_id"])
        except (RedisError, OSError):
            await asyncio.sleep(AGAIN_SECONDS)
        finally:
            await client.aclose()


async def kill_store(url: str) -> None:
    """SIGKILL, and wait until another process answers in its place."""
    pid = await keep_all(url)
    os.kill(pid, signal.SIGKILL)
    while await keep_all(url) == pid:  # noqa: ASYNC110
        await asyncio.sleep(AGAIN_SECONDS)
