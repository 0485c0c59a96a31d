"""The environment of a server process: its event loop, its limits, and its shutdown by signals.

Invariant: the first request to stop is an orderly shutdown, the second one exits at once.
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

GC_THRESHOLD = 20_000
"""New objects between garbage collections. With Python's 700, collections take a large part of the time when thousands
of connections come at once, each with a hundred objects that stay."""

log = structlog.get_logger()


class Shutdown:
    """`requested` is set once the process should stop."""

    def __init__(self) -> None:
        self.requested = asyncio.Event()

    def request(self) -> None:
        if self.requested.is_set():
            # Skipping the orderly shutdown loses nothing: what was acknowledged is in the log.
            log.warning("second request to stop, exiting at once")
            os._exit(1)
        self.requested.set()


def run(main: Callable[[Shutdown], Coroutine[Any, Any, None]]) -> None:
    """Run `main` in an event loop until it returns; SIGINT and SIGTERM request its shutdown."""
    _raise_limits()
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(_with_signal_handlers(main))
    except BaseExceptionGroup as group:
        # A task group wraps its error; callers handle the single cause.
        if len(group.exceptions) == 1:
            raise group.exceptions[0] from None
        raise


def _raise_limits() -> None:
    """Allow as many connections as the system permits, and spend less time on garbage collection."""
    _, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):  # some systems do not allow the limit they report
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard_limit, hard_limit))
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD)


async def _with_signal_handlers(main: Callable[[Shutdown], Coroutine[Any, Any, None]]) -> None:
    shutdown = Shutdown()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, shutdown.request)
    await main(shutdown)
