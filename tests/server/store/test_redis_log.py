"""A log on a real server: its keys, and answers that get lost."""

import asyncio
import os
import re
import signal
import time

import pytest

from server.store import keys
from server.store.keys import CHANNELS, keys_of
from server.store.log import LoadedTable
from server.store.log import StoreUnavailable as Unavailable
from server.store.serialization import SCHEMA, load_game
from tests.server.store.redis_logs import logging_at


@pytest.fixture
async def log(redis_store):
    return redis_store.open()


# The keys


def test_all_of_a_table_is_kept_under_the_hash_tag_of_its_bucket():
    assert keys_of("QUEEN7") == keys.Keys(
        "spades:{b234}:QUEEN7",
        "spades:{b234}:QUEEN7:head",
        "spades:{b234}:QUEEN7:log",
        "spades:{b234}:games",
        "spades:{b234}:wakeups",
    )
    assert keys_of("QUEEN7").game(42) == "spades:{b234}:QUEEN7:game:42"
    assert len(set(CHANNELS)) == 256
    assert keys_of("QUEEN7").channel in CHANNELS


async def test_every_key_of_a_table_expires_when_it_lies_idle(store_url, redis_store, story):
    async with logging_at(store_url, table_ttl_ms=60_000) as log:
        await story.begin(log)
        where = keys_of(story.code)
        for key in (where.head, where.log):
            assert 50_000 < await redis_store.client.pttl(key) <= 60_000
        await redis_store.client.persist(where.head)
        await redis_store.client.persist(where.log)
        await story.add(log, snapshot=story.table())
        for key in (where.head, where.log):
            assert 50_000 < await redis_store.client.pttl(key) <= 60_000


async def test_without_a_word_a_table_is_kept_fourteen_days(log, redis_store, story):
    await story.begin(log)
    assert await redis_store.client.pttl(keys_of(story.code).head) == pytest.approx(14 * 86_400_000, abs=60_000)


async def test_the_head_tells_deadline_and_snapshot(log, redis_store, story):
    await story.begin(log)
    where = keys_of(story.code)
    before = time.time_ns() // 1_000_000
    commit = story.next()
    await log.append(story.code, commit, snapshot=story.table(), deadline_in_ms=5000)
    n, commit_id, snapshot, schema, deadline = await redis_store.client.hmget(
        where.head, "n", "id", "snapshot", "schema", "deadline"
    )
    assert (n, commit_id, snapshot, schema) == (b"2", commit.e.encode(), b"2", str(SCHEMA).encode())
    assert int(deadline) == pytest.approx(before + 5000, abs=500)


async def test_the_checkpoints_leave_the_head_compact(log, redis_store, story):
    await story.begin(log)
    for _ in range(6):
        await story.add(log, snapshot=story.table())
    assert await redis_store.client.object("encoding", keys_of(story.code).head) == b"listpack"


