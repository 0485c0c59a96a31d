"""Hearing of every commit of every table, over a line to each server that tells of some.

Invariant: nobody is left believing to hear while a line is dead or leads to the
wrong server. A quiet line is asked for a sign of life, where the lines belong is
looked up again and again, and each new subscription is reported, as what was
said in between is gone for good.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

import structlog

from server.store.client.client import UNANSWERED, Reach
from server.store.client.faults import LOST, sentence, stop_if_told_to
from server.store.client.node import Node

Sleep = Callable[[float], Awaitable[None]]

_FIRST_PAUSE_S = 0.05
_LONGEST_PAUSE_S = 2.0

log = structlog.get_logger()


@dataclass(eq=False, slots=True)
class _Line:
    channels: tuple[str, ...]
    task: asyncio.Task[None] = field(init=False)
    hears: bool = False


class Listener:
    """`said` is called with every message, `subscribed` when more is heard than before and no line is on its way."""

    def __init__(
        self,
        reach: Reach,
        channels: Sequence[str],
        said: Callable[[bytes], None],
        subscribed: Callable[[], None],
        *,
        keepalive_s: float,
        sleep: Sleep,
    ) -> None:
        self._reach = reach
        self._channels = channels
        self._said = said
        self._subscribed = subscribed
        self._quiet_s = keepalive_s
        self._sleep = sleep
        self._lines: dict[Node, _Line] = {}
        self._unreported = False

    async def run(self) -> None:
        """Never returns."""
        pause = _FIRST_PAUSE_S
        async with asyncio.TaskGroup() as group:
            while True:
                await self._draw_lines(group)
                if await self._all_are_well():
                    pause = _FIRST_PAUSE_S
                    continue
                self._report()
                await self._sleep(pause * random.uniform(0.5, 1.0))
                pause = min(2 * pause, _LONGEST_PAUSE_S)

    async def _draw_lines(self, group: asyncio.TaskGroup) -> None:
        """A line to each server for the channels that are at home there; those that are right stay as they are."""
        try:
            wanted = await self._reach.lines(self._channels)
        except UNANSWERED as error:
            stop_if_told_to()
            log.warning("wake-ups interrupted", reason=sentence(error, self._reach.place))
            return
        stop_if_told_to()
        for node in [node for node, line in self._lines.items() if line.channels != wanted.get(node)]:
            self._lines.pop(node).task.cancel()
        for node, channels in wanted.items():
            if node not in self._lines or self._lines[node].task.done():
                self._lines[node] = line = _Line(channels)
                line.task = group.create_task(self._hear(node, line))

    async def _all_are_well(self) -> bool:
        """After a quiet while; False as soon as a line has ended."""
        tasks = [line.task for line in self._lines.values()]
        if not tasks:
            return False
        ended, _ = await asyncio.wait(tasks, timeout=self._quiet_s, return_when=asyncio.FIRST_COMPLETED)
        return not ended

    async def _hear(self, node: Node, line: _Line) -> None:
        try:
            async with aclosing(node.line(line.channels, keepalive_s=self._quiet_s)) as messages:
                async for payload in messages:
                    if payload is None:
                        line.hears = self._unreported = True
                        self._report()
                    else:
                        self._said(payload)
        except LOST as error:
            stop_if_told_to()
            log.warning("wake-ups interrupted", reason=sentence(error, node.place))

    def _report(self) -> None:
        if self._unreported and all(line.hears or line.task.done() for line in self._lines.values()):
            self._unreported = False
            self._subscribed()
