"""The consistency checks of a run, as pure functions over its history; each yields the violations that it finds.

A table whose log has a gap or a broken chain is not checked further.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from server.store.log import LoadedTable
from spades_core.events import GameEnded, GameStarted
from spades_core.evolve import evolve_all
from spades_core.notation import write_game
from spades_core.protocol.messages import MakeTable
from spades_core.state import Table
from spades_core.views import redact, view_for
from tests.history import (
    History,
    LogEntry,
    ObservedUpdate,
    RequestRecord,
    UpdateStream,
    Violation,
    changes_nothing,
    check_chain,
    check_real_time_order,
    summarize,
)


def violations(history: History) -> Iterator[Violation]:
    yield from check_answers(history.requests, history.logs)
    streams = defaultdict(list)
    for stream in history.streams:
        streams[stream.code].append(stream)
    for code, entries in history.logs.items():
        broken = list(check_chain(code, [entry.commit for entry in entries]))
        yield from broken
        if not broken:
            tables = replay(entries)
            yield from check_snapshots(code, entries, tables)
            yield from check_archive(code, entries, tables)
            yield from check_final(code, history.final.get(code), entries, tables)
            yield from check_acknowledged(history.requests, code, entries, tables)
            for stream in streams[code]:
                yield from check_stream(stream, entries, tables)


def check_answers(records: Sequence[RequestRecord], logs: Mapping[str, Sequence[LogEntry]]) -> Iterator[Violation]:
    """Acknowledged requests are in the log once, refused ones are not, and their order is that of real time."""
    commits: dict[tuple[str, str], list[tuple[str, int]]] = defaultdict(list)
    for code, entries in logs.items():
        for commit in (entry.commit for entry in entries):
            if commit.player is not None and commit.request is not None:
                commits[commit.player, commit.request].append((code, commit.n))
    by_table: dict[str, dict[int, RequestRecord]] = defaultdict(dict)
    for record in records:
        found = commits.get((record.player, record.request.id), [])
        if len(found) > 1:
            yield Violation("doubled", f"{record} is in the log {len(found)} times: {found}")
        if found and record.refusal is not None and not _may_be_made(record):
            yield Violation("refused, but done", f"{record} was refused as {record.refusal} and is in the log: {found}")
        if record.position is not None and not all(code == record.code and n <= record.position.n for code, n in found):
            yield Violation(
                "lost", f"{record} was acknowledged at {record.code} {record.position.n}, but is only at {found}"
            )
        for code, n in found:
            by_table[code][n] = record
    for code, numbered in by_table.items():
        yield from check_real_time_order(code, numbered)


def _may_be_made(record: RequestRecord) -> bool:
    """A table that could not be saved may exist all the same: nobody has its code."""
    return isinstance(record.request, MakeTable) and record.refusal == "saving_paused"


def replay(entries: Sequence[LogEntry]) -> list[Table]:
    """Return the table before the first commit and after each one, so that index n is that after commit n."""
    tables = [Table()]
    for entry in entries:
        tables.append(evolve_all(tables[-1], entry.commit.events))
    return tables


def check_snapshots(code: str, entries: Sequence[LogEntry], tables: Sequence[Table]) -> Iterator[Violation]:
    """A snapshot equals the replayed table."""
    for entry in entries:
        snapshot = entry.snapshot
        if snapshot is None:
            continue
        if snapshot.at != entry.commit.at:
            yield Violation("snapshot", f"table {code}: that of {snapshot.at} was stored with {entry.commit.at}")
        elif snapshot.table != tables[entry.commit.n]:
            yield Violation("snapshot", f"table {code}: {snapshot.table}\n is not\n{tables[entry.commit.n]}")


def check_archive(code: str, entries: Sequence[LogEntry], tables: Sequence[Table]) -> Iterator[Violation]:
    """The commit that ends a game archives its text, and no other commit does."""
    start = 0
    for n, entry in enumerate(entries, start=1):
        kinds = {type(event) for event in entry.commit.events}
        if GameStarted in kinds:
            start = n
        events = [event for played in entries[start:n] for event in played.commit.events]
        expected = write_game(events, tables[start]) if GameEnded in kinds else None
        if entry.game != expected:
            yield Violation("archive", f"table {code}, commit {n}: archived is\n{entry.game}\nnot\n{expected}")


def check_final(
    code: str, final: LoadedTable | None, entries: Sequence[LogEntry], tables: Sequence[Table]
) -> Iterator[Violation]:
    """The table loaded at the end is the one that was appended last."""
    if final is None:
        yield Violation("lost", f"table {code} is gone")
        return
    if final.last != entries[-1].commit.at:
        yield Violation("lost", f"table {code} ends with {final.last}; appended was up to {entries[-1].commit.at}")
        return
    table = final.snapshot.table if final.snapshot else Table()
    for commit in final.commits:
        table = evolve_all(table, commit.events)
    if table != tables[-1]:
        yield Violation("snapshot", f"table {code} as loaded: {table}\n is not\n{tables[-1]}")


def check_acknowledged(
    records: Sequence[RequestRecord], code: str, entries: Sequence[LogEntry], tables: Sequence[Table]
) -> Iterator[Violation]:
    """A request that was acknowledged but is not in the log had no effect."""
    done = {(entry.commit.player, entry.commit.request) for entry in entries}
    for record in records:
        if record.code != code or record.position is None or (record.player, record.request.id) in done:
            continue
        if record.position.n >= len(tables) or not changes_nothing(record, tables[record.position.n]):
            yield Violation(
                "lost", f"{record} was acknowledged at {record.position.n} of table {code}, and is not in its log"
            )


def check_stream(stream: UpdateStream, entries: Sequence[LogEntry], tables: Sequence[Table]) -> Iterator[Violation]:
    """Updates agree with the log, and follow each other without a gap or a step back, except for fresh ones."""
    viewer = f"{stream.player} at table {stream.code}"
    for update in stream.updates:
        if not 0 < update.n < len(tables) or entries[update.n - 1].commit.id != update.e:
            yield Violation("stream", f"{viewer} was sent {update.n} {update.e}, which is not in the log")
            return
        expected = summarize(view_for(update.seat, tables[update.n]))
        if update.summary != expected:
            yield Violation("stream", f"{viewer} was shown at {update.n}\n{update.summary}\nnot\n{expected}")
    first = stream.updates[:1]
    if first and not first[0].fresh:
        yield Violation("stream", f"{viewer}: the first update, {first[0].n}, is not fresh")
    for before, after in pairwise(stream.updates):
        if not after.fresh:
            yield from _check_successor(viewer, before, after, entries)


def _check_successor(
    viewer: str, before: ObservedUpdate, after: ObservedUpdate, entries: Sequence[LogEntry]
) -> Iterator[Violation]:
    if after.n < before.n:
        yield Violation("stream", f"{viewer} was sent {after.n} after {before.n}, and not as fresh")
        return
    between = [event for entry in entries[before.n : after.n] for event in entry.commit.events]
    expected = tuple(redact(after.seat, event) for event in between)
    if after.events != expected:
        yield Violation("stream", f"{viewer}, from {before.n} to {after.n}, was sent\n{after.events}\nnot\n{expected}")
