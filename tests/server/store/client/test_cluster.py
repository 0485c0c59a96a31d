"""A store that is a cluster: a master that dies takes nothing along, and slots move while tables are played."""

import signal

import pytest
from structlog.testing import capture_logs

from server.store.keys import keys_of
from server.store.log import Head, LoadedTable
from server.store.log import StoreUnavailable as Unavailable
from tests.server.store.fleets import ClusterFleet, eventually
from tests.server.store.load import Load, Shared, all_is_there
from tests.server.store.redis_logs import logging_at


@pytest.fixture
def fleet(tmp_path):
    with ClusterFleet(tmp_path) as fleet:
        yield fleet


def owner_of(fleet, story):
    return fleet.owner_of(keys_of(story.code).head)


async def begun_everywhere(fleet, log, kind):
    """Two tables on each master."""
    begun = {server: [] for server in fleet.servers[:3]}
    while any(len(stories) < 2 for stories in begun.values()):
        story = kind()
        if len(begun[owner_of(fleet, story)]) < 2:
            begun[owner_of(fleet, story)].append(await story.begin(log))
    return [story for stories in begun.values() for story in stories]


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGSTOP])
async def test_when_a_master_dies_its_tables_wait_and_lose_nothing_and_the_others_play_on(fleet, story, ear, end):
    async with (
        logging_at(fleet.url, timeout_s=20, keepalive_s=1, connections=2) as one,
        logging_at(fleet.url, timeout_s=20, keepalive_s=1, connections=2) as two,
        ear().on(two) as hearing,
    ):
        stories = await begun_everywhere(fleet, one, type(story))
        await story.begin(one)
        old = owner_of(fleet, story)
        concerned = [each for each in (*stories, story) if owner_of(fleet, each) is old]
        others = [each.code for each in stories if each not in concerned]
        shared, load = Shared(story.code, story.last), Load()
        codes = [each.code for each in (*stories, story)]
        async with load.on((one, two), stories, shared):
            await load.goes_on(codes)
            old.running.send_signal(end)
            await eventually(lambda: _promoted(fleet, old))
            if end is signal.SIGKILL:
                old.running.wait()
                old.start()  # as the only replica of its shard it is needed again
            else:
                old.running.send_signal(signal.SIGCONT)
            await load.goes_on(codes)
            await hearing.subscribed()
        silence = max(load.longest_silence(each.code) for each in concerned)
        meanwhile = max(load.longest_silence(code) for code in others)
        print(f"\nCluster, {end.name}: silence {silence:.2f} s, of the others {meanwhile:.2f} s")
        assert meanwhile < silence / 2
        await all_is_there(stories, shared, (one, two), hearing, (concerned[0], stories[0]))


def _promoted(fleet, old):
    replica = fleet.servers[fleet.servers.index(old) + 3]
    return replica.client.role()[0] == "master"


async def test_a_slot_moves_to_another_master_while_its_tables_are_played(fleet, story, another_story, ear):
    async with (
        logging_at(fleet.url, timeout_s=20) as one,
        logging_at(fleet.url, timeout_s=20) as two,
        ear().on(two) as hearing,
    ):
        await story.begin(one)
        await another_story.begin(one)
        slot = fleet.servers[0].client.execute_command("CLUSTER", "KEYSLOT", keys_of(story.code).head)
        source = owner_of(fleet, story)
        target = next(server for server in fleet.servers[:3] if server is not source)
        tables = [story, another_story]
        shared, load = Shared(story.code, story.last), Load()
        async with load.on((one, two), [another_story], shared):
            await load.goes_on([each.code for each in tables])
            target.client.execute_command("CLUSTER", "SETSLOT", slot, "IMPORTING", fleet.id_of(source))
            source.client.execute_command("CLUSTER", "SETSLOT", slot, "MIGRATING", fleet.id_of(target))
            while keys := source.client.execute_command("CLUSTER", "GETKEYSINSLOT", slot, 10):
                source.client.execute_command("MIGRATE", "127.0.0.1", target.port, "", 0, 5000, "KEYS", *keys)
            moved = len(shared.appended)
            heads = await one.heads([each.code for each in tables])  # the slot has no owner yet, its keys have
            assert heads[story.code].at.n > moved
            for server in (target, source):
                server.client.execute_command("CLUSTER", "SETSLOT", slot, "NODE", fleet.id_of(target))
            await load.goes_on([each.code for each in tables])
        await hearing.subscribed()
        assert owner_of(fleet, story) is target
        print(f"\nslot moved: silence {load.longest_silence(story.code):.2f} s")
        assert await shared.has_all_in(one)
        assert await two.load(another_story.code) == LoadedTable(None, tuple(another_story.told))
        story.told = list((await one.load(story.code)).commits)
        last = await story.add(one)
        while await hearing.of(story) != last:
            pass


