"""RedisLog on a real server: keys, and lost requests and replies."""

import asyncio
import os
import re
import signal
import time

import pytest

from server.store.keys import CHANNELS, Keys, keys_of
from server.store.log import LoadedTable
from server.store.log import StoreUnavailable as Unavailable
from server.store.serialization import SCHEMA, load_game
from tests.server.store.stores import open_log


@pytest.fixture
async def log(redis_store):
    return redis_store.open()


# Keys


def test_all_keys_of_a_table_have_the_hash_tag_of_its_bucket():
    assert keys_of("QUEEN7") == Keys(
        "spades:{b234}:QUEEN7",
        "spades:{b234}:QUEEN7:head",
        "spades:{b234}:QUEEN7:log",
        "spades:{b234}:games",
        "spades:{b234}:wakeups",
    )
    assert keys_of("QUEEN7").game(42) == "spades:{b234}:QUEEN7:game:42"
    assert len(set(CHANNELS)) == 256
    assert keys_of("QUEEN7").channel in CHANNELS


async def test_every_key_of_an_idle_table_expires(store_url, redis_store, history):
    async with open_log(store_url, table_ttl_ms=60_000) as log:
        await history.create(log)
        keys = keys_of(history.code)
        for key in (keys.head, keys.log):
            assert 50_000 < await redis_store.client.pttl(key) <= 60_000
        await redis_store.client.persist(keys.head)
        await redis_store.client.persist(keys.log)
        await history.add(log, snapshot=history.table())
        for key in (keys.head, keys.log):
            assert 50_000 < await redis_store.client.pttl(key) <= 60_000


async def test_by_default_a_table_is_kept_fourteen_days(log, redis_store, history):
    await history.create(log)
    assert await redis_store.client.pttl(keys_of(history.code).head) == pytest.approx(14 * 86_400_000, abs=60_000)


async def test_the_head_holds_deadline_and_snapshot(log, redis_store, history):
    await history.create(log)
    keys = keys_of(history.code)
    before = time.time_ns() // 1_000_000
    commit = history.next()
    await log.append(history.code, commit, snapshot=history.table(), ms_until_deadline=5000)
    n, commit_id, snapshot, schema, deadline = await redis_store.client.hmget(
        keys.head, "n", "id", "snapshot", "schema", "deadline"
    )
    assert (n, commit_id, snapshot, schema) == (b"2", commit.id.encode(), b"2", str(SCHEMA).encode())
    assert int(deadline) == pytest.approx(before + 5000, abs=500)


async def test_the_checkpoints_leave_the_head_compact(log, redis_store, history):
    await history.create(log)
    for _ in range(6):
        await history.add(log, snapshot=history.table())
    assert await redis_store.client.object("encoding", keys_of(history.code).head) == b"listpack"


