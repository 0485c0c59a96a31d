"""One of several workers: `python -m server.runtime.worker`, as server/runtime/workers.py starts it.

Its standard input brings the work in one line and is silent from then on: when it ends, the parent is gone.
Its standard output says SERVING in a line of its own, or why it cannot serve.
"""

import asyncio
import json
import socket
import sys
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from server.runtime import app, process
from server.runtime.logs import set_up_logs
from server.settings import Settings
from server.store.log import StoreError

SERVING = "serving"


@dataclass(frozen=True, slots=True)
class Work:
    """`listening` are inherited file descriptors; `settings.redis` is the store, also an embedded one."""

    number: int
    listening: tuple[int, ...]
    settings: Settings

    def written(self) -> bytes:
        return json.dumps(asdict(self), default=str).encode() + b"\n"

    @classmethod
    def read(cls, line: bytes) -> "Work":
        plain = json.loads(line)
        settings = Settings(**{**plain["settings"], "data": Path(plain["settings"]["data"])})
        return cls(plain["number"], tuple(plain["listening"]), settings)


def main() -> int:
    work = Work.read(sys.stdin.buffer.readline())
    set_up_logs(work.settings.log_level, worker=work.number)
    try:
        process.run(partial(_serve, work))
    except StoreError as problem:
        print(problem, flush=True)
        return 1
    return 0


async def _serve(work: Work, stop: process.Stop) -> None:
    loop = asyncio.get_running_loop()
    parent = sys.stdin.fileno()

    def parent_is_gone() -> None:
        loop.remove_reader(parent)
        stop.tell()

    loop.add_reader(parent, parent_is_gone)
    assert work.settings.redis is not None
    async with app.checked_store(work.settings.redis) as store:
        sockets = [socket.socket(fileno=descriptor) for descriptor in work.listening]
        await app.serve(
            work.settings, store, sockets, lambda: print(SERVING, flush=True), stop.told, worker=work.number
        )


if __name__ == "__main__":
    sys.exit(main())
