"""What only a log on a real server can meet: lost answers, kills, a full store, refusals, damage."""

import asyncio
import contextlib
import os
import re
import signal

import msgpack
import pytest
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from server.store import keys, redis_log
from server.store.keys import CHANNELS, keys_of
from server.store.log import Appended, Conflict, Duplicate, Gone, Loaded, StoreAlarm, StoreError, StoreNewer
from server.store.log import StoreUnavailable as Unavailable
from server.store.redis_log import RedisLog
from server.store.written import SCHEMA, write

PLAYING = {"snapshot": None, "deadline_ms": None, "status": "playing"}


@contextlib.asynccontextmanager
async def logging_at(url, **settings):
    log = RedisLog.at(url, **settings)
    try:
        yield log
    finally:
        await log.close()


async def impatient(_seconds):
    raise AssertionError("asked again, though the answer was final")


@pytest.fixture
async def log(redis_store):
    return redis_store.open()


# The keys


def test_all_of_a_table_is_kept_under_the_hash_tag_of_its_bucket():
    assert keys_of("QUEEN7") == keys.Keys(
        "sp:{b234}:QUEEN7:h", "sp:{b234}:QUEEN7:l", "sp:{b234}:QUEEN7:s", "sp:{b234}:due", "sp:{b234}:w"
    )
    assert len(set(CHANNELS)) == 256
    assert keys_of("QUEEN7").channel in CHANNELS


async def test_every_key_of_a_table_expires_when_it_lies_idle(store_url, redis_store, story):
    async with logging_at(store_url, idle_ms=60_000) as log:
        await story.begin(log)
        where = keys_of(story.code)
        for key in (where.head, where.log):
            assert 50_000 < await redis_store.client.pttl(key) <= 60_000
        await redis_store.client.persist(where.head)
        await redis_store.client.persist(where.log)
        await story.add(log, snapshot=story.table())
        for key in (where.head, where.log, where.snapshot):
            assert 50_000 < await redis_store.client.pttl(key) <= 60_000


async def test_without_a_word_a_table_is_kept_fourteen_days(log, redis_store, story):
    await story.begin(log)
    assert await redis_store.client.pttl(keys_of(story.code).head) == pytest.approx(14 * 86_400_000, abs=60_000)


async def test_the_head_tells_status_deadline_and_snapshot_and_the_bucket_knows_who_is_due(log, redis_store, story):
    await story.begin(log)
    where = keys_of(story.code)
    assert (await redis_store.client.hget(where.head, "status")) == b"lobby"
    first, second = story.next(), None
    await log.append(story.code, first, snapshot=story.table(), deadline_ms=1_900_000_000_123, status="bidding")
    story.told.append(first)
    told = await redis_store.client.hmget(where.head, "v", "e", "status", "deadline", "snapshot", "schema")
    assert told == [b"2", first.e.encode(), b"bidding", b"1900000000123", b"2", str(SCHEMA).encode()]
    assert await redis_store.client.zscore(where.due, story.code) == 1_900_000_000_123
    second = story.next()
    await log.append(story.code, second, snapshot=None, deadline_ms=None, status="playing")
    assert await redis_store.client.hmget(where.head, "status", "deadline", "snapshot") == [b"playing", None, b"2"]
    assert await redis_store.client.zscore(where.due, story.code) is None


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
            await behind_the_wire.tops([story.code])
            wire.lose_answers = lost
            await story.add(behind_the_wire, story.next(player="ann", request=f"{story.top.n}"))
    assert await log.load(story.code) == Loaded(None, tuple(story.told))


async def test_a_lost_answer_to_a_creation_is_found(wire, log, story):
    async with logging_at(wire.url) as behind_the_wire:
        await behind_the_wire.tops([story.code])
        wire.lose_answers = 1
        await story.begin(behind_the_wire)
    assert await log.load(story.code) == Loaded(None, tuple(story.told))


async def test_a_lost_request_is_sent_again(wire, log, story):
    await story.begin(log)
    async with logging_at(wire.url) as behind_the_wire:
        await behind_the_wire.tops([story.code])
        wire.lose_requests = 2
        await story.add(behind_the_wire)
    assert await log.load(story.code) == Loaded(None, tuple(story.told))


