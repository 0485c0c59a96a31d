"""How commits and snapshots are written down: msgpack of the schema number and the plain values of the codec.

Invariant: every piece carries the schema it was written with, so a log may hold
pieces of several, and one of a newer schema is refused instead of misread.
"""

import zlib
from collections.abc import Sequence
from typing import Any, TypeVar

import msgpack

from server.store.log import CorruptLogError, Loaded, NewerVersionError, Snapshot
from spades_core.commit import Commit, LogPosition
from spades_core.protocol.codec import ValidationError, from_builtins, to_builtins

SCHEMA = 3
"""2 had bots of one level, medium, and did not name it; nor did it keep in a hand which cards were passed.

1 kept the snapshot in a key of its own, trimmed the log at every deal, and had no archive.
"""

T = TypeVar("T")


def write(value: Commit | Snapshot) -> bytes:
    packed: bytes = msgpack.packb([SCHEMA, to_builtins(value)])
    return packed


def read_commit(code: str, n: int, written: bytes) -> Commit:
    """Raises CorruptLogError for what is no commit `n`, NewerVersionError for a newer schema."""
    commit = _read(Commit, code, n, written)
    if commit.n != n:
        raise CorruptLogError(code, n, f"it says of itself that it is commit {commit.n}")
    return commit


def read_wakeup(code: str, written: bytes) -> Commit:
    """A commit whose number is not known beforehand."""
    return _read(Commit, code, 0, written)


def read_snapshot(code: str, n: int, written: bytes) -> Snapshot:
    snapshot = _read(Snapshot, code, n, written)
    if snapshot.at.n != n:
        raise CorruptLogError(code, n, f"its snapshot is of commit {snapshot.at.n}")
    return snapshot


def refuse_newer(code: str, schema: int) -> None:
    if schema > SCHEMA:
        raise NewerVersionError(
            f"table {code} was written by a newer version of this server (schema {schema}, this one reads {SCHEMA})"
        )


def chained(code: str, before: LogPosition, commits: Sequence[Commit]) -> tuple[Commit, ...]:
    """The commits, once it is sure that they follow `before` without a hole and each on the one before it."""
    for commit in commits:
        if commit.n != before.n + 1:
            raise CorruptLogError(code, before.n + 1, f"it is missing, commit {commit.n} comes next")
        if commit.parent != before.e:
            raise CorruptLogError(
                code, commit.n, f"it follows commit {commit.parent or 'none'}, not {before.e or 'none'}"
            )
        before = commit.at
    return tuple(commits)


def write_game(text: str) -> bytes:
    return zlib.compress(text.encode(), level=9)


def read_game(written: bytes) -> str:
    return zlib.decompress(written).decode()


def whole(code: str, top: LogPosition, snapshot: Snapshot | None, commits: Sequence[Commit]) -> Loaded:
    """A table as loaded. With a snapshot, `commits` begin with the one it belongs to."""
    if snapshot is None:
        loaded = Loaded(None, chained(code, LogPosition(0, ""), commits))
    elif not commits or commits[0].at != snapshot.at:
        raise CorruptLogError(code, snapshot.at.n, "it is not the one its snapshot was made of")
    else:
        loaded = Loaded(snapshot, chained(code, snapshot.at, commits[1:]))
    if loaded.top != top:
        raise CorruptLogError(
            code, top.n, f"the log ends with commit {loaded.top.n} {loaded.top.e}, not {top.n} {top.e}"
        )
    return loaded


def _read(kind: type[T], code: str, n: int, written: bytes) -> T:
    try:
        content: Any = msgpack.unpackb(written)
        schema, plain = content
    except (ValueError, TypeError, msgpack.UnpackException) as error:
        raise CorruptLogError(code, n, "its bytes cannot be read") from error
    if not isinstance(schema, int):
        raise CorruptLogError(code, n, "its bytes cannot be read")
    refuse_newer(code, schema)
    if schema < 3:
        _name_levels(plain)
    try:
        return from_builtins(kind, plain)
    except ValidationError as error:
        raise CorruptLogError(code, n, str(error)) from error


def _name_levels(plain: Any) -> None:
    """The bots of a commit or a snapshot get the level they played at."""
    match plain:
        case {"events": list(events)}:
            bots = [event for event in events if isinstance(event, dict) and event.get("t") == "bot_seated"]
        case {"table": {"seats": list(seats)}}:
            bots = [seat for seat in seats if isinstance(seat, dict) and seat.get("player", "") is None]
        case _:
            bots = []
    for bot in bots:
        bot["level"] = "medium"
