"""The wake-ups of all tables, over one subscription to each server that owns channels.

Invariant: a subscription that is dead or at the wrong server is always detected.
A silent one is pinged, the owners of the channels are looked up again and again,
and each new subscription is reported, as messages in between are lost for good.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

import structlog
from redis.backoff import EqualJitterBackoff

from server.store.client.client import StoreClient
from server.store.client.errors import CLIENT_ERRORS, NODE_ERRORS, describe, raise_if_cancelled
from server.store.client.node import Node

Sleep = Callable[[float], Awaitable[None]]

_BACKOFF = EqualJitterBackoff(base=0.05, cap=2.0)

log = structlog.get_logger()


@dataclass(eq=False, slots=True)
class _Subscription:
    channels: tuple[str, ...]
    task: asyncio.Task[None] = field(init=False)
    active: bool = False


class Listener:
    """Calls `on_message` with every message, and `on_subscribed` when new subscriptions are active and none is pending.

    `keepalive_s` is the interval of pings and of looking up the owners.
    """

    def __init__(
        self,
        client: StoreClient,
        channels: Sequence[str],
        on_message: Callable[[bytes], None],
        on_subscribed: Callable[[], None],
        *,
        keepalive_s: float,
        sleep: Sleep,
    ) -> None:
        self._client = client
        self._channels = channels
        self._on_message = on_message
        self._on_subscribed = on_subscribed
        self._keepalive_s = keepalive_s
        self._sleep = sleep
        self._subscriptions: dict[Node, _Subscription] = {}
        self._unreported = False

    async def run(self) -> None:
        """Listen until cancelled."""
        failures = 0
        async with asyncio.TaskGroup() as group:
            while True:
                await self._update_subscriptions(group)
                if await self._all_keep_running():
                    failures = 0
                    continue
                self._report()
                await self._sleep(_BACKOFF.compute(failures))
                failures += 1

    async def _update_subscriptions(self, group: asyncio.TaskGroup) -> None:
        """Subscribe to each server for the channels it owns; keep the subscriptions that are right."""
        try:
            wanted = await self._client.channels_by_primary(self._channels)
        except CLIENT_ERRORS as error:
            raise_if_cancelled()
            log.warning("wake-ups interrupted", reason=describe(error, self._client.address))
            return
        raise_if_cancelled()
        for node in [node for node, each in self._subscriptions.items() if each.channels != wanted.get(node)]:
            self._subscriptions.pop(node).task.cancel()
        for node, channels in wanted.items():
            if node not in self._subscriptions or self._subscriptions[node].task.done():
                self._subscriptions[node] = subscription = _Subscription(channels)
                subscription.task = group.create_task(self._receive(node, subscription))

    async def _all_keep_running(self) -> bool:
        """Return True after `keepalive_s`, or False as soon as a subscription ends."""
        tasks = [each.task for each in self._subscriptions.values()]
        if not tasks:
            return False
        done, _ = await asyncio.wait(tasks, timeout=self._keepalive_s, return_when=asyncio.FIRST_COMPLETED)
        return not done

    async def _receive(self, node: Node, subscription: _Subscription) -> None:
        try:
            async with aclosing(node.subscribe(subscription.channels, keepalive_s=self._keepalive_s)) as messages:
                async for message in messages:
                    if message is None:
                        subscription.active = self._unreported = True
                        self._report()
                    else:
                        self._on_message(message)
        except NODE_ERRORS as error:
            raise_if_cancelled()
            log.warning("wake-ups interrupted", reason=describe(error, node.address))

    def _report(self) -> None:
        if self._unreported and all(each.active or each.task.done() for each in self._subscriptions.values()):
            self._unreported = False
            self._on_subscribed()
