"""The processes that think for expert bots, and the questions that wait for one of them.

Processes of our own, each with two pipes, where an executor would have threads, locks, and questions that it does not
give back: here a question is off the queue as soon as nobody wants to know, a process has nothing but the one
question it thinks about, and it ends when its input ends, which the system sees to even if this server is killed.

Invariant: whatever happens to a process costs one answer at most; if it hangs, those of some seconds until it is ended.
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
from server.experts.worker import NOTHING
from spades_core.bots.decisions import Decision, legal_decisions
from spades_core.views import SeatView

THOUGHT_SECONDS = 0.15
"""How long an expert thinks about a decision, if nobody waits for its thinker."""
MARGIN_SECONDS = 0.03
"""The answer is asked for so much before it is used: for its way, and for the last world that is imagined."""
LEAST_SECONDS = 0.05
"""With less time left than that a thought is not begun."""
HANGS_SECONDS = 5.0
"""A process that has not answered by then never will."""
END_SECONDS = 1.0
"""How long a process may take to end, once its input has."""

log = structlog.get_logger()


@asynccontextmanager
async def thinking(most: int) -> AsyncIterator["Thinkers"]:
    """At most so many processes, begun when they are needed; all are gone at the end of the block."""
    thinkers = Thinkers(most)
    try:
        yield thinkers
    finally:
        await thinkers.end()


@dataclass(frozen=True, slots=True, eq=False)
class Waiting:
    view: SeatView
    seed: int
    until: float
    answer: asyncio.Future[Decision | None]


class Thinkers:
    def __init__(self, most: int) -> None:
        self._most = most
        self._now = asyncio.get_running_loop().time
        self._waiting: list[Waiting] = []
        self._processes: set[Process] = set()
        self._free: list[Process] = []
        self._busy: set[asyncio.Task[None]] = set()

    def ask(self, view: SeatView, seed: int, until: float) -> asyncio.Future[Decision | None]:
        """What an expert does, by the time `until` of the loop's clock; None when it does not get to it.

        Who does not want to know any more cancels it.
        """
        waiting = Waiting(view, seed, until, asyncio.get_running_loop().create_future())
        insort(self._waiting, waiting, key=lambda each: each.until)
        waiting.answer.add_done_callback(lambda _: self._take_off(waiting))
        self._hand_out()
        return waiting.answer

    def _take_off(self, done: Waiting) -> None:
        if done in self._waiting:
            self._waiting.remove(done)
            metrics.WAITING_THOUGHTS.set(len(self._waiting))

    def _hand_out(self) -> None:
        """To every process that may be: the question whose bot acts first."""
        while self._waiting and len(self._busy) < self._most:
            waiting = self._waiting.pop(0)
            if waiting.until - self._now() < LEAST_SECONDS:
                _tell(waiting, None)
                continue
            task = asyncio.create_task(self._think(waiting))
            self._busy.add(task)
            task.add_done_callback(self._is_free)
        metrics.WAITING_THOUGHTS.set(len(self._waiting))

    def _is_free(self, task: asyncio.Task[None]) -> None:
        self._busy.remove(task)
        self._hand_out()

    async def _think(self, waiting: Waiting) -> None:
        try:
            process = await self._free_process()
        except OSError as problem:  # no memory, too many processes or files
            log.warning("thinker cannot be started", problem=problem.strerror)
            _tell(waiting, None)
            return
        began, choice = self._now(), None
        try:
            async with asyncio.timeout(HANGS_SECONDS):
                choice = await self._answered(process, waiting)
        except (TimeoutError, ValueError, LookupError, OSError):
            await self._bury(process)
        else:
            metrics.THINKING_SECONDS.observe(self._now() - began)
            self._free.append(process)
        finally:
            _tell(waiting, choice)

    async def _free_process(self) -> Process:
        """The one that was busy last, so that no more are begun than are needed at once; raises OSError."""
        while self._free:
            process = self._free.pop()
            if process.returncode is None:
                return process
            await self._bury(process)
        process = await asyncio.create_subprocess_exec(
            # -P: what lies in the folder where the server was started is none of ours.
            *(sys.executable, "-P", "-m", "server.experts.worker"),
            stdin=PIPE,
            stdout=PIPE,
            # A Ctrl-C is for the server. A session of its own would do as well, but on many a desktop it would have
            # an equal share of the processor, however politely its processes step back.
            preexec_fn=os.setpgrp,
        )
        self._processes.add(process)
        log.info("thinker started", pid=process.pid)
        return process

    async def _answered(self, process: Process, waiting: Waiting) -> Decision | None:
        """Raises ValueError or LookupError for what is no answer, such as the silence of a process that has ended."""
        assert process.stdin is not None
        assert process.stdout is not None
        until = monotonic() + waiting.until - self._now() - MARGIN_SECONDS
        process.stdin.write(pickle.dumps(DecisionRequest(waiting.view, waiting.seed, self._share(), until)))
        line = (await process.stdout.readline()).decode().rstrip("\n")
        return None if line == NOTHING else legal_decisions(waiting.view)[int(line)]

    def _share(self) -> float:
        """How long a thought may take now: the more wait, the less each gets, so that none has to go without."""
        return THOUGHT_SECONDS / (1 + len(self._waiting) / self._most)

    async def _bury(self, process: Process) -> None:
        self._processes.remove(process)
        with suppress(ProcessLookupError):
            process.kill()
        log.error("thinker died", pid=process.pid, code=await process.wait())
        metrics.THINKERS_DIED.inc()

    async def end(self) -> None:
        """Nobody asks any more; what is still thought about ends by its own time."""
        self._waiting.clear()
        for task in self._busy:
            task.cancel()
        for process in self._processes:
            assert process.stdin is not None
            process.stdin.close()
        await asyncio.gather(*map(_ended, self._processes))


async def _ended(process: Process) -> None:
    try:
        async with asyncio.timeout(END_SECONDS):
            await process.wait()
    except TimeoutError:
        log.warning("thinker does not end and is killed", pid=process.pid)
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def _tell(waiting: Waiting, choice: Decision | None) -> None:
    if not waiting.answer.done():
        waiting.answer.set_result(choice)
