"""Logs on a real store, opened and closed by a test itself."""

import contextlib

from server.store.redis_log import RedisLog


@contextlib.asynccontextmanager
async def logging_at(url, **settings):
    log = RedisLog(url, **settings)
    try:
        yield log
    finally:
        await log.close()


async def impatient(_seconds):
    raise AssertionError("asked again, though the answer was final")


async def everything(client):
    return {key: await client.dump(key) for key in sorted(await client.keys("*"))}
