"""The data folder of an embedded store: creation, locks and layout version.

Invariant: at most one server has a folder open at any time, and it knows whether
a store process is alive in it.

There are two locks, as the server and the store process may outlive each other.
`lock` belongs to the server and ends with it. `store.lock` is opened by the
server but inherited by the store process it starts, and by whatever that
process forks; the kernel frees it when the last of them has ended. So the check
for a live process needs no process ids, which may have been reused, and works
after any crash. `store.lock` also holds the metadata of the last instance: its
socket and a fingerprint.
"""

import fcntl
import hashlib
import json
import os
import stat
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from server.store.log import NewerVersionError, StoreError

LAYOUT = 1
_MAX_SOCKET_PATH = 100  # bytes; the limit is 104 on macOS, 108 on Linux


class FolderInUse(StoreError):
    """Another server has the folder open."""


class FolderUnusable(StoreError):
    """The folder cannot be created, read or written, or is something else."""


@dataclass(frozen=True, slots=True)
class InstanceInfo:
    """A store process started in a folder: the path of its socket and the fingerprint of its binary and settings."""

    socket: str
    fingerprint: str


class DataFolder:
    """An open data folder; the caller must close it."""

    def __init__(self, path: Path, lock: int) -> None:
        self.path = path
        self.data = path / "data"
        self._lock = lock

    @classmethod
    def open(cls, path: Path) -> "DataFolder":
        """Create the folder if it is missing, and lock it. Raises FolderInUse, FolderUnusable, NewerVersionError."""
        path = path.absolute()
        try:
            if not path.exists():
                path.mkdir(mode=0o700, parents=True)
            lock = os.open(path / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                _acquire(lock, path)
                _check_layout(path)
                ensure_private_folder(path / "data")
            except BaseException:
                os.close(lock)
                raise
        except OSError as error:
            raise FolderUnusable(f"the data folder {path} cannot be used: {error.strerror}") from error
        return cls(path, lock)

    def close(self) -> None:
        os.close(self._lock)

    def lock_store(self) -> int | None:
        """Return the descriptor of the store lock, for the store process to inherit; None while a process holds it.

        The caller must close it. Raises FolderUnusable if the folder was removed.
        """
        try:
            lock = os.open(self.path / "store.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise FolderUnusable(f"the data folder {self.path} cannot be used any more: {error.strerror}") from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            return None
        return lock

    def is_unlocked(self) -> bool:
        """Return whether no store process is alive in the folder."""
        lock = self.lock_store()
        if lock is None:
            return False
        os.close(lock)
        return True

    def write_instance_info(self, info: InstanceInfo) -> None:
        """Write in place, as the lock is on this very file."""
        (self.path / "store.lock").write_text(json.dumps(asdict(info)), encoding="utf-8")

    def socket(self) -> Path:
        return _socket_of(self.path)


def read_instance_info(path: Path) -> InstanceInfo:
    """Return the last instance started in a folder, open or not.

    Unreadable metadata stands for a foreign instance at the default socket.
    """
    path = path.absolute()
    try:
        metadata = json.loads((path / "store.lock").read_text(encoding="utf-8"))
        return InstanceInfo(str(metadata["socket"]), str(metadata["fingerprint"]))
    except (OSError, ValueError, KeyError, TypeError):
        return InstanceInfo(str(_socket_of(path)), "")


def is_data_folder(path: Path) -> bool:
    """Return whether a server has ever opened the folder. Raises FolderUnusable if it cannot be read."""
    try:
        return (path / "VERSION").is_file()
    except OSError as error:
        raise FolderUnusable(f"the data folder {path} cannot be used: {error.strerror}") from error


def _socket_of(path: Path) -> Path:
    """Return the path of the socket: in the folder, or in a private temporary one if that path were too long."""
    digest = hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
    temporary = (Path(parent) / f"fourth-seat-{digest}" for parent in (tempfile.gettempdir(), "/tmp"))
    sockets = [folder / "store.sock" for folder in (path / "data", *temporary)]
    return next((socket for socket in sockets if len(os.fsencode(socket)) <= _MAX_SOCKET_PATH), sockets[-1])


def ensure_private_folder(folder: Path) -> None:
    """Create a folder that only this user may enter: the data holds the hands of all tables.

    Raises FolderUnusable if it exists and others own it or may enter it.
    """
    folder.mkdir(mode=0o700, exist_ok=True)
    existing = folder.lstat()
    if not stat.S_ISDIR(existing.st_mode) or existing.st_uid != os.getuid() or existing.st_mode & 0o077:
        raise FolderUnusable(f"{folder} is not a private folder of this user (mode 0700)")


def _acquire(lock: int, path: Path) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        holder = os.pread(lock, 20, 0).decode(errors="replace").strip() or "unknown"
        raise FolderInUse(f"data folder {path} is in use by another server (pid {holder})") from error
    os.ftruncate(lock, 0)
    os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)


def _check_layout(path: Path) -> None:
    version = path / "VERSION"
    if not version.exists():
        draft = path / "VERSION.new"
        draft.write_text(f"{LAYOUT}\n", encoding="utf-8")
        draft.replace(version)
        return
    content = version.read_text(encoding="utf-8", errors="replace").strip()
    if not content.isdecimal():
        raise FolderUnusable(f"{version} should hold a number, but holds {content[:40]!r}")
    if int(content) > LAYOUT:
        raise NewerVersionError(
            f"the data folder {path} was written by a newer version of this server "
            f"(layout {int(content)}, this one reads {LAYOUT})"
        )
