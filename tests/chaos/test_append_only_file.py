"""Reading what a store has written down."""

from dataclasses import replace
from pathlib import Path

import pytest

from server.store.keys import keys_of
from server.store.serialization import dump, dump_game
from tests.chaos.append_only_file import IncompleteFileError, commands, read_append_only_file
from tests.chaos.history import LogEntry
from tests.chaos.sample_history import CODE, sample_history


def resp(*words: bytes | str) -> bytes:
    """A command as an append-only file has it."""
    parts = [word.encode() if isinstance(word, str) else word for word in words]
    return b"*%d\r\n" % len(parts) + b"".join(b"$%d\r\n%s\r\n" % (len(part), part) for part in parts)


def added(entry: LogEntry) -> bytes:
    commit = entry.commit
    snapshot = ("snapshot", dump(entry.snapshot)) if entry.snapshot else ()
    fields = ("id", commit.e, "parent", commit.parent, "commit", dump(commit), *snapshot)
    return resp("XADD", keys_of(CODE).log, "NOMKSTREAM", f"{commit.n}-0", *fields)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "appendonlydir"
    folder.mkdir()
    (folder / "store.aof.manifest").write_text(
        "file store.aof.1.base.rdb seq 1 type b\nfile store.aof.1.incr.aof seq 1 type i\n"
    )
    return tmp_path


def test_every_commit_is_read_though_the_store_has_trimmed_it(data: Path) -> None:
    entries = sample_history().journal[CODE]
    trimmed = resp("XTRIM", keys_of(CODE).log, "MINID", "9-0")
    others = resp("SELECT", "0") + resp("hset", keys_of(CODE).head, "n", "14")
    written = others + b"".join(map(added, entries)) + trimmed
    (data / "appendonlydir" / "store.aof.1.incr.aof").write_bytes(written)
    assert read_append_only_file(data) == {CODE: entries}


def test_a_game_is_read_with_the_commit_that_ended_it(data: Path) -> None:
    first, second = sample_history().journal[CODE][:2]
    file = data / "appendonlydir" / "store.aof.1.incr.aof"
    archived = resp("SET", keys_of(CODE).game(1), dump_game("a game"), "PXAT", "9")
    file.write_bytes(added(first) + archived + added(second))
    assert read_append_only_file(data) == {CODE: [replace(first, game="a game"), second]}
    file.write_bytes(added(first) + added(second) + archived)
    with pytest.raises(IncompleteFileError, match="not archived with the commit"):
        read_append_only_file(data)


def test_a_command_cut_short_by_a_kill_ends_the_file() -> None:
    whole, cut = resp("SET", "a", "1"), resp("SET", "b", b"two\r\nlines")
    for end in range(len(cut)):
        assert list(commands(whole + cut[:end])) == [[b"SET", b"a", b"1"]]
    assert len(list(commands(whole + cut))) == 2


def test_what_is_no_command_is_not_skipped() -> None:
    with pytest.raises(IncompleteFileError, match="byte 27 "):
        list(commands(resp("SET", "a", "1") + b"???"))


def test_a_file_that_was_written_anew_no_longer_tells_everything(data: Path) -> None:
    (data / "appendonlydir" / "store.aof.manifest").write_text(
        "file store.aof.2.base.rdb seq 2 type b\nfile store.aof.2.incr.aof seq 2 type i\n"
    )
    with pytest.raises(IncompleteFileError, match="more than the first"):
        read_append_only_file(data)
