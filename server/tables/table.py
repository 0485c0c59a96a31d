"""One table: one task, one inbox, one deadline; nothing else writes its state.

Everything that may change a table, be it a player's request, a connection that
went, a wake-up from another server or the passing of time, goes through `run`,
one thing after the other.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from random import Random

import structlog

from server.store.log import Commit, Position, StoreUnavailable
from server.tables.audience import Audience, Viewer
from server.tables.bot_driver import command_of
from server.tables.clock import Due, Pace, next_due
from server.tables.record import Record, TableGone, TooBusy, moves_game
from server.tables.requests import SeatRequest, command_for
from spades_core.commands import (
    LeaveSeat,
)
from spades_core.events import GameStarted, HandScored, LoggedEvent, PlayerReturned, TrickTaken
from spades_core.protocol.messages import (
    Bid,
    JoinTable,
    Leave,
    Left,
    Look,
    NextHand,
    Pass,
    Play,
    Presence,
    Refusal,
    TableRequest,
    Update,
)
from spades_core.refusal import Refused
from spades_core.rules_card import rules_card
from spades_core.seats import SEATS, Seat
from spades_core.state import Table
from spades_core.views import redact, view_for

IDLE_SECONDS = 60.0
"""How long a table stays in memory when nobody looks at it."""
PAUSE_SECONDS = 1.0
"""How long a table waits before it tries again what it could not save."""

log = structlog.get_logger()


class LiveTable:
    """A table in the memory of this server."""

    def __init__(self, record: Record, *, pace: Pace, chance: Random) -> None:
        self.record = record
        self.audience = Audience()
        self._pace = pace
        self._chance = chance
        self._inbox: asyncio.Queue[Callable[[], Awaitable[None]]] = asyncio.Queue()
        self._now = asyncio.get_running_loop().time
        self._moved_at = self._idle_since = self._now()
        self._gone_at: dict[Seat, float] = dict.fromkeys(SEATS, self._moved_at)
        self._think = pace.bot_most
        self._not_before = 0.0
        self._closed = False
        record.tell(self._after_commit)

    # What others may call: each only puts something into the inbox.

    def join(self, viewer: Viewer, request: JoinTable) -> None:
        self._inbox.put_nowait(lambda: self._join(viewer, request))

    def ask(self, viewer: Viewer, request: TableRequest) -> None:
        if self._closed:
            viewer.send(Refusal("no_table", f"Table {self.record.code} is closed.", re=request.id))
        else:
            self._inbox.put_nowait(lambda: self._answer(viewer, request))

    def gone(self, viewer: Viewer) -> None:
        self._inbox.put_nowait(lambda: self._gone(viewer))

    def refresh(self, viewer: Viewer) -> None:
        """Send this viewer the whole picture again."""
        self._inbox.put_nowait(lambda: self._refresh(viewer))

    def wake(self, commit: Commit | None) -> None:
        """Somebody appended `commit`, or, with None, something that has to be read."""
        self._inbox.put_nowait(lambda: self._wake(commit))

    # The task.

    async def run(self) -> None:
        """Until nobody has looked at the table for a while, or it is gone."""
        while True:
            due = self._due()
            idle_at = None if self.audience else self._idle_since + IDLE_SECONDS
            try:
                async with asyncio.timeout_at(due.at if due else idle_at):
                    job = await self._inbox.get()
            except TimeoutError:
                if due is None:
                    return
                job = self._job_of(due)
            try:
                await job()
            except (StoreUnavailable, TooBusy) as problem:
                log.warning(
                    "saving paused", table=self.record.code, problem=str(problem) or "other servers were faster"
                )
                self._not_before = self._now() + PAUSE_SECONDS
            except TableGone:
                self._close_down()
                return

    def _due(self) -> Due | None:
        due = next_due(
            self.record.table,
            pace=self._pace,
            moved_at=self._moved_at,
            think=self._think,
            present=self.audience.present(self.record.table),
            gone_at=self._gone_at,
        )
        return due and Due(max(due.at, self._not_before), due.what, due.seat)

    def _job_of(self, due: Due) -> Callable[[], Awaitable[None]]:
        async def job() -> None:
            try:
                await self.record.commit(command_of(due, self.record.table, self._chance))
            except (Refused, TooBusy) as problem:
                # Another server drove first; what it did arrives as a wake-up.
                log.info("already done", table=self.record.code, what=due.what, problem=str(problem))
                await self.record.catch_up()
                self._not_before = self._now() + PAUSE_SECONDS

        return job

    async def _join(self, viewer: Viewer, request: JoinTable) -> None:
        seat = self._seat(viewer)
        if seat is None and not self._has_room():
            viewer.send(Refusal("table_full", f"All four seats at table {self.record.code} are taken.", re=request.id))
            return
        self.audience.admit(viewer)
        missed = await self._missed_by(request)
        events = tuple(event for commit in missed or () for event in commit.events)
        viewer.send(self._update(viewer, events, re=request.id, fresh=missed is None, sheet=True))
        self._tell_presence()

    async def _missed_by(self, request: JoinTable) -> Sequence[Commit] | None:
        """What happened since the update that the client saw last; None when that is not known."""
        if request.n is None or request.e is None:
            return None
        try:
            return await self.record.missed_since(Position(request.n, request.e))
        except StoreUnavailable:
            return None

    async def _answer(self, viewer: Viewer, request: TableRequest) -> None:
        """Carry out a request and answer it: with an update, or with a refusal that changed nothing."""
        try:
            if isinstance(request, Leave):
                await self._leave(viewer, request)
            elif viewer not in self.audience:
                viewer.send(Refusal("no_table", "You are not at this table any more.", re=request.id))
            elif not await self._carry_out(viewer, request):
                viewer.send(self._update(viewer, (), re=request.id))
        except Refused as refused:
            viewer.send(Refusal(refused.code, refused.text, re=request.id))
        except (StoreUnavailable, TooBusy):
            text = "Saving is paused for a moment, so nothing was changed. Please try again."
            viewer.send(Refusal("saving_paused", text, re=request.id))
            raise

    async def _carry_out(self, viewer: Viewer, request: SeatRequest) -> bool:
        """Whether an update with the answer went out. What was done before a connection broke is not refused now."""
        try:
            if (
                isinstance(request, Look | Bid | Pass | Play | NextHand)
                and not self.record.moved_n <= request.on <= self.record.at.n
            ):
                raise Refused("stale", "The table has moved on; look again.")
            command = command_for(request, viewer, self._seat(viewer), self._chance)
            return await self.record.commit(command, viewer.player, request.id)
        except Refused:
            if await self.record.was_done(viewer.player, request.id):
                return False
            raise

    async def _leave(self, viewer: Viewer, request: Leave) -> None:
        """Who leaves is not shown what comes after, so it is dismissed first; it stays when that cannot be saved."""
        seat = self._seat(viewer) if self._dismiss(viewer) else None
        try:
            if seat is not None:
                await self.record.commit(LeaveSeat(seat), viewer.player, request.id)
        except (StoreUnavailable, TooBusy):
            self.audience.admit(viewer)
            raise
        viewer.send(Left(request.id))

    async def _gone(self, viewer: Viewer) -> None:
        self._dismiss(viewer)

    async def _refresh(self, viewer: Viewer) -> None:
        if viewer in self.audience:
            viewer.send(self._update(viewer, (), fresh=True, sheet=True))

    async def _wake(self, commit: Commit | None) -> None:
        if commit is not None:
            await self.record.hear(commit)
        else:
            await self.record.catch_up()

    def _dismiss(self, viewer: Viewer) -> bool:
        """False when the viewer was not (or no longer) looking."""
        if not self.audience.dismiss(viewer):
            return False
        self._idle_since = self._now()
        seat = self._seat(viewer)
        if seat is not None:
            self._gone_at[seat] = self._now()
        self._tell_presence()
        return True

    def _close_down(self) -> None:
        self._closed = True
        for viewer in self.audience:
            viewer.send(Refusal("no_table", f"Table {self.record.code} is closed; it was not used for a long time."))
            self.audience.dismiss(viewer)

    def _after_commit(self, commit: Commit | None) -> None:
        """Time starts anew and everybody is told; None means that everything is to be looked at anew."""
        events = commit.events if commit else ()
        if commit is None or moves_game(commit):
            self._moved_at = self._now()
            rest = any(isinstance(event, TrickTaken) for event in events)
            self._think = self._chance.uniform(self._pace.bot_least, self._pace.bot_most) + rest * self._pace.trick_rest
        for seat in SEATS:
            if commit is not None and _shows_life(commit, seat, self.record.table):
                self._gone_at[seat] = self._now()
        sheet = commit is None or any(isinstance(event, HandScored | GameStarted) for event in events)
        for viewer in self.audience:
            re = commit.request if commit and viewer.player == commit.player else None
            viewer.send(self._update(viewer, events, re=re, fresh=commit is None, sheet=sheet))

    def _update(
        self,
        viewer: Viewer,
        events: tuple[LoggedEvent, ...],
        *,
        re: str | None = None,
        fresh: bool = False,
        sheet: bool = False,
    ) -> Update:
        table, seat = self.record.table, self._seat(viewer)
        game = table.game
        return Update(
            code=self.record.code,
            n=self.record.at.n,
            e=self.record.at.e,
            events=tuple(redact(seat, event) for event in events),
            view=view_for(seat, table),
            present=self.audience.present(table),
            sheet=(game.sheet if game else ()) if sheet else None,
            rules_card=rules_card(table.rules) if sheet else None,
            ms_left=self._ms_left(),
            fresh=fresh,
            re=re,
        )

    def _ms_left(self) -> int | None:
        due = self._due()
        return max(0, round(1000 * (due.at - self._now()))) if due is not None and due.what == "deal" else None

    def _tell_presence(self) -> None:
        message = Presence(self.record.code, self.audience.present(self.record.table))
        for viewer in self.audience:
            viewer.send(message)

    def _seat(self, viewer: Viewer) -> Seat | None:
        return self.record.table.seat_of(viewer.player)

    def _has_room(self) -> bool:
        return any(occupant is None or occupant.player is None for occupant in self.record.table.seats)


def _shows_life(commit: Commit, seat: Seat, table: Table) -> bool:
    """Whether a commit proves that the person on `seat` is there, on this server or another."""
    occupant = table.seats[seat]
    asked = occupant is not None and occupant.player is not None and occupant.player == commit.player
    return asked or PlayerReturned(seat) in commit.events
