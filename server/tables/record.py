"""One table as it is remembered: its state, and the place in its log that the state belongs to.

Invariant: the state is always what replaying the log up to `at` gives. It moves
only by applying the next commit of the log, never ahead of it: decide, append,
evolve, in this order.
"""

from collections.abc import Callable, Sequence

import structlog

from server.store.log import (
    Appended,
    Commit,
    Conflict,
    Duplicate,
    Early,
    Gone,
    Loaded,
    Position,
    TableLog,
    new_commit_id,
)
from spades_core.commands import Command
from spades_core.decide import decide
from spades_core.events import BidPlaced, CardPlayed, CardsPassed, GameStarted, HandDealt
from spades_core.evolve import evolve_all
from spades_core.state import Table

MOVES = (GameStarted, HandDealt, BidPlaced, CardsPassed, CardPlayed)
TRIES = 3
"""How often a command is decided again because another server was faster."""

log = structlog.get_logger()


class TableGone(Exception):
    """The table is not remembered any more: it expired or was deleted."""


class TooBusy(Exception):
    """Others changed the table each time a command was decided."""


class Record:
    """`moved_n` is the number of the last commit that bid, played or dealt: what a player must have seen to go on."""

    def __init__(self, code: str, store: TableLog, loaded: Loaded) -> None:
        self.code = code
        self._store = store
        self._told: Callable[[Commit | None], None] = lambda _: None
        self._restore(loaded)

    def _restore(self, loaded: Loaded) -> None:
        self.table = Table()
        self.at = Position(0, "")
        self.moved_n = 0
        if loaded.snapshot is not None:
            self.table, self.at = loaded.snapshot.table, loaded.snapshot.at
            self.moved_n = self.at.n
        for commit in loaded.commits:
            self._apply(commit, evolve_all(self.table, commit.events))

    def tell(self, told: Callable[[Commit | None], None]) -> None:
        """`told` hears of every commit once it is applied, whoever made it; of None when all was loaded anew."""
        self._told = told

    async def commit(self, command: Command, player: str | None = None, request: str | None = None) -> bool:
        """Carry out a command: True when a commit was applied for it, False when there was nothing (more) to do.

        Raises Refused, TableGone, TooBusy, StoreUnavailable; then nothing has
        changed, but for StoreUnavailable, where the log will tell.
        """
        for _ in range(TRIES):
            events = decide(self.table, command)
            if not events:
                return False
            commit = Commit(self.at.n + 1, new_commit_id(), self.at.e, player, request, events)
            after = evolve_all(self.table, events)
            dealt = any(isinstance(event, HandDealt) for event in events)
            outcome = await self._store.append(
                self.code, commit, snapshot=after if dealt else None, deadline_ms=None, status=after.phase
            )
            match outcome:
                case Appended():
                    self._advance(commit, after)
                    return True
                case Duplicate(n):
                    unseen = n > self.at.n
                    await self.catch_up()
                    return unseen
                case Conflict():
                    await self.catch_up()
                case Gone():
                    raise TableGone
                case Early():
                    raise AssertionError("only asked for with only_when_due")
        raise TooBusy

    async def was_done(self, player: str, request: str) -> bool:
        """Whether this request is in the log already, from before a connection or a server was lost."""
        return await self._store.answered(self.code, player, request) is not None

    async def missed_since(self, seen: Position) -> Sequence[Commit] | None:
        """The commits between `seen` and now; None when the log no longer tells."""
        if seen == self.at:
            return ()
        commits = await self._store.read(self.code, seen)
        return None if commits is None else [commit for commit in commits if commit.n <= self.at.n]

    async def hear(self, commit: Commit) -> None:
        """A wake-up: somebody appended `commit`."""
        if commit.n <= self.at.n:
            return
        if commit.n == self.at.n + 1 and commit.p == self.at.e:
            self._advance(commit, evolve_all(self.table, commit.events))
        else:
            await self.catch_up()

    async def catch_up(self) -> None:
        """Apply what others appended; load everything anew when the log was rewound or trimmed meanwhile."""
        commits = await self._store.read(self.code, self.at)
        if commits is None:
            loaded = await self._store.load(self.code)
            if loaded is None:
                raise TableGone
            if loaded.top.n <= self.at.n:
                log.error("table rewound", table=self.code, had=self.at.n, top=loaded.top.n)
            self._restore(loaded)
            self._told(None)
            return
        for commit in commits:
            self._advance(commit, evolve_all(self.table, commit.events))

    def _advance(self, commit: Commit, after: Table) -> None:
        """Apply the next commit, which makes the table `after`, and tell."""
        self._apply(commit, after)
        self._told(commit)

    def _apply(self, commit: Commit, after: Table) -> None:
        self.table, self.at = after, commit.at
        if moves_game(commit):
            self.moved_n = commit.n


def moves_game(commit: Commit) -> bool:
    """Whether a commit changed what is on the table, not only who sits around it."""
    return any(isinstance(event, MOVES) for event in commit.events)
