"""A store of a master, replicas and Sentinels: what was acknowledged outlives the master, and a rewind is seen."""

import signal

import pytest

from server.store.keys import keys_of
from server.store.log import Appended, Conflict, LoadedTable
from server.store.log import StoreUnavailable as Unavailable
from tests.ports import free_ports
from tests.server.store.fleets import SERVICE, Process, SentinelFleet, eventually
from tests.server.store.load import Load, Shared, all_is_there
from tests.server.store.redis_logs import logging_at


@pytest.fixture
def fleet(tmp_path):
    with SentinelFleet(tmp_path) as fleet:
        yield fleet


def replicas(fleet):
    master = fleet.owner_of("")
    return [server for server in fleet.servers if server is not master]


# Waiting for a replica


async def test_what_no_replica_confirms_is_not_told_as_appended_not_even_when_asked_again_elsewhere(fleet, story):
    async with (
        logging_at(fleet.url, timeout_s=0.7, attempt_timeout_s=0.3) as log,
        logging_at(fleet.url, timeout_s=0.7, attempt_timeout_s=0.3) as other,
    ):
        await story.begin(log)
        commit = story.next(player="ann", request="1")
        for replica in replicas(fleet):
            replica.running.send_signal(signal.SIGSTOP)
        for each in (log, other):
            with pytest.raises(Unavailable, match="has no replica that confirms the write"):
                await each.append(story.code, commit)
        for replica in replicas(fleet):
            replica.running.send_signal(signal.SIGCONT)
        assert await other.append(story.code, commit) == Appended(commit.at)
        assert await log.load(story.code) == LoadedTable(None, (*story.told, commit))


async def test_what_no_replica_has_confirmed_yet_is_shown_to_nobody(fleet, story, ear):
    """Else another server might show a card that a failover takes back, though nobody was told that it was played."""
    async with logging_at(fleet.url, timeout_s=0.7, attempt_timeout_s=0.3) as log, ear().on(log) as hearing:
        await story.begin(log)
        assert await hearing.of(story) == story.told[0]
        commit = story.next()
        for replica in replicas(fleet):
            replica.running.send_signal(signal.SIGSTOP)
        with pytest.raises(Unavailable):
            await log.append(story.code, commit)
        assert hearing.is_quiet()
        for replica in replicas(fleet):
            replica.running.send_signal(signal.SIGCONT)
        assert await log.append(story.code, commit) == Appended(commit.at)
        assert await hearing.of(story) == commit


async def test_a_table_that_no_replica_confirms_is_not_told_as_created(fleet, story):
    async with (
        logging_at(fleet.url, timeout_s=0.7, attempt_timeout_s=0.3) as log,
        logging_at(fleet.url, timeout_s=0.7, attempt_timeout_s=0.3) as other,
    ):
        first = story.next()
        await log.heads([story.code])
        for replica in replicas(fleet):
            replica.running.send_signal(signal.SIGSTOP)
        for each in (log, other):
            with pytest.raises(Unavailable, match="has no replica that confirms"):
                await each.create(story.code, first)


# Failover


@pytest.mark.parametrize("end", ["killed", "stopped", "asked to step down"])
async def test_every_acknowledged_append_outlives_the_master_and_is_heard_of(fleet, story, ear, end):
    async with (
        logging_at(fleet.url, timeout_s=20, keepalive_s=1) as one,
        logging_at(fleet.url, timeout_s=20, keepalive_s=1) as two,
        ear().on(two) as hearing,
    ):
        stories = [await type(story)().begin(one) for _ in range(6)]
        await story.begin(one)
        shared, load = Shared(story.code, story.last), Load()
        codes = [each.code for each in (*stories, story)]
        old = fleet.owner_of("")
        async with load.on((one, two), stories, shared):
            await load.goes_on(codes)
            match end:
                case "killed":
                    old.kill()
                case "stopped":
                    old.running.send_signal(signal.SIGSTOP)
                case _:
                    command = ("SENTINEL", "FAILOVER", SERVICE, "COORDINATED")
                    await eventually(lambda: fleet.sentinels[0].client.execute_command(*command))
            await eventually(lambda: fleet.owner_of("") is not old)
            await load.goes_on(codes)
            await hearing.subscribed()
            old.running.send_signal(signal.SIGCONT)
            await load.goes_on(codes)
        silence = max(load.longest_silence(code) for code in codes)
        print(f"\nSentinel, master {end}: {sum(map(load.count, codes))} appends, silence {silence:.2f} s")
        await all_is_there(stories, shared, (one, two), hearing, stories[:1])


@pytest.fixture
def stale_sentinel(tmp_path):
    """It names a master that nobody else knows."""
    master_port, port = free_ports(2)
    master = Process(tmp_path, master_port, ["appendonly yes"])
    sentinel = Process(tmp_path, port, [f"sentinel monitor {SERVICE} 127.0.0.1 {master_port} 1"], "--sentinel")
    yield sentinel
    for each in (sentinel, master):
        each.close()


async def test_a_sentinel_that_is_behind_the_times_is_not_believed_for_long(sentinel_fleet, stale_sentinel, story):
    await eventually(stale_sentinel.client.ping)
    async with logging_at(sentinel_fleet.url.replace("://", f"://{stale_sentinel.at},")) as log:
        await story.begin(log)
        await story.add(log)
    async with logging_at(sentinel_fleet.url) as log:
        assert await log.load(story.code) == LoadedTable(None, tuple(story.told))


async def test_a_master_that_was_promoted_without_the_end_of_a_log_shows_it(fleet, story):
    async with logging_at(fleet.url, timeout_s=20) as log:
        await story.begin(log)
        await story.add(log)
        master, (ahead, behind) = fleet.owner_of(""), replicas(fleet)
        await eventually(lambda: behind.client.xlen(keys_of(story.code).log) == 2)
        behind.kill()
        lost = await story.add(log)  # confirmed by the other replica
        ahead.kill()
        master.kill()
        behind.start()
        before = story.told[-2].at
        heads = await log.heads([story.code])
        assert heads[story.code].at == before
        assert await log.read(story.code, lost.at) is None
        ahead.start()
        assert await log.append(story.code, story.next()) == Conflict(before)
