"""Wake-ups, for every store alike: everybody hears of every commit, and of having been deaf."""

import asyncio

from server.store.log import Appended, Conflict


async def test_every_listener_hears_of_every_commit_whoever_appended_it(store, log, story, ear):
    async with ear().on(log) as one, ear().on(store.open()) as other:
        await story.begin(log)
        await story.add(log)
        await story.add(store.open(), snapshot=story.table())
        for told in story.told:
            assert await one.of(story) == told
            assert await other.of(story) == told


async def test_what_was_not_appended_is_not_heard_of(store, log, story, ear):
    await story.begin(log)
    late = story.next()
    async with ear().on(store.open()) as hearing:
        await story.add(log)
        assert await log.append(story.code, late) == Conflict(story.last)
        assert await log.append(story.code, story.told[-1]) == Appended(story.last)
        assert await log.create(story.code, type(story)().next()) is False
        last = await story.add(log)
        assert await hearing.of(story) == story.told[-2]
        heard = await hearing.of(story)
        if heard == story.told[-2]:  # what was offered again may be told again
            heard = await hearing.of(story)
        assert heard == last


async def test_an_interrupted_listener_subscribes_again_says_so_and_hears_again(store, log, story, ear):
    async with ear().on(store.open()) as hearing:
        await store.interrupt_listeners()
        await hearing.subscribed()
        await story.begin(log)
        assert await hearing.of(story) == story.told[0]


async def test_every_listener_hears_the_attendance_whenever_it_changed(store, log, story, ear):
    await story.begin(log)
    async with ear().on(log) as one, ear().on(store.open()) as other:
        come = await log.set_presence(story.code, "s1", {"ann": 1})
        await log.set_presence(story.code, "s1", {"ann": 1})
        gone = await log.set_presence(story.code, "s1", {})
        last = await story.add(log)
        for each in (one, other):
            assert [await each.of(story) for _ in range(3)] == [come, gone, last]


async def test_closing_twice_does_nothing(store):
    log = store.open()
    await log.close()
    await log.close()


async def test_listening_ends_when_it_is_told_to_at_whatever_moment(store, ear):
    log = store.open()
    for moments in range(80):
        listening = asyncio.create_task(log.listen(ear()))
        for _ in range(moments):
            await asyncio.sleep(0)
        listening.cancel()
        async with asyncio.timeout(2):
            await asyncio.wait([listening])
        assert listening.cancelled()
