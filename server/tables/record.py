"""One table as it is remembered: its state, and the place in its log that the state belongs to.

Invariant: the state is always what replaying the log up to `at` gives. It moves
only by applying the next commit of the log, never ahead of it: decide, append,
evolve, in this order.
"""

from collections.abc import Callable
from random import Random

import structlog

from server.store.log import (
    Appended,
    Conflict,
    CorruptLogError,
    Duplicate,
    Early,
    Gone,
    Loaded,
    Outcome,
    TableLog,
    new_commit_id,
)
from spades_core.commands import Command, CommandRefused
from spades_core.commit import Commit, LogPosition
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
TRIES = 3
"""How often a command is decided again because another server was faster."""

log = structlog.get_logger()


class TableGone(Exception):
    """The table is not remembered any more: it expired or was deleted."""


class TooBusy(Exception):
    """Others changed the table each time a command was decided."""


class TooEarly(Exception):
    """By the clock of the store the time for this command has not come."""

    def __init__(self, ms_left: int) -> None:
        super().__init__(f"{ms_left} ms too early")
        self.ms_left = ms_left


class Record:
    """`moved` is the place of the last commit that began a game, dealt, bid, passed or played.

    Hands are told apart by the id of the commit that dealt them, as one may be dealt again with its number.
    """

    def __init__(self, code: str, store: TableLog, loaded: Loaded, *, rng: Random, next_hand_ms: int) -> None:
        self.code = code
        self._store = store
        self._rng = rng
        self._next_hand_ms = next_hand_ms
        self._told: Callable[[Commit | None], None] = lambda _: None
        self._rewound: Callable[[], None] = lambda: None
        self._dealt = ""  # the id of the last deal, or of a checkpoint after which none is in play
        self._known_deals: set[str] = set()
        self._lost_deals: set[str] = set()
        self._restore(loaded)

    def _restore(self, loaded: Loaded) -> None:
        self.table = Table()
        self.at = self.moved = LogPosition(0, "")
        self.due_in_ms = loaded.due_in_ms
        if loaded.snapshot is not None:
            self.table = loaded.snapshot.table
            self.at = self.moved = loaded.snapshot.at
            self._note_deal(self.at.e)
        self._known_deals.update(loaded.checkpoints)
        self._since_move = {self.at.e}
        for commit in loaded.commits:
            self._apply(commit, evolve_all(self.table, commit.events))

    def tell(self, told: Callable[[Commit | None], None], rewound: Callable[[], None]) -> None:
        """`told` hears of every commit once it is applied, whoever made it; of None when all was loaded anew.

        `rewound` hears before that, when the reason is that the log lost its end.
        """
        self._told, self._rewound = told, rewound

    async def commit(
        self,
        command: Command,
        player: str | None = None,
        request: str | None = None,
        *,
        on: str | None = None,
        tries: int = TRIES,
        only_when_due: bool = False,
    ) -> bool:
        """Carry out a command: True when its commit was applied and told, False when there was nothing (more) to do.

        `on` is the id of the commit it answers: if the table moved on since, before or during this, it is refused,
        as it is when its player loses the seat during this. Raises CommandRefused, TableGone, TooBusy, TooEarly,
        StoreUnavailable; then nothing has changed, but for StoreUnavailable, where the log will tell.
        """
        seat = self.table.seat_of(player) if player else None
        for _ in range(tries):
            if (player and self.table.seat_of(player) != seat) or (on is not None and not self.is_current(on)):
                raise CommandRefused("stale", "The table has moved on; look again.")
            events = decide(self.table, command)
            if not events:
                return False
            commit = Commit(self.at.n + 1, new_commit_id(self._rng), self.at.e, player, request, events)
            after = evolve_all(self.table, events)
            match await self._append(commit, after, only_when_due):
                case Appended():
                    self._advance(commit, after)
                    return True
                case Duplicate():
                    return await self._meets(player, request)
                case Conflict():
                    if await self._meets(player, request):
                        return True
                case Gone():
                    raise TableGone
                case Early(ms_left):
                    raise TooEarly(ms_left)
        raise TooBusy

    async def _meets(self, player: str | None, request: str | None) -> bool:
        """Catch up; whether this very request was among what others appended, and so is told by now."""
        caught_up = await self.catch_up()
        return request is not None and any((each.player, each.request) == (player, request) for each in caught_up)

    async def _append(self, commit: Commit, after: Table, only_when_due: bool) -> Outcome:
        """Every deal is a checkpoint; a game's log begins with its start, and is a text in the archive at its end."""
        kinds = {type(event) for event in commit.events}
        edge = bool(kinds & {GameStarted, GameEnded})
        return await self._store.append(
            self.code,
            commit,
            snapshot=after if edge or HandDealt in kinds else None,
            trim=edge,
            game=await self._game_ended_by(commit) if GameEnded in kinds else None,
            due_in_ms=self._next_hand_ms if HandScored in kinds else None,
            only_when_due=only_when_due,
        )

    async def _game_ended_by(self, commit: Commit) -> str | None:
        """The text of the whole game; None when the log does not tell it. Then the game ends all the same."""
        try:
            loaded = await self._store.load(self.code, whole_game=True)
            if loaded is None or loaded.snapshot is None or loaded.top != self.at:
                return None  # gone, or about to meet a conflict
            begun = loaded.snapshot.table
            if begun.game is None or begun.game.hand is not None or begun.game.sheet:
                raise ValueError("its beginning was trimmed by an older version")
            events = [event for each in (*loaded.commits, commit) for event in each.events]
            return write_game(events, begun)
        except (CorruptLogError, ValueError):
            log.exception("game not archived", table=self.code)
            return None

    def is_current(self, e: str) -> bool:
        """Whether the game has not moved since the commit of that id."""
        return e in self._since_move

    async def was_done(self, player: str, request: str) -> bool:
        """Whether this request is in the log already, from before a connection or a server was lost."""
        return await self._store.find_request(self.code, player, request) is not None

    async def missed_since(self, seen: LogPosition) -> tuple[LoggedEvent, ...] | None:
        """What happened between `seen` and now; None when the log does not tell, as it was rewound below either."""
        if seen == self.at:
            return ()
        commits = await self._store.read(self.code, seen)
        missed = [commit for commit in commits or () if commit.n <= self.at.n]
        if not missed or missed[-1].at != self.at:
            return None
        return tuple(event for commit in missed for event in commit.events)

    async def hear(self, commit: Commit) -> None:
        """A wake-up: somebody appended `commit`."""
        if commit.n < self.at.n or commit.at == self.at:
            return
        if commit.n == self.at.n + 1 and commit.parent == self.at.e:
            self._advance(commit, evolve_all(self.table, commit.events))
        else:
            await self.catch_up()

    async def catch_up(self) -> tuple[Commit, ...]:
        """Apply what others appended; nothing when all was loaded anew, as the log was rewound or trimmed meanwhile."""
        commits = await self._store.read(self.code, self.at)
        if commits is not None:
            for commit in commits:
                self._advance(commit, evolve_all(self.table, commit.events))
            return commits
        loaded = await self._store.load(self.code)
        if loaded is None:
            raise TableGone
        rewound = loaded.begins <= self.at.n
        if rewound:
            log.error("table rewound", table=self.code, had=self.at.n, top=loaded.top.n)
            self._note_loss(loaded)
        self._restore(loaded)
        if rewound:
            self._rewound()
        self._told(None)
        return ()

    @property
    def lost_hand(self) -> int | None:
        """The number of the hand in play if more was seen of it than the log knows: it is to be dealt again."""
        lost = self.table.turn is not None and self._dealt in self._lost_deals
        return current_hand(self.table).number if lost else None

    def _note_loss(self, loaded: Loaded) -> None:
        """The last hand in a rewound log is lost if we have seen more of it, or hands that were dealt after it."""
        if loaded.snapshot is None or loaded.snapshot.at.e not in self._known_deals:
            return  # dealt after the rewind: it is sound
        if self.moved not in {loaded.snapshot.at, *(commit.at for commit in loaded.commits)}:
            self._lost_deals.add(loaded.snapshot.at.e)

    def _note_deal(self, e: str) -> None:
        self._dealt = e
        self._known_deals.add(e)

    def _advance(self, commit: Commit, after: Table) -> None:
        """Apply the next commit, which makes the table `after`, and tell."""
        self._apply(commit, after)
        self._told(commit)

    def _apply(self, commit: Commit, after: Table) -> None:
        self.table, self.at = after, commit.at
        if moves_game(commit):
            self.moved = commit.at
            self._since_move.clear()
        self._since_move.add(commit.e)
        if any(isinstance(event, HandDealt) for event in commit.events):
            self._note_deal(commit.e)


def moves_game(commit: Commit) -> bool:
    """Whether a commit changed what is on the table, not only who sits around it."""
    return any(isinstance(event, MOVES) for event in commit.events)
