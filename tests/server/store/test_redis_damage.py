"""Logs that are damaged, rewound or newer than this server are an alarm; ears that go deaf are noticed."""

import os
import signal

import msgpack
import pytest

from server.store import replies
from server.store.keys import keys_of
from server.store.log import Conflict, CorruptLogError, Gone, Head, NewerVersionError, Snapshot
from server.store.serialization import SCHEMA, dump
from spades_core.commit import LogPosition
from tests.server.store.redis_logs import everything, logging_at


@pytest.fixture
async def log(redis_store):
    return redis_store.open()


# Half deleted and damaged tables


@pytest.mark.parametrize("trimmed", [False, True])
@pytest.mark.parametrize("part", ["head", "log"])
async def test_a_table_whose_head_or_log_was_deleted_is_gone_and_nothing_is_written(
    log, redis_store, story, part, trimmed
):
    await story.begin(log)
    await story.add(log, snapshot=story.table() if trimmed else None)
    await redis_store.client.delete(getattr(keys_of(story.code), part))
    left = await everything(redis_store.client)
    assert await log.append(story.code, story.next()) == Gone()
    assert await log.load(story.code) is None
    assert await log.create(story.code, type(story)().next()) is False
    assert await log.create(story.code, story.told[0]) is False
    assert await everything(redis_store.client) == left


async def test_a_rewound_log_is_a_conflict_and_cannot_be_read_on(log, redis_store, story):
    await story.begin(log)
    where = keys_of(story.code)
    before = [await redis_store.client.dump(key) for key in (where.head, where.log)]
    await story.add(log)
    for key, dumped in zip((where.head, where.log), before, strict=True):
        await redis_store.client.restore(key, 0, dumped, replace=True)
    assert await log.append(story.code, story.next()) == Conflict(story.told[0].at)
    assert await log.read(story.code, story.last) is None
    assert await log.heads([story.code]) == {story.code: Head(story.told[0].at, 0)}


async def test_a_hole_in_the_log_is_an_alarm_with_table_and_number(log, redis_store, story):
    await story.begin(log)
    for _ in range(4):
        await story.add(log)
    await redis_store.client.xdel(keys_of(story.code).log, "3-0")
    for ask in (log.load(story.code), log.read(story.code, story.told[0].at)):
        with pytest.raises(CorruptLogError, match=f"{story.code} is damaged at commit 3") as alarm:
            await ask
        assert (alarm.value.code, alarm.value.n) == (story.code, 3)


@pytest.mark.parametrize(("lost", "found_at"), [(1, 2), (3, 3)])
async def test_a_missing_end_is_an_alarm(log, redis_store, story, lost, found_at):
    await story.begin(log)
    for _ in range(2):
        await story.add(log)
    await redis_store.client.xdel(keys_of(story.code).log, f"{lost}-0")
    with pytest.raises(CorruptLogError, match=f"damaged at commit {found_at}"):
        await log.load(story.code)


async def test_nothing_is_appended_to_a_log_that_goes_beyond_its_head(log, redis_store, story):
    await story.begin(log)
    await redis_store.client.xadd(keys_of(story.code).log, {"id": "0", "parent": "0", "commit": "?"}, id="5-0")
    before = await everything(redis_store.client)
    with pytest.raises(CorruptLogError, match="the log goes on to 5-0 while its head says 1"):
        await log.append(story.code, story.next())
    assert await everything(redis_store.client) == before


async def test_a_broken_chain_is_an_alarm(log, redis_store, story):
    await story.begin(log)
    await story.add(log)
    draft = story.next()
    foreign = type(draft)(3, draft.e, "0123456789abcdef", None, None, ())
    where = keys_of(story.code)
    entry = {"id": foreign.e, "parent": foreign.parent, "commit": dump(foreign)}
    await redis_store.client.xadd(where.log, entry, id="3-0")
    await redis_store.client.hset(where.head, mapping={"n": 3, "id": foreign.e})
    for ask in (log.load(story.code), log.read(story.code, story.told[0].at)):
        with pytest.raises(CorruptLogError, match=f"its parent is commit 0123456789abcdef, not {story.last.e}"):
            await ask


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"id": "x"}, "its ids are not those of its entry"),
        ({"commit": b"\xc1"}, "its bytes cannot be read"),
        ({"commit": b""}, "its bytes cannot be read"),
        ({"commit": msgpack.packb(7)}, "its bytes cannot be read"),
        ({"commit": msgpack.packb(["1", {}])}, "its bytes cannot be read"),
        ({"commit": msgpack.packb([1, {"n": 2}])}, "missing"),
        (
            {
                "commit": msgpack.packb(
                    [1, {"n": 3, "e": "", "parent": "", "player": None, "request": None, "events": []}]
                )
            },
            "its content is commit 3",
        ),
    ],
)
async def test_a_commit_that_is_none_is_an_alarm(log, redis_store, story, fields, problem):
    await story.begin(log)
    where, draft = keys_of(story.code), story.next()
    entry = {"id": draft.e, "parent": draft.parent, "commit": dump(draft)} | fields
    await redis_store.client.xadd(where.log, entry, id="2-0")
    await redis_store.client.hset(where.head, mapping={"n": 2, "id": draft.e})
    with pytest.raises(CorruptLogError, match=f"{story.code} is damaged at commit 2: .*{problem}"):
        await log.load(story.code)


