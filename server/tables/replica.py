"""The state of one table in the memory of this server, and the log position up to which it has been applied.

Invariant: the state always equals the result of replaying the log up to `at`. A command is decided, its events are
appended to the log, and only then is the state updated. Every applied change is returned, for the caller to publish.
"""

from dataclasses import dataclass
from random import Random

import structlog

from server.store.log import (
    Appended,
    AppendResult,
    Conflict,
    CorruptLogError,
    Duplicate,
    Gone,
    LoadedTable,
    NotDue,
    TableLog,
    new_commit_id,
)
from spades_core.commands import Command
from spades_core.commit import Applied, Commit, LogPosition
from spades_core.decide import decide
from spades_core.events import (
    BidPlaced,
    CardPlayed,
    CardsPassed,
    GameEnded,
    GameStarted,
    HandDealt,
    HandScored,
    LoggedEvent,
)
from spades_core.evolve import current_hand, evolve_all
from spades_core.notation import write_game
from spades_core.state import Table

PROGRESS_EVENTS = (GameStarted, HandDealt, BidPlaced, CardsPassed, CardPlayed)

log = structlog.get_logger()


class TableGone(Exception):
    """The table no longer exists: it expired or was deleted."""


class NotDueError(Exception):
    """The deadline of the table has not passed yet, by the store's clock."""

    def __init__(self, ms_left: int) -> None:
        super().__init__(f"not due for {ms_left} ms")
        self.ms_left = ms_left


@dataclass(frozen=True, slots=True)
class Reloaded:
    """The table was loaded again: its log was trimmed or, `rolled_back`, has lost its last commits."""

    table: Table
    at: LogPosition
    rolled_back: bool


Change = Applied | Reloaded


@dataclass(frozen=True, slots=True)
class CommitResult:
    """The result of an attempt to commit: the changes applied, and whether it is `done`; if not, decide again."""

    changes: tuple[Change, ...]
    done: bool


