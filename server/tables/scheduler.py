"""The timers and bots of one table: the next action due, when this server carries it out, and its command.

One server leads a table; the others act only after an additional delay. If two servers act at once, work is done
twice, but the log stays consistent: only one append succeeds.
"""

import asyncio
from dataclasses import replace
from random import Random

from server import metrics
from server.experts.pending import PendingDecision
from server.presence.tracker import PresenceTracker
from server.tables.replica import Change, Reloaded, TableReplica, advances_game
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
"""Delay after which a follower carries out a due action, in case the leader has failed, in seconds."""
RETRY_DELAY = 1.0
"""Delay before a failed action or append is retried, in seconds."""


class Scheduler:
    """`present` holds whether each seat is connected to any server, as of the last change.

    `not_before` is the earliest time for the next action, by the clock of the event loop.
    """

    def __init__(
        self, replica: TableReplica, presence: PresenceTracker, pending: PendingDecision, *, pace: Pace, rng: Random
    ) -> None:
        self._replica = replica
        self._presence = presence
        self._pending = pending
        self._pace = pace
        self._rng = rng
        self._now = asyncio.get_running_loop().time
        self._advanced_at = self._initial_advanced_at()
        self._bot_delay = pace.bot_delay_max
        self._absent_since: dict[Seat, float] = dict.fromkeys(SEATS, self._now())
        self._was_responsible = False
        self._view_position: LogPosition | None = None
        self._cached_view: SeatView | None = None
        self.not_before = 0.0
        self.present = presence.present(replica.table)

    def next(self) -> Due | None:
        """Return the next action, with the time at which this server does it.

        If this server leads and an expert bot is to move, start its decision; cancel a decision whose view has changed.
        Other due actions do not interrupt it.
        """
        view = self._expert_view()
        if view != self._pending.view:
            self._pending.cancel()
        due = next_due(
            self._replica.table,
            pace=self._pace,
            advanced_at=self._advanced_at,
            bot_delay=self._bot_delay,
            present=self.present,
            absent_since=self._absent_since,
            hand_to_redeal=self._replica.hand_to_redeal,
        )
        if due is None:
            return None
        self._was_responsible = self._is_responsible_for(due)
        at = max(due.at, self.not_before) + (0 if self._was_responsible else FOLLOWER_DELAY)
        if due.what == "bot_acts":
            if view is not None and self._pending.view is None and self._was_responsible:
                self._pending.start(view, at)
            at = max(at, self._pending.deadline)
        return replace(due, at=at)

    def command(self, due: Due) -> Command | None:
        """Return the command for the action that `next` returned; None if it must not be carried out now.

        The process may have been suspended in between, and another server may lead the table by now.
        """
        if self._was_responsible and not self._is_responsible_for(due):
            return None
        decision = None
        if due.what == "bot_acts":
            if view := self._expert_view():
                if self._pending.view is None:
                    self._pending.start(view, due.at)  # the leader has not acted in time
                    return None
                decision = self._pending.take()
                if decision is None:
                    metrics.EXPERT_FALLBACKS.inc()
            assert due.seat is not None
            metrics.BOT_DECISIONS.labels(self._replica.table.bot_level(due.seat)).inc()
        return command_for_due(due, self._replica.table, self._rng, decision)

    @property
    def has_exclusive_action(self) -> bool:
        """Return whether only this server knows of an action that is due: the redeal of a hand."""
        return self._replica.hand_to_redeal is not None and any(self.present)

    def cancel_decision(self) -> None:
        self._pending.cancel()

    def wait(self, seconds: float) -> None:
        """Postpone all actions by this time."""
        self.not_before = self._now() + seconds

    def on_change(self, change: Change) -> None:
        """Restart the timers when the game advances or the table was reloaded."""
        if isinstance(change, Reloaded):
            self._restart(self._initial_advanced_at())
        elif advances_game(change.commit):
            took_trick = any(isinstance(event, TrickTaken) for event in change.commit.events)
            self._restart(self._now(), pause=self._pace.trick_pause if took_trick else 0)
        for event in () if isinstance(change, Reloaded) else change.commit.events:
            if isinstance(event, PlayerReturned):  # another server may have newer presence: do not override it
                self._absent_since[event.seat] = self._now()
        self.note_presence(change.table)

    def note_presence(self, table: Table) -> bool:
        """Update which seats are connected, and when the others disconnected; return whether that changed."""
        before, self.present = self.present, self._presence.present(table)
        for seat in SEATS:
            if before[seat] and not self.present[seat]:
                self._absent_since[seat] = self._now()
        return before != self.present

    def ms_left(self, table: Table) -> int | None:
        """Return the milliseconds until the next hand is dealt; None if no deal is pending."""
        if table.phase != "scored":
            return None
        return max(0, round(1000 * (next_deal_at(table, self._pace, self._advanced_at, self.present) - self._now())))

    def _is_responsible_for(self, due: Due) -> bool:
        """Return whether to act without delay: as leader, or for a redeal, which other servers do not know of."""
        return self._presence.is_leader or due.what == "redeal"

    def _restart(self, advanced_at: float, pause: float = 0.0) -> None:
        self._advanced_at = advanced_at
        self._bot_delay = self._rng.uniform(self._pace.bot_delay_min, self._pace.bot_delay_max) + pause

    def _initial_advanced_at(self) -> float:
        """Return when the table last moved: now, unless the store has a deadline that other servers use."""
        ms_until_deadline = self._replica.ms_until_deadline
        if ms_until_deadline is None or self._replica.table.phase != "scored":
            return self._now()
        return self._now() + ms_until_deadline / 1000 - self._pace.next_hand_timeout

    def _expert_view(self) -> SeatView | None:
        """Return the view of the expert bot to move; None without one, or if it has only one legal decision."""
        if self._view_position != self._replica.at:
            self._view_position, self._cached_view = self._replica.at, _expert_view(self._replica)
        return self._cached_view


def _expert_view(replica: TableReplica) -> SeatView | None:
    """Return the view without occupants, so that joining and leaving does not restart the decision."""
    table = replica.table
    if table.turn is None or table.bot_level(table.turn) != "expert":
        return None
    view = view_for(table.turn, table)
    first, second, third, fourth = (
        replace(seat, kind="bot", name="", away=False, level=None, ready=False) for seat in view.seats
    )
    view = replace(view, host=None, seats=(first, second, third, fourth))
    return view if len(legal_decisions(view)) > 1 else None
