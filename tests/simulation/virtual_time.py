"""Virtual time: a clock with a queue of callbacks, and event loops that run on it.

Invariant: a run is determined by what is put into the queue and in which order.
Time advances only from one entry of the queue to the next.
"""

import asyncio
from asyncio.events import _set_running_loop
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import contextmanager
from contextvars import Context
from heapq import heappop, heappush
from typing import Any

MAX_STEPS = 5_000
"""Largest number of steps of a loop at one moment."""


class LivelockError(Exception):
    """A loop is always busy, so that time does not advance."""


class VirtualClock:
    def __init__(self) -> None:
        self.now = 0.0
        self._queue: list[tuple[float, int, Callable[[], object]]] = []
        self._entries = 0

    def after(self, seconds: float, callback: Callable[[], object]) -> None:
        """Call `callback` in so many seconds."""
        self._entries += 1
        heappush(self._queue, (self.now + max(0.0, seconds), self._entries, callback))

    def run(self, until: float) -> None:
        """Advance to a time, calling what is due."""
        queue = self._queue
        while queue and queue[0][0] <= until:
            self.now, _, callback = heappop(queue)
            callback()
        self.now = until


class VirtualLoop(asyncio.AbstractEventLoop):
    """The event loop of one process, whose monotonic clock has an offset and a rate of its own.

    A paused loop runs nothing until it is resumed; a dead one never runs again.
    """

    def __init__(self, clock: VirtualClock, *, offset: float = 0.0, rate: float = 1.0) -> None:
        self.clock = clock
        self._offset = offset
        self._rate = rate
        self._ready: deque[asyncio.Handle] = deque()
        self._runs = False
        self._paused = False
        self.dead = False
        self.failures: list[str] = []

    def post(self, seconds: float, callback: Callable[[], object]) -> None:
        """Call `callback` in this loop in so many seconds of the virtual clock; for use from outside."""
        self.clock.after(seconds, lambda: self._enter(asyncio.Handle(callback, (), self)))

    def pause(self) -> None:
        self._paused = True

    def resume(self) -> None:
        self._paused = False
        self._run()

    def kill(self) -> None:
        self.dead = True

    def cancel_all(self) -> None:
        """Cancel all tasks, so that none is left for the garbage collector to complain about."""
        with self.running():
            for _ in range(100):
                tasks = asyncio.all_tasks(self)
                if not tasks:
                    return
                for task in tasks:
                    task.cancel()
                while self._ready:
                    self._ready.popleft()._run()
        raise LivelockError(f"these tasks cannot be cancelled: {tasks}")

    @contextmanager
    def running(self):
        _set_running_loop(self)
        try:
            yield
        finally:
            _set_running_loop(None)

    def _enter(self, handle: asyncio.Handle) -> None:
        if not self.dead and not handle._cancelled:
            self._ready.append(handle)
            self._run()

    def _run(self) -> None:
        self._runs = True
        with self.running():
            steps = 0
            while self._ready and not self._paused and not self.dead:
                handle = self._ready.popleft()
                if not handle._cancelled:
                    handle._run()
                steps += 1
                if steps > MAX_STEPS:
                    raise LivelockError(f"{steps} steps at {self.clock.now:.3f}; next is {handle}")
        self._runs = False

    # The interface of an event loop.

    def time(self) -> float:
        return self._offset + self.clock.now * self._rate

    def call_soon(self, callback: Callable[..., object], *args: Any, context: Context | None = None) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)
        self._ready.append(handle)
        if not self._runs:
            self.clock.after(0, self._run)
        return handle

    def call_at(
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        self.clock.after((when - self.time()) / self._rate, lambda: self._enter(handle))
        return handle

    def call_later(
        self, delay: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        return self.call_at(self.time() + delay, callback, *args, context=context)

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self)

    def create_task(self, coro: Coroutine[Any, Any, Any], **settings: Any) -> asyncio.Task[Any]:
        return asyncio.Task(coro, loop=self, **settings)

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        self.failures.append(f"{context['message']}: {context.get('exception')!r}")

    def get_debug(self) -> bool:
        return False

    def is_running(self) -> bool:
        return self._runs

    def is_closed(self) -> bool:
        return False

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """Leave the handle in the queue; it does nothing when it is due."""
