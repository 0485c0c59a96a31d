"""The clock and the bots of one table: what is due, when this server does it, and the command that does it.

Normally one server leads a table and the others only wait a little longer. Two that act at once do work twice and
nothing worse: the append judges.
"""

import asyncio
from dataclasses import replace
from random import Random

from server import metrics
from server.experts.pending import PendingDecision
from server.presence.tracker import PresenceTracker
from server.tables.record import Change, Record, Reloaded, moves_game
from spades_core.automation import command_for_due
from spades_core.bots.decisions import legal_decisions
from spades_core.commands import Command
from spades_core.commit import LogPosition
from spades_core.events import PlayerReturned, TrickTaken
from spades_core.schedule import Due, Pace, next_deal_at, next_due
from spades_core.seats import SEATS, Seat
from spades_core.state import Table
from spades_core.views import SeatView, view_for

FOLLOWER_DELAY = 2.0
"""How long after its time a server does what the leader should have done, which may be dead."""
RETRY_DELAY = 1.0
"""How long a table waits before it retries what it could not do or save."""


class Scheduler:
    """`present` tells which seats are connected to any server, as last noted.

    `not_before` is the earliest time for the next action, by the clock of the event loop.
    """

    def __init__(
        self, record: Record, presence: PresenceTracker, pending: PendingDecision, *, pace: Pace, rng: Random
    ) -> None:
        self._record = record
        self._presence = presence
        self._pending = pending
        self._pace = pace
        self._rng = rng
        self._now = asyncio.get_running_loop().time
        self._moved_at = self._moved_at_load()
        self._bot_delay = pace.bot_delay_max
        self._absent_since: dict[Seat, float] = dict.fromkeys(SEATS, self._now())
        self._led = False
        self._viewed: LogPosition | None = None
        self._view: SeatView | None = None
        self.not_before = 0.0
        self.present = presence.present(record.table)

    def next(self) -> Due | None:
        """Return the next action, with the time at which this server does it.

        An expert whose turn it is on a table that we lead starts thinking; an outdated decision is cancelled. Other
        actions may be due first: the expert thinks on as long as its view stays the same.
        """
        view = self._expert_view()
        if view != self._pending.view:
            self._pending.cancel()
        due = next_due(
            self._record.table,
            pace=self._pace,
            moved_at=self._moved_at,
            bot_delay=self._bot_delay,
            present=self.present,
            absent_since=self._absent_since,
            lost_hand=self._record.lost_hand,
        )
        if due is None:
            return None
        self._led = self._leads(due)
        at = max(due.at, self.not_before) + (0 if self._led else FOLLOWER_DELAY)
        if due.what == "bot_acts":
            if view is not None and self._pending.view is None and self._led:
                self._pending.start(view, at)
            at = max(at, self._pending.deadline)
        return replace(due, at=at)

    def command(self, due: Due) -> Command | None:
        """Return the command for what `next` said is due; None if it is not to be done now.

        The process may have been suspended since: another server may lead the table by now.
        """
        if self._led and not self._leads(due):
            return None
        decision = None
        if due.what == "bot_acts":
            if view := self._expert_view():
                if self._pending.view is None:
                    self._pending.start(view, due.at)  # the leader should have acted, and is late
                    return None
                decision = self._pending.take()
                if decision is None:
                    metrics.EXPERT_FALLBACKS.inc()
            assert due.seat is not None
            metrics.BOT_DECISIONS.labels(self._record.table.bot_level(due.seat)).inc()
        return command_for_due(due, self._record.table, self._rng, decision)

    @property
    def has_own_duty(self) -> bool:
        """Return whether something is due that no other server knows of: the deal of a hand whose end was lost."""
        return self._record.lost_hand is not None and any(self.present)

    def cancel_thinking(self) -> None:
        self._pending.cancel()

    def wait(self, seconds: float) -> None:
        """Do nothing before this time has passed."""
        self.not_before = self._now() + seconds

    def note_change(self, change: Change) -> None:
        """Restart the timers when the game advances or the table was reloaded."""
        if isinstance(change, Reloaded):
            self._restart(self._moved_at_load())
        elif moves_game(change.commit):
            took_trick = any(isinstance(event, TrickTaken) for event in change.commit.events)
            self._restart(self._now(), pause=self._pace.trick_pause if took_trick else 0)
        for event in () if isinstance(change, Reloaded) else change.commit.events:
            if isinstance(event, PlayerReturned):  # another server may know better who is present: do not undo it
                self._absent_since[event.seat] = self._now()
        self.note_presence(change.table)

    def note_presence(self, table: Table) -> bool:
        """Note which seats are connected, and since when the others are not; return whether that changed."""
        before, self.present = self.present, self._presence.present(table)
        for seat in SEATS:
            if before[seat] and not self.present[seat]:
                self._absent_since[seat] = self._now()
        return before != self.present

    def ms_left(self, table: Table) -> int | None:
        """Return the milliseconds until the next hand is dealt; None if none is awaited."""
        if table.phase != "scored":
            return None
        return max(0, round(1000 * (next_deal_at(table, self._pace, self._moved_at, self.present) - self._now())))

    def _leads(self, due: Due) -> bool:
        """Return whether it is ours. Only a server that saw the lost cards knows that their hand is lost."""
        return self._presence.is_leader or due.what == "deal_again"

    def _restart(self, moved_at: float, pause: float = 0.0) -> None:
        self._moved_at = moved_at
        self._bot_delay = self._rng.uniform(self._pace.bot_delay_min, self._pace.bot_delay_max) + pause

    def _moved_at_load(self) -> float:
        """Return when the table last moved: now, unless the store has a deadline that others count down to."""
        deadline_in_ms = self._record.deadline_in_ms
        if deadline_in_ms is None or self._record.table.phase != "scored":
            return self._now()
        return self._now() + deadline_in_ms / 1000 - self._pace.next_hand_timeout

    def _expert_view(self) -> SeatView | None:
        """Return what the expert whose turn it is sees; None if there is nothing to think about."""
        if self._viewed != self._record.at:
            self._viewed, self._view = self._record.at, _expert_view(self._record)
        return self._view


def _expert_view(record: Record) -> SeatView | None:
    """Return the view without the people: an expert thinks on while others come and go."""
    table = record.table
    if table.turn is None or table.bot_level(table.turn) != "expert":
        return None
    view = view_for(table.turn, table)
    first, second, third, fourth = (
        replace(seat, kind="bot", name="", away=False, level=None, ready=False) for seat in view.seats
    )
    view = replace(view, host=None, seats=(first, second, third, fourth))
    return view if len(legal_decisions(view)) > 1 else None
