"""A cluster as the store: failovers lose nothing, and slots migrate while tables are played."""

import signal

import pytest
from structlog.testing import capture_logs

from server.store.keys import keys_of
from server.store.log import Head, LoadedTable
from server.store.log import StoreUnavailable as Unavailable
from tests.server.store.deployments import ClusterDeployment, eventually
from tests.server.store.load import LoadGenerator, SharedTable, check_nothing_lost
from tests.server.store.stores import open_log


@pytest.fixture
def deployment(tmp_path):
    with ClusterDeployment(tmp_path) as deployment:
        yield deployment


def owner_of(deployment, history):
    return deployment.owner_of(keys_of(history.code).head)


async def create_on_each_master(deployment, log, kind):
    """Create two tables on each master."""
    begun = {server: [] for server in deployment.servers[:3]}
    while any(len(histories) < 2 for histories in begun.values()):
        history = kind()
        if len(begun[owner_of(deployment, history)]) < 2:
            begun[owner_of(deployment, history)].append(await history.create(log))
    return [history for histories in begun.values() for history in histories]


@pytest.mark.parametrize("signum", [signal.SIGKILL, signal.SIGSTOP])
async def test_a_failover_delays_only_the_tables_of_the_master_and_loses_nothing(
    deployment, history, subscriber, signum
):
    async with (
        open_log(deployment.url, timeout_s=20, keepalive_s=1, connections=2) as one,
        open_log(deployment.url, timeout_s=20, keepalive_s=1, connections=2) as two,
        subscriber().on(two) as received,
    ):
        histories = await create_on_each_master(deployment, one, type(history))
        await history.create(one)
        old = owner_of(deployment, history)
        affected = [each for each in (*histories, history) if owner_of(deployment, each) is old]
        others = [each.code for each in histories if each not in affected]
        shared, load = SharedTable(history.code, history.last), LoadGenerator()
        codes = [each.code for each in (*histories, history)]
        async with load.on((one, two), histories, shared):
            await load.wait_for_progress(codes)
            old.process.send_signal(signum)
            await eventually(lambda: _promoted(deployment, old))
            if signum is signal.SIGKILL:
                old.process.wait()
                old.start()  # the new master takes no writes without a replica
            else:
                old.process.send_signal(signal.SIGCONT)
            await load.wait_for_progress(codes)
            await received.wait_until_subscribed()
        longest = max(load.longest_gap(each.code) for each in affected)
        longest_of_others = max(load.longest_gap(code) for code in others)
        print(f"\nCluster, {signum.name}: longest gap {longest:.2f} s, elsewhere {longest_of_others:.2f} s")
        assert longest_of_others < longest / 2
        await check_nothing_lost(histories, shared, (one, two), received, (affected[0], histories[0]))


def _promoted(deployment, old):
    replica = deployment.servers[deployment.servers.index(old) + 3]
    return replica.client.role()[0] == "master"


async def test_a_slot_migrates_while_its_tables_are_played(deployment, history, other_history, subscriber):
    async with (
        open_log(deployment.url, timeout_s=20) as one,
        open_log(deployment.url, timeout_s=20) as two,
        subscriber().on(two) as received,
    ):
        await history.create(one)
        await other_history.create(one)
        slot = deployment.servers[0].client.execute_command("CLUSTER", "KEYSLOT", keys_of(history.code).head)
        source = owner_of(deployment, history)
        target = next(server for server in deployment.servers[:3] if server is not source)
        tables = [history, other_history]
        shared, load = SharedTable(history.code, history.last), LoadGenerator()
        async with load.on((one, two), [other_history], shared):
            await load.wait_for_progress([each.code for each in tables])
            target.client.execute_command("CLUSTER", "SETSLOT", slot, "IMPORTING", deployment.id_of(source))
            source.client.execute_command("CLUSTER", "SETSLOT", slot, "MIGRATING", deployment.id_of(target))
            while keys := source.client.execute_command("CLUSTER", "GETKEYSINSLOT", slot, 10):
                source.client.execute_command("MIGRATE", "127.0.0.1", target.port, "", 0, 5000, "KEYS", *keys)
            moved = len(shared.appended)
            heads = await one.heads([each.code for each in tables])  # the keys have moved, the slot has not
            assert heads[history.code].at.n > moved
            for server in (target, source):
                server.client.execute_command("CLUSTER", "SETSLOT", slot, "NODE", deployment.id_of(target))
            await load.wait_for_progress([each.code for each in tables])
        await received.wait_until_subscribed()
        assert owner_of(deployment, history) is target
        print(f"\nslot migrated: longest gap {load.longest_gap(history.code):.2f} s")
        assert await shared.has_all_in(one)
        assert await two.load(other_history.code) == LoadedTable(None, tuple(other_history.commits))
        history.commits = list((await one.load(history.code)).commits)
        last = await history.add(one)
        while await received.of(history) != last:
            pass


