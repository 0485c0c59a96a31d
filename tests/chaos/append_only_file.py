"""Everything ever appended, read from the append-only file of the store.

The server cuts its logs, the append-only file does not: the store writes every
effect of a script there, in order, as the command that repeats it.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from server.store.serialization import load_commit, load_game, load_snapshot
from tests.chaos.history import Log, LogEntry

_LOG = re.compile(rb"spades:\{b\d{3}\}:([A-Z]{5}):log")
_GAME = re.compile(rb"spades:\{b\d{3}\}:([A-Z]{5}):game:(\d+)")
_ID = re.compile(rb"(\d+)-0")


class IncompleteFileError(Exception):
    """The file does not tell everything from the beginning."""


def read_append_only_file(folder: Path) -> Log:
    """`folder` is the data folder of the store process."""
    journal: Log = {}
    for command in commands(append_only_file(folder).read_bytes()):
        if command[0] == b"XADD" and (table := _LOG.fullmatch(command[1])):
            code = table[1].decode()
            journal.setdefault(code, []).append(_entry(code, command[2:]))
        elif command[0] == b"SET" and (game := _GAME.fullmatch(command[1])):
            entries = journal[game[1].decode()]
            if entries[-1].commit.n != int(game[2]):
                raise IncompleteFileError(f"{game[0].decode()} was not archived with the commit that ended it")
            entries[-1] = replace(entries[-1], game=load_game(command[2]))
    return journal


def append_only_file(folder: Path) -> Path:
    """The one file that has it all; raises NotWhole when the store has ever written it anew."""
    (manifest,) = (folder / "appendonlydir").glob("*.manifest")
    parts = [line.split() for line in manifest.read_text().splitlines()]
    files = {part[part.index("type") + 1]: part[part.index("file") + 1] for part in parts}
    if len(parts) != 2 or [part[part.index("seq") + 1] for part in parts] != ["1", "1"]:
        raise IncompleteFileError(f"{manifest} names more than the first file: {parts}")
    return manifest.parent / files["i"]


def commands(written: bytes) -> Iterator[list[bytes]]:
    """The commands of an append-only file; one that was cut short by a kill ends it."""
    at = 0
    while at < len(written):
        if written[at : at + 1] != b"*":
            raise IncompleteFileError(f"byte {at} of the append-only file does not begin a command")
        try:
            end = written.index(b"\r\n", at)
            command = []
            for _ in range(int(written[at + 1 : end])):
                begin = end + 2
                end = written.index(b"\r\n", begin)
                length = int(written[begin + 1 : end])
                begin, end = end + 2, end + 2 + length
                command.append(written[begin:end])
        except ValueError:
            return
        at = end + 2
        if at > len(written):
            return
        command[0] = command[0].upper()
        yield command


def _entry(code: str, arguments: list[bytes]) -> LogEntry:
    """From what follows the key: options, the id, then names and values."""
    place, n = next((place, found[1]) for place, word in enumerate(arguments) if (found := _ID.fullmatch(word)))
    fields = dict(zip(arguments[place + 1 :: 2], arguments[place + 2 :: 2], strict=True))
    commit = load_commit(code, int(n), fields[b"commit"])
    if (commit.e.encode(), commit.parent.encode()) != (fields[b"id"], fields[b"parent"]):
        raise IncompleteFileError(f"table {code}, commit {commit.n}: its ids are not those of its entry")
    snapshot = load_snapshot(code, commit.n, fields[b"snapshot"]) if b"snapshot" in fields else None
    return LogEntry(commit, snapshot)
