"""The store process: start, stop, and folders of any name and depth."""

import asyncio
import os
import signal
import stat

import pytest
import uvloop
from redis.asyncio import Redis

from server.store.embedded import process as embedded
from server.store.embedded.folder import DataFolder, FolderUnusable
from server.store.embedded.process import EmbeddedStore, find_binary
from server.store.log import LoadedTable
from server.store.redis_log import RedisLog
from tests.server.store.processes import is_alive, pid_at, send

# Starting and stopping


async def test_the_url_is_accepted_by_a_log(tmp_path, history):
    async with EmbeddedStore(tmp_path / "new" / "folder") as url:
        log = RedisLog(url)
        await log.check()
        await history.create(log)
        await log.close()


async def test_data_survives_a_restart(tmp_path, history):
    for turn in range(3):
        async with EmbeddedStore(tmp_path / "data") as url:
            log = RedisLog(url)
            await (history.add(log) if turn else history.create(log))
            assert await log.load(history.code) == LoadedTable(None, tuple(history.commits))
            await log.close()


async def test_a_clean_stop_leaves_no_process_and_no_lock(tmp_path):
    store = EmbeddedStore(tmp_path / "data")
    pid = await pid_at(await store.start())
    assert is_alive(pid)
    await store.stop()
    assert not is_alive(pid)
    assert not (tmp_path / "data/data/store.sock").exists()
    folder = DataFolder.open(tmp_path / "data")
    assert folder.is_unlocked()
    folder.close()
    await store.stop()  # idempotent


async def test_the_store_has_a_process_group_of_its_own(own_store):
    assert os.getpgid(await pid_at(own_store)) != os.getpgid(0)


async def test_the_settings_are_those_that_the_log_relies_on(own_store):
    for setting, value in {
        "appendonly": "yes",
        "appendfsync": "always",
        "save": "",
        "maxmemory-policy": "noeviction",
        "port": "0",
    }.items():
        reply = await send(own_store, "CONFIG", "GET", setting)
        assert reply == {setting: value} or reply == [setting.encode(), value.encode()]


async def test_only_the_owner_has_access(tmp_path):
    async with EmbeddedStore(tmp_path / "data") as url:
        assert url == f"unix://{tmp_path}/data/data/store.sock"
        for path in ("data", "data/data", "data/data/store.sock"):
            assert stat.S_IMODE((tmp_path / path).stat().st_mode) == 0o700


async def test_an_existing_folder_keeps_its_mode_and_the_data_is_private(tmp_path):
    (tmp_path / "mine").mkdir(mode=0o755)
    (tmp_path / "mine/letter.txt").write_text("hello")
    async with EmbeddedStore(tmp_path / "mine"):
        assert stat.S_IMODE((tmp_path / "mine").stat().st_mode) == 0o755
        assert stat.S_IMODE((tmp_path / "mine/data").stat().st_mode) == 0o700
    assert (tmp_path / "mine/letter.txt").read_text() == "hello"


@pytest.mark.parametrize("name", ["with space", "quo'te\"d", "ünïcode", "50%?#&", "line\nbreak"])
async def test_folders_may_have_any_name(tmp_path, history, name):
    async with EmbeddedStore(tmp_path / name) as url:
        log = RedisLog(url)
        await history.create(log)
        await log.close()


async def test_a_path_too_long_for_a_socket_gets_a_private_temporary_folder(
    tmp_path, tmp_path_factory, monkeypatch, history
):
    temporary = tmp_path_factory.mktemp("e")
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    deep = tmp_path.joinpath(*["a-rather-long-name"] * 8)
    async with EmbeddedStore(deep) as url:
        (private,) = temporary.iterdir()
        assert url == f"unix://{private}/store.sock"
        assert stat.S_IMODE(private.stat().st_mode) == 0o700
        log = RedisLog(url)
        await history.create(log)
        await log.close()
    assert list((deep / "data/appendonlydir").iterdir())


def test_a_temporary_folder_with_a_long_path_falls_back_to_tmp(tmp_path, monkeypatch):
    deep = tmp_path.joinpath(*["a-rather-long-name"] * 8)
    monkeypatch.setattr("tempfile.tempdir", str(deep))
    assert str(DataFolder(deep, -1).socket()).startswith("/tmp/fourth-seat-")


async def test_a_socket_folder_open_to_others_is_refused(tmp_path, tmp_path_factory, monkeypatch):
    temporary = tmp_path_factory.mktemp("e")
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    deep = tmp_path.joinpath(*["a-rather-long-name"] * 8)
    async with EmbeddedStore(deep):
        (private,) = temporary.iterdir()
    private.chmod(0o777)
    with pytest.raises(FolderUnusable, match="is not a private folder of this user"):
        await EmbeddedStore(deep).start()


def test_the_store_runs_under_uvloop(tmp_path, history):
    async def play():
        async with EmbeddedStore(tmp_path / "data") as url:
            folder = (tmp_path / "data").absolute()
            assert DataFolder(folder, -1).lock_store() is None  # its lock was inherited
            log = RedisLog(url)
            await history.create(log)
            pid = await pid_at(url)
            os.kill(pid, signal.SIGKILL)
            await history.add(log)
            await log.close()
            return pid, await pid_at(url)

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        first, second = runner.run(play())
    assert first != second
    assert not is_alive(first)
    assert not is_alive(second)


async def test_loading_a_long_log_may_exceed_the_timeout(tmp_path):
    async with EmbeddedStore(tmp_path / "data") as url:
        await send(url, "EVAL", "for i = 1, 3000 do redis.call('SET', i, i) end", "0")
        await send(url, "BGREWRITEAOF")
        while b"aof_rewrite_in_progress:1" in await raw_info(url):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    slow = tmp_path / "slow-server"
    options = "--key-load-delay 400 --loading-process-events-interval-bytes 1024"
    slow.write_text(f'#!/bin/sh\nexec "{find_binary()}" "$@" {options}\n')
    slow.chmod(0o700)
    loading = []

    async def sleep(seconds):
        loading.append(b"LOADING" in await embedded._request(f"{tmp_path}/data/data/store.sock", "PING"))
        await asyncio.sleep(seconds)

    async with EmbeddedStore(tmp_path / "data", binary=slow, timeout_s=0.8, sleep=sleep) as url:
        assert await send(url, "DBSIZE") == 3000
    assert any(loading)


async def raw_info(url):
    client = Redis.from_url(url, protocol=2)
    client.set_response_callback("INFO", lambda reply, **_: reply)
    try:
        return await client.info("persistence")
    finally:
        await client.aclose()
