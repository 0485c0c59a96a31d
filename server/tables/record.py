"""The state of one table, and the position in its log that the state belongs to.

Invariant: the state is always what replaying the log up to `at` gives. It advances only by applying the next commit of
the log, never ahead of it: decide, append, evolve, in this order. Whatever is applied is returned, to be published.
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

MOVES = (GameStarted, HandDealt, BidPlaced, CardsPassed, CardPlayed)

log = structlog.get_logger()


class TableGone(Exception):
    """The table is not in the store any more: it expired or was deleted."""


class TooEarly(Exception):
    """By the clock of the store the deadline of this command lies ahead."""

    def __init__(self, ms_left: int) -> None:
        super().__init__(f"{ms_left} ms too early")
        self.ms_left = ms_left


@dataclass(frozen=True, slots=True)
class Reloaded:
    """The table was loaded anew, as its log was trimmed or, `rewound`, has lost its end."""

    table: Table
    at: LogPosition
    rewound: bool


Change = Applied | Reloaded


@dataclass(frozen=True, slots=True)
class CommitResult:
    """What an attempt to commit has `changed`; `done` unless the command has to be decided again."""

    changes: tuple[Change, ...]
    done: bool


class Record:
    """`last_move` is the position of the last commit that began a game, dealt, bid, passed or played.

    Hands are told apart by the id of the commit that dealt them, as a hand may be dealt again with its number.
    """

    def __init__(self, code: str, store: TableLog, loaded: LoadedTable, *, rng: Random, next_hand_ms: int) -> None:
        self.code = code
        self._store = store
        self._rng = rng
        self._next_hand_ms = next_hand_ms
        self._dealt = ""  # the id of the last deal, or of a checkpoint after which none is in play
        self._known_deals: set[str] = set()
        self._lost_deals: set[str] = set()
        self._restore(loaded)

    def _restore(self, loaded: LoadedTable) -> None:
        self.table = Table()
        self.at = self.last_move = LogPosition(0, "")
        self.deadline_in_ms = loaded.deadline_in_ms
        if loaded.snapshot is not None:
            self.table = loaded.snapshot.table
            self.at = self.last_move = loaded.snapshot.at
            self._note_deal(self.at.e)
        self._known_deals.update(loaded.checkpoints)
        self._since_move = {self.at.e}
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

        `player` and `request` identify the request that asks for it, if any: it is done, too, if it turns out to be in
        the log already. `only_when_due` is for a timeout. Raises CommandRefused, TableGone, TooEarly; then nothing has
        changed. Raises StoreUnavailable if it is not known whether the commit was stored.
        """
        events = decide(self.table, command)
        if not events:
            return CommitResult((), done=True)
        commit = Commit(self.at.n + 1, new_commit_id(self._rng), self.at.e, player, request, events)
        after = evolve_all(self.table, events)
        match await self._append(commit, after, only_when_due):
            case Appended():
                return CommitResult((self._apply(commit, after),), done=True)
            case Duplicate():
                return CommitResult(await self.catch_up(), done=True)
            case Conflict():
                changes = await self.catch_up()
                return CommitResult(changes, done=answers(changes, player, request))
            case Gone():
                raise TableGone
            case NotDue(ms_left):
                raise TooEarly(ms_left)

    async def _append(self, commit: Commit, after: Table, only_when_due: bool) -> AppendResult:
        """Every deal is a checkpoint; the log begins with the start of a game, and is archived as text at its end."""
        kinds = {type(event) for event in commit.events}
        edge = bool(kinds & {GameStarted, GameEnded})
        return await self._store.append(
            self.code,
            commit,
            snapshot=after if edge or HandDealt in kinds else None,
            trim=edge,
            game=await self._game_ended_by(commit) if GameEnded in kinds else None,
            deadline_in_ms=self._next_hand_ms if HandScored in kinds else None,
            only_when_due=only_when_due,
        )

    async def _game_ended_by(self, commit: Commit) -> str | None:
        """Return the text of the whole game; None if the log does not have it. The game ends all the same."""
        try:
            loaded = await self._store.load(self.code, whole_game=True)
            if loaded is None or loaded.snapshot is None or loaded.last != self.at:
                return None  # gone, or about to meet a conflict
            start = loaded.snapshot.table
            if start.game is None or start.game.hand is not None or start.game.sheet:
                raise ValueError("the log does not begin with the start of the game")
            events = [event for each in (*loaded.commits, commit) for event in each.events]
            return write_game(events, start)
        except (CorruptLogError, ValueError):
            log.exception("game not archived", table=self.code)
            return None

    def is_current(self, e: str) -> bool:
        """Return whether the game has not advanced since the commit of that id."""
        return e in self._since_move

    async def is_committed(self, player: str, request: str) -> bool:
        """Return whether this request is in the log, perhaps from before a connection or a server was lost."""
        return await self._store.find_request(self.code, player, request) is not None

    async def events_since(self, seen: LogPosition) -> tuple[LoggedEvent, ...] | None:
        """Return the events after `seen`; None if they are unknown, as the log was trimmed or rewound."""
        if seen == self.at:
            return ()
        commits = await self._store.read(self.code, seen)
        missed = [commit for commit in commits or () if commit.n <= self.at.n]
        if not missed or missed[-1].at != self.at:
            return None
        return tuple(event for commit in missed for event in commit.events)

    async def on_commit(self, commit: Commit) -> tuple[Change, ...]:
        """Apply a commit that a server announced, and what is missing before it."""
        if commit.n < self.at.n or commit.at == self.at:
            return ()
        if commit.n == self.at.n + 1 and commit.parent == self.at.e:
            return self._apply_all((commit,))
        return await self.catch_up()

    async def catch_up(self) -> tuple[Change, ...]:
        """Apply what others appended. Raises TableGone, StoreUnavailable."""
        commits = await self._store.read(self.code, self.at)
        if commits is not None:
            return self._apply_all(commits)
        loaded = await self._store.load(self.code)
        if loaded is None:
            raise TableGone
        rewound = loaded.first_n <= self.at.n
        if rewound:
            log.error("table rewound", table=self.code, had=self.at.n, last=loaded.last.n)
            self._note_loss(loaded)
        self._restore(loaded)
        return (Reloaded(self.table, self.at, rewound),)

    @property
    def lost_hand(self) -> int | None:
        """The number of the hand in play if more of it was shown than the log holds: it must be dealt again."""
        lost = self.table.turn is not None and self._dealt in self._lost_deals
        return current_hand(self.table).number if lost else None

    def _note_loss(self, loaded: LoadedTable) -> None:
        """The last hand of a rewound log is lost if more of it, or a later hand, was shown."""
        if loaded.snapshot is None or loaded.snapshot.at.e not in self._known_deals:
            return  # dealt after the rewind: it is sound
        if self.last_move not in {loaded.snapshot.at, *(commit.at for commit in loaded.commits)}:
            self._lost_deals.add(loaded.snapshot.at.e)

    def _note_deal(self, e: str) -> None:
        self._dealt = e
        self._known_deals.add(e)

    def _apply_all(self, commits: tuple[Commit, ...]) -> tuple[Change, ...]:
        return tuple(self._apply(commit, evolve_all(self.table, commit.events)) for commit in commits)

    def _apply(self, commit: Commit, after: Table) -> Applied:
        self.table, self.at = after, commit.at
        if moves_game(commit):
            self.last_move = commit.at
            self._since_move.clear()
        self._since_move.add(commit.e)
        if any(isinstance(event, HandDealt) for event in commit.events):
            self._note_deal(commit.e)
        return Applied(commit, after)


def answers(changes: tuple[Change, ...], player: str | None, request: str | None) -> bool:
    """Return whether this request of a player is among the changes."""
    return request is not None and any(
        isinstance(change, Applied) and (change.commit.player, change.commit.request) == (player, request)
        for change in changes
    )


def moves_game(commit: Commit) -> bool:
    """Return whether a commit advances the game; others change only who sits where."""
    return any(isinstance(event, MOVES) for event in commit.events)
