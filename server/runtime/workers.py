"""Several processes on one port: this one, the parent, opens it, runs the store and keeps the workers alive.

All workers accept from one socket, which they inherit. With SO_REUSEPORT every
worker would have a queue of its own, and who waits in it would be lost with a
worker that dies; from a shared one the next worker takes them.

Invariant: no worker outlives the parent. Each is told to stop before the store
ends; should the parent be killed, a pipe that only the parent holds tells them.
"""

import asyncio
import contextlib
import socket
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Sequence
from dataclasses import replace

import structlog

from server.gateway.websocket import open_sockets
from server.runtime.app import checked_store, store_url
from server.runtime.worker import SERVING, Work
from server.settings import Settings

START_SECONDS = 60.0
"""A worker that does not serve by then is killed."""
STOP_SECONDS = 10.0
"""A worker that is told to stop and takes longer is killed."""
LASTING_SECONDS = 10.0
"""A worker that lives this long has started well: its end is an accident, and the next one begins at once."""
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.1, 10.0

log = structlog.get_logger()


class CannotServe(Exception):
    """A worker does not come up; the text says why."""


async def run(settings: Settings, opened: Callable[[int], None], stop: asyncio.Event) -> None:
    """Serve until `stop` is set. `opened` hears the port once all workers serve.

    Raises StoreError for a store that is not there, OSError for a port in use, CannotServe.
    """
    async with store_url(settings) as url:
        async with checked_store(url):  # a store that is not there is told of once, not by every worker
            pass
        sockets = await open_sockets(settings.host, settings.port)
        port = sockets[0].getsockname()[1]
        workers = [Worker(number, replace(settings, redis=url), sockets) for number in range(1, settings.workers + 1)]

        def serving() -> None:
            log.info("serving", host=settings.host, port=port, workers=settings.workers)
            opened(port)

        try:
            async with asyncio.TaskGroup() as group:
                working = group.create_task(_work(workers, serving))
                await stop.wait()
                log.info("stopping")
                working.cancel()
        finally:
            for each in sockets:
                each.close()
            await asyncio.gather(*(worker.stop() for worker in workers))


async def _work(workers: Sequence["Worker"], serving: Callable[[], None]) -> None:
    """Start all at once, and keep them. One that fails is enough to give up at first: the others would do no better."""
    try:
        async with asyncio.TaskGroup() as group:
            for worker in workers:
                group.create_task(worker.start())
    except* CannotServe as failed:
        raise failed.exceptions[0] from None
    serving()
    async with asyncio.TaskGroup() as group:
        for worker in workers:
            group.create_task(worker.keep())


class Worker:
    """One place among the workers, and the process that fills it now."""

    def __init__(self, number: int, settings: Settings, sockets: Sequence[socket.socket]) -> None:
        self._work = Work(number, tuple(each.fileno() for each in sockets), settings)
        self._now = asyncio.get_running_loop().time
        self._began = 0.0
        self._process: Process | None = None

    async def start(self) -> None:
        """Until it serves; raises CannotServe."""
        self._began = self._now()
        try:
            self._process = process = await self._spawned()
        except OSError as problem:  # no memory, too many processes or files
            raise CannotServe(f"worker {self._work.number} cannot be started: {problem.strerror}") from problem
        try:
            async with asyncio.timeout(START_SECONDS):
                said = await self._first_line(process)
        except TimeoutError:
            process.kill()
            said = f"worker {self._work.number} does not come up"
        if said != SERVING:
            code = await process.wait()
            raise CannotServe(said or f"worker {self._work.number} ended with {code} at its start")
        log.info("worker serves", worker=self._work.number, pid=process.pid)

    async def _spawned(self) -> Process:
        return await asyncio.create_subprocess_exec(
            # -P: what lies in the folder where the server was started is none of ours.
            *(sys.executable, "-P", "-m", "server.runtime.worker"),
            stdin=PIPE,
            stdout=PIPE,
            pass_fds=self._work.listening,
            start_new_session=True,  # a Ctrl-C is for the parent, which tells the workers in its own order
        )

    async def _first_line(self, process: Process) -> str:
        """What it says once it was told its work."""
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(self._work.written())
        return (await process.stdout.readline()).decode().rstrip("\n")

    async def keep(self) -> None:
        """Begin it again whenever it ends, after a pause that grows as long as it does not last."""
        assert self._process is not None
        pause = 0.0
        while True:
            code = await self._process.wait()
            lasted = self._now() - self._began >= LASTING_SECONDS
            pause = 0.0 if lasted else min(max(2 * pause, FIRST_PAUSE_SECONDS), LONGEST_PAUSE_SECONDS)
            log.error("worker died and is started again", worker=self._work.number, code=code, in_seconds=pause)
            await asyncio.sleep(pause)
            try:
                await self.start()
            except CannotServe as problem:
                log.warning("worker cannot be started", worker=self._work.number, problem=str(problem))

    async def stop(self) -> None:
        """Told to, and waited for; killed when it takes too long."""
        if self._process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            self._process.terminate()
        try:
            async with asyncio.timeout(STOP_SECONDS):
                await self._process.wait()
        except TimeoutError:
            log.warning("worker does not stop and is killed", worker=self._work.number)
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()
