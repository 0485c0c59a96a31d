"""What every process of the server does around its work: an event loop, room for many connections, being told to stop.

Invariant: told once, it stops in order; told again, it ends at once.
"""

import asyncio
import gc
import os
import resource
import signal
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

import structlog
import uvloop

YOUNG_OBJECTS = 20_000
"""After so many new objects Python looks for cycles among them. By itself it does so after 700, which takes a large
part of the time when thousands of connections come at once, each with a hundred objects that stay."""

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
    _make_room()
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(_stopped_by_signals(work))
    except BaseExceptionGroup as group:
        # A task group wraps what went wrong; with one cause, that is what the caller wants to hear of.
        if len(group.exceptions) == 1:
            raise group.exceptions[0] from None
        raise


def _make_room() -> None:
    """As many connections as the system allows, and no time lost on looking through what stays anyway."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):  # some systems do not allow what they say
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS)


async def _stopped_by_signals(work: Callable[[Stop], Coroutine[Any, Any, None]]) -> None:
    stop = Stop()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.tell)
    await work(stop)
