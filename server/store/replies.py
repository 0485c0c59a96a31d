"""What the scripts answer, as values of the contract.

Invariant: an answer that makes no sense is an alarm, never a value.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgpack

from server.store.log import (
    ID_DIGITS,
    Appended,
    Conflict,
    CorruptLogError,
    Duplicate,
    Early,
    Gone,
    Head,
    Loaded,
    Outcome,
    StoreError,
    TablePresence,
)
from server.store.serialization import read_commit, read_snapshot, refuse_newer, whole
from spades_core.commit import Commit, LogPosition

Fields = dict[bytes, bytes]


def outcome(code: str, commit: Commit, reply: Sequence[bytes]) -> Outcome:
    """Of append.lua."""
    match [part.decode() for part in reply]:
        case ["APPENDED" | "OWN"]:
            return Appended(commit.at)
        case ["DUPLICATE", n]:
            return Duplicate(int(n))
        case ["CONFLICT", v, e]:
            return Conflict(LogPosition(int(v), e))
        case ["EARLY", ms_left]:
            return Early(int(ms_left))
        case ["GONE"]:
            return Gone()
        case ["NEWER", schema]:
            refuse_newer(code, int(schema))
        case ["DAMAGED", last]:
            raise CorruptLogError(code, commit.n, f"the log goes on to {last} while its head says {commit.n - 1}")
    raise AssertionError(f"the append script answered {reply!r}")


def table(code: str, reply: Sequence[Any] | None) -> Loaded | None:
    """Of load.lua."""
    if reply is None:
        return None
    v, e, schema, old_snapshot, due_in_ms, begins, checkpoints, packed = reply
    refuse_newer(code, int(schema))
    said = msgpack.unpackb(packed, raw=True)
    if not said:
        return None  # a head without a log: gone, as for an append
    entries = [(_number(entry_id), _fields(fields)) for entry_id, fields in said]
    if entries[0][0] > 1 and old_snapshot is not None:
        entries[0][1].setdefault(b"s", old_snapshot)
    # A log that schema 1 began and went on as one of today has its first snapshot further on.
    beginning = next((index for index, (n, fields) in enumerate(entries) if n == 1 or b"s" in fields), None)
    if beginning is None:
        raise CorruptLogError(code, entries[0][0], "the log begins with it, and it has no snapshot")
    entries = entries[beginning:]
    first_n, first = entries[0]
    snapshot = read_snapshot(code, first_n, first[b"s"]) if b"s" in first else None
    commits = [_commit(code, n, fields) for n, fields in entries]
    loaded = whole(code, LogPosition(int(v), e.decode()), snapshot, commits)
    return replace(loaded, due_in_ms=due_in_ms, begins=_number(begins), checkpoints=_ids(checkpoints or b""))


def entry(code: str, entry_id: bytes, fields: Sequence[bytes]) -> Commit:
    """One entry of a log."""
    return _commit(code, _number(entry_id), _fields(fields))


def position(entry_id: bytes, fields: Sequence[bytes]) -> LogPosition:
    """Of one entry of a log, its commit unread."""
    return LogPosition(_number(entry_id), _fields(fields)[b"e"].decode())


def attendance(code: str, packed: bytes) -> TablePresence:
    """Of presence.lua, to who asked and to everybody; that may be the one of a newer version. Raises StoreError."""
    try:
        changed_at, leader, said = msgpack.unpackb(packed, raw=True)
        players = {player.decode(): server.decode() for player, server in zip(said[::2], said[1::2], strict=True)}
        return TablePresence(int(changed_at), leader.decode() or None, players)
    except (ValueError, TypeError, AttributeError, msgpack.UnpackException) as error:
        raise StoreError(f"who looks at table {code} is told in words that are not known here") from error


def top(reply: Sequence[bytes | None]) -> Head | None:
    """Of v, e and attended in a head."""
    v, e, attended = reply
    if v is None or e is None:
        return None
    return Head(LogPosition(int(v), e.decode()), int(attended or 0))


def _ids(joined: bytes) -> tuple[str, ...]:
    return tuple(joined[at : at + ID_DIGITS].decode() for at in range(0, len(joined), ID_DIGITS))


def _number(entry_id: bytes) -> int:
    return int(entry_id.partition(b"-")[0])


def _fields(given: Sequence[bytes]) -> Fields:
    return dict(zip(given[::2], given[1::2], strict=True))


def _commit(code: str, n: int, fields: Fields) -> Commit:
    commit = read_commit(code, n, fields[b"c"])
    if (commit.e, commit.parent) != (fields[b"e"].decode(), fields[b"p"].decode()):
        raise CorruptLogError(code, n, "its ids are not those of its entry")
    return commit
