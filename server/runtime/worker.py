"""A worker process: `python -m server.runtime.worker`, started by server/runtime/workers.py.

It reads its configuration as one line of JSON from standard input; the end of input means that the parent is gone.
It prints READY, or the reason why it cannot serve, as one line.
"""

import asyncio
import json
import socket
import sys
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from server.runtime import app, process
from server.runtime.logs import configure_logging
from server.settings import Settings
from server.store.log import StoreError

READY = "ready"


@dataclass(frozen=True, slots=True)
class WorkerConfig:
    """`listening` are inherited file descriptors; `settings.redis` is the store, also an embedded one."""

    number: int
    listening: tuple[int, ...]
    settings: Settings

    def to_json(self) -> str:
        return json.dumps(asdict(self), default=str)

    @classmethod
    def from_json(cls, text: str | bytes) -> "WorkerConfig":
        plain = json.loads(text)
        settings = Settings(**{**plain["settings"], "data": Path(plain["settings"]["data"])})
        return cls(plain["number"], tuple(plain["listening"]), settings)


def main() -> int:
    config = WorkerConfig.from_json(sys.stdin.buffer.readline())
    configure_logging(config.settings.log_level, worker=config.number)
    try:
        process.run(partial(_serve, config))
    except StoreError as problem:
        print(problem, flush=True)
        return 1
    return 0


async def _serve(config: WorkerConfig, shutdown: process.Shutdown) -> None:
    loop = asyncio.get_running_loop()
    parent = sys.stdin.fileno()

    def parent_is_gone() -> None:
        loop.remove_reader(parent)
        shutdown.request()

    loop.add_reader(parent, parent_is_gone)
    assert config.settings.redis is not None
    async with app.checked_store(config.settings.redis) as store:
        sockets = [socket.socket(fileno=descriptor) for descriptor in config.listening]
        await app.serve(
            config.settings,
            store,
            sockets,
            lambda: print(READY, flush=True),
            shutdown.requested,
            worker=config.number,
        )


if __name__ == "__main__":
    sys.exit(main())
