"""The contract of a table's log: a writer names the commit it expects at the end, and the store alone decides.

Invariant: the commits of a table are numbered 1, 2, 3 … without a gap, and each
names the id of its parent. An appended commit is never lost or stored twice,
whatever a server, a client or the network does.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from spades_core.commit import Commit, LogPosition
from spades_core.state import Table

COMMIT_ID_DIGITS = 16
MAX_SNAPSHOT_IDS = 4
"""Length of `LoadedTable.snapshot_ids`: a hand has at least 56 commits, and a rollback loses a few."""


class StoreError(Exception):
    """Base class of the store's errors; the text is one plain sentence for the operator of the server."""


class StoreUnavailable(StoreError):
    """The store is unreachable, full or refuses access. After an append the commit may or may not be stored."""


class CorruptLogError(StoreError):
    """A log is damaged: a gap, a broken chain or unreadable bytes. Such a table must not be played on."""

    def __init__(self, code: str, n: int, problem: str) -> None:
        super().__init__(f"the log of table {code} is damaged at commit {n}: {problem}")
        self.code = code
        self.n = n


class NewerVersionError(StoreError):
    """The data was written by a newer version of this server."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A table right after the commit `at`."""

    at: LogPosition
    table: Table


@dataclass(frozen=True, slots=True)
class TablePresence:
    """The players connected to a table, each with the server of the connection, and the server that leads the table.

    `changed_at` (µs since 1970, by the store's clock) grows with every change and is never reused,
    not even after a rollback. A server named here may be dead; the table cannot know.
    """

    changed_at: int = 0
    leader: str | None = None
    players: Mapping[str, str] = field(default_factory=dict)

    @property
    def servers(self) -> frozenset[str]:
        return frozenset(self.players.values()) | ({self.leader} if self.leader else frozenset())


@dataclass(frozen=True, slots=True)
class Head:
    """The position of a table's last commit, and `TablePresence.changed_at`."""

    at: LogPosition
    presence_changed_at: int


@dataclass(frozen=True, slots=True)
class LoadedTable:
    """A table as read from the store: `commits` follow the snapshot or, without one, begin with commit 1.

    `ms_until_deadline` is the time left until the last deadline set, by the store's clock: 0 if it has passed,
    None if none was ever set. The log holds the commits from number `first_n` on, which may be before the
    snapshot. `snapshot_ids` are the ids of the last commits with a snapshot, trimmed ones included: they tell
    which hands came before, even when the log is rolled back later.
    """

    snapshot: Snapshot | None
    commits: tuple[Commit, ...]
    ms_until_deadline: int | None = None
    first_n: int = field(default=1, compare=False)
    snapshot_ids: tuple[str, ...] = field(default=(), compare=False)

    @property
    def last(self) -> LogPosition:
        """The position of the last commit."""
        if self.commits:
            return self.commits[-1].at
        assert self.snapshot is not None
        return self.snapshot.at


@dataclass(frozen=True, slots=True)
class Appended:
    """The commit is stored; appending the same commit again is harmless."""

    at: LogPosition


@dataclass(frozen=True, slots=True)
class Duplicate:
    """The same request of the same player is already stored, as commit `n`."""

    n: int


@dataclass(frozen=True, slots=True)
class Conflict:
    """The log ends with another commit than expected: another server was first, or the log was rolled back."""

    last: LogPosition


@dataclass(frozen=True, slots=True)
class NotDue:
    """The deadline of the table is `ms_left` ahead, by the store's clock. Only with `only_when_due`."""

    ms_left: int


@dataclass(frozen=True, slots=True)
class Gone:
    """The table does not exist any more; an append never restores it."""


AppendResult = Appended | Duplicate | Conflict | NotDue | Gone


class Subscriber(Protocol):
    """Receives wake-ups. No method may block or raise."""

    def wants(self, code: str) -> bool:
        """Return whether to deliver the wake-ups of this table."""

    def committed(self, code: str, commit: Commit) -> None:
        """Called after an append by any server, this one included."""

    def presence_changed(self, code: str, presence: TablePresence) -> None:
        """Called after a change of presence; `presence` may be outdated by now."""

    def resubscribed(self) -> None:
        """Called after every subscription, as wake-ups may have been lost before it: compare the heads."""


class TableLog(Protocol):
    """Every method may raise StoreUnavailable; those that read also CorruptLogError and NewerVersionError."""

    async def create(self, code: str, commit: Commit) -> bool:
        """Start a log with its commit 1; return False if the code is taken."""

    async def append(
        self,
        code: str,
        commit: Commit,
        *,
        snapshot: Table | None = None,
        trim: bool = False,
        game: str | None = None,
        ms_until_deadline: int | None = None,
        only_when_due: bool = False,
    ) -> AppendResult:
        """Append iff the last commit is (commit.n - 1, commit.parent).

        `snapshot` is the table after the commit, from which it can be loaded; `trim` also drops all
        earlier commits. `game` is the text of the game that the commit ends, for the archive.
        `ms_until_deadline` sets the deadline of the table, counted from now; None leaves it as it is.
        `only_when_due` marks a timeout: the result is NotDue while the deadline lies ahead.
        """

    async def load(self, code: str, *, whole_game: bool = False) -> LoadedTable | None:
        """Read a table atomically, from its last snapshot or, with `whole_game`, from the start of its log.

        None if there is no such table.
        """

    async def read(self, code: str, after: LogPosition) -> tuple[Commit, ...] | None:
        """Return the commits after a position; None if it is not in the log (trimmed, rolled back, no such table)."""

    async def find_request(self, code: str, player: str, request: str) -> int | None:
        """Return the number of the commit that a request became; None if it is not the player's last one stored."""

    async def heads(self, codes: Sequence[str]) -> dict[str, Head | None]:
        """Return the head of each table, to detect missed wake-ups; None for a table that is gone.

        Tables of an unavailable part of the store are left out. Raises StoreUnavailable if no part answers.
        """

    async def set_presence(
        self, code: str, server_id: str, connected_at: Mapping[str, int], *, dead: Collection[str] = ()
    ) -> TablePresence | None:
        """Replace the players connected to a table at one server; return those of all servers, None for no table.

        `connected_at` gives the time of each player's connection (ms by the player's clock). A player
        with two connections belongs to the later one, in whatever order the servers report them.
        The servers in `dead` lose their players and the lead. A table with players always has a
        leader, which is a server with players.
        """

    async def heartbeat(self, server_id: str, lease_ms: int) -> frozenset[str]:
        """Renew a server's lease for `lease_ms`; return the servers alive by the store's clock, this one included."""

    async def leave(self, server_id: str) -> None:
        """End the lease of a server at once."""

    async def listen(self, subscriber: Subscriber) -> None:
        """Deliver the wake-ups of all tables that the subscriber wants, until cancelled; reconnects by itself.

        Wake-ups may be lost, never damaged.
        """

    async def close(self) -> None:
        """Close all connections. Idempotent."""


def new_commit_id(rng: Random) -> str:
    """Return a new commit id: 64 random bits as hex digits."""
    return f"{rng.getrandbits(4 * COMMIT_ID_DIGITS):0{COMMIT_ID_DIGITS}x}"