async def test_a_head_that_is_not_the_end_of_the_log_is_an_alarm(log, redis_store, story):
    await story.begin(log)
    await redis_store.client.hset(keys_of(story.code).head, "id", "0123456789abcdef")
    with pytest.raises(CorruptLogError, match=f"the log ends with commit 1 {story.last.e}, not 1 0123456789abcdef"):
        await log.load(story.code)


async def rewrite(client, log_key, n, fields):
    """Put other fields into an entry: of a stream of two, the last."""
    await client.xtrim(log_key, minid=f"{n}-0", approximate=False)
    await client.delete(log_key)
    await client.xadd(log_key, fields, id=f"{n}-0")


async def test_a_snapshot_that_is_missing_or_of_another_commit_is_an_alarm(log, redis_store, story):
    await story.begin(log)
    await story.add(log, snapshot=story.table())
    where = keys_of(story.code)
    [(_, fields)] = await redis_store.client.xrange(where.log)
    await rewrite(redis_store.client, where.log, 2, {name: fields[name] for name in (b"id", b"parent", b"commit")})
    with pytest.raises(CorruptLogError, match="commit 2: the log begins with it, and it has no snapshot"):
        await log.load(story.code)
    of_another_number = dump(Snapshot(LogPosition(3, story.last.e), story.table()))
    await rewrite(redis_store.client, where.log, 2, fields | {b"snapshot": of_another_number})
    with pytest.raises(CorruptLogError, match="commit 2: its snapshot is of commit 3"):
        await log.load(story.code)
    of_another_id = dump(Snapshot(LogPosition(2, "0123456789abcdef"), story.table()))
    await rewrite(redis_store.client, where.log, 2, fields | {b"snapshot": of_another_id})
    with pytest.raises(CorruptLogError, match="commit 2: its snapshot is of a commit with another id"):
        await log.load(story.code)


# Newer schemas


async def test_a_table_of_a_newer_server_is_neither_read_nor_appended_to(log, redis_store, story):
    await story.begin(log)
    await redis_store.client.hset(keys_of(story.code).head, "schema", SCHEMA + 1)
    before = await everything(redis_store.client)
    with pytest.raises(NewerVersionError, match=f"{story.code} was written by a newer version of this server"):
        await log.load(story.code)
    with pytest.raises(NewerVersionError):
        await log.append(story.code, story.next())
    assert await everything(redis_store.client) == before


async def test_a_single_commit_of_a_newer_server_is_not_read(log, redis_store, story):
    await story.begin(log)
    entry = {"id": "00", "parent": story.last.e, "commit": msgpack.packb([SCHEMA + 1, {}])}
    await redis_store.client.xadd(keys_of(story.code).log, entry, id="2-0")
    with pytest.raises(NewerVersionError):
        await log.read(story.code, story.last)


# Wake-ups


async def test_a_wakeup_that_is_not_understood_is_passed_over(log, redis_store, story, ear):
    async with ear().on(log) as hearing:
        channel = keys_of(story.code).channel
        of_it = f"{story.code}\0".encode()
        commits = (b"", b"no code", b"\xff\0", of_it, of_it + b"\xc1", of_it + msgpack.packb([SCHEMA + 1, {}]))
        shapes = (
            [],
            7,
            [1, "s1"],
            [1, b"s1", [b"ann"]],
            [1, b"s1", 7],
            [1, 7, []],
            ["soon", b"s1", []],
            [1, b"\xff", []],
            {},
        )
        attendances = [of_it + b"\0" + msgpack.packb(shape) for shape in shapes]
        for said in (*commits, of_it + b"\0", of_it + b"\0\xc1", *attendances):
            await redis_store.client.execute_command("SPUBLISH", channel, said)
        await story.begin(log)
        assert await hearing.of(story) == story.told[0]


async def test_a_line_that_went_dead_is_noticed_and_replaced(wire, log, story, ear, until):
    async with logging_at(wire.url, keepalive_s=0.02) as behind_the_wire, ear().on(behind_the_wire) as hearing:
        wire.dead = True
        await story.begin(log)  # this one is lost
        swallowed = wire.requests
        await until(lambda: wire.requests > swallowed)
        wire.dead = False
        await hearing.subscribed()
        await story.add(log)
        assert await hearing.of(story) == story.told[1]


async def test_a_quiet_line_in_order_is_kept(wire, log, story, ear, until):
    async with logging_at(wire.url, keepalive_s=0.01) as behind_the_wire, ear().on(behind_the_wire) as hearing:
        enough = wire.requests + 5
        await until(lambda: wire.requests >= enough)  # signs of life
        await story.begin(log)
        assert await hearing.next() == (story.code, story.told[0])  # not subscribed anew


async def test_listening_goes_on_after_the_store_died(own_store, admin, story, ear):
    async with logging_at(own_store) as log, ear().on(log) as hearing:
        os.kill((await admin.info("server"))["process_id"], signal.SIGKILL)
        await hearing.subscribed()
        await story.begin(log)
        assert await hearing.of(story) == story.told[0]


async def test_an_error_of_the_one_who_listens_is_not_swallowed(log, ear):
    hearing = ear()
    hearing.resubscribed = lambda: 1 / 0
    with pytest.raises(ExceptionGroup) as failed:
        await log.listen(hearing)
    assert [type(error) for error in failed.value.exceptions] == [ZeroDivisionError]


# Replies of the script


def test_an_unknown_reply_of_the_script_is_an_error(story):
    with pytest.raises(AssertionError, match="SURPRISE"):
        replies.parse_append(story.code, story.next(), [b"SURPRISE"])
