"""Sentinels: acknowledged appends survive a failover, and a rollback is detected."""

import signal

import pytest

from server.store.keys import keys_of
from server.store.log import Appended, Conflict, LoadedTable
from server.store.log import StoreUnavailable as Unavailable
from tests.ports import free_ports
from tests.server.store.deployments import SERVICE, SentinelDeployment, StoreProcess, eventually
from tests.server.store.load import LoadGenerator, SharedTable, check_nothing_lost
from tests.server.store.stores import open_log


@pytest.fixture
def deployment(tmp_path):
    with SentinelDeployment(tmp_path) as deployment:
        yield deployment


def replicas(deployment):
    master = deployment.owner_of("")
    return [server for server in deployment.servers if server is not master]


# Writes wait for a replica


async def test_an_append_without_a_replica_is_unavailable_even_for_a_second_client(deployment, history):
    async with (
        open_log(deployment.url, timeout_s=0.7, attempt_timeout_s=0.3) as log,
        open_log(deployment.url, timeout_s=0.7, attempt_timeout_s=0.3) as other,
    ):
        await history.create(log)
        commit = history.next(player="ann", request="1")
        for replica in replicas(deployment):
            replica.process.send_signal(signal.SIGSTOP)
        for each in (log, other):
            with pytest.raises(Unavailable, match="has no replica that confirms the write"):
                await each.append(history.code, commit)
        for replica in replicas(deployment):
            replica.process.send_signal(signal.SIGCONT)
        assert await other.append(history.code, commit) == Appended(commit.at)
        assert await log.load(history.code) == LoadedTable(None, (*history.commits, commit))


async def test_an_unconfirmed_commit_is_not_published(deployment, history, subscriber):
    """Otherwise another server might show a card that a failover takes back."""
    async with open_log(deployment.url, timeout_s=0.7, attempt_timeout_s=0.3) as log, subscriber().on(log) as received:
        await history.create(log)
        assert await received.of(history) == history.commits[0]
        commit = history.next()
        for replica in replicas(deployment):
            replica.process.send_signal(signal.SIGSTOP)
        with pytest.raises(Unavailable):
            await log.append(history.code, commit)
        assert received.is_empty()
        for replica in replicas(deployment):
            replica.process.send_signal(signal.SIGCONT)
        assert await log.append(history.code, commit) == Appended(commit.at)
        assert await received.of(history) == commit


async def test_a_creation_without_a_replica_is_unavailable(deployment, history):
    async with (
        open_log(deployment.url, timeout_s=0.7, attempt_timeout_s=0.3) as log,
        open_log(deployment.url, timeout_s=0.7, attempt_timeout_s=0.3) as other,
    ):
        first = history.next()
        await log.heads([history.code])
        for replica in replicas(deployment):
            replica.process.send_signal(signal.SIGSTOP)
        for each in (log, other):
            with pytest.raises(Unavailable, match="has no replica that confirms"):
                await each.create(history.code, first)


# Failover


@pytest.mark.parametrize("end", ["killed", "stopped", "asked to step down"])
async def test_acknowledged_appends_survive_a_failover_and_are_published(deployment, history, subscriber, end):
    async with (
        open_log(deployment.url, timeout_s=20, keepalive_s=1) as one,
        open_log(deployment.url, timeout_s=20, keepalive_s=1) as two,
        subscriber().on(two) as received,
    ):
        histories = [await type(history)().create(one) for _ in range(6)]
        await history.create(one)
        shared, load = SharedTable(history.code, history.last), LoadGenerator()
        codes = [each.code for each in (*histories, history)]
        old = deployment.owner_of("")
        async with load.on((one, two), histories, shared):
            await load.wait_for_progress(codes)
            match end:
                case "killed":
                    old.kill()
                case "stopped":
                    old.process.send_signal(signal.SIGSTOP)
                case _:
                    command = ("SENTINEL", "FAILOVER", SERVICE, "COORDINATED")
                    await eventually(lambda: deployment.sentinels[0].client.execute_command(*command))
            await eventually(lambda: deployment.owner_of("") is not old)
            await load.wait_for_progress(codes)
            await received.wait_until_subscribed()
            old.process.send_signal(signal.SIGCONT)
            await load.wait_for_progress(codes)
        longest = max(load.longest_gap(code) for code in codes)
        print(f"\nSentinel, master {end}: {sum(map(load.count, codes))} appends, longest gap {longest:.2f} s")
        await check_nothing_lost(histories, shared, (one, two), received, histories[:1])


@pytest.fixture
def stale_sentinel(tmp_path):
    """A Sentinel that names another master."""
    master_port, port = free_ports(2)
    master = StoreProcess(tmp_path, master_port, ["appendonly yes"])
    sentinel = StoreProcess(tmp_path, port, [f"sentinel monitor {SERVICE} 127.0.0.1 {master_port} 1"], "--sentinel")
    yield sentinel
    for each in (sentinel, master):
        each.close()


async def test_an_outdated_sentinel_is_passed_over(sentinel_deployment, stale_sentinel, history):
    await eventually(stale_sentinel.client.ping)
    async with open_log(sentinel_deployment.url.replace("://", f"://{stale_sentinel.address},")) as log:
        await history.create(log)
        await history.add(log)
    async with open_log(sentinel_deployment.url) as log:
        assert await log.load(history.code) == LoadedTable(None, tuple(history.commits))


async def test_a_rollback_by_a_failover_is_detected(deployment, history):
    async with open_log(deployment.url, timeout_s=20) as log:
        await history.create(log)
        await history.add(log)
        master, (ahead, behind) = deployment.owner_of(""), replicas(deployment)
        await eventually(lambda: behind.client.xlen(keys_of(history.code).log) == 2)
        behind.kill()
        lost = await history.add(log)  # confirmed by the other replica
        ahead.kill()
        master.kill()
        behind.start()
        before = history.commits[-2].at
        heads = await log.heads([history.code])
        assert heads[history.code].at == before
        assert await log.read(history.code, lost.at) is None
        ahead.start()
        assert await log.append(history.code, history.next()) == Conflict(before)
