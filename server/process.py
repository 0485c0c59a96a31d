"""What every process of the server does around its work: an event loop, and being told to stop.

Invariant: told once, it stops in order; told again, it ends at once.
"""

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine
from typing import Any

import structlog
import uvloop

log = structlog.get_logger()


class Stop:
    def __init__(self) -> None:
        self.told = asyncio.Event()

    def tell(self) -> None:
        if self.told.is_set():
            # Nothing that was acknowledged needs any of the goodbyes: it is in the log.
            log.warning("told to stop twice: ending at once")
            os._exit(1)
        self.told.set()


def run(work: Callable[[Stop], Coroutine[Any, Any, None]]) -> None:
    """Until the work is done; SIGINT and SIGTERM tell it to stop."""
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(_stopped_by_signals(work))
    except BaseExceptionGroup as group:
        # A task group wraps what went wrong; with one cause, that is what the caller wants to hear of.
        if len(group.exceptions) == 1:
            raise group.exceptions[0] from None
        raise


async def _stopped_by_signals(work: Callable[[Stop], Coroutine[Any, Any, None]]) -> None:
    stop = Stop()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.tell)
    await work(stop)
