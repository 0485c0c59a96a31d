"""The contract of wake-ups: every commit and every interruption is reported."""

import asyncio

from server.store.log import Appended, Conflict


async def test_every_subscriber_receives_every_commit(store, log, history, subscriber):
    async with subscriber().on(log) as one, subscriber().on(store.open()) as other:
        await history.create(log)
        await history.add(log)
        await history.add(store.open(), snapshot=history.table())
        for commit in history.commits:
            assert await one.of(history) == commit
            assert await other.of(history) == commit


async def test_only_appended_commits_are_published(store, log, history, subscriber):
    await history.create(log)
    late = history.next()
    async with subscriber().on(store.open()) as received:
        await history.add(log)
        assert await log.append(history.code, late) == Conflict(history.last)
        assert await log.append(history.code, history.commits[-1]) == Appended(history.last)
        assert await log.create(history.code, type(history)().next()) is False
        last = await history.add(log)
        assert await received.of(history) == history.commits[-2]
        message = await received.of(history)
        if message == history.commits[-2]:  # a repeated commit may be published again
            message = await received.of(history)
        assert message == last


async def test_an_interrupted_listener_resubscribes_and_reports_it(store, log, history, subscriber):
    async with subscriber().on(store.open()) as received:
        await store.interrupt_listeners()
        await received.wait_until_subscribed()
        await history.create(log)
        assert await received.of(history) == history.commits[0]


async def test_every_subscriber_receives_every_change_of_presence(store, log, history, subscriber):
    await history.create(log)
    async with subscriber().on(log) as one, subscriber().on(store.open()) as other:
        come = await log.set_presence(history.code, "s1", {"ann": 1})
        await log.set_presence(history.code, "s1", {"ann": 1})
        gone = await log.set_presence(history.code, "s1", {})
        last = await history.add(log)
        for each in (one, other):
            assert [await each.of(history) for _ in range(3)] == [come, gone, last]


async def test_close_is_idempotent(store):
    log = store.open()
    await log.close()
    await log.close()


async def test_listening_can_be_cancelled_at_any_moment(store, subscriber):
    log = store.open()
    for moments in range(80):
        listening = asyncio.create_task(log.listen(subscriber()))
        for _ in range(moments):
            await asyncio.sleep(0)
        listening.cancel()
        async with asyncio.timeout(2):
            await asyncio.wait([listening])
        assert listening.cancelled()
