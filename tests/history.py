"""The history of a run: the requests of the players, the updates they received, and the logs of their tables.

Recorded by tests in which servers, stores and connections fail, and checked for
consistency afterwards. The checks here are those that all of them share.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from random import Random
from typing import Self

from spades_client.connection import Request

from server.store.log import LoadedTable, Snapshot
from server.tables.requests import command_for
from spades_core.commands import CommandRefused
from spades_core.commit import Commit, LogPosition
from spades_core.decide import decide
from spades_core.events import VisibleEvent
from spades_core.protocol.messages import JoinTable, Leave, MakeTable, Update
from spades_core.seats import SEATS, Seat
from spades_core.state import Table, Trick
from spades_core.views import PublicTrick, SeatView


@dataclass(slots=True)
class RequestRecord:
    """A request and its answer, with times of one monotonic clock.

    `answered` is None if there was no answer. The answer is an update of the table
    `code` at `position`, or a refusal with the code `refusal`.
    """

    player: str
    request: Request
    sent: float
    answered: float | None = None
    code: str = ""
    position: LogPosition | None = None
    refusal: str | None = None

    @property
    def acknowledged(self) -> bool:
        return self.position is not None

    def __str__(self) -> str:
        return f"{self.request} of {self.player}"


@dataclass(frozen=True, slots=True)
class ObservedUpdate:
    """An update that a player received; `summary` is its view in one line."""

    n: int
    e: str
    fresh: bool
    seat: Seat | None
    events: tuple[VisibleEvent, ...]
    summary: str

    @classmethod
    def of(cls, update: Update) -> Self:
        return cls(update.n, update.e, update.fresh, update.view.you, update.events, summarize(update.view))


@dataclass(frozen=True, slots=True)
class UpdateStream:
    """All updates of one table that one player received, in order."""

    player: str
    code: str
    updates: tuple[ObservedUpdate, ...]


@dataclass(frozen=True, slots=True)
class LogEntry:
    """A commit as stored, with the snapshot and the archived game stored along with it."""

    commit: Commit
    snapshot: Snapshot | None = None
    game: str | None = None


@dataclass(frozen=True, slots=True)
class History:
    """`logs` has every entry ever appended, by table; `final` each table as loaded at the end."""

    requests: tuple[RequestRecord, ...]
    streams: tuple[UpdateStream, ...]
    logs: dict[str, list[LogEntry]]
    final: dict[str, LoadedTable | None]


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken guarantee; violations are counted by `kind`: "lost", "doubled", "out of order" and others."""

    kind: str
    description: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.description}"


def check_chain(code: str, commits: Sequence[Commit]) -> Iterator[Violation]:
    """The numbers have no gap, and the parent of each commit is the one before it."""
    before = LogPosition(0, "")
    for commit in commits:
        if commit.n != before.n + 1:
            yield Violation("hole", f"table {code}: commit {commit.n} follows {before.n}")
        if commit.parent != before.id:
            yield Violation(
                "broken chain", f"table {code}: the parent of commit {commit.n} is {commit.parent}, not {before.id}"
            )
        before = commit.at


def check_real_time_order(code: str, records: Mapping[int, RequestRecord]) -> Iterator[Violation]:
    """A request acknowledged before another was sent has the lower commit number; `records` is by number."""
    first, earliest = None, inf
    for n in sorted(records, reverse=True):
        record = records[n]
        if earliest < record.sent:
            yield Violation(
                "out of order", f"table {code}: {record} is commit {n}, but was sent after {first} was acknowledged"
            )
        if record.acknowledged and record.answered is not None and record.answered < earliest:
            first, earliest = f"{record} (commit {n})", record.answered


@dataclass(frozen=True, slots=True)
class _Requester:
    player: str
    name: str = "somebody"


def changes_nothing(record: RequestRecord, table: Table) -> bool:
    """Return whether the request has no effect on this table, so that no commit is expected."""
    request = record.request
    if isinstance(request, MakeTable | JoinTable | Leave):
        return False
    try:
        command = command_for(request, _Requester(record.player), table.seat_of(record.player), Random(0))
        return not decide(table, command)
    except CommandRefused:
        return False


def summarize(view: SeatView) -> str:
    """Return everything that a player could act on or tell others, in one readable line."""
    seats = " ".join(
        f"{seat}:{at.kind}{' away' * at.away},bid={at.bid}{'!' * at.blind},took={at.taken},left={at.cards_left}"
        for seat, at in zip(SEATS, view.seats, strict=True)
    )
    sides = " ".join(f"{side.score}/{side.bags}" for side in view.sides)
    return (
        f"{view.phase}, hand {view.hand_number}, turn {view.turn}, you {view.you} with {' '.join(view.hand)}; "
        f"may {' '.join(view.legal_cards)}{view.legal_bids}{view.to_pass}; trick {_trick(view.trick)}; "
        f"tricks {' '.join(map(_trick, view.tricks))}; {seats}; scores {sides}; {view.outcome}"
    )


def _trick(trick: Trick | PublicTrick | None) -> str:
    return f"{trick.leader}:{''.join(trick.cards)}" if trick else "none"
