"""Several worker processes on one port. The parent opens the port, runs the store and restarts workers that die.

All workers accept from one socket, which they inherit. With SO_REUSEPORT each
worker would have an accept queue of its own, whose connections are lost when
the worker dies; from a shared queue the other workers take them.

Invariant: no worker outlives the parent. The parent stops the workers before
the store; if it is killed, the end of a pipe that only it holds stops them.
"""

import asyncio
import contextlib
import socket
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Sequence
from dataclasses import replace

import structlog
from redis.backoff import ExponentialBackoff

from server.gateway.websocket import open_sockets
from server.runtime.app import checked_store, store_url
from server.runtime.worker import READY, WorkerConfig
from server.settings import Settings

# In seconds.
START_TIMEOUT = 60.0
"""A worker that is not ready by then is killed."""
STOP_TIMEOUT = 10.0
"""A worker that has not stopped by then is killed."""
STABLE_UPTIME = 10.0
"""Uptime after which the restart back-off is reset: a worker that dies later is restarted at once."""
RESTART_BACKOFF = ExponentialBackoff(base=0.1, cap=10.0)

log = structlog.get_logger()


class WorkerStartError(Exception):
    """A worker does not start; the text says why."""


async def run(settings: Settings, ready: Callable[[int], None], stop: asyncio.Event) -> None:
    """Serve with several workers until `stop` is set; call `ready` with the port once all workers serve.

    Raises StoreError if the store cannot be used, OSError if the port cannot be opened, WorkerStartError.
    """
    async with store_url(settings) as url:
        async with checked_store(url):  # report an unusable store once, not from every worker
            pass
        sockets = await open_sockets(settings.host, settings.port)
        port = sockets[0].getsockname()[1]
        workers = [Worker(number, replace(settings, redis=url), sockets) for number in range(1, settings.workers + 1)]

        def serving() -> None:
            log.info("serving", host=settings.host, port=port, workers=settings.workers)
            ready(port)

        try:
            async with asyncio.TaskGroup() as group:
                supervision = group.create_task(_supervise(workers, serving))
                await stop.wait()
                log.info("stopping")
                supervision.cancel()
        finally:
            for each in sockets:
                each.close()
            await asyncio.gather(*(worker.stop() for worker in workers))


async def _supervise(workers: Sequence["Worker"], serving: Callable[[], None]) -> None:
    """Start all workers and restart those that die. Raises WorkerStartError if one fails at first."""
    try:
        async with asyncio.TaskGroup() as group:
            for worker in workers:
                group.create_task(worker.start())
    except* WorkerStartError as failed:
        raise failed.exceptions[0] from None
    serving()
    async with asyncio.TaskGroup() as group:
        for worker in workers:
            group.create_task(worker.keep_running())


class Worker:
    """A numbered worker and its current process."""

    def __init__(self, number: int, settings: Settings, sockets: Sequence[socket.socket]) -> None:
        self._config = WorkerConfig(number, tuple(each.fileno() for each in sockets), settings)
        self._now = asyncio.get_running_loop().time
        self._started_at = 0.0
        self._process: Process | None = None

    async def start(self) -> None:
        """Start a process and wait until it serves. Raises WorkerStartError."""
        number = self._config.number
        self._started_at = self._now()
        try:
            self._process = process = await self._spawn()
        except OSError as problem:  # no memory, too many processes or files
            raise WorkerStartError(f"worker {number} cannot be started: {problem.strerror}") from problem
        try:
            async with asyncio.timeout(START_TIMEOUT):
                reply = await self._configure(process)
        except TimeoutError:
            process.kill()
            reply = f"worker {number} does not come up"
        if reply != READY:
            code = await process.wait()
            raise WorkerStartError(reply or f"worker {number} exited with {code} during its start")
        log.info("worker ready", worker=number, pid=process.pid)

    async def _spawn(self) -> Process:
        return await asyncio.create_subprocess_exec(
            # -P: do not import modules from the working directory.
            *(sys.executable, "-P", "-m", "server.runtime.worker"),
            stdin=PIPE,
            stdout=PIPE,
            pass_fds=self._config.listening,
            start_new_session=True,  # keep Ctrl-C for the parent, which stops the workers in order
        )

    async def _configure(self, process: Process) -> str:
        """Send the configuration and return the reply: READY, an error, or nothing at end of file."""
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{self._config.to_json()}\n".encode())
        return (await process.stdout.readline()).decode().rstrip("\n")

    async def keep_running(self) -> None:
        """Restart the process whenever it dies, with exponential back-off until it is stable."""
        assert self._process is not None
        failures = 0
        while True:
            code = await self._process.wait()
            stable = self._now() - self._started_at >= STABLE_UPTIME
            pause = 0.0 if stable else RESTART_BACKOFF.compute(failures)
            failures = 0 if stable else failures + 1
            log.error("worker died, restarting", worker=self._config.number, code=code, in_seconds=pause)
            await asyncio.sleep(pause)
            try:
                await self.start()
            except WorkerStartError as problem:
                log.warning("worker cannot be started", worker=self._config.number, problem=str(problem))

    async def stop(self) -> None:
        """Stop the process in order, or kill it after `STOP_TIMEOUT`."""
        if self._process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            self._process.terminate()
        try:
            async with asyncio.timeout(STOP_TIMEOUT):
                await self._process.wait()
        except TimeoutError:
            log.warning("worker did not stop, killing it", worker=self._config.number)
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()
