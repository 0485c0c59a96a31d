"""Damaged, rolled back and newer logs raise errors; dead subscriptions are detected."""

import os
import signal

import msgpack
import pytest

from server.store import replies
from server.store.keys import keys_of
from server.store.log import Conflict, CorruptLogError, Gone, Head, NewerVersionError, Snapshot
from server.store.serialization import SCHEMA, dump
from spades_core.commit import LogPosition
from tests.server.store.stores import dump_all, open_log


@pytest.fixture
async def log(redis_store):
    return redis_store.open()


# Damaged tables


@pytest.mark.parametrize("trimmed", [False, True])
@pytest.mark.parametrize("part", ["head", "log"])
async def test_a_table_without_head_or_log_is_gone_and_not_written_to(log, redis_store, history, part, trimmed):
    await history.create(log)
    await history.add(log, snapshot=history.table() if trimmed else None)
    await redis_store.client.delete(getattr(keys_of(history.code), part))
    before = await dump_all(redis_store.client)
    assert await log.append(history.code, history.next()) == Gone()
    assert await log.load(history.code) is None
    assert await log.create(history.code, type(history)().next()) is False
    assert await log.create(history.code, history.commits[0]) is False
    assert await dump_all(redis_store.client) == before


async def test_a_rolled_back_log_gives_a_conflict_and_no_commits(log, redis_store, history):
    await history.create(log)
    keys = keys_of(history.code)
    before = [await redis_store.client.dump(key) for key in (keys.head, keys.log)]
    await history.add(log)
    for key, dumped in zip((keys.head, keys.log), before, strict=True):
        await redis_store.client.restore(key, 0, dumped, replace=True)
    assert await log.append(history.code, history.next()) == Conflict(history.commits[0].at)
    assert await log.read(history.code, history.last) is None
    assert await log.heads([history.code]) == {history.code: Head(history.commits[0].at, 0)}


async def test_a_gap_in_the_log_is_an_error_with_table_and_number(log, redis_store, history):
    await history.create(log)
    for _ in range(4):
        await history.add(log)
    await redis_store.client.xdel(keys_of(history.code).log, "3-0")
    for request in (log.load(history.code), log.read(history.code, history.commits[0].at)):
        with pytest.raises(CorruptLogError, match=f"{history.code} is damaged at commit 3") as raised:
            await request
        assert (raised.value.code, raised.value.n) == (history.code, 3)


@pytest.mark.parametrize(("lost", "found_at"), [(1, 2), (3, 3)])
async def test_a_missing_first_or_last_commit_is_an_error(log, redis_store, history, lost, found_at):
    await history.create(log)
    for _ in range(2):
        await history.add(log)
    await redis_store.client.xdel(keys_of(history.code).log, f"{lost}-0")
    with pytest.raises(CorruptLogError, match=f"damaged at commit {found_at}"):
        await log.load(history.code)


async def test_a_log_that_goes_beyond_its_head_refuses_appends(log, redis_store, history):
    await history.create(log)
    await redis_store.client.xadd(keys_of(history.code).log, {"id": "0", "parent": "0", "commit": "?"}, id="5-0")
    before = await dump_all(redis_store.client)
    with pytest.raises(CorruptLogError, match="the log goes on to 5-0 while its head says 1"):
        await log.append(history.code, history.next())
    assert await dump_all(redis_store.client) == before


async def test_a_broken_chain_is_an_error(log, redis_store, history):
    await history.create(log)
    await history.add(log)
    draft = history.next()
    foreign = type(draft)(3, draft.id, "0123456789abcdef", None, None, ())
    keys = keys_of(history.code)
    entry = {"id": foreign.id, "parent": foreign.parent, "commit": dump(foreign)}
    await redis_store.client.xadd(keys.log, entry, id="3-0")
    await redis_store.client.hset(keys.head, mapping={"n": 3, "id": foreign.id})
    for request in (log.load(history.code), log.read(history.code, history.commits[0].at)):
        with pytest.raises(CorruptLogError, match=f"its parent is commit 0123456789abcdef, not {history.last.id}"):
            await request


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
                    [1, {"n": 3, "id": "", "parent": "", "player": None, "request": None, "events": []}]
                )
            },
            "its content is commit 3",
        ),
    ],
)
async def test_an_invalid_commit_is_an_error(log, redis_store, history, fields, problem):
    await history.create(log)
    keys, draft = keys_of(history.code), history.next()
    entry = {"id": draft.id, "parent": draft.parent, "commit": dump(draft)} | fields
    await redis_store.client.xadd(keys.log, entry, id="2-0")
    await redis_store.client.hset(keys.head, mapping={"n": 2, "id": draft.id})
    with pytest.raises(CorruptLogError, match=f"{history.code} is damaged at commit 2: .*{problem}"):
        await log.load(history.code)


async def test_a_head_other_than_the_end_of_the_log_is_an_error(log, redis_store, history):
    await history.create(log)
    await redis_store.client.hset(keys_of(history.code).head, "id", "0123456789abcdef")
    with pytest.raises(CorruptLogError, match=f"the log ends with commit 1 {history.last.id}, not 1 0123456789abcdef"):
        await log.load(history.code)


