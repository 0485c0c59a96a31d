"""The store process in its folder: it starts, stops and stands folders of any name and depth."""

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
from tests.server.store.processes import asked, lives, pid_at

# Starting and stopping


async def test_it_gives_an_address_that_a_log_accepts(tmp_path, story):
    async with EmbeddedStore(tmp_path / "new" / "folder") as url:
        log = RedisLog(url)
        await log.check()
        await story.begin(log)
        await log.close()


async def test_what_was_stored_is_there_at_the_next_start(tmp_path, story):
    for turn in range(3):
        async with EmbeddedStore(tmp_path / "data") as url:
            log = RedisLog(url)
            await (story.add(log) if turn else story.begin(log))
            assert await log.load(story.code) == LoadedTable(None, tuple(story.told))
            await log.close()


async def test_a_clean_stop_leaves_no_process_and_no_lock(tmp_path):
    store = EmbeddedStore(tmp_path / "data")
    pid = await pid_at(await store.start())
    assert lives(pid)
    await store.stop()
    assert not lives(pid)
    assert not (tmp_path / "data/data/store.sock").exists()
    folder = DataFolder.open(tmp_path / "data")
    assert folder.is_unused()
    folder.close()
    await store.stop()  # again: nothing to do


async def test_a_signal_to_the_group_of_the_server_does_not_reach_the_store(own_store):
    assert os.getpgid(await pid_at(own_store)) != os.getpgid(0)


async def test_it_promises_what_the_log_relies_on(own_store):
    for setting, value in {
        "appendonly": "yes",
        "appendfsync": "always",
        "save": "",
        "maxmemory-policy": "noeviction",
        "port": "0",
    }.items():
        told = await asked(own_store, "CONFIG", "GET", setting)
        assert told == {setting: value} or told == [setting.encode(), value.encode()]


async def test_only_its_user_may_enter(tmp_path):
    async with EmbeddedStore(tmp_path / "data") as url:
        assert url == f"unix://{tmp_path}/data/data/store.sock"
        for path in ("data", "data/data", "data/data/store.sock"):
            assert stat.S_IMODE((tmp_path / path).stat().st_mode) == 0o700


async def test_an_existing_folder_is_left_as_it_is_and_the_data_still_is_private(tmp_path):
    (tmp_path / "mine").mkdir(mode=0o755)
    (tmp_path / "mine/letter.txt").write_text("hello")
    async with EmbeddedStore(tmp_path / "mine"):
        assert stat.S_IMODE((tmp_path / "mine").stat().st_mode) == 0o755
        assert stat.S_IMODE((tmp_path / "mine/data").stat().st_mode) == 0o700
    assert (tmp_path / "mine/letter.txt").read_text() == "hello"


@pytest.mark.parametrize("name", ["with space", "quo'te\"d", "ünïcode", "50%?#&", "line\nbreak"])
async def test_folders_of_any_name_are_fine(tmp_path, story, name):
    async with EmbeddedStore(tmp_path / name) as url:
        log = RedisLog(url)
        await story.begin(log)
        await log.close()


async def test_a_folder_too_deep_for_a_socket_gets_a_private_one_elsewhere(
    tmp_path, tmp_path_factory, monkeypatch, story
):
    elsewhere = tmp_path_factory.mktemp("e")
    monkeypatch.setattr("tempfile.tempdir", str(elsewhere))
    deep = tmp_path.joinpath(*["a-rather-long-name"] * 8)
    async with EmbeddedStore(deep) as url:
        (private,) = elsewhere.iterdir()
        assert url == f"unix://{private}/store.sock"
        assert stat.S_IMODE(private.stat().st_mode) == 0o700
        log = RedisLog(url)
        await story.begin(log)
        await log.close()
    assert list((deep / "data/appendonlydir").iterdir())


def test_where_the_place_for_temporary_files_is_too_deep_as_well_there_still_is_one(tmp_path, monkeypatch):
    deep = tmp_path.joinpath(*["a-rather-long-name"] * 8)
    monkeypatch.setattr("tempfile.tempdir", str(deep))
    assert str(DataFolder(deep, -1).socket()).startswith("/tmp/fourth-seat-")


async def test_a_socket_folder_of_somebody_else_is_not_trusted(tmp_path, tmp_path_factory, monkeypatch):
    elsewhere = tmp_path_factory.mktemp("e")
    monkeypatch.setattr("tempfile.tempdir", str(elsewhere))
    deep = tmp_path.joinpath(*["a-rather-long-name"] * 8)
    async with EmbeddedStore(deep):
        (private,) = elsewhere.iterdir()
    private.chmod(0o777)
    with pytest.raises(FolderUnusable, match="is not a private folder of this user"):
        await EmbeddedStore(deep).start()


def test_it_works_on_uvloop_too(tmp_path, story):
    async def play():
        async with EmbeddedStore(tmp_path / "data") as url:
            folder = (tmp_path / "data").absolute()
            assert DataFolder(folder, -1).lock_store() is None  # its lock was inherited
            log = RedisLog(url)
            await story.begin(log)
            pid = await pid_at(url)
            os.kill(pid, signal.SIGKILL)
            await story.add(log)
            await log.close()
            return pid, await pid_at(url)

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        first, second = runner.run(play())
    assert first != second
    assert not lives(first)
    assert not lives(second)


async def test_reading_a_long_log_at_the_start_is_waited_for(tmp_path):
    async with EmbeddedStore(tmp_path / "data") as url:
        await asked(url, "EVAL", "for i = 1, 3000 do redis.call('SET', i, i) end", "0")
        await asked(url, "BGREWRITEAOF")
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
        assert await asked(url, "DBSIZE") == 3000
    assert any(loading)


async def raw_info(url):
    client = Redis.from_url(url, protocol=2)
    client.set_response_callback("INFO", lambda told, **_: told)
    try:
        return await client.info("persistence")
    finally:
        await client.aclose()