async def test_a_client_library_that_tries_again_by_itself_does_no_harm(wire, log, story):
    await story.begin(log)
    client = Redis.from_url(wire.url, protocol=2, retry=Retry(NoBackoff(), 3))
    eager = RedisLog(client)
    for lost in (1, 2, 3):
        await eager.tops([story.code])
        wire.lose_answers = lost
        await story.add(eager)
    await eager.close()
    assert await log.load(story.code) == Loaded(None, tuple(story.told))


async def test_an_append_whose_outcome_stays_unknown_is_never_told_as_appended(wire, log, story):
    await story.begin(log)
    async with logging_at(wire.url, give_up_after_s=0.15) as behind_the_wire:
        await behind_the_wire.tops([story.code])
        wire.lose_answers = 1_000_000
        commit = story.next()
        with pytest.raises(Unavailable, match=re.escape(str(wire.url.removeprefix("unix://")))):
            await behind_the_wire.append(story.code, commit, **PLAYING)
    assert await log.load(story.code) == Loaded(None, (*story.told, commit))  # it was stored, and nobody said so


async def test_a_store_that_hangs_is_given_up_in_time(wire, story):
    async with logging_at(wire.url, give_up_after_s=0.15) as behind_the_wire:
        await behind_the_wire.tops([story.code])
        wire.dead = True
        async with asyncio.timeout(2):
            with pytest.raises(Unavailable, match="does not answer in time"):
                await behind_the_wire.tops([story.code])


async def test_pauses_between_tries_grow_and_are_jittered(tmp_path):
    pauses = []

    async def sleep(seconds):
        pauses.append(seconds)
        if len(pauses) == 8:
            await asyncio.Event().wait()

    async with logging_at(f"unix://{tmp_path}/none.sock", give_up_after_s=0.1, sleep=sleep) as log:
        with pytest.raises(Unavailable):
            await log.load("T")
    assert all(low / 2 <= pause <= low for pause, low in zip(pauses, (0.02, 0.04, 0.08, 0.16, 0.32), strict=False))
    assert len({round(pause / 0.02, 6) for pause in pauses}) == 8
    assert max(pauses) <= 0.5


async def test_a_cancelled_append_leaves_the_connections_in_order(wire, log, story):
    await story.begin(log)
    async with logging_at(wire.url, connections=1) as behind_the_wire:
        await behind_the_wire.tops([story.code])
        wire.dead = True
        given_up = asyncio.create_task(behind_the_wire.append(story.code, story.next(), **PLAYING))
        await asyncio.wait([given_up], timeout=0.05)
        given_up.cancel()
        await asyncio.wait([given_up])
        assert given_up.cancelled()
        wire.dead = False
        await story.add(behind_the_wire)
        assert await behind_the_wire.load(story.code) == Loaded(None, tuple(story.told))


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
    assert await log.load(story.code) == Loaded(None, tuple(story.told))


# A store that dies


async def test_what_was_acknowledged_survives_kills_of_the_store(own_store, admin, story, until):
    async with logging_at(own_store, give_up_after_s=20) as log:
        await story.begin(log)
        for _ in range(3):
            pid = (await admin.info("server"))["process_id"]
            writing = asyncio.create_task(keep_adding(log, story, 60))
            enough = story.top.n + 20
            await until(lambda: story.top.n >= enough)  # noqa: B023
            os.kill(pid, signal.SIGKILL)
            await writing
        assert await log.load(story.code) == Loaded(None, tuple(story.told))
        assert story.top.n == 181


async def keep_adding(log, story, times):
    for _ in range(times):
        await story.add(log, story.next(player="ann", request=f"{story.top.n}"))


# Refusals


async def test_a_full_store_refuses_and_nothing_has_changed(own_store, admin, story):
    async with logging_at(own_store, sleep=impatient) as log:
        await story.begin(log)
        stored = await story.add(log, story.next(player="ann", request="1"))
        before = await everything(admin)
        await admin.config_set("maxmemory", "1")
        with pytest.raises(Unavailable, match=r"is full: it has reached its maxmemory$"):
            await log.append(story.code, story.next(), snapshot=story.table(), deadline_ms=5, status="playing")
        with pytest.raises(Unavailable, match="is full"):
            await log.create("OTHER", type(story)().next())
        again = story.next(player="ann", request="1")
        assert await log.append(story.code, again, **PLAYING) == Duplicate(stored.n)  # asked, not refused
        await admin.config_set("maxmemory", "0")
        assert await everything(admin) == before
        await story.add(log)