async def test_what_is_done_on_purpose_is_hardly_noticed(fleet, story, ear):
    async with (
        logging_at(fleet.url, keepalive_s=1) as one,
        logging_at(fleet.url, keepalive_s=1) as two,
        ear().on(two) as hearing,
    ):
        stories = await begun_everywhere(fleet, one, type(story))
        await story.begin(one)
        shared, load = Shared(story.code, story.last), Load()
        codes = [each.code for each in (*stories, story)]
        async with load.on((one, two), stories, shared):
            for replica in fleet.servers[3:]:
                replica.client.execute_command("CLUSTER", "FAILOVER")
                await eventually(lambda: replica.client.role()[0] == "master")  # noqa: B023
                await load.goes_on(codes)
            source = owner_of(fleet, story)
            target = next(server for server in fleet.servers[3:] if server is not source)
            slot = source.client.execute_command("CLUSTER", "KEYSLOT", keys_of(story.code).head)
            source.client.execute_command(
                "CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", slot, slot, "NODE", fleet.id_of(target)
            )
            await eventually(lambda: owner_of(fleet, story) is target)
            await load.goes_on(codes)
            await hearing.subscribed()
        silence = max(load.longest_silence(code) for code in codes)
        print(f"\nCluster, replicas promoted and a slot moved on purpose: silence {silence:.2f} s")
        await all_is_there(stories, shared, (one, two), hearing, stories[:1])


async def test_a_server_starts_while_a_master_and_its_replica_are_away_and_says_so(fleet, story, another_story):
    away = owner_of(fleet, story)
    while owner_of(fleet, another_story) is away:
        another_story = type(story)()
    away.kill()
    fleet.servers[fleet.servers.index(away) + 3].kill()
    async with logging_at(fleet.url, timeout_s=1) as log:
        with capture_logs() as said:
            await log.check()
        assert said[0]["event"] == "part of the store is unavailable"
        assert said[0]["problem"] == f"the store at {away.at} cannot be reached: Connection refused"
        await another_story.begin(log)
        await another_story.add(log)
        with pytest.raises(Unavailable):
            await story.begin(log)


async def test_where_tables_stand_is_told_though_a_part_of_the_cluster_hangs(fleet, story, another_story):
    away = owner_of(fleet, story)
    while owner_of(fleet, another_story) is away:
        another_story = type(story)()
    async with logging_at(fleet.url, timeout_s=1, attempt_timeout_s=0.3) as log:
        await story.begin(log)
        await another_story.begin(log)
        for server in (away, fleet.servers[fleet.servers.index(away) + 3]):
            server.running.send_signal(signal.SIGSTOP)
        told = await log.heads([story.code, another_story.code, "nowhere"])
        assert told.pop("nowhere", None) is None
        assert told == {another_story.code: Head(another_story.last, 0)}
        with pytest.raises(Unavailable):
            await log.heads([story.code])
        with pytest.raises(Unavailable):
            await log.execute_each(
                [(keys_of(each.code).head, ("EXISTS", keys_of(each.code).head)) for each in (story, another_story)]
            )
