"""Reads every entry ever appended from the store's append-only file.

Servers trim their logs, but the append-only file keeps every effect of a script,
in order, as the command that repeats it.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from server.store.serialization import load_commit, load_game, load_snapshot
from tests.history import LogEntry

_LOG = re.compile(rb"spades:\{b\d{3}\}:([A-Z]{5}):log")
_GAME = re.compile(rb"spades:\{b\d{3}\}:([A-Z]{5}):game:(\d+)")
_ID = re.compile(rb"(\d+)-0")


class IncompleteFileError(Exception):
    """The file does not hold all commands since the store was created."""


def read_logs_of_tables(folder: Path) -> dict[str, list[LogEntry]]:
    """Return the log of each table; `folder` is the data folder of the store. Raises IncompleteFileError."""
    logs: dict[str, list[LogEntry]] = {}
    for command in parse_commands(append_only_file(folder).read_bytes()):
        if command[0] == b"XADD" and (table := _LOG.fullmatch(command[1])):
            code = table[1].decode()
            logs.setdefault(code, []).append(_entry(code, command[2:]))
        elif command[0] == b"SET" and (game := _GAME.fullmatch(command[1])):
            entries = logs[game[1].decode()]
            if entries[-1].commit.n != int(game[2]):
                raise IncompleteFileError(f"{game[0].decode()} was not archived with the commit that ended it")
            entries[-1] = replace(entries[-1], game=load_game(command[2]))
    return logs


def append_only_file(folder: Path) -> Path:
    """Return the path of the file. Raises IncompleteFileError if the store has ever rewritten it."""
    (manifest,) = (folder / "appendonlydir").glob("*.manifest")
    parts = [line.split() for line in manifest.read_text().splitlines()]
    files = {part[part.index("type") + 1]: part[part.index("file") + 1] for part in parts}
    if len(parts) != 2 or [part[part.index("seq") + 1] for part in parts] != ["1", "1"]:
        raise IncompleteFileError(f"{manifest} names more than the first file: {parts}")
    return manifest.parent / files["i"]


def parse_commands(data: bytes) -> Iterator[list[bytes]]:
    """Yield the commands in the data of an append-only file, up to one that a kill has cut short."""
    position = 0
    while position < len(data):
        if data[position : position + 1] != b"*":
            raise IncompleteFileError(f"byte {position} of the append-only file does not begin a command")
        try:
            end = data.index(b"\r\n", position)
            command = []
            for _ in range(int(data[position + 1 : end])):
                begin = end + 2
                end = data.index(b"\r\n", begin)
                length = int(data[begin + 1 : end])
                begin, end = end + 2, end + 2 + length
                command.append(data[begin:end])
        except ValueError:
            return
        position = end + 2
        if position > len(data):
            return
        command[0] = command[0].upper()
        yield command


def _entry(code: str, arguments: list[bytes]) -> LogEntry:
    """Parse the arguments after the key: options, the id, then names and values."""
    index, n = next((index, found[1]) for index, word in enumerate(arguments) if (found := _ID.fullmatch(word)))
    fields = dict(zip(arguments[index + 1 :: 2], arguments[index + 2 :: 2], strict=True))
    commit = load_commit(code, int(n), fields[b"commit"])
    if (commit.id.encode(), commit.parent.encode()) != (fields[b"id"], fields[b"parent"]):
        raise IncompleteFileError(f"table {code}, commit {commit.n}: its ids are not those of its entry")
    snapshot = load_snapshot(code, commit.n, fields[b"snapshot"]) if b"snapshot" in fields else None
    return LogEntry(commit, snapshot)