async def test_a_game_that_a_commit_ends_is_in_the_archive_for_a_stated_time(store_url, redis_store, story):
    async with logging_at(store_url, game_ttl_ms=60_000) as log:
        await story.begin(log)
        commit = story.next()
        await log.append(story.code, commit, game="a game\n")
    where = keys_of(story.code)
    assert load_game(await redis_store.client.get(where.game(commit.n))) == "a game\n"
    assert 50_000 < await redis_store.client.pttl(where.game(commit.n)) <= 60_000
    finished = await redis_store.client.zscore(where.games, f"{story.code}:{commit.n}")
    assert finished == pytest.approx(time.time_ns() // 1_000_000, abs=5000)


async def test_games_that_have_expired_leave_the_index_when_another_one_ends(store_url, redis_store, story):
    where = keys_of(story.code)
    async with logging_at(store_url, game_ttl_ms=60_000) as log:
        await story.begin(log)
        await redis_store.client.zadd(where.games, {"OLDER:9": time.time_ns() // 1_000_000 - 60_001})
        await log.append(story.code, story.next(), game="a game\n")
    assert await redis_store.client.zscore(where.games, "OLDER:9") is None


async def test_a_snapshot_trims_the_log_down_to_its_own_commit(log, redis_store, story):
    await story.begin(log)
    await story.add(log)
    await story.add(log, snapshot=story.table())
    await story.add(log)
    entries = await redis_store.client.xrange(keys_of(story.code).log)
    assert [entry_id for entry_id, _ in entries] == [b"3-0", b"4-0"]


# Lost requests and answers


async def test_a_lost_answer_is_found_and_nothing_is_doubled(wire, log, story):
    await story.begin(log)
    async with logging_at(wire.url) as behind_the_wire:
        for lost in (1, 1, 2, 3):
            await behind_the_wire.heads([story.code])
            wire.lose_answers = lost
            await story.add(behind_the_wire, story.next(player="ann", request=f"{story.last.n}"))
    assert await log.load(story.code) == LoadedTable(None, tuple(story.told))


async def test_a_lost_answer_to_a_creation_is_found(wire, log, story):
    async with logging_at(wire.url) as behind_the_wire:
        await behind_the_wire.heads([story.code])
        wire.lose_answers = 1
        await story.begin(behind_the_wire)
    assert await log.load(story.code) == LoadedTable(None, tuple(story.told))


async def test_a_lost_request_is_sent_again(wire, log, story):
    await story.begin(log)
    async with logging_at(wire.url) as behind_the_wire:
        await behind_the_wire.heads([story.code])
        wire.lose_requests = 2
        await story.add(behind_the_wire)
    assert await log.load(story.code) == LoadedTable(None, tuple(story.told))


async def test_an_append_whose_outcome_stays_unknown_is_never_told_as_appended(wire, log, story):
    await story.begin(log)
    async with logging_at(wire.url, timeout_s=0.15) as behind_the_wire:
        await behind_the_wire.heads([story.code])
        wire.lose_answers = 1_000_000
        commit = story.next()
        with pytest.raises(Unavailable, match=re.escape(str(wire.url.removeprefix("unix://")))):
            await behind_the_wire.append(story.code, commit)
    assert await log.load(story.code) == LoadedTable(None, (*story.told, commit))  # it was stored, and nobody said so


async def test_a_store_that_hangs_is_given_up_in_time(wire, story):
    async with logging_at(wire.url, timeout_s=0.15) as behind_the_wire:
        await behind_the_wire.heads([story.code])
        wire.dead = True
        async with asyncio.timeout(2):
            with pytest.raises(Unavailable, match="does not answer in time"):
                await behind_the_wire.heads([story.code])


async def test_pauses_between_tries_grow_and_are_jittered(tmp_path):
    pauses = []

    async def sleep(seconds):
        pauses.append(seconds)
        if len(pauses) == 8:
            await asyncio.Event().wait()

    async with logging_at(f"unix://{tmp_path}/none.sock", timeout_s=0.1, sleep=sleep) as log:
        with pytest.raises(Unavailable):
            await log.load("T")
    assert all(low / 2 <= pause <= low for pause, low in zip(pauses, (0.02, 0.04, 0.08, 0.16, 0.32), strict=False))
    assert len({round(pause / 0.02, 6) for pause in pauses}) == 8
    assert max(pauses) <= 0.5


async def test_a_cancelled_append_leaves_the_connections_in_order(wire, log, story):
    await story.begin(log)
    async with logging_at(wire.url, connections=1) as behind_the_wire:
        await behind_the_wire.heads([story.code])
        wire.dead = True
        given_up = asyncio.create_task(behind_the_wire.append(story.code, story.next()))
        await asyncio.wait([given_up], timeout=0.05)
        given_up.cancel()
        await asyncio.wait([given_up])
        assert given_up.cancelled()
        wire.dead = False
        await story.add(behind_the_wire)
        assert await behind_the_wire.load(story.code) == LoadedTable(None, tuple(story.told))


async def test_many_tables_share_few_connections_and_none_waits_forever(wire, story):
    async with logging_at(wire.url, connections=2) as log:
        tables = [await type(story)().begin(log) for _ in range(24)]

        async def play(table):
            for _ in range(8):
                await table.add(log)

        async with asyncio.timeout(10), asyncio.TaskGroup() as group:
            for table in tables:
                group.create_task(play(table))
    assert wire.connections == 2


async def test_scripts_are_sent_again_after_the_server_forgot_them(log, redis_store, story):
    await story.begin(log)
    await redis_store.client.script_flush()
    await story.add(log)
    await redis_store.client.script_flush()
    assert await log.load(story.code) == LoadedTable(None, tuple(story.told))


# A store that dies


async def test_what_was_acknowledged_survives_kills_of_the_store(own_store, admin, story, until):
    async with logging_at(own_store, timeout_s=20) as log:
        await story.begin(log)
        for _ in range(3):
            pid = (await admin.info("server"))["process_id"]
            writing = asyncio.create_task(keep_adding(log, story, 60))
            enough = story.last.n + 20
            await until(lambda: story.last.n >= enough)  # noqa: B023
            os.kill(pid, signal.SIGKILL)
            await writing
        assert await log.load(story.code) == LoadedTable(None, tuple(story.told))
        assert story.last.n == 181


async def keep_adding(log, story, times):
    for _ in range(times):
        await story.add(log, story.next(player="ann", request=f"{story.last.n}"))
