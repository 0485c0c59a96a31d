"""A full, read-only, locked, outdated or missing store gives a clear error and is unchanged."""

import asyncio

import pytest
from redis.exceptions import ResponseError

from server.store.client.client import StoreClient
from server.store.client.errors import TransientError
from server.store.client.node import Node
from server.store.log import Appended, Duplicate, LoadedTable, StoreError
from server.store.log import StoreUnavailable as Unavailable
from server.store.redis_log import RedisLog
from tests.scale import cases
from tests.server.store.stores import dump_all, no_retry, open_log


@pytest.fixture
async def log(redis_store):
    return redis_store.open()


# Refusals


async def test_a_full_store_refuses_writes_and_is_unchanged(own_store, admin, history):
    async with open_log(own_store, sleep=no_retry) as log:
        await history.create(log)
        stored = await history.add(log, history.next(player="ann", request="1"))
        before = await dump_all(admin)
        await admin.config_set("maxmemory", "1")
        with pytest.raises(Unavailable, match=r"is full: it has reached its maxmemory$"):
            await log.append(
                history.code, history.next(), snapshot=history.table(), trim=True, game="a game", ms_until_deadline=5
            )
        with pytest.raises(Unavailable, match="is full"):
            await log.create("OTHER", type(history)().next())
        again = history.next(player="ann", request="1")
        assert await log.append(history.code, again) == Duplicate(stored.n)  # a duplicate needs no memory
        await admin.config_set("maxmemory", "0")
        assert await dump_all(admin) == before
        await history.add(log)


async def test_a_read_only_replica_refuses_writes_and_is_unchanged(own_store, admin, history):
    async with open_log(own_store, timeout_s=0.2) as log:
        await history.create(log)
        await admin.execute_command("REPLICAOF", "127.0.0.1", "1")
        with pytest.raises(Unavailable, match="is a replica that takes no writes"):
            await log.append(history.code, history.next())
        await admin.execute_command("REPLICAOF", "NO", "ONE")
        assert await log.load(history.code) == LoadedTable(None, tuple(history.commits))


async def test_the_time_limit_always_applies(own_store, admin, history):
    async with open_log(own_store) as log:
        await history.create(log)
    await admin.execute_command("REPLICAOF", "127.0.0.1", "1")
    limits = cases(30, 150)
    for number in range(limits):
        async with open_log(own_store, timeout_s=0.02 + 0.015 * number / limits, sleep=no_sleep) as log:
            with pytest.raises(Unavailable):
                async with asyncio.timeout(5):
                    await log.append(history.code, history.next())


async def no_sleep(_seconds):
    await asyncio.sleep(0)


async def test_an_append_waits_for_a_failover_to_pass(own_store, admin, history):
    async with open_log(own_store) as log:
        await history.create(log)
        await admin.execute_command("REPLICAOF", "127.0.0.1", "1")
        adding = asyncio.create_task(history.add(log))
        await asyncio.wait([adding], timeout=0.05)
        assert not adding.done()
        await admin.execute_command("REPLICAOF", "NO", "ONE")
        await adding


@pytest.mark.parametrize("user", ["", "someone@"])
async def test_a_wrong_password_is_reported_without_being_shown(own_store, admin, user):
    await admin.execute_command("ACL", "SETUSER", "someone", "on", ">right", "~*", "&*", "+@all")
    await admin.config_set("requirepass", "right")
    try:
        path = own_store.removeprefix("unix://")
        async with open_log(f"unix://{user}{path}?password=hunter2", sleep=no_retry) as log:
            with pytest.raises(Unavailable) as refused:
                await log.check()
            assert str(refused.value) == f"the store at {path} refuses the user name or the password"
            assert "hunter2" not in repr(refused.value.__cause__)
        async with open_log(own_store, sleep=no_retry) as log:
            with pytest.raises(Unavailable, match="asks for a password"):
                await log.check()
        async with open_log(f"unix://{path}?password=right") as log:
            await log.check()
    finally:
        await admin.config_set("requirepass", "")


async def test_a_missing_permission_is_named(own_store, admin, history):
    await admin.execute_command("ACL", "SETUSER", "reader", "on", ">pw", "~*", "&*", "+@read", "+@connection")
    async with open_log(own_store.replace("unix://", "unix://reader@") + "?password=pw", sleep=no_retry) as log:
        with pytest.raises(Unavailable, match=r"denies this user a required permission.*evalsha"):
            await log.create(history.code, history.next())


async def test_a_closed_port_is_named(unused_tcp_port):
    async with open_log(f"redis://:hunter2@127.0.0.1:{unused_tcp_port}", timeout_s=0.1) as log:
        with pytest.raises(Unavailable) as refused:
            await log.check()
    assert str(refused.value) == f"the store at 127.0.0.1:{unused_tcp_port} cannot be reached: Connection refused"


async def test_a_missing_socket_is_named(tmp_path):
    async with open_log(f"unix://{tmp_path}/none.sock", timeout_s=0.1) as log:
        with pytest.raises(Unavailable) as refused:
            await log.check()
    assert str(refused.value) == f"the store at {tmp_path}/none.sock cannot be reached: No such file or directory"


@pytest.mark.parametrize("url", ["http://host", "host:6379", "", "redis://host:port", "unix:///s?colour=red"])
def test_an_invalid_address_is_refused(url):
    with pytest.raises(StoreError, match="the address of the store is not valid: use redis://HOST:PORT"):
        RedisLog(url)


async def test_a_server_that_is_too_old_is_refused(log, monkeypatch):
    async def execute(_node, *_commands):
        return [b"# Server\r\nredis_version:6.2.14\r\n", ResponseError("wrong number of arguments")]

    monkeypatch.setattr(Node, "execute", execute)
    with pytest.raises(Unavailable, match=r"has version 6\.2\.14; 7\.0 or later is needed"):
        await log.check()


@pytest.mark.parametrize(
    "problem", [Unavailable("it is no cluster"), TransientError("no server owns it"), OSError("gone")]
)
async def test_a_confirmed_commit_is_appended_even_if_publishing_fails(
    sentinel_deployment, history, monkeypatch, problem
):
    execute = StoreClient.execute

    async def patched(client, key, *command):
        if command[0] == "SPUBLISH":
            raise problem
        return await execute(client, key, *command)

    monkeypatch.setattr(StoreClient, "execute", patched)
    async with open_log(sentinel_deployment.url, sleep=no_retry) as log:
        await history.create(log)
        commit = history.next()
        assert await log.append(history.code, commit) == Appended(commit.at)
