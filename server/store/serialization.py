"""The stored form of commits and snapshots: msgpack of the schema number and the codec's builtins.

Invariant: every piece carries the schema it was written with, so one of a newer
schema is refused instead of misread.
"""

import zlib
from collections.abc import Sequence
from typing import TypeVar

import msgpack

from server.store.log import CorruptLogError, LoadedTable, NewerVersionError, Snapshot
from spades_core.commit import Commit, LogPosition
from spades_core.protocol.codec import ValidationError, from_builtins, to_builtins

SCHEMA = 1

T = TypeVar("T")


def dump(value: Commit | Snapshot) -> bytes:
    packed: bytes = msgpack.packb([SCHEMA, to_builtins(value)])
    return packed


def load_commit(code: str, n: int | None, data: bytes) -> Commit:
    """Return commit `n`, or with None a commit of any number.

    Raises CorruptLogError for anything else, NewerVersionError for a newer schema.
    """
    commit = _load(Commit, code, n or 0, data)
    if n is not None and commit.n != n:
        raise CorruptLogError(code, n, f"its content is commit {commit.n}")
    return commit


def load_snapshot(code: str, n: int, data: bytes) -> Snapshot:
    """Return the snapshot made at commit `n`. Raises CorruptLogError, NewerVersionError."""
    snapshot = _load(Snapshot, code, n, data)
    if snapshot.at.n != n:
        raise CorruptLogError(code, n, f"its snapshot is of commit {snapshot.at.n}")
    return snapshot


def dump_game(text: str) -> bytes:
    return zlib.compress(text.encode(), level=9)


def load_game(data: bytes) -> str:
    """Raises zlib.error or UnicodeDecodeError if the data is damaged."""
    return zlib.decompress(data).decode()


def check_schema(code: str, schema: int) -> None:
    """Raise NewerVersionError for a newer schema than this version's."""
    if schema > SCHEMA:
        raise NewerVersionError(
            f"table {code} was written by a newer version of this server (schema {schema}, this one reads {SCHEMA})"
        )


def verify_chain(code: str, before: LogPosition, commits: Sequence[Commit]) -> tuple[Commit, ...]:
    """Return the commits; raise CorruptLogError unless they follow `before`, each naming its parent, without a gap."""
    for commit in commits:
        if commit.n != before.n + 1:
            raise CorruptLogError(code, before.n + 1, f"it is missing, commit {commit.n} comes next")
        if commit.parent != before.id:
            raise CorruptLogError(
                code, commit.n, f"its parent is commit {commit.parent or 'none'}, not {before.id or 'none'}"
            )
        before = commit.at
    return tuple(commits)


def assemble(code: str, last: LogPosition, snapshot: Snapshot | None, commits: Sequence[Commit]) -> LoadedTable:
    """Build a verified LoadedTable that ends at `last`. With a snapshot, `commits` begin with its own commit."""
    if snapshot is None:
        loaded = LoadedTable(None, verify_chain(code, LogPosition(0, ""), commits))
    elif not commits or commits[0].at != snapshot.at:
        raise CorruptLogError(code, snapshot.at.n, "its snapshot is of a commit with another id")
    else:
        loaded = LoadedTable(snapshot, verify_chain(code, snapshot.at, commits[1:]))
    if loaded.last != last:
        raise CorruptLogError(
            code, last.n, f"the log ends with commit {loaded.last.n} {loaded.last.id}, not {last.n} {last.id}"
        )
    return loaded


def _load(kind: type[T], code: str, n: int, data: bytes) -> T:
    try:
        schema, plain = msgpack.unpackb(data)
    except (ValueError, TypeError, msgpack.UnpackException) as error:
        raise CorruptLogError(code, n, "its bytes cannot be read") from error
    if not isinstance(schema, int):
        raise CorruptLogError(code, n, "its bytes cannot be read")
    check_schema(code, schema)
    try:
        return from_builtins(kind, plain)
    except ValidationError as error:
        raise CorruptLogError(code, n, str(error)) from error