async def test_a_finished_game_is_archived_with_a_lifetime(store_url, redis_store, history):
    async with open_log(store_url, game_ttl_ms=60_000) as log:
        await history.create(log)
        commit = history.next()
        await log.append(history.code, commit, game="a game\n")
    keys = keys_of(history.code)
    assert load_game(await redis_store.client.get(keys.game(commit.n))) == "a game\n"
    assert 50_000 < await redis_store.client.pttl(keys.game(commit.n)) <= 60_000
    finished = await redis_store.client.zscore(keys.games, f"{history.code}:{commit.n}")
    assert finished == pytest.approx(time.time_ns() // 1_000_000, abs=5000)


async def test_expired_games_leave_the_index_when_another_one_ends(store_url, redis_store, history):
    keys = keys_of(history.code)
    async with open_log(store_url, game_ttl_ms=60_000) as log:
        await history.create(log)
        await redis_store.client.zadd(keys.games, {"OLDER:9": time.time_ns() // 1_000_000 - 60_001})
        await log.append(history.code, history.next(), game="a game\n")
    assert await redis_store.client.zscore(keys.games, "OLDER:9") is None


async def test_trimming_keeps_the_commit_of_the_snapshot(log, redis_store, history):
    await history.create(log)
    await history.add(log)
    await history.add(log, snapshot=history.table())
    await history.add(log)
    entries = await redis_store.client.xrange(keys_of(history.code).log)
    assert [entry_id for entry_id, _ in entries] == [b"3-0", b"4-0"]


# Lost requests and replies


async def test_after_a_lost_reply_the_commit_is_found_and_not_stored_twice(proxy, log, history):
    await history.create(log)
    async with open_log(proxy.url) as proxied:
        for lost in (1, 1, 2, 3):
            await proxied.heads([history.code])
            proxy.drop_replies = lost
            await history.add(proxied, history.next(player="ann", request=f"{history.last.n}"))
    assert await log.load(history.code) == LoadedTable(None, tuple(history.commits))


async def test_after_a_lost_reply_the_created_table_is_found(proxy, log, history):
    async with open_log(proxy.url) as proxied:
        await proxied.heads([history.code])
        proxy.drop_replies = 1
        await history.create(proxied)
    assert await log.load(history.code) == LoadedTable(None, tuple(history.commits))


async def test_a_lost_request_is_retried(proxy, log, history):
    await history.create(log)
    async with open_log(proxy.url) as proxied:
        await proxied.heads([history.code])
        proxy.drop_requests = 2
        await history.add(proxied)
    assert await log.load(history.code) == LoadedTable(None, tuple(history.commits))


async def test_an_append_with_an_unknown_outcome_is_unavailable(proxy, log, history):
    await history.create(log)
    async with open_log(proxy.url, timeout_s=0.15) as proxied:
        await proxied.heads([history.code])
        proxy.drop_replies = 1_000_000
        commit = history.next()
        with pytest.raises(Unavailable, match=re.escape(str(proxy.url.removeprefix("unix://")))):
            await proxied.append(history.code, commit)
    # The commit was stored, and its reply lost.
    assert await log.load(history.code) == LoadedTable(None, (*history.commits, commit))


async def test_a_request_to_a_store_that_hangs_times_out(proxy, history):
    async with open_log(proxy.url, timeout_s=0.15) as proxied:
        await proxied.heads([history.code])
        proxy.frozen = True
        async with asyncio.timeout(2):
            with pytest.raises(Unavailable, match="does not answer in time"):
                await proxied.heads([history.code])


async def test_retries_back_off_exponentially_with_jitter(tmp_path):
    pauses = []

    async def sleep(seconds):
        pauses.append(seconds)
        if len(pauses) == 8:
            await asyncio.Event().wait()

    async with open_log(f"unix://{tmp_path}/none.sock", timeout_s=0.1, sleep=sleep) as log:
        with pytest.raises(Unavailable):
            await log.load("T")
    assert all(low / 2 <= pause <= low for pause, low in zip(pauses, (0.02, 0.04, 0.08, 0.16, 0.32), strict=False))
    assert len({round(pause / 0.02, 6) for pause in pauses}) == 8
    assert max(pauses) <= 0.5


async def test_a_cancelled_append_leaves_the_connections_usable(proxy, log, history):
    await history.create(log)
    async with open_log(proxy.url, connections=1) as proxied:
        await proxied.heads([history.code])
        proxy.frozen = True
        given_up = asyncio.create_task(proxied.append(history.code, history.next()))
        await asyncio.wait([given_up], timeout=0.05)
        given_up.cancel()
        await asyncio.wait([given_up])
        assert given_up.cancelled()
        proxy.frozen = False
        await history.add(proxied)
        assert await proxied.load(history.code) == LoadedTable(None, tuple(history.commits))


async def test_many_tables_share_few_connections_without_starving(proxy, history):
    async with open_log(proxy.url, connections=2) as log:
        tables = [await type(history)().create(log) for _ in range(24)]

        async def play(table):
            for _ in range(8):
                await table.add(log)

        async with asyncio.timeout(10), asyncio.TaskGroup() as group:
            for table in tables:
                group.create_task(play(table))
    assert proxy.connections == 2


async def test_scripts_are_sent_again_after_a_script_flush(log, redis_store, history):
    await history.create(log)
    await redis_store.client.script_flush()
    await history.add(log)
    await redis_store.client.script_flush()
    assert await log.load(history.code) == LoadedTable(None, tuple(history.commits))


# A store that dies


async def test_acknowledged_commits_survive_kills_of_the_store(own_store, admin, history, until):
    async with open_log(own_store, timeout_s=20) as log:
        await history.create(log)
        for _ in range(3):
            pid = (await admin.info("server"))["process_id"]
            writing = asyncio.create_task(keep_adding(log, history, 60))
            enough = history.last.n + 20
            await until(lambda: history.last.n >= enough)  # noqa: B023
            os.kill(pid, signal.SIGKILL)
            await writing
        assert await log.load(history.code) == LoadedTable(None, tuple(history.commits))
        assert history.last.n == 181


async def keep_adding(log, history, times):
    for _ in range(times):
        await history.add(log, history.next(player="ann", request=f"{history.last.n}"))