async def test_planned_failovers_and_migrations_lose_nothing(deployment, history, subscriber):
    async with (
        open_log(deployment.url, keepalive_s=1) as one,
        open_log(deployment.url, keepalive_s=1) as two,
        subscriber().on(two) as received,
    ):
        histories = await create_on_each_master(deployment, one, type(history))
        await history.create(one)
        shared, load = SharedTable(history.code, history.last), LoadGenerator()
        codes = [each.code for each in (*histories, history)]
        async with load.on((one, two), histories, shared):
            for replica in deployment.servers[3:]:
                replica.client.execute_command("CLUSTER", "FAILOVER")
                await eventually(lambda: replica.client.role()[0] == "master")  # noqa: B023
                await load.wait_for_progress(codes)
            source = owner_of(deployment, history)
            target = next(server for server in deployment.servers[3:] if server is not source)
            slot = source.client.execute_command("CLUSTER", "KEYSLOT", keys_of(history.code).head)
            source.client.execute_command(
                "CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", slot, slot, "NODE", deployment.id_of(target)
            )
            await eventually(lambda: owner_of(deployment, history) is target)
            await load.wait_for_progress(codes)
            await received.wait_until_subscribed()
        longest = max(load.longest_gap(code) for code in codes)
        print(f"\nCluster, planned failovers and a migration: longest gap {longest:.2f} s")
        await check_nothing_lost(histories, shared, (one, two), received, histories[:1])


async def test_the_check_warns_of_an_unavailable_part_of_the_cluster(deployment, history, other_history):
    away = owner_of(deployment, history)
    while owner_of(deployment, other_history) is away:
        other_history = type(history)()
    away.kill()
    deployment.servers[deployment.servers.index(away) + 3].kill()
    async with open_log(deployment.url, timeout_s=1) as log:
        with capture_logs() as logged:
            await log.check()
        assert logged[0]["event"] == "part of the store is unavailable"
        assert logged[0]["problem"] == f"the store at {away.address} cannot be reached: Connection refused"
        await other_history.create(log)
        await other_history.add(log)
        with pytest.raises(Unavailable):
            await history.create(log)


async def test_heads_leaves_out_the_tables_of_a_part_that_hangs(deployment, history, other_history):
    away = owner_of(deployment, history)
    while owner_of(deployment, other_history) is away:
        other_history = type(history)()
    async with open_log(deployment.url, timeout_s=1, attempt_timeout_s=0.3) as log:
        await history.create(log)
        await other_history.create(log)
        for server in (away, deployment.servers[deployment.servers.index(away) + 3]):
            server.process.send_signal(signal.SIGSTOP)
        heads = await log.heads([history.code, other_history.code, "nowhere"])
        assert heads.pop("nowhere", None) is None
        assert heads == {other_history.code: Head(other_history.last, 0)}
        with pytest.raises(Unavailable):
            await log.heads([history.code])
        with pytest.raises(Unavailable):
            await log.execute_each(
                [(keys_of(each.code).head, ("EXISTS", keys_of(each.code).head)) for each in (history, other_history)]
            )
