"""The replies of the scripts, parsed into values of the contract.

Invariant: a reply that makes no sense raises an error.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgpack

from server.store.log import (
    COMMIT_ID_DIGITS,
    Appended,
    AppendResult,
    Conflict,
    CorruptLogError,
    Duplicate,
    Gone,
    Head,
    LoadedTable,
    NotDue,
    StoreError,
    TablePresence,
)
from server.store.serialization import assemble, check_schema, load_commit, load_snapshot
from spades_core.commit import Commit, LogPosition

Fields = dict[bytes, bytes]

HEAD_FIELDS = ("n", "id", "presence_changed_at")


def parse_append(code: str, commit: Commit, reply: Sequence[bytes]) -> AppendResult:
    """Parse the reply of append.lua."""
    match [part.decode() for part in reply]:
        case ["APPENDED"]:
            return Appended(commit.at)
        case ["DUPLICATE", n]:
            return Duplicate(int(n))
        case ["CONFLICT", n, commit_id]:
            return Conflict(LogPosition(int(n), commit_id))
        case ["NOT_DUE", ms_left]:
            return NotDue(int(ms_left))
        case ["GONE"]:
            return Gone()
        case ["NEWER", schema]:
            check_schema(code, int(schema))
        case ["CORRUPT", last]:
            raise CorruptLogError(code, commit.n, f"the log goes on to {last} while its head says {commit.n - 1}")
    raise AssertionError(f"the append script replied {reply!r}")


def parse_load(code: str, reply: Sequence[Any] | None) -> LoadedTable | None:
    """Parse the reply of load.lua."""
    if reply is None:
        return None
    n, commit_id, schema, ms_until_deadline, first_entry_id, snapshot_ids, packed = reply
    check_schema(code, int(schema))
    entries = [(_number(entry_id), _fields(flat)) for entry_id, flat in msgpack.unpackb(packed, raw=True)]
    if not entries:
        return None  # a head without a log: gone, as for an append
    first_n, first = entries[0]
    snapshot = load_snapshot(code, first_n, first[b"snapshot"]) if b"snapshot" in first else None
    if snapshot is None and first_n > 1:
        raise CorruptLogError(code, first_n, "the log begins with it, and it has no snapshot")
    commits = [_commit(code, number, fields) for number, fields in entries]
    return replace(
        assemble(code, LogPosition(int(n), commit_id.decode()), snapshot, commits),
        ms_until_deadline=ms_until_deadline,
        first_n=_number(first_entry_id),
        snapshot_ids=_ids(snapshot_ids or b""),
    )


def parse_entry(code: str, entry_id: bytes, flat: Sequence[bytes]) -> Commit:
    """Parse one entry of a log."""
    return _commit(code, _number(entry_id), _fields(flat))


def parse_position(entry_id: bytes, flat: Sequence[bytes]) -> LogPosition:
    """Return the position of one entry of a log without parsing its commit."""
    return LogPosition(_number(entry_id), _fields(flat)[b"id"].decode())


def parse_presence(code: str, packed: bytes) -> TablePresence:
    """Parse the reply of presence.lua or its wake-up, which may be that of a newer version. Raises StoreError."""
    try:
        changed_at, leader, flat = msgpack.unpackb(packed, raw=True)
        players = {player.decode(): server.decode() for player, server in zip(flat[::2], flat[1::2], strict=True)}
        return TablePresence(int(changed_at), leader.decode() or None, players)
    except (ValueError, TypeError, AttributeError, msgpack.UnpackException) as error:
        raise StoreError(f"the presence of table {code} has an unknown form") from error


def parse_head(reply: Sequence[bytes | None]) -> Head | None:
    """Parse the HEAD_FIELDS of a head."""
    n, commit_id, presence_changed_at = reply
    if n is None or commit_id is None:
        return None
    return Head(LogPosition(int(n), commit_id.decode()), int(presence_changed_at or 0))


def _ids(joined: bytes) -> tuple[str, ...]:
    return tuple(joined[at : at + COMMIT_ID_DIGITS].decode() for at in range(0, len(joined), COMMIT_ID_DIGITS))


def _number(entry_id: bytes) -> int:
    return int(entry_id.partition(b"-")[0])


def _fields(flat: Sequence[bytes]) -> Fields:
    return dict(zip(flat[::2], flat[1::2], strict=True))


def _commit(code: str, n: int, fields: Fields) -> Commit:
    commit = load_commit(code, n, fields[b"commit"])
    if (commit.id, commit.parent) != (fields[b"id"].decode(), fields[b"parent"].decode()):
        raise CorruptLogError(code, n, "its ids are not those of its entry")
    return commit
