"""Hearing of every commit of every table, over one connection that is made again whenever it is lost.

Invariant: nobody is left believing to hear while the line is dead. A quiet line
is asked for a sign of life, and each new subscription is reported, as what was
said in between is gone for good.
"""

import random
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from typing import Any

import structlog
from redis.asyncio import Redis

from server.store.faults import LOST, sentence, stop_if_told_to

Sleep = Callable[[float], Awaitable[None]]

_FIRST_PAUSE_S = 0.05
_LONGEST_PAUSE_S = 2.0

log = structlog.get_logger()


async def heard(
    client: Redis, where: str, channels: Sequence[str], *, quiet_s: float, sleep: Sleep
) -> AsyncGenerator[bytes | None, None]:
    """What is said on the channels, without end; None after every subscription, the first one too."""
    pause = _FIRST_PAUSE_S
    while True:
        try:
            async with aclosing(_one_connection(client, channels, quiet_s)) as line:
                async for payload in line:
                    pause = _FIRST_PAUSE_S
                    yield payload
        except LOST as error:
            stop_if_told_to()
            log.warning("wake-ups interrupted", reason=sentence(error, where))
        await sleep(pause * random.uniform(0.5, 1.0))
        pause = min(2 * pause, _LONGEST_PAUSE_S)


async def _one_connection(client: Redis, channels: Sequence[str], quiet_s: float) -> AsyncGenerator[bytes | None, None]:
    """Ends with one of LOST. The client library may reconnect on its own: then it subscribes again, and we are told."""
    async with client.pubsub() as line:
        await line.ssubscribe(*channels)
        asked = False
        while True:
            stop_if_told_to()
            message: dict[str, Any] | None = await line.get_message(timeout=quiet_s)
            if message is None:
                if asked:
                    raise TimeoutError
                await line.ping()
            asked = message is None
            if message is None:
                continue
            if message["type"] == "smessage":
                yield message["data"]
            elif message["type"] == "ssubscribe" and message["data"] == len(channels):
                yield None
