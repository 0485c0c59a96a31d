"""Work shared out to processes: pieces are done in any order, results come as they are ready.

Interrupted, it stops at once, and what has come until then is all there is.
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

Piece = TypeVar("Piece")
Result = TypeVar("Result")
PIECES_EACH = 16
LARGEST = 4
SECONDS_A_LINE = 10.0
SECONDS_A_REWRITE = 0.2
ANY_TERMINAL = 80
"""Columns."""


def size_of_pieces(amount: int, processes: int) -> int:
    """Small enough that all processes end together, large enough that handing over costs nothing."""
    return max(1, min(LARGEST, amount // (processes * PIECES_EACH)))


def results(work: Callable[[Piece], Result], pieces: Sequence[Piece], processes: int) -> Iterator[Result]:
    if processes == 1 or len(pieces) == 1:
        yield from map(work, pieces)
        return
    pool = ProcessPoolExecutor(min(processes, len(pieces)), multiprocessing.get_context("spawn"))
    try:
        with _interrupts_held_back():
            begun = [pool.submit(work, piece) for piece in pieces[:processes]]  # starts the processes
        running, waiting = set(begun), iter(pieces[processes:])
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            # One piece more than there are processes is enough to keep them busy, however many there are in all.
            running.update(pool.submit(work, piece) for piece in islice(waiting, processes + 1 - len(running)))
            for each in done:
                yield each.result()
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            process.terminate()
        raise
    pool.shutdown()


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Ctrl-C comes when this is over; processes that start meanwhile are born deaf to it."""
    resource_tracker.ensure_running()  # would let it through when it starts
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def take_all(
    work: Callable[[Piece], Result], pieces: Sequence[Piece], processes: int, take: Callable[[Result], None]
) -> bool:
    """Give every result to `take`; False when it was interrupted before the last."""
    try:
        for done in results(work, pieces, processes):
            take(done)
    except KeyboardInterrupt:
        return False
    return True


class Progress:
    """How far it is, on standard error: a line that rewrites itself on a terminal, else a line now and then."""

    def __init__(self, total: int, unit: str, out: TextIO | None = None) -> None:
        self._total, self._unit = total, unit
        self._out = sys.stderr if out is None else out
        self._rewrites = self._out.isatty()
        self._begun = self._said = monotonic()
        self._width = 0
        if self._rewrites:
            self._rewrite(f"0 of {total} {unit}s")

    def say(self, done: int, so_far: str) -> None:
        now = monotonic()
        wait = SECONDS_A_REWRITE if self._rewrites else SECONDS_A_LINE
        if now - self._said < wait or not 0 < done < self._total:
            return
        self._said = now
        left = (now - self._begun) * (self._total - done) / done
        text = f"{done} of {self._total} {self._unit}s, {so_far}, {_clock(left)} left"
        if self._rewrites:
            self._rewrite(text)
        else:
            self._out.write(f"{text}\n")
            self._out.flush()

    def _rewrite(self, text: str) -> None:
        most = self._columns() - 1  # a line that wraps cannot be rewritten
        text = text[:most]
        self._out.write(f"\r{text:<{min(self._width, most)}}")
        self._out.flush()
        self._width = len(text)

    def _columns(self) -> int:
        """How wide the terminal is now; some do not tell."""
        try:
            return os.get_terminal_size(self._out.fileno()).columns or ANY_TERMINAL
        except OSError:
            return ANY_TERMINAL

    def clear(self) -> None:
        """Take the line away that rewrites itself."""
        if self._width:
            self._rewrite("")
            self._out.write("\r")
            self._out.flush()


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}"