async def everything(client):
    return {key: await client.dump(key) for key in sorted(await client.keys("*"))}


async def test_a_replica_that_takes_no_writes_is_named_and_nothing_has_changed(own_store, admin, story):
    async with logging_at(own_store, give_up_after_s=0.2) as log:
        await story.begin(log)
        await admin.execute_command("REPLICAOF", "127.0.0.1", "1")
        with pytest.raises(Unavailable, match="is a replica that takes no writes"):
            await log.append(story.code, story.next(), **PLAYING)
        await admin.execute_command("REPLICAOF", "NO", "ONE")
        assert await log.load(story.code) == Loaded(None, tuple(story.told))


async def test_an_append_waits_for_a_failover_to_pass(own_store, admin, story):
    async with logging_at(own_store) as log:
        await story.begin(log)
        await admin.execute_command("REPLICAOF", "127.0.0.1", "1")
        adding = asyncio.create_task(story.add(log))
        await asyncio.wait([adding], timeout=0.05)
        assert not adding.done()
        await admin.execute_command("REPLICAOF", "NO", "ONE")
        await adding


@pytest.mark.parametrize("user", ["", "someone@"])
async def test_a_wrong_password_is_said_plainly_and_never_shown(own_store, admin, user):
    await admin.execute_command("ACL", "SETUSER", "someone", "on", ">right", "~*", "&*", "+@all")
    await admin.config_set("requirepass", "right")
    try:
        path = own_store.removeprefix("unix://")
        async with logging_at(f"unix://{user}{path}?password=hunter2", sleep=impatient) as log:
            with pytest.raises(Unavailable) as refused:
                await log.check()
            assert str(refused.value) == f"the store at {path} refuses the user name or the password"
            assert "hunter2" not in repr(refused.value.__cause__)
        async with logging_at(own_store, sleep=impatient) as log:
            with pytest.raises(Unavailable, match="asks for a password"):
                await log.check()
        async with logging_at(f"unix://{path}?password=right") as log:
            await log.check()
    finally:
        await admin.config_set("requirepass", "")


async def test_a_user_without_the_rights_is_told_which_one_is_missing(own_store, admin, story):
    await admin.execute_command("ACL", "SETUSER", "reader", "on", ">pw", "~*", "&*", "+@read", "+@connection")
    async with logging_at(own_store.replace("unix://", "unix://reader@") + "?password=pw", sleep=impatient) as log:
        with pytest.raises(Unavailable, match=r"does not allow this user what the server needs.*evalsha"):
            await log.create(story.code, story.next())


async def test_a_port_where_nobody_listens_is_named(unused_tcp_port):
    async with logging_at(f"redis://:hunter2@127.0.0.1:{unused_tcp_port}", give_up_after_s=0.1) as log:
        with pytest.raises(Unavailable) as refused:
            await log.check()
    assert str(refused.value) == f"the store at 127.0.0.1:{unused_tcp_port} cannot be reached: Connection refused"


async def test_a_missing_socket_is_named(tmp_path):
    async with logging_at(f"unix://{tmp_path}/none.sock", give_up_after_s=0.1) as log:
        with pytest.raises(Unavailable) as refused:
            await log.check()
    assert str(refused.value) == f"the store at {tmp_path}/none.sock cannot be reached: No such file or directory"


@pytest.mark.parametrize("url", ["http://host", "host:6379", "", "redis://host:port", "unix:///s?colour=red"])
def test_an_address_that_is_none_is_refused(url):
    with pytest.raises(StoreError, match="the address of the store is not understood: use redis://HOST:PORT"):
        RedisLog.at(url)


