"""Orphaned store processes are taken over; store processes that die are restarted."""

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from redis.exceptions import RedisError
from structlog.testing import capture_logs

from server.store.embedded import process as embedded
from server.store.embedded.folder import DataFolder, FolderUnusable
from server.store.embedded.process import EmbeddedStore, StoreNotStarted, find_binary
from tests.server.store.processes import is_alive, pid_at, send


@pytest.fixture
def orphan():
    """Start a server on a folder in a process, kill it, and return the pid of the store process it leaves."""
    orphans = []
    program = """
        import asyncio, sys
        from pathlib import Path
        from redis.asyncio import Redis
        from server.store.embedded.process import EmbeddedStore

        async def main():
            async with EmbeddedStore(Path(sys.argv[1])) as url:
                client = Redis.from_url(url)
                await client.set("kept", "yes")
                print((await client.info("server"))["process_id"], flush=True)
                await asyncio.Event().wait()

        asyncio.run(main())
    """

    def leave(folder: Path) -> int:
        command = [sys.executable, "-c", textwrap.dedent(program), str(folder)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            pid = int(server.stdout.readline())
            server.kill()
        orphans.append(pid)
        return pid

    yield leave
    for pid in orphans:
        if is_alive(pid):
            os.kill(pid, signal.SIGKILL)


# A store orphaned by a killed server


async def test_an_orphaned_store_is_taken_over_and_shut_down_at_the_stop(tmp_path, orphan):
    pid = orphan(tmp_path / "data")
    assert is_alive(pid)
    async with EmbeddedStore(tmp_path / "data") as url:
        assert await pid_at(url) == pid
        assert await send(url, "GET", "kept") == b"yes"
    assert not is_alive(pid)


async def test_an_orphaned_store_is_found_at_its_former_socket(tmp_path, tmp_path_factory, orphan, monkeypatch):
    deep = tmp_path.joinpath(*["a-rather-long-name"] * 8)
    before, after = tmp_path_factory.mktemp("a"), tmp_path_factory.mktemp("b")
    monkeypatch.setenv("TMPDIR", str(before))
    pid = orphan(deep)
    monkeypatch.setattr("tempfile.tempdir", str(after))
    async with EmbeddedStore(deep) as url:
        assert url.startswith(f"unix://{before}")
        assert await pid_at(url) == pid
        os.kill(pid, signal.SIGKILL)
        async with asyncio.timeout(5):
            assert await send_until_back(url, "GET", "kept") == b"yes"  # restarted at the same address
    assert not is_alive(pid)


async def test_an_orphaned_store_with_other_settings_is_restarted(tmp_path, orphan, monkeypatch):
    pid = orphan(tmp_path / "data")
    monkeypatch.setattr(embedded, "_SETTINGS", (*embedded._SETTINGS, "--loglevel", "verbose"))
    async with EmbeddedStore(tmp_path / "data") as url:
        assert await pid_at(url) != pid
        assert not is_alive(pid)
        assert await send(url, "GET", "kept") == b"yes"


async def test_an_orphaned_store_without_metadata_is_restarted(tmp_path, orphan):
    pid = orphan(tmp_path / "data")
    (tmp_path / "data/store.lock").write_text("")
    async with EmbeddedStore(tmp_path / "data") as url:
        assert await pid_at(url) != pid
        assert not is_alive(pid)
        assert await send(url, "GET", "kept") == b"yes"


async def test_an_unreachable_orphaned_store_prevents_a_second_one(tmp_path, orphan):
    pid = orphan(tmp_path / "data")
    (tmp_path / "data/data/store.sock").unlink()
    with pytest.raises(StoreNotStarted, match=f"a store process in {tmp_path}/data does not answer"):
        await EmbeddedStore(tmp_path / "data", timeout_s=0.1).start()
    assert is_alive(pid)


async def test_a_store_taken_over_is_restarted_when_it_dies(tmp_path, orphan, until):
    pid = orphan(tmp_path / "data")
    with capture_logs() as logged:
        async with EmbeddedStore(tmp_path / "data") as url:
            os.kill(pid, signal.SIGKILL)
            await until(lambda: deaths(logged) == 1 and not is_alive(pid))
            async with asyncio.timeout(5):
                assert await send_until_back(url, "GET", "kept") == b"yes"


# A store that dies


def deaths(logged):
    return [line["event"] for line in logged].count("store died, restarting it")


async def send_until_back(url, *command):
    """Repeat a command until the store is back."""
    while True:
        try:
            return await send(url, *command)
        except RedisError:
            await asyncio.sleep(0.005)


async def test_a_store_is_restarted_each_time_it_dies(tmp_path, until):
    async with EmbeddedStore(tmp_path / "data") as url:
        for _ in range(2):
            pid = await pid_at(url)
            os.kill(pid, signal.SIGKILL)
            await until(lambda: not is_alive(pid))  # noqa: B023
            async with asyncio.timeout(5):
                await send_until_back(url, "PING")
            assert await pid_at(url) != pid


async def test_a_dropped_connection_is_not_taken_for_a_death(tmp_path):
    with capture_logs() as logged:
        async with EmbeddedStore(tmp_path / "data") as url:
            pid = await pid_at(url)
            for _ in range(3):
                await send(url, "CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
            assert await pid_at(url) == pid
    assert deaths(logged) == 0


async def test_a_restart_is_retried_until_it_succeeds(tmp_path, until):
    pauses = []

    async def sleep(seconds):
        pauses.append(seconds)
        await asyncio.sleep(min(seconds, 0.01))

    flaky = tmp_path / "flaky-server"
    flaky.write_text(f'#!/bin/sh\n[ -e {tmp_path}/broken ] && exit 1\nexec "{find_binary()}" "$@"\n')
    flaky.chmod(0o700)
    async with EmbeddedStore(tmp_path / "data", binary=flaky, sleep=sleep) as url:
        (tmp_path / "broken").touch()
        with capture_logs() as logged:
            os.kill(await pid_at(url), signal.SIGKILL)
            await until(lambda: any(pause > 0.03 for pause in pauses))
        (tmp_path / "broken").unlink()
        async with asyncio.timeout(5):
            await send_until_back(url, "PING")
    assert deaths(logged) == 1
    assert [line["event"] for line in logged].count("store cannot be started") > 1  # one for each attempt


async def test_stopping_a_store_that_just_died_leaves_no_process(tmp_path):
    store = EmbeddedStore(tmp_path / "data")
    pid = await pid_at(await store.start())
    os.kill(pid, signal.SIGKILL)
    await store.stop()
    folder = DataFolder.open(tmp_path / "data")
    assert folder.is_unlocked()
    folder.close()


@pytest.mark.parametrize("again", [False, True], ids=["gone", "gone and there again"])
async def test_stopping_ends_the_store_even_if_its_folder_was_removed(tmp_path, until, again):
    store = EmbeddedStore(tmp_path / "data")
    pid = await pid_at(await store.start())
    shutil.rmtree(tmp_path / "data")
    if again:
        (tmp_path / "data").mkdir()
    with contextlib.suppress(FolderUnusable):
        await store.stop()
    await until(lambda: not is_alive(pid))
