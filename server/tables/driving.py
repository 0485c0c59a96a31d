"""The clock and the bots of one table: what is due by itself, when this server does it, and doing it.

In normal times one server leads a table and the others only wait a little
longer. Two that drive at once do work twice and nothing else: the append judges.
"""

import asyncio
from dataclasses import replace
from random import Random

import structlog

from server import metrics
from server.experts.pending import Thought
from server.presence.tracker import Attendants
from server.tables.record import Record, TooBusy, TooEarly, moves_game
from spades_core.automation import command_of
from spades_core.bots.decisions import legal_decisions
from spades_core.commands import CommandRefused
from spades_core.commit import Commit
from spades_core.events import PlayerReturned, TrickTaken
from spades_core.schedule import Due, Pace, deal_at, next_due
from spades_core.seats import SEATS, Seat
from spades_core.views import SeatView, view_for

GRACE_SECONDS = 2.0
"""How long after its time a server does what another one should have done, for that may be dead."""
PAUSE_SECONDS = 1.0
"""How long a table waits before it tries again what it could not do or save."""

log = structlog.get_logger()


class Driver:
    """`present` are the seats looked after by a connection to any server, as last noted."""

    def __init__(self, record: Record, attendants: Attendants, thought: Thought, *, pace: Pace, rng: Random) -> None:
        self._record = record
        self._attendants = attendants
        self._thought = thought
        self._pace = pace
        self._rng = rng
        self._now = asyncio.get_running_loop().time
        self._moved_at = self._loaded_moved_at()
        self._think = pace.bot_most
        self._gone_at: dict[Seat, float] = dict.fromkeys(SEATS, self._now())
        self.not_before = 0.0
        self.present = attendants.present(record.table)

    def due(self) -> Due | None:
        """The next thing to do, at the time when this server does it."""
        due = next_due(
            self._record.table,
            pace=self._pace,
            moved_at=self._moved_at,
            think=self._think,
            present=self.present,
            gone_at=self._gone_at,
            lost_hand=self._record.lost_hand,
        )
        # Only who saw the lost cards knows that the hand is lost, and others may be playing on.
        ours = self._attendants.is_leader or (due is not None and due.what == "deal_again")
        grace = 0 if ours else GRACE_SECONDS
        if due is None:
            return None
        at = max(due.at, self.not_before) + grace
        return replace(due, at=max(at, self._thought.waited_for_until) if due.what == "bot_acts" else at)

    @property
    def is_needed(self) -> bool:
        """Whether something is due that no server but this one knows of, even if nobody looks at the table here."""
        due = self.due()
        return due is not None and due.what == "deal_again"

    def think(self) -> Due | None:
        """What is due, with the expert thinking who has to act, if that is ours to do; no thought of before goes on.

        Other things may be due before it acts: it thinks on as long as the game does not.
        """
        due, view = self.due(), self._question()
        if view == self._thought.view:
            return due
        self.stop_thinking()
        if due is not None and due.what == "bot_acts" and view is not None and self._attendants.is_leader:
            self._thought.begin(view, due.at)
        return self.due()

    def stop_thinking(self) -> None:
        self._thought.drop()

    def _question(self) -> SeatView | None:
        """The view of the expert whose turn it is, without who sits there, if there is anything to think about."""
        table = self._record.table
        if table.turn is None or table.bot_level(table.turn) != "expert":
            return None
        view = _of_the_game(view_for(table.turn, table))
        return view if len(legal_decisions(view)) > 1 else None

    async def carry_out(self, due: Due) -> None:
        """Raises TableGone, StoreUnavailable."""
        if due != self.due():
            return  # we were paused, and another server may drive by now
        view = self._question() if due.what == "bot_acts" else None
        if view is not None and view != self._thought.view:
            self._thought.begin(view, due.at)  # for the server whose move it was, and which is late
            return
        thought = None if view is None else self._thought.take()
        if view is not None and thought is None:
            metrics.EXPERT_FALLBACKS.inc()
        command = command_of(due, self._record.table, self._rng, thought)
        if due.what == "bot_acts" and due.seat is not None:
            metrics.BOT_DECISIONS.labels(self._record.table.bot_level(due.seat)).inc()
        try:
            await self._record.commit(command, tries=1, only_when_due=due.timeout)
        except TooEarly as early:
            self.not_before = self._now() + early.ms_left / 1000
        except TooBusy:
            log.info("another server was first", table=self._record.code, what=due.what)
        except CommandRefused:
            # What we would do is wrong, and shall be seen.
            log.exception("could not do what was due", table=self._record.code, what=due.what)
            self.pause()
            await self._record.catch_up()

    def pause(self) -> None:
        self.not_before = self._now() + PAUSE_SECONDS

    def note_commit(self, commit: Commit | None) -> None:
        """Time starts anew when the game moved, and when the table was loaded anew: then `commit` is None."""
        if commit is None or moves_game(commit):
            self._moved_at = self._now() if commit else self._loaded_moved_at()
            rest = commit is not None and any(isinstance(event, TrickTaken) for event in commit.events)
            self._think = self._rng.uniform(self._pace.bot_least, self._pace.bot_most) + rest * self._pace.trick_rest
        for event in commit.events if commit else ():
            if isinstance(event, PlayerReturned):  # another server may know better who is there: no to and fro
                self._gone_at[event.seat] = self._now()
        self.note_presence()

    def note_presence(self) -> bool:
        """Remember who came or went, and since when; whether anybody did."""
        before, self.present = self.present, self._attendants.present(self._record.table)
        for seat in SEATS:
            if before[seat] and not self.present[seat]:
                self._gone_at[seat] = self._now()
        return before != self.present

    def ms_left(self) -> int | None:
        """Until the next hand is dealt, in milliseconds; None when none is waited for."""
        table = self._record.table
        if table.phase != "scored":
            return None
        return max(0, round(1000 * (deal_at(table, self._pace, self._moved_at, self.present) - self._now())))

    def _loaded_moved_at(self) -> float:
        """When the table last moved: now, unless the store has a deadline that others count down to already."""
        due_in_ms = self._record.due_in_ms
        if due_in_ms is None or self._record.table.phase != "scored":
            return self._now()
        return self._now() + due_in_ms / 1000 - self._pace.next_hand


def _of_the_game(view: SeatView) -> SeatView:
    """Without who sits there: an expert thinks on while others come and go."""
    first, second, third, fourth = (
        replace(seat, kind="bot", name="", away=False, level=None, ready=False) for seat in view.seats
    )
    return replace(view, host=None, seats=(first, second, third, fourth))
