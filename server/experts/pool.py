"""A pool of worker processes that make the decisions of expert bots, and the queue of requests before them.

The pool runs its own processes, each with two pipes, instead of an executor, which would add threads and locks and
could not take a request back: here a cancelled request leaves the queue at once, a process holds nothing but the one
request it works on, and it exits at the end of its input, which the system guarantees even if this server is killed.

Invariant: a failing process costs at most one decision, or, if it hangs, those of `HANG_TIMEOUT` seconds.
"""

import asyncio
import os
import pickle
import sys
from asyncio.subprocess import PIPE, Process
from bisect import insort
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from time import monotonic

import structlog

from server import metrics
from server.experts.request import DecisionRequest
from server.experts.worker import NO_DECISION
from spades_core.bots.decisions import Decision, legal_decisions
from spades_core.views import SeatView

# In seconds.
THINKING_TIME = 0.15
"""Time for one decision when no other request waits."""
REPLY_MARGIN = 0.03
"""Time reserved before the deadline for the reply, and for finishing the last simulated deal."""
MIN_THINKING_TIME = 0.05
"""A request with less time left than this is not started."""
HANG_TIMEOUT = 5.0
"""A process that has not replied by then is killed."""
EXIT_TIMEOUT = 1.0
"""A process that has not exited this long after the end of its input is killed."""

log = structlog.get_logger()


@asynccontextmanager
async def running_pool(size: int) -> AsyncIterator["WorkerPool"]:
    """Run a pool of at most `size` processes, started on demand and stopped at the end of the block."""
    pool = WorkerPool(size)
    try:
        yield pool
    finally:
        await pool.stop()


@dataclass(frozen=True, slots=True, eq=False)
class QueuedRequest:
    """A request that waits for a process, or is worked on by one."""

    view: SeatView
    seed: int
    deadline: float
    decision: asyncio.Future[Decision | None]

    def resolve(self, decision: Decision | None) -> None:
        if not self.decision.done():
            self.decision.set_result(decision)


class WorkerPool:
    def __init__(self, size: int) -> None:
        self._size = size
        self._now = asyncio.get_running_loop().time
        self._queue: list[QueuedRequest] = []
        """Sorted by deadline."""
        self._processes: set[Process] = set()
        self._idle: list[Process] = []
        self._tasks: set[asyncio.Task[None]] = set()

    def request(self, view: SeatView, seed: int, deadline: float) -> asyncio.Future[Decision | None]:
        """Request a decision by `until`, a time of the event loop; the result is None if there is none by then.

        Cancel the future to withdraw the request.
        """
        request = QueuedRequest(view, seed, deadline, asyncio.get_running_loop().create_future())
        insort(self._queue, request, key=lambda each: each.deadline)
        request.decision.add_done_callback(lambda _: self._dequeue(request))
        self._dispatch()
        return request.decision

    def _dequeue(self, request: QueuedRequest) -> None:
        if request in self._queue:
            self._queue.remove(request)
            metrics.EXPERT_QUEUE.set(len(self._queue))

    def _dispatch(self) -> None:
        """Hand the requests with the earliest deadlines to processes, as long as there are any to spare."""
        while self._queue and len(self._tasks) < self._size:
            request = self._queue.pop(0)
            if request.deadline - self._now() < MIN_THINKING_TIME:
                request.resolve(None)
                continue
            task = asyncio.create_task(self._serve(request))
            self._tasks.add(task)
            task.add_done_callback(self._task_done)
        metrics.EXPERT_QUEUE.set(len(self._queue))

    def _task_done(self, task: asyncio.Task[None]) -> None:
        self._tasks.remove(task)
        self._dispatch()

    async def _serve(self, request: QueuedRequest) -> None:
        try:
            process = await self._idle_process()
        except OSError as problem:  # no memory, too many processes or files
            log.warning("expert worker cannot be started", problem=problem.strerror)
            request.resolve(None)
            return
        started_at, decision = self._now(), None
        try:
            async with asyncio.timeout(HANG_TIMEOUT):
                decision = await self._exchange(process, request)
        except (TimeoutError, ValueError, LookupError, OSError):
            await self._kill(process)
        else:
            metrics.EXPERT_DECISION_SECONDS.observe(self._now() - started_at)
            self._idle.append(process)
        finally:
            request.resolve(decision)

    async def _idle_process(self) -> Process:
        """Return the process that became idle last, or start one, so that no more run than are needed at once.

        Raises OSError if a process cannot be started.
        """
        while self._idle:
            process = self._idle.pop()
            if process.returncode is None:
                return process
            await self._kill(process)
        process = await asyncio.create_subprocess_exec(
            # -P: do not import modules from the working directory.
            *(sys.executable, "-P", "-m", "server.experts.worker"),
            stdin=PIPE,
            stdout=PIPE,
            # Keep Ctrl-C for the server. A session of its own would do that too, but many desktops give each session
            # an equal share of the processor, whatever the niceness of its processes.
            preexec_fn=os.setpgrp,
        )
        self._processes.add(process)
        log.info("expert worker started", pid=process.pid)
        return process

    async def _exchange(self, process: Process, request: QueuedRequest) -> Decision | None:
        """Send a request and read the reply. Raises ValueError or LookupError for an invalid reply or end of file."""
        assert process.stdin is not None
        assert process.stdout is not None
        deadline = monotonic() + request.deadline - self._now() - REPLY_MARGIN
        message = DecisionRequest(request.view, request.seed, self._thinking_time(), deadline)
        process.stdin.write(pickle.dumps(message))
        reply = (await process.stdout.readline()).decode().rstrip("\n")
        return None if reply == NO_DECISION else legal_decisions(request.view)[int(reply)]

    def _thinking_time(self) -> float:
        """Return the time for the next decision; the more requests wait, the less each gets, so that all are served."""
        return THINKING_TIME / (1 + len(self._queue) / self._size)

    async def _kill(self, process: Process) -> None:
        self._processes.remove(process)
        with suppress(ProcessLookupError):
            process.kill()
        log.error("expert worker terminated", pid=process.pid, code=await process.wait())
        metrics.EXPERT_WORKER_DEATHS.inc()

    async def stop(self) -> None:
        """Drop all requests and stop the processes; one that is at work exits after its decision."""
        self._queue.clear()
        for task in self._tasks:
            task.cancel()
        for process in self._processes:
            assert process.stdin is not None
            process.stdin.close()
        await asyncio.gather(*map(_wait_or_kill, self._processes))


async def _wait_or_kill(process: Process) -> None:
    try:
        async with asyncio.timeout(EXIT_TIMEOUT):
            await process.wait()
    except TimeoutError:
        log.warning("expert worker did not exit, killing it", pid=process.pid)
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