class TableReplica:
    """`last_progress` is the position of the last commit that started a game, dealt, bid, passed or played.

    A hand is identified by the id of the commit that dealt it, because a redeal reuses the number of the hand.
    """

    def __init__(
        self, code: str, store: TableLog, loaded: LoadedTable, *, rng: Random, next_hand_delay_ms: int
    ) -> None:
        self.code = code
        self._store = store
        self._rng = rng
        self._next_hand_delay_ms = next_hand_delay_ms
        self._deal_id = ""  # or the id of the last snapshot if no hand is in play
        self._known_deal_ids: set[str] = set()
        self._invalid_deal_ids: set[str] = set()
        self._restore(loaded)

    def _restore(self, loaded: LoadedTable) -> None:
        self.table = Table()
        self.at = self.last_progress = LogPosition(0, "")
        self.ms_until_deadline = loaded.ms_until_deadline
        if loaded.snapshot is not None:
            self.table = loaded.snapshot.table
            self.at = self.last_progress = loaded.snapshot.at
            self._note_deal(self.at.id)
        self._known_deal_ids.update(loaded.snapshot_ids)
        self._ids_since_progress = {self.at.id}
        self._apply_all(loaded.commits)

    async def commit(
        self,
        command: Command,
        player: str | None = None,
        request: str | None = None,
        *,
        only_when_due: bool = False,
    ) -> CommitResult:
        """Decide a command and append its events once; on a conflict, catch up.

        `player` and `request` identify the client request, if any; if the log already contains that request, the
        result is done, too. `only_when_due` marks a timeout. Raises CommandRefused, TableGone, NotDueError, all
        without an effect. Raises StoreUnavailable if it is not known whether the commit was stored.
        """
        events = decide(self.table, command)
        if not events:
            return CommitResult((), done=True)
        commit = Commit(self.at.n + 1, new_commit_id(self._rng), self.at.id, player, request, events)
        after = evolve_all(self.table, events)
        match await self._append(commit, after, only_when_due):
            case Appended():
                return CommitResult((self._apply(commit, after),), done=True)
            case Duplicate():
                return CommitResult(await self.catch_up(), done=True)
            case Conflict():
                changes = await self.catch_up()
                return CommitResult(changes, done=includes_request(changes, player, request))
            case Gone():
                raise TableGone
            case NotDue(ms_left):
                raise NotDueError(ms_left)

    async def _append(self, commit: Commit, after: Table, only_when_due: bool) -> AppendResult:
        """Take a snapshot with each deal; trim the log as a game starts or ends; archive a finished game as text."""
        kinds = {type(event) for event in commit.events}
        is_game_boundary = bool(kinds & {GameStarted, GameEnded})
        return await self._store.append(
            self.code,
            commit,
            snapshot=after if is_game_boundary or HandDealt in kinds else None,
            trim=is_game_boundary,
            game=await self._game_ended_by(commit) if GameEnded in kinds else None,
            ms_until_deadline=self._next_hand_delay_ms if HandScored in kinds else None,
            only_when_due=only_when_due,
        )

    async def _game_ended_by(self, commit: Commit) -> str | None:
        """Return the text of the whole game; None if the log is incomplete, which does not keep it from ending."""
        try:
            loaded = await self._store.load(self.code, whole_game=True)
            if loaded is None or loaded.snapshot is None or loaded.last != self.at:
                return None  # the table was deleted, or the append will conflict
            start = loaded.snapshot.table
            if start.game is None or start.game.hand is not None or start.game.sheet:
                raise ValueError("the log does not begin with the start of the game")
            events = [event for each in (*loaded.commits, commit) for event in each.events]
            return write_game(events, start)
        except (CorruptLogError, ValueError):
            log.exception("game not archived", table=self.code)
            return None

    def is_unchanged_since(self, commit_id: str) -> bool:
        """Return whether the game has not advanced since the commit with this id."""
        return commit_id in self._ids_since_progress

    async def is_committed(self, player: str, request: str) -> bool:
        """Return whether this request is in the log, perhaps from before a connection or a server was lost."""
        return await self._store.find_request(self.code, player, request) is not None

    async def events_since(self, seen: LogPosition) -> tuple[LoggedEvent, ...] | None:
        """Return the events after `seen`; None if the log was trimmed or rolled back, and does not hold them."""
        if seen == self.at:
            return ()
        commits = await self._store.read(self.code, seen)
        missed = [commit for commit in commits or () if commit.n <= self.at.n]
        if not missed or missed[-1].at != self.at:
            return None
        return tuple(event for commit in missed for event in commit.events)

    async def on_commit(self, commit: Commit) -> tuple[Change, ...]:
        """Apply a commit that a server announced, and any commits missing before it."""
        if commit.n < self.at.n or commit.at == self.at:
            return ()
        if commit.n == self.at.n + 1 and commit.parent == self.at.id:
            return self._apply_all((commit,))
        return await self.catch_up()

    async def catch_up(self) -> tuple[Change, ...]:
        """Apply the commits that other servers appended. Raises TableGone, StoreUnavailable."""
        commits = await self._store.read(self.code, self.at)
        if commits is not None:
            return self._apply_all(commits)
        loaded = await self._store.load(self.code)
        if loaded is None:
            raise TableGone
        rolled_back = loaded.first_n <= self.at.n
        if rolled_back:
            log.error("table rolled back", table=self.code, known=self.at.n, stored=loaded.last.n)
            self._note_loss(loaded)
        self._restore(loaded)
        return (Reloaded(self.table, self.at, rolled_back),)

    @property
    def hand_to_redeal(self) -> int | None:
        """The number of the hand in play if it must be redealt: the log lost moves that this server has applied."""
        lost = self.table.turn is not None and self._deal_id in self._invalid_deal_ids
        return current_hand(self.table).number if lost else None

    def _note_loss(self, loaded: LoadedTable) -> None:
        """Mark the last hand of the rolled-back log as invalid if this server has applied later moves."""
        if loaded.snapshot is None or loaded.snapshot.at.id not in self._known_deal_ids:
            return  # dealt after the rollback, so it is valid
        if self.last_progress not in {loaded.snapshot.at, *(commit.at for commit in loaded.commits)}:
            self._invalid_deal_ids.add(loaded.snapshot.at.id)

    def _note_deal(self, commit_id: str) -> None:
        self._deal_id = commit_id
        self._known_deal_ids.add(commit_id)

    def _apply_all(self, commits: tuple[Commit, ...]) -> tuple[Change, ...]:
        return tuple(self._apply(commit, evolve_all(self.table, commit.events)) for commit in commits)

    def _apply(self, commit: Commit, after: Table) -> Applied:
        self.table, self.at = after, commit.at
        if advances_game(commit):
            self.last_progress = commit.at
            self._ids_since_progress.clear()
        self._ids_since_progress.add(commit.id)
        if any(isinstance(event, HandDealt) for event in commit.events):
            self._note_deal(commit.id)
        return Applied(commit, after)


def includes_request(changes: tuple[Change, ...], player: str | None, request: str | None) -> bool:
    """Return whether this request of a player is among the changes."""
    return request is not None and any(
        isinstance(change, Applied) and (change.commit.player, change.commit.request) == (player, request)
        for change in changes
    )


def advances_game(commit: Commit) -> bool:
    """Return whether a commit advances the game; other commits change seats, levels and who has looked or is ready."""
    return any(isinstance(event, PROGRESS_EVENTS) for event in commit.events)