async def rewrite(client, log_key, n, fields):
    """Replace the fields of the last entry of a stream."""
    await client.xtrim(log_key, minid=f"{n}-0", approximate=False)
    await client.delete(log_key)
    await client.xadd(log_key, fields, id=f"{n}-0")


async def test_a_missing_or_foreign_snapshot_is_an_error(log, redis_store, history):
    await history.create(log)
    await history.add(log, snapshot=history.table())
    keys = keys_of(history.code)
    [(_, fields)] = await redis_store.client.xrange(keys.log)
    await rewrite(redis_store.client, keys.log, 2, {name: fields[name] for name in (b"id", b"parent", b"commit")})
    with pytest.raises(CorruptLogError, match="commit 2: the log begins with it, and it has no snapshot"):
        await log.load(history.code)
    of_another_number = dump(Snapshot(LogPosition(3, history.last.id), history.table()))
    await rewrite(redis_store.client, keys.log, 2, fields | {b"snapshot": of_another_number})
    with pytest.raises(CorruptLogError, match="commit 2: its snapshot is of commit 3"):
        await log.load(history.code)
    of_another_id = dump(Snapshot(LogPosition(2, "0123456789abcdef"), history.table()))
    await rewrite(redis_store.client, keys.log, 2, fields | {b"snapshot": of_another_id})
    with pytest.raises(CorruptLogError, match="commit 2: its snapshot is of a commit with another id"):
        await log.load(history.code)


# Newer schemas


async def test_a_table_of_a_newer_version_is_neither_read_nor_appended_to(log, redis_store, history):
    await history.create(log)
    await redis_store.client.hset(keys_of(history.code).head, "schema", SCHEMA + 1)
    before = await dump_all(redis_store.client)
    with pytest.raises(NewerVersionError, match=f"{history.code} was written by a newer version of this server"):
        await log.load(history.code)
    with pytest.raises(NewerVersionError):
        await log.append(history.code, history.next())
    assert await dump_all(redis_store.client) == before


async def test_a_commit_of_a_newer_version_is_not_read(log, redis_store, history):
    await history.create(log)
    entry = {"id": "00", "parent": history.last.id, "commit": msgpack.packb([SCHEMA + 1, {}])}
    await redis_store.client.xadd(keys_of(history.code).log, entry, id="2-0")
    with pytest.raises(NewerVersionError):
        await log.read(history.code, history.last)


# Wake-ups


async def test_an_invalid_wakeup_is_ignored(log, redis_store, history, subscriber):
    async with subscriber().on(log) as received:
        channel = keys_of(history.code).channel
        prefix = f"{history.code}\0".encode()
        commits = (b"", b"no code", b"\xff\0", prefix, prefix + b"\xc1", prefix + msgpack.packb([SCHEMA + 1, {}]))
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
        presences = [prefix + b"\0" + msgpack.packb(shape) for shape in shapes]
        for message in (*commits, prefix + b"\0", prefix + b"\0\xc1", *presences):
            await redis_store.client.execute_command("SPUBLISH", channel, message)
        await history.create(log)
        assert await received.of(history) == history.commits[0]


async def test_a_frozen_subscription_is_detected_and_replaced(proxy, log, history, subscriber, until):
    async with open_log(proxy.url, keepalive_s=0.02) as proxied, subscriber().on(proxied) as received:
        proxy.frozen = True
        await history.create(log)  # this wake-up is lost
        swallowed = proxy.requests
        await until(lambda: proxy.requests > swallowed)
        proxy.frozen = False
        await received.wait_until_subscribed()
        await history.add(log)
        assert await received.of(history) == history.commits[1]


async def test_a_healthy_silent_subscription_is_kept(proxy, log, history, subscriber, until):
    async with open_log(proxy.url, keepalive_s=0.1) as proxied, subscriber().on(proxied) as received:
        enough = proxy.requests + 5
        await until(lambda: proxy.requests >= enough)  # pings
        await history.create(log)
        assert await received.next() == (history.code, history.commits[0])  # not SUBSCRIBED again


async def test_listening_continues_after_the_store_died(own_store, admin, history, subscriber):
    async with open_log(own_store) as log, subscriber().on(log) as received:
        os.kill((await admin.info("server"))["process_id"], signal.SIGKILL)
        await received.wait_until_subscribed()
        await history.create(log)
        assert await received.of(history) == history.commits[0]


async def test_an_error_of_the_subscriber_is_raised(log, subscriber):
    received = subscriber()
    received.resubscribed = lambda: 1 / 0
    with pytest.raises(ExceptionGroup) as failed:
        await log.listen(received)
    assert [type(error) for error in failed.value.exceptions] == [ZeroDivisionError]


# Replies of the script


def test_an_unknown_reply_of_the_script_is_an_error(history):
    with pytest.raises(AssertionError, match="SURPRISE"):
        replies.parse_append(history.code, history.next(), [b"SURPRISE"])
