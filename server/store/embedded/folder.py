"""The folder an embedded store keeps its data in: made, locked, and of a layout we know.

Invariant: at any time at most one server has a folder open, and it knows whether
a store process is alive in it.

Two locks, because two things can outlive each other. `lock` belongs to the
server and goes with it. `store.lock` is opened by the server but inherited by
the store process it starts, and by whatever that process forks; the kernel
frees it when the last of them is gone. So "is anything alive in here?" needs no
process ids, which may long be somebody else's, and holds after any crash. In
`store.lock` stands what was started: its socket and a fingerprint.
"""

import fcntl
import hashlib
import json
import os
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path

from server.store.log import NewerVersionError, StoreError

LAYOUT = 1
_LONGEST_SOCKET_PATH = 100  # bytes; the limit is 104 on macOS, 108 on Linux


class FolderInUse(StoreError):
    """Another server has the folder open."""


class FolderUnusable(StoreError):
    """It cannot be made, read or written, or is something else."""


@dataclass(frozen=True, slots=True)
class Running:
    """What was started in a folder."""

    socket: str
    fingerprint: str


class Folder:
    """An open data folder; whoever opened it must close it."""

    def __init__(self, path: Path, lock: int) -> None:
        self.path = path
        self.data = path / "data"
        self._lock = lock

    @classmethod
    def open(cls, path: Path) -> "Folder":
        """Make it where it is missing, and lock it. Raises FolderInUse, FolderUnusable, NewerVersionError."""
        path = path.absolute()
        try:
            if not path.exists():
                path.mkdir(mode=0o700, parents=True)
            lock = os.open(path / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                _take(lock, path)
                _check_layout(path)
                make_private(path / "data")
            except BaseException:
                os.close(lock)
                raise
        except OSError as error:
            raise FolderUnusable(f"the data folder {path} cannot be used: {error.strerror}") from error
        return cls(path, lock)

    def close(self) -> None:
        os.close(self._lock)

    def claim(self) -> int | None:
        """The lock for the store process, to be inherited by it and closed here; None while one is alive.

        Raises FolderUnusable when the folder was taken away.
        """
        try:
            claim = os.open(self.path / "store.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise FolderUnusable(f"the data folder {self.path} cannot be used any more: {error.strerror}") from error
        try:
            fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(claim)
            return None
        return claim

    def is_vacant(self) -> bool:
        """Whether nothing of a store process is left."""
        claim = self.claim()
        if claim is None:
            return False
        os.close(claim)
        return True

    def note(self, running: Running) -> None:
        """Write down what is being started; in place, as the lock is on this very file."""
        (self.path / "store.lock").write_text(
            json.dumps({"socket": running.socket, "fingerprint": running.fingerprint}), encoding="utf-8"
        )

    def noted(self) -> Running:
        return noted_in(self.path)

    def socket(self) -> Path:
        return _socket_in(self.path)


def noted_in(path: Path) -> Running:
    """What was started last in a folder, open or not.

    What cannot be read is taken for something foreign at the usual socket.
    """
    path = path.absolute()
    try:
        noted = json.loads((path / "store.lock").read_text(encoding="utf-8"))
        return Running(str(noted["socket"]), str(noted["fingerprint"]))
    except (OSError, ValueError, KeyError, TypeError):
        return Running(str(_socket_in(path)), "")


def is_data_folder(path: Path) -> bool:
    """Whether a server has ever opened it; raises FolderUnusable when that cannot be seen."""
    try:
        return (path / "VERSION").is_file()
    except OSError as error:
        raise FolderUnusable(f"the data folder {path} cannot be used: {error.strerror}") from error


def _socket_in(path: Path) -> Path:
    """Where the store listens: in the folder, or in a private one of the system's if that path were too long."""
    digest = hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
    elsewhere = (Path(place) / f"fourth-seat-{digest}" for place in (tempfile.gettempdir(), "/tmp"))
    sockets = [folder / "store.sock" for folder in (path / "data", *elsewhere)]
    return next((socket for socket in sockets if len(os.fsencode(socket)) <= _LONGEST_SOCKET_PATH), sockets[-1])


def make_private(folder: Path) -> None:
    """A folder only we may enter, also where others may write around it: all hands of all tables are in there."""
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise FolderUnusable(f"{folder} is not a private folder of this user (mode 0700)")


def _take(lock: int, path: Path) -> None:
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
    written = version.read_text(encoding="utf-8", errors="replace").strip()
    if not written.isdecimal():
        raise FolderUnusable(f"{version} should hold a number, but says {written[:40]!r}")
    if int(written) > LAYOUT:
        raise NewerVersionError(
            f"the data folder {path} was written by a newer version of this server "
            f"(layout {int(written)}, this one knows {LAYOUT})"
        )
