"""The log of a table, as a contract: who appends says on what top, and the store alone judges.

Invariant: the commits of a table are numbered 1, 2, 3 … without a hole, and each
names the id of the one before it. What was Appended is never lost or doubled by
anything a server, a client or a wire may do.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from spades_core.commit import Commit, LogPosition
from spades_core.state import Table

ID_DIGITS = 16
"""Of a commit id."""
CHECKPOINTS = 4
"""How many a table keeps in mind (`Loaded.checkpoints`): a hand has 56 commits and more, a rewind loses a few."""


class StoreError(Exception):
    """Anything the store has to say; its text is one plain sentence, fit to be shown to who runs the server."""


class StoreUnavailable(StoreError):
    """The store cannot be reached, is full or refuses us. After an append: whether it was stored is not known."""


class CorruptLogError(StoreError):
    """What was read is damaged: a hole, a broken chain, unreadable bytes. Never to be played on."""

    def __init__(self, code: str, n: int, problem: str) -> None:
        super().__init__(f"the log of table {code} is damaged at commit {n}: {problem}")
        self.code = code
        self.n = n


class NewerVersionError(StoreError):
    """It was written by a newer version of this server."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A table as it was right after the commit `at`."""

    at: LogPosition
    table: Table


@dataclass(frozen=True, slots=True)
class TablePresence:
    """Who looks at a table: each player and the server that has the connection, and the server that leads the table.

    `changed_at` (µs since 1970, by the store's clock) grows with every change and is never used again,
    not even after a rewind. A server named here may be dead; the table cannot know.
    """

    changed_at: int = 0
    leader: str | None = None
    players: Mapping[str, str] = field(default_factory=dict)

    @property
    def servers(self) -> frozenset[str]:
        return frozenset(self.players.values()) | ({self.leader} if self.leader else frozenset())


@dataclass(frozen=True, slots=True)
class Head:
    """Where a table stands: its last commit, and when its attendance changed last (`TablePresence.changed_at`)."""

    at: LogPosition
    presence_changed_at: int


@dataclass(frozen=True, slots=True)
class Loaded:
    """All of a table: `commits` follow the snapshot, contiguous and chained; without one they begin at 1.

    `due_in_ms` is the time left to the deadline that was stored last, by the
    store's own clock; 0 when it has passed, None when there never was one. The
    log holds commits from `begins` on, which may be before the snapshot.
    `checkpoints` are the ids of the last few commits that came with a snapshot,
    trimmed ones too: who loads the table now knows by them what came before, even
    when the log is rewound later. Empty for a table that older servers wrote.
    """

    snapshot: Snapshot | None
    commits: tuple[Commit, ...]
    due_in_ms: int | None = None
    begins: int = field(default=1, compare=False)
    checkpoints: tuple[str, ...] = field(default=(), compare=False)

    @property
    def top(self) -> LogPosition:
        if self.commits:
            return self.commits[-1].at
        assert self.snapshot is not None
        return self.snapshot.at


@dataclass(frozen=True, slots=True)
class Appended:
    """It is remembered now, or was already: this very commit, by its id."""

    at: LogPosition


@dataclass(frozen=True, slots=True)
class Duplicate:
    """The same request of the same player is already stored, as commit `n`."""

    n: int


@dataclass(frozen=True, slots=True)
class Conflict:
    """Somebody else was first, or the log was rewound: the top is another one than expected."""

    top: LogPosition


@dataclass(frozen=True, slots=True)
class Early:
    """By the store's own clock the deadline of the table lies ahead. Only for appends that ask `only_when_due`."""

    ms_left: int


@dataclass(frozen=True, slots=True)
class Gone:
    """There is no such table any more, and an append never brings one back."""


Outcome = Appended | Duplicate | Conflict | Early | Gone


class Subscriber(Protocol):
    """Whoever hears wake-ups. No method may block or fail."""

    def wants(self, code: str) -> bool:
        """Whether to be told of this table at all."""

    def committed(self, code: str, commit: Commit) -> None:
        """Anyone, this server included, appended a commit."""

    def presence_changed(self, code: str, attendance: TablePresence) -> None:
        """The attendance changed to this, or had: by now it may be another."""

    def resubscribed(self) -> None:
        """Wake-ups may have been lost before this moment: time to compare heads."""


class TableLog(Protocol):
    """Every method may raise StoreUnavailable; those that read, CorruptLogError and NewerVersionError too."""

    async def create(self, code: str, commit: Commit) -> bool:
        """Begin a log with its commit 1; False when the code is taken."""

    async def append(
        self,
        code: str,
        commit: Commit,
        *,
        snapshot: Table | None = None,
        trim: bool = False,
        game: str | None = None,
        due_in_ms: int | None = None,
        only_when_due: bool = False,
    ) -> Outcome:
        """Append iff the top is (commit.n - 1, commit.parent).

        `snapshot` is the table after the commit, so that loading may begin
        there; with `trim` older commits are dropped, too. `game` is the text of
        a game that the commit ends, for the archive. `due_in_ms` sets the
        deadline of the table, from now; None leaves it. `only_when_due` is for a
        timeout: refused as Early while the deadline lies ahead.
        """

    async def load(self, code: str, *, whole_game: bool = False) -> Loaded | None:
        """The table at one moment, from its last snapshot or, `whole_game`, from the first that the log has.

        None when there is no such table.
        """

    async def read(self, code: str, after: LogPosition) -> tuple[Commit, ...] | None:
        """The commits after a position; None when the log does not hold it (trimmed, rewound, no such table)."""

    async def find_request(self, code: str, player: str, request: str) -> int | None:
        """The number of the commit that this request became; None when it is not the player's last one stored."""

    async def heads(self, codes: Sequence[str]) -> dict[str, Head | None]:
        """Where each table stands, for the check that no wake-up was missed; None for a table that is gone.

        Where a part of the store is away its tables are left out; raises StoreUnavailable when none can be asked for.
        """

    async def set_presence(
        self, code: str, server: str, here: Mapping[str, int], *, dead: Collection[str] = ()
    ) -> TablePresence | None:
        """Say which players look at the table from `server`, and learn who does from others; None for a table gone.

        `here` says of each when they connected_at (ms by their own clock): a player with two
        connections is where the later one is, in whatever order the servers speak.
        Servers known to be `dead` lose their players and the driving. A table
        with players always has a leader: a server with players.
        """

    async def heartbeat(self, server: str, lease_ms: int) -> frozenset[str]:
        """Live on for `lease_ms`; the servers that are alive by the store's clock, this one included."""

    async def leave(self, server: str) -> None:
        """Not alive any more, from now on."""

    async def listen(self, ear: Subscriber) -> None:
        """Tell of what happens at every table the ear wants for, until cancelled; reconnects by itself.

        Wake-ups may be lost, never damaged. `resubscribed` is called at the
        first subscription and after every later one.
        """

    async def close(self) -> None:
        """Let go of every connection; calling it again does nothing."""


def new_commit_id(rng: Random) -> str:
    """A fresh commit id: 64 random bits as hex digits."""
    return f"{rng.getrandbits(4 * ID_DIGITS):0{ID_DIGITS}x}"
