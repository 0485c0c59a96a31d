"""Reading the entries of logs from a store's append-only file."""

from dataclasses import replace
from pathlib import Path

import pytest

from server.store.keys import keys_of
from server.store.serialization import dump, dump_game
from tests.chaos.append_only_file import IncompleteFileError, parse_commands, read_logs_of_tables
from tests.chaos.sample_history import CODE, sample_history
from tests.history import LogEntry


def resp(*words: bytes | str) -> bytes:
    """Encode a command as in an append-only file."""
    parts = [word.encode() if isinstance(word, str) else word for word in words]
    return b"*%d\r\n" % len(parts) + b"".join(b"$%d\r\n%s\r\n" % (len(part), part) for part in parts)


def added(entry: LogEntry) -> bytes:
    commit = entry.commit
    snapshot = ("snapshot", dump(entry.snapshot)) if entry.snapshot else ()
    fields = ("id", commit.id, "parent", commit.parent, "commit", dump(commit), *snapshot)
    return resp("XADD", keys_of(CODE).log, "NOMKSTREAM", f"{commit.n}-0", *fields)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "appendonlydir"
    folder.mkdir()
    (folder / "store.aof.manifest").write_text(
        "file store.aof.1.base.rdb seq 1 type b\nfile store.aof.1.incr.aof seq 1 type i\n"
    )
    return tmp_path


def test_trimmed_commits_are_read_too(data: Path) -> None:
    entries = sample_history().logs[CODE]
    trimmed = resp("XTRIM", keys_of(CODE).log, "MINID", "9-0")
    others = resp("SELECT", "0") + resp("hset", keys_of(CODE).head, "n", "14")
    written = others + b"".join(map(added, entries)) + trimmed
    (data / "appendonlydir" / "store.aof.1.incr.aof").write_bytes(written)
    assert read_logs_of_tables(data) == {CODE: entries}


def test_an_archived_game_belongs_to_the_commit_that_ended_it(data: Path) -> None:
    first, second = sample_history().logs[CODE][:2]
    file = data / "appendonlydir" / "store.aof.1.incr.aof"
    archived = resp("SET", keys_of(CODE).game(1), dump_game("a game"), "PXAT", "9")
    file.write_bytes(added(first) + archived + added(second))
    assert read_logs_of_tables(data) == {CODE: [replace(first, game="a game"), second]}
    file.write_bytes(added(first) + added(second) + archived)
    with pytest.raises(IncompleteFileError, match="not archived with the commit"):
        read_logs_of_tables(data)


def test_a_command_cut_short_by_a_kill_ends_the_file() -> None:
    whole, cut = resp("SET", "a", "1"), resp("SET", "b", b"two\r\nlines")
    for end in range(len(cut)):
        assert list(parse_commands(whole + cut[:end])) == [[b"SET", b"a", b"1"]]
    assert len(list(parse_commands(whole + cut))) == 2


def test_data_that_is_not_a_command_is_an_error() -> None:
    with pytest.raises(IncompleteFileError, match="byte 27 "):
        list(parse_commands(resp("SET", "a", "1") + b"???"))


def test_a_rewritten_file_is_incomplete(data: Path) -> None:
    (data / "appendonlydir" / "store.aof.manifest").write_text(
        "file store.aof.2.base.rdb seq 2 type b\nfile store.aof.2.incr.aof seq 2 type i\n"
    )
    with pytest.raises(IncompleteFileError, match="more than the first"):
        read_logs_of_tables(data)
