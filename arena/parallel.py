"""Work divided among processes: chunks are done in any order, results arrive as they are ready.

On Ctrl-C the work stops at once; the results received so far stand.
"""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice
from multiprocessing import resource_tracker
from time import monotonic
from typing import TextIO, TypeVar

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")
CHUNKS_PER_PROCESS = 16
MAX_CHUNK_SIZE = 4
LINE_INTERVAL = 10.0
REWRITE_INTERVAL = 0.2
DEFAULT_COLUMNS = 80


def chunk_size(total: int, processes: int) -> int:
    """Return a size small enough for all processes to end together, and large enough to hide the overhead."""
    return max(1, min(MAX_CHUNK_SIZE, total // (processes * CHUNKS_PER_PROCESS)))


def run_chunks(
    work: Callable[[Chunk], Result], chunks: Sequence[Chunk], processes: int, on_result: Callable[[Result], None]
) -> bool:
    """Call `on_result` with the result of each chunk; return False if interrupted before the last."""
    try:
        for result in results(work, chunks, processes):
            on_result(result)
    except KeyboardInterrupt:
        return False
    return True


def results(work: Callable[[Chunk], Result], chunks: Sequence[Chunk], processes: int) -> Iterator[Result]:
    if processes == 1 or len(chunks) == 1:
        yield from map(work, chunks)
        return
    pool = ProcessPoolExecutor(min(processes, len(chunks)), multiprocessing.get_context("spawn"))
    try:
        with _interrupts_blocked():
            running = {pool.submit(work, chunk) for chunk in chunks[:processes]}  # starts the processes
        waiting = iter(chunks[processes:])
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            # One chunk more than there are processes keeps them all busy.
            running.update(pool.submit(work, chunk) for chunk in islice(waiting, processes + 1 - len(running)))
            for future in done:
                yield future.result()
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            process.terminate()
        raise
    pool.shutdown()


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Defer SIGINT; processes started meanwhile inherit the mask and ignore Ctrl-C."""
    resource_tracker.ensure_running()  # its start would unblock SIGINT
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


class Progress:
    """Progress on standard error: one line rewritten in place on a terminal, otherwise a line every few seconds."""

    def __init__(self, total: int, noun: str, out: TextIO | None = None) -> None:
        self._total, self._noun = total, noun
        self._out = sys.stderr if out is None else out
        self._rewrites = self._out.isatty()
        self._started = self._updated = monotonic()
        self._width = 0
        if self._rewrites:
            self._rewrite(f"0 of {total} {noun}s")

    def update(self, done: int, summary: str) -> None:
        now = monotonic()
        interval = REWRITE_INTERVAL if self._rewrites else LINE_INTERVAL
        if now - self._updated < interval or not 0 < done < self._total:
            return
        self._updated = now
        minutes, seconds = divmod(round((now - self._started) * (self._total - done) / done), 60)
        text = f"{done} of {self._total} {self._noun}s, {summary}, {minutes}:{seconds:02} left"
        if self._rewrites:
            self._rewrite(text)
        else:
            self._out.write(f"{text}\n")
            self._out.flush()

    def clear(self) -> None:
        """Erase the line from the terminal."""
        if self._width:
            self._rewrite("")
            self._out.write("\r")
            self._out.flush()

    def _rewrite(self, text: str) -> None:
        width = self._columns() - 1  # a line that wraps cannot be rewritten
        text = text[:width]
        self._out.write(f"\r{text:<{min(self._width, width)}}")
        self._out.flush()
        self._width = len(text)

    def _columns(self) -> int:
        """Return the current width of the terminal, or a default if it does not report one."""
        try:
            return os.get_terminal_size(self._out.fileno()).columns or DEFAULT_COLUMNS
        except OSError:
            return DEFAULT_COLUMNS
