"""The processes that faults hit: servers, and the store."""

import asyncio
import json
import os
import signal
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from redis.asyncio import Redis
from redis.exceptions import RedisError

from tests.chaos.proxy import Streams
from tests.serving import ServerProcess

RETRY_DELAY_SECONDS = 0.1
STOP_TIMEOUT_SECONDS = 20.0
FAILURE_EVENTS = ("table failed", "table rolled back")


class ChaosServer(ServerProcess):
    """`up` is whether the proxy may choose it; `problems` are unexpected or disorderly exits."""

    def __init__(self, folder: Path, *arguments: str, **environment: str) -> None:
        folder.mkdir()
        super().__init__(folder, *arguments, **environment)
        self.up = False
        self.problems: list[str] = []

    async def start(self) -> None:
        """Start, again and again until it works: without a store a server exits."""
        while True:
            try:
                await super().start()
            except (AssertionError, TimeoutError):
                await super().kill()
                await asyncio.sleep(RETRY_DELAY_SECONDS)
            else:
                self.up = True
                return

    async def connect(self) -> Streams:
        return await asyncio.open_connection("127.0.0.1", self.port)

    async def kill(self) -> None:
        """Send SIGKILL; to have exited before is a problem."""
        self.up = False
        if self._has_exited():
            self.problems.append(f"{self.folder.name} exited by itself with {await self.wait()}")
        await super().kill()

    async def stop(self) -> None:
        """Send SIGTERM; not to exit in order and in time is a problem."""
        self.up = False
        try:
            async with asyncio.timeout(STOP_TIMEOUT_SECONDS):
                await super().stop()
        except TimeoutError:
            self.problems.append(f"{self.folder.name} did not exit within {STOP_TIMEOUT_SECONDS} s of SIGTERM")
            await super().kill()
        except AssertionError as problem:
            self.problems.append(f"{self.folder.name}: {str(problem).splitlines()[0]}")

    def pause(self) -> None:
        self.signal(signal.SIGSTOP)
        self.up = False

    def resume(self) -> None:
        self.signal(signal.SIGCONT)
        self.up = True

    def signal(self, number: signal.Signals) -> None:
        if not self._has_exited():
            super().signal(number)

    def _has_exited(self) -> bool:
        return self._process is not None and self._process.returncode is not None


def read_logs(servers: Sequence[ServerProcess]) -> tuple[Counter[str], list[str]]:
    """Return how often each event was logged, and the log lines that report a failure."""
    counts: Counter[str] = Counter()
    failures = []
    for server in servers:
        for line in server.log.splitlines():
            try:
                entry = json.loads(line)
            except ValueError:
                entry = {"event": "not a log line", "exception": line}
            counts[entry["event"]] += 1
            if entry["event"] in FAILURE_EVENTS or "exception" in entry:
                failures.append(f"{server.folder.name} logged {entry}")
    return counts, failures


class StoreSocket:
    """The store as the upstream of a proxy."""

    def __init__(self, path: str) -> None:
        self._path = path

    async def connect(self) -> Streams:
        return await asyncio.open_unix_connection(self._path)


async def disable_aof_rewrite(url: str) -> int:
    """Keep the store from rewriting its append-only file, as soon as it answers; return its process id."""
    while True:
        client = Redis.from_url(url, protocol=2)
        try:
            await client.config_set("auto-aof-rewrite-percentage", 0)
            return int((await client.info("server"))["process_id"])
        except (RedisError, OSError):
            await asyncio.sleep(RETRY_DELAY_SECONDS)
        finally:
            await client.aclose()


async def kill_store(url: str) -> None:
    """Send SIGKILL to the store and wait until its next process answers."""
    pid = await disable_aof_rewrite(url)
    os.kill(pid, signal.SIGKILL)
    while await disable_aof_rewrite(url) == pid:  # noqa: ASYNC110
        await asyncio.sleep(RETRY_DELAY_SECONDS)