async def test_a_server_that_is_too_old_is_refused(log, monkeypatch):
    async def info(_section):
        return {"redis_version": "6.2.14"}

    monkeypatch.setattr(log._client, "info", info)
    with pytest.raises(Unavailable, match=r"has version 6\.2\.14; 7\.0 or later is needed"):
        await log.check()


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
    assert await log.append(story.code, story.next(), **PLAYING) == Gone()
    assert await log.load(story.code) is None
    assert await log.create(story.code, type(story)().next()) is False
    assert await log.create(story.code, story.told[0]) is False
    assert await everything(redis_store.client) == left


async def test_a_rewound_log_is_a_conflict_and_cannot_be_read_on(log, redis_store, story):
    await story.begin(log)
    where = keys_of(story.code)
    before = [await redis_store.client.dump(key) for key in (where.head, where.log)]
    await story.add(log)
    for key, dump in zip((where.head, where.log), before, strict=True):
        await redis_store.client.restore(key, 0, dump, replace=True)
    assert await log.append(story.code, story.next(), **PLAYING) == Conflict(story.told[0].at)
    assert await log.read(story.code, story.top) is None
    assert await log.tops([story.code]) == {story.code: story.told[0].at}


async def test_a_hole_in_the_log_is_an_alarm_with_table_and_number(log, redis_store, story):
    await story.begin(log)
    for _ in range(4):
        await story.add(log)
    await redis_store.client.xdel(keys_of(story.code).log, "3-0")
    for ask in (log.load(story.code), log.read(story.code, story.told[0].at)):
        with pytest.raises(StoreAlarm, match=f"{story.code} is damaged at commit 3") as alarm:
            await ask
        assert (alarm.value.code, alarm.value.n) == (story.code, 3)


@pytest.mark.parametrize("lost", [1, 3])
async def test_a_missing_end_is_an_alarm(log, redis_store, story, lost):
    await story.begin(log)
    for _ in range(2):
        await story.add(log)
    await redis_store.client.xdel(keys_of(story.code).log, f"{lost}-0")
    with pytest.raises(StoreAlarm, match=f"damaged at commit {lost}"):
        await log.load(story.code)


async def test_nothing_is_appended_to_a_log_that_goes_beyond_its_head(log, redis_store, story):
    await story.begin(log)
    await redis_store.client.xadd(keys_of(story.code).log, {"e": "0", "p": "0", "c": "?"}, id="5-0")
    before = await everything(redis_store.client)
    with pytest.raises(StoreAlarm, match="the log goes on to 5-0 while its head says 1"):
        await log.append(story.code, story.next(), **PLAYING)
    assert await everything(redis_store.client) == before


async def test_a_broken_chain_is_an_alarm(log, redis_store, story):
    await story.begin(log)
    await story.add(log)
    draft = story.next()
    foreign = type(draft)(3, draft.e, "0123456789abcdef", None, None, ())
    where = keys_of(story.code)
    await redis_store.client.xadd(where.log, {"e": foreign.e, "p": foreign.p, "c": write(foreign)}, id="3-0")
    await redis_store.client.hset(where.head, mapping={"v": 3, "e": foreign.e})
    for ask in (log.load(story.code), log.read(story.code, story.told[0].at)):
        with pytest.raises(StoreAlarm, match=f"commit 3: it follows commit 0123456789abcdef, not {story.top.e}"):
            await ask


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"e": "x"}, "its ids are not those of its entry"),
        ({"c": b"\xc1"}, "its bytes cannot be read"),
        ({"c": b""}, "its bytes cannot be read"),
        ({"c": msgpack.packb(7)}, "its bytes cannot be read"),
        ({"c": msgpack.packb(["1", {}])}, "its bytes cannot be read"),
        ({"c": msgpack.packb([1, {"n": 2}])}, "missing"),
        (
            {"c": msgpack.packb([1, {"n": 3, "e": "", "p": "", "player": None, "request": None, "events": []}])},
            "is commit 3",
        ),
    ],
)
async def test_a_commit_that_is_none_is_an_alarm(log, redis_store, story, fields, problem):
    await story.begin(log)
    where, draft = keys_of(story.code), story.next()
    entry = {"e": draft.e, "p": draft.p, "c": write(draft)} | fields
    await redis_store.client.xadd(where.log, entry, id="2-0")
    await redis_store.client.hset(where.head, mapping={"v": 2, "e": draft.e})
    with pytest.raises(StoreAlarm, match=f"{story.code} is damaged at commit 2: .*{problem}"):
        await log.load(story.code)


