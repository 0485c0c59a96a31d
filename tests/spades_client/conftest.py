"""The client is tested in virtual time: waiting takes no real time."""

import asyncio
from collections.abc import Callable, Mapping

import looptime


def virtual_time() -> asyncio.AbstractEventLoop:
    return looptime.new_event_loop()


def pytest_asyncio_loop_factories() -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    return {"virtual": virtual_time}
