"""The log of a table, as a contract: who appends says on what top, and the store alone judges.

Invariant: the commits of a table are numbered 1, 2, 3 … without a hole, and each
names the id of the one before it. What was Appended is never lost or doubled by
anything a server, a client or a wire may do.
"""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from spades_core.events import LoggedEvent
from spades_core.state import Table


class StoreError(Exception):
    """Anything the store has to say; its text is one plain sentence, fit to be shown to who runs the server."""


class StoreUnavailable(StoreError):
    """The store cannot be reached, is full or refuses us. After an append: whether it was stored is not known."""


class StoreAlarm(StoreError):
    """What was read is damaged: a hole, a broken chain, unreadable bytes. Never to be played on."""

    def __init__(self, code: str, n: int, problem: str) -> None:
        super().__init__(f"the log of table {code} is damaged at commit {n}: {problem}")
        self.code = code
        self.n = n


class StoreNewer(StoreError):
    """It was written by a newer version of this server."""


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a table's log: the number and the id of one commit."""

    n: int
    e: str


@dataclass(frozen=True, slots=True)
class Commit:
    """One entry of a log. `p` is the id of the commit before, "" for the first; `request` is the asker's own id."""

    n: int
    e: str
    p: str
    player: str | None
    request: str | None
    events: tuple[LoggedEvent, ...]

    @property
    def at(self) -> Position:
        return Position(self.n, self.e)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A table as it was right after the commit `at`."""

    at: Position
    table: Table


@dataclass(frozen=True, slots=True)
class Loaded:
    """All of a table: `commits` follow the snapshot, contiguous and chained; without one they begin at 1."""

    snapshot: Snapshot | None
    commits: tuple[Commit, ...]

    @property
    def top(self) -> Position:
        if self.commits:
            return self.commits[-1].at
        assert self.snapshot is not None
        return self.snapshot.at


@dataclass(frozen=True, slots=True)
class Appended:
    """It is remembered now, or was already: this very commit, by its id."""

    at: Position


@dataclass(frozen=True, slots=True)
class Duplicate:
    """The same request of the same player is already stored, as commit `n`."""

    n: int


@dataclass(frozen=True, slots=True)
class Conflict:
    """Somebody else was first, or the log was rewound: the top is another one than expected."""

    top: Position


@dataclass(frozen=True, slots=True)
class Early:
    """By the store's own clock the deadline of the table lies ahead. Only for appends that ask `only_when_due`."""

    ms_left: int


@dataclass(frozen=True, slots=True)
class Gone:
    """There is no such table any more, and an append never brings one back."""


Outcome = Appended | Duplicate | Conflict | Early | Gone

Woken = Callable[[str, Commit], None]
"""Called with the code of a table and a commit appended to it by anyone, this server included."""


class TableLog(Protocol):
    """Every method may raise StoreUnavailable; those that read, StoreAlarm and StoreNewer too."""

    async def create(self, code: str, commit: Commit, *, status: str = "lobby") -> bool:
        """Begin a log with its commit 1; False when the code is taken."""

    async def append(
        self,
        code: str,
        commit: Commit,
        *,
        snapshot: Table | None,
        deadline_ms: int | None,
        status: str,
        only_when_due: bool = False,
    ) -> Outcome:
        """Append iff the top is (commit.n - 1, commit.p).

        `snapshot` is the table after the commit; older commits are dropped with
        it. `deadline_ms` (wall clock, since 1970) and `status` replace those
        stored before. `only_when_due` is for a timeout: refused as Early while
        the deadline stored before lies ahead.
        """

    async def load(self, code: str) -> Loaded | None:
        """The whole table at one moment; None when there is no such table."""

    async def read(self, code: str, after: Position) -> tuple[Commit, ...] | None:
        """The commits after a position; None when the log does not hold it (trimmed, rewound, no such table)."""

    async def answered(self, code: str, player: str, request: str) -> int | None:
        """The number of the commit that this request became; None when it is not the player's last one stored."""

    async def tops(self, codes: Sequence[str]) -> dict[str, Position | None]:
        """Where each table stands, for the check that no wake-up was missed; None for a table that is gone."""

    async def listen(self, woken: Woken, resubscribed: Callable[[], None]) -> None:
        """Tell of every commit of every table until cancelled; reconnects by itself.

        Wake-ups may be lost, never damaged. `resubscribed` is called at the
        first subscription and after every later one: time to compare tops.
        """

    async def close(self) -> None:
        """Let go of every connection; calling it again does nothing."""


def new_commit_id() -> str:
    """A fresh commit id: 64 random bits as 16 hex digits."""
    return secrets.token_hex(8)
