"""What must be true of every run, whatever was done to it; each check tells what is not.

Pure functions over recorded facts. Of a table whose log is not whole nothing
more is asked.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from random import Random

from server.store.log import LoadedTable
from server.tables.requests import command_for
from spades_core.commands import CommandRefused
from spades_core.commit import LogPosition
from spades_core.decide import decide
from spades_core.events import GameEnded, GameStarted
from spades_core.evolve import evolve_all
from spades_core.notation import write_game
from spades_core.protocol.messages import JoinTable, Leave, MakeTable
from spades_core.state import Table
from spades_core.views import redact, view_for
from tests.chaos.history import History, Log, LogEntry, ObservedUpdate, RequestRecord, UpdateStream, shown


@dataclass(frozen=True, slots=True)
class Violation:
    """`kind` is what is counted: "lost", "doubled", "out of order", or another word; `account` is for people."""

    kind: str
    account: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.account}"


def violations(facts: History) -> Iterator[Violation]:
    yield from not_done_as_answered(facts.asked, facts.journal)
    streams = defaultdict(list)
    for stream in facts.streams:
        streams[stream.code].append(stream)
    for code, entries in facts.journal.items():
        broken = list(not_chained(code, entries))
        yield from broken
        if not broken:
            tables = replayed(entries)
            yield from not_as_replayed(code, entries, tables)
            yield from not_archived(code, entries, tables)
            yield from not_final(code, facts.final.get(code), entries, tables)
            yield from answered_without_reason(facts.asked, code, entries, tables)
            for stream in streams[code]:
                yield from not_told_in_order(stream, entries, tables)


def not_done_as_answered(asked: Sequence[RequestRecord], journal: Log) -> Iterator[Violation]:
    """Acknowledged requests are in the log once, refused ones are not, and their order is that of real time."""
    placed: dict[tuple[str, str], list[tuple[str, int]]] = defaultdict(list)
    for code, entries in journal.items():
        for commit in (entry.commit for entry in entries):
            if commit.player is not None and commit.request is not None:
                placed[commit.player, commit.request].append((code, commit.n))
    at_table: dict[str, dict[int, RequestRecord]] = defaultdict(dict)
    for one in asked:
        places = placed.get((one.player, one.request.id), [])
        if len(places) > 1:
            yield Violation("doubled", f"{one} is in the log {len(places)} times: {places}")
        if places and one.refused is not None and not _left_open(one):
            yield Violation("refused, but done", f"{one} was refused as {one.refused} and is in the log at {places}")
        if one.acknowledged and not all(code == one.code and n <= one.n for code, n in places):
            yield Violation("lost", f"{one} was answered with {one.code} {one.n}, and came to be at {places} only")
        for code, n in places:
            at_table[code][n] = one
    for code, numbered in at_table.items():
        yield from not_in_real_time(code, numbered)


def _left_open(one: RequestRecord) -> bool:
    """A table that could not be saved may have been made: nobody has its code."""
    return isinstance(one.request, MakeTable) and one.refused == "saving_paused"


def not_in_real_time(code: str, numbered: Mapping[int, RequestRecord]) -> Iterator[Violation]:
    """What was acknowledged before something else was asked has the smaller number."""
    first, earliest = None, inf
    for n in sorted(numbered, reverse=True):
        one = numbered[n]
        if earliest < one.sent:
            yield Violation(
                "out of order", f"table {code}: {one} is commit {n}, but was sent after {first} was acknowledged"
            )
        if one.acknowledged and one.answered is not None and one.answered < earliest:
            first, earliest = f"{one} (commit {n})", one.answered


def not_chained(code: str, entries: Sequence[LogEntry]) -> Iterator[Violation]:
    """Numbers without a hole, each commit on the one before it."""
    before = LogPosition(0, "")
    for commit in (entry.commit for entry in entries):
        if commit.n != before.n + 1:
            yield Violation("hole", f"table {code}: commit {commit.n} follows {before.n}")
        if commit.parent != before.e:
            yield Violation(
                "broken chain", f"table {code}: commit {commit.n} was made on {commit.parent}, not {before.e}"
            )
        before = commit.at


def replayed(entries: Sequence[LogEntry]) -> list[Table]:
    """The table after each commit; at place 0 the one before the first."""
    tables = [Table()]
    for entry in entries:
        tables.append(evolve_all(tables[-1], entry.commit.events))
    return tables


def not_as_replayed(code: str, entries: Sequence[LogEntry], tables: Sequence[Table]) -> Iterator[Violation]:
    """A snapshot is the table that replaying gives."""
    for entry in entries:
        snapshot = entry.snapshot
        if snapshot is None:
            continue
        if snapshot.at != entry.commit.at:
            yield Violation("snapshot", f"table {code}: that of {snapshot.at} was written with {entry.commit.at}")
        elif snapshot.table != tables[entry.commit.n]:
            yield Violation("snapshot", f"table {code}: {snapshot.table}\n is not\n{tables[entry.commit.n]}")


def not_archived(code: str, entries: Sequence[LogEntry], tables: Sequence[Table]) -> Iterator[Violation]:
    """With each game that ends, and only then, its text is kept."""
    begun = 0
    for n, entry in enumerate(entries, start=1):
        kinds = {type(event) for event in entry.commit.events}
        if GameStarted in kinds:
            begun = n
        events = [event for played in entries[begun:n] for event in played.commit.events]
        expected = write_game(events, tables[begun]) if GameEnded in kinds else None
        if entry.game != expected:
            yield Violation("archive", f"table {code}, commit {n}: archived was\n{entry.game}\nnot\n{expected}")


def not_final(
    code: str, final: LoadedTable | None, entries: Sequence[LogEntry], tables: Sequence[Table]
) -> Iterator[Violation]:
    """What a server would load now is the end of what was appended."""
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


@dataclass(frozen=True, slots=True)
class _Asker:
    """Who asked, as far as a command needs to know."""

    player: str
    name: str = "somebody"


def answered_without_reason(
    asked: Sequence[RequestRecord], code: str, entries: Sequence[LogEntry], tables: Sequence[Table]
) -> Iterator[Violation]:
    """What was acknowledged and is not in the log had nothing to change."""
    done = {(entry.commit.player, entry.commit.request) for entry in entries}
    for one in asked:
        if one.code != code or one.n is None or (one.player, one.request.id) in done:
            continue
        if one.n >= len(tables) or not _changes_nothing(one, tables[one.n]):
            yield Violation("lost", f"{one} was acknowledged with table {code} at {one.n}, and is not in its log")


def _changes_nothing(one: RequestRecord, table: Table) -> bool:
    request = one.request
    if isinstance(request, MakeTable | JoinTable | Leave):
        return False
    try:
        command = command_for(request, _Asker(one.player), table.seat_of(one.player), Random(0))
        return not decide(table, command)
    except CommandRefused:
        return False


def not_told_in_order(
    stream: UpdateStream, entries: Sequence[LogEntry], tables: Sequence[Table]
) -> Iterator[Violation]:
    """What a person was shown is what the log says, without a gap and never back, but for a fresh start."""
    who = f"{stream.player} at table {stream.code}"
    for seen in stream.seen:
        if not 0 < seen.n < len(tables) or entries[seen.n - 1].commit.e != seen.e:
            yield Violation("stream", f"{who} was shown {seen.n} {seen.e}, which is not in the log")
            return
        expected = shown(view_for(seen.seat, tables[seen.n]))
        if seen.shown != expected:
            yield Violation("stream", f"{who} was shown at {seen.n}\n{seen.shown}\nwhere the log says\n{expected}")
    first = stream.seen[:1]
    if first and not first[0].fresh:
        yield Violation("stream", f"{who}: the first update, {first[0].n}, is not fresh")
    for before, after in pairwise(stream.seen):
        if not after.fresh:
            yield from _not_next(who, before, after, entries)


def _not_next(
    who: str, before: ObservedUpdate, after: ObservedUpdate, entries: Sequence[LogEntry]
) -> Iterator[Violation]:
    if after.n < before.n:
        yield Violation("stream", f"{who} was shown {after.n} after {before.n}, and not as a fresh start")
        return
    between = [event for entry in entries[before.n : after.n] for event in entry.commit.events]
    told = tuple(redact(after.seat, event) for event in between)
    if after.events != told:
        yield Violation(
            "stream", f"{who}, from {before.n} to {after.n}, was told\n{after.events}\nwhere the log says\n{told}"
        )