async def test_a_head_that_is_not_the_end_of_the_log_is_an_alarm(log, redis_store, story):
    await story.begin(log)
    await redis_store.client.hset(keys_of(story.code).head, "e", "0123456789abcdef")
    with pytest.raises(StoreAlarm, match=f"the log ends with commit 1 {story.top.e}, not 1 0123456789abcdef"):
        await log.load(story.code)


async def test_a_snapshot_that_is_missing_or_of_another_commit_is_an_alarm(log, redis_store, story):
    await story.begin(log)
    await story.add(log, snapshot=story.table())
    where = keys_of(story.code)
    old = await redis_store.client.get(where.snapshot)
    await redis_store.client.delete(where.snapshot)
    with pytest.raises(StoreAlarm, match="commit 2: its snapshot is missing"):
        await log.load(story.code)
    await story.add(log, snapshot=story.table())
    await redis_store.client.set(where.snapshot, old)
    with pytest.raises(StoreAlarm, match="commit 3: its snapshot is of commit 2"):
        await log.load(story.code)
    wrong = old.replace(story.told[1].e.encode(), b"0123456789abcdef")
    await redis_store.client.hset(where.head, "snapshot", 2)
    await redis_store.client.set(where.snapshot, wrong)
    with pytest.raises(StoreAlarm, match="commit 2: it is not the one its snapshot was made of"):
        await log.load(story.code)


# Newer schemas


async def test_a_table_of_a_newer_server_is_neither_read_nor_appended_to(log, redis_store, story):
    await story.begin(log)
    await redis_store.client.hset(keys_of(story.code).head, "schema", SCHEMA + 1)
    before = await everything(redis_store.client)
    with pytest.raises(StoreNewer, match=f"{story.code} was written by a newer version of this server"):
        await log.load(story.code)
    with pytest.raises(StoreNewer):
        await log.append(story.code, story.next(), **PLAYING)
    assert await everything(redis_store.client) == before


async def test_a_single_commit_of_a_newer_server_is_not_read(log, redis_store, story):
    await story.begin(log)
    newer = msgpack.packb([SCHEMA + 1, {}])
    await redis_store.client.xadd(keys_of(story.code).log, {"e": "00", "p": story.top.e, "c": newer}, id="2-0")
    with pytest.raises(StoreNewer):
        await log.read(story.code, story.top)


# Wake-ups


async def test_a_wakeup_that_is_not_understood_is_passed_over(log, redis_store, story, ear):
    async with ear().on(log) as hearing:
        channel = keys_of(story.code).channel
        for said in (b"", b"no code", f"{story.code}\0".encode() + msgpack.packb([SCHEMA + 1, {}])):
            await redis_store.client.execute_command("SPUBLISH", channel, said)
        await story.begin(log)
        assert await hearing.of(story) == story.told[0]


async def test_a_line_that_went_dead_is_noticed_and_replaced(wire, log, story, ear, until):
    async with logging_at(wire.url, quiet_s=0.02) as behind_the_wire, ear().on(behind_the_wire) as hearing:
        wire.dead = True
        await story.begin(log)  # this one is lost
        swallowed = wire.requests
        await until(lambda: wire.requests > swallowed)
        wire.dead = False
        await hearing.subscribed()
        await story.add(log)
        assert await hearing.of(story) == story.told[1]


async def test_a_quiet_line_in_order_is_kept(wire, log, story, ear, until):
    async with logging_at(wire.url, quiet_s=0.01) as behind_the_wire, ear().on(behind_the_wire) as hearing:
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


async def test_an_error_of_the_one_who_listens_is_not_swallowed(log):
    def fail():
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await log.listen(lambda *_: None, fail)


# The script answers only what is known


def test_an_unknown_answer_of_the_script_is_an_error_of_ours(story):
    with pytest.raises(AssertionError, match="SURPRISE"):
        redis_log._outcome(story.code, story.next(), ["SURPRISE"])
    assert redis_log._outcome(story.code, commit := story.next(), ["OWN"]) == Appended(commit.at)
