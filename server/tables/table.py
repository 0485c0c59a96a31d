"""One table: one task, one inbox, one deadline; nothing else writes its state.

Everything that may change a table, be it a player's request, a connection that
went, a wake-up from another server or the passing of time, goes through `run`,
one thing after the other. A request that could not be saved is held and carried
out, or found to have been, once the store is back: it gets one answer.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from random import Random

import structlog

from server.store.log import Commit, Position, StoreUnavailable
from server.tables.audience import Audience, Viewer
from server.tables.clock import Due, Pace, deal_at, next_due
from server.tables.due_commands import command_of
from server.tables.publisher import Publisher
from server.tables.record import Record, TableGone, TooBusy, moves_game
from server.tables.requests import GameRequest, SeatRequest, command_for
from spades_core.commands import LeaveSeat
from spades_core.events import LoggedEvent, PlayerReturned, TrickTaken
from spades_core.protocol.messages import CLOSE_RESTARTING, JoinTable, Leave, Left, Refusal, TableRequest
from spades_core.refusal import Refused
from spades_core.seats import SEATS, Seat
from spades_core.state import Table

IDLE_SECONDS = 60.0
"""How long a table stays in memory when nobody looks at it."""
PAUSE_SECONDS = 1.0
"""How long a table waits before it tries again what it could not save."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Job:
    """Something for the table's task to do; `viewer` waits for the answer to the request `re`."""

    do: Callable[[], Awaitable[None]]
    viewer: Viewer | None = None
    re: str | None = None


class LiveTable:
    """A table in the memory of this server."""

    def __init__(self, record: Record, *, pace: Pace, chance: Random) -> None:
        self.record = record
        self.audience = Audience()
        self._publisher = Publisher(record, self.audience)
        self._pace = pace
        self._chance = chance
        self._inbox: asyncio.Queue[Job] = asyncio.Queue()
        self._held: list[Job] = []
        self._now = asyncio.get_running_loop().time
        self._moved_at = self._idle_since = self._now()
        self._gone_at: dict[Seat, float] = dict.fromkeys(SEATS, self._moved_at)
        self._think = pace.bot_most
        self._not_before = 0.0
        self._ended = False
        record.tell(self._after_commit)

    # What others may call: each only puts something into the inbox.

    def join(self, viewer: Viewer, request: JoinTable, admitted: Callable[[], None]) -> None:
        """`admitted` is called when the viewer may stay, before it is sent anything."""
        self._put(Job(lambda: self._join(viewer, request, admitted), viewer, request.id))

    def ask(self, viewer: Viewer, request: TableRequest) -> None:
        self._put(Job(lambda: self._answer(viewer, request), viewer, request.id))

    def gone(self, viewer: Viewer) -> None:
        self._put(Job(lambda: self._gone(viewer)))

    def refresh(self, viewer: Viewer) -> None:
        """Send this viewer the whole picture again."""
        self._put(Job(lambda: self._refresh(viewer)))

    def wake(self, commit: Commit | None) -> None:
        """Somebody appended `commit`, or, with None, something that has to be read."""
        self._put(Job(lambda: self._wake(commit)))

    def _put(self, job: Job) -> None:
        if self._ended:
            self._turn_away(job)
        else:
            self._inbox.put_nowait(job)

    # The task.

    async def run(self) -> None:
        """Until nobody has looked at the table for a while, or it is gone."""
        try:
            while (job := await self._next_job()) is not None:
                try:
                    await job.do()
                except StoreUnavailable as problem:
                    self._hold(job, problem)
            log.debug("table idle", table=self.record.code)
        except TableGone:
            for viewer in self.audience:
                text = f"Table {self.record.code} is closed; it was not used for a long time."
                viewer.send(Refusal("no_table", text))
                self.audience.dismiss(viewer)
        except Exception:
            # A bug: who is here connects again and finds the table as the log has it; other tables play on.
            log.exception("table failed", table=self.record.code)
            for viewer in self.audience:
                viewer.close(CLOSE_RESTARTING)
        finally:
            self._ended = True
            for job in [*self._held, *self._waiting()]:
                self._turn_away(job)

    async def _next_job(self) -> Job | None:
        """What comes next, from the inbox or because its time has come; None when there is no reason to stay."""
        due = self._due()
        at: float | None
        job: Job | None
        if self._held:
            at, job = self._not_before, Job(self._try_again)
        elif due is not None:
            at, job = due.at, Job(lambda: self._carry_out_due(due))
        else:
            at, job = None if self.audience else self._idle_since + IDLE_SECONDS, None
        try:
            async with asyncio.timeout_at(at):
                return await self._inbox.get()
        except TimeoutError:
            return job

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

    async def _carry_out_due(self, due: Due) -> None:
        try:
            await self.record.commit(command_of(due, self.record.table, self._chance))
        except (Refused, TooBusy) as problem:
            # Another server was first; if none was, what we would do is wrong, and shall be seen.
            at = self.record.at
            await self.record.catch_up()
            tell = log.error if self.record.at == at else log.info
            tell("could not do what was due", table=self.record.code, what=due.what, problem=str(problem))
            self._not_before = self._now() + PAUSE_SECONDS

    def _hold(self, job: Job, problem: StoreUnavailable) -> None:
        """Whether it was saved is not known: nobody is told anything but to wait."""
        log.warning("saving paused", table=self.record.code, problem=str(problem))
        self._not_before = self._now() + PAUSE_SECONDS
        if job.viewer is not None:
            self._held.append(job)
            job.viewer.send(Refusal("saving_paused", "Saving is paused; play goes on by itself in a moment."))

    def _is_answered(self, job: Job, commit: Commit) -> bool:
        """Whether the viewer of a held job is told by this commit that it was done; who has left is not."""
        viewer = job.viewer
        if viewer is None or viewer not in self.audience:
            return False
        return (viewer.player, job.re) == (commit.player, commit.request)

    async def _try_again(self) -> None:
        await self.record.catch_up()
        held, self._held = self._held, []
        for job in held:
            self._inbox.put_nowait(job)

    def _waiting(self) -> list[Job]:
        jobs = []
        while not self._inbox.empty():
            jobs.append(self._inbox.get_nowait())
        return jobs

    def _turn_away(self, job: Job) -> None:
        if job.viewer is not None:
            job.viewer.send(Refusal("closed", f"Table {self.record.code} was put away here; join it again.", re=job.re))

    # What a job does.

    async def _join(self, viewer: Viewer, request: JoinTable, admitted: Callable[[], None]) -> None:
        if self._seat(viewer) is None and not self._has_room():
            viewer.send(Refusal("table_full", f"All four seats at table {self.record.code} are taken.", re=request.id))
            return
        self.audience.admit(viewer)
        admitted()
        self._publisher.arrival(viewer, await self._missed_by(request), self._ms_left(), request.id)
        self._publisher.presence()

    async def _missed_by(self, request: JoinTable) -> tuple[LoggedEvent, ...] | None:
        """What happened since the update that the client saw last; None when that is not known."""
        if request.n is None or request.e is None:
            return None
        try:
            commits = await self.record.missed_since(Position(request.n, request.e))
        except StoreUnavailable:
            return None
        return None if commits is None else tuple(event for commit in commits for event in commit.events)

    async def _answer(self, viewer: Viewer, request: TableRequest) -> None:
        """Carry out a request and answer it: with an update, or with a refusal that changed nothing."""
        try:
            if isinstance(request, Leave):
                await self._leave(viewer, request)
            elif viewer not in self.audience:
                viewer.send(Refusal("no_table", "You are not at this table any more.", re=request.id))
            elif not await self._carry_out(viewer, request):
                self._publisher.nothing_new(viewer, self._ms_left(), request.id)
        except Refused as refused:
            viewer.send(Refusal(refused.code, refused.text, re=request.id))
        except TooBusy:
            viewer.send(Refusal("busy", "Others were faster each time; nothing was changed.", re=request.id))

    async def _carry_out(self, viewer: Viewer, request: SeatRequest) -> bool:
        """Whether an update with the answer went out. What was done before a connection broke is not refused now."""
        try:
            if isinstance(request, GameRequest) and not self.record.moved_n <= request.on <= self.record.at.n:
                raise Refused("stale", "The table has moved on; look again.")
            command = command_for(request, viewer, self._seat(viewer), self._chance)
            return await self.record.commit(command, viewer.player, request.id)
        except Refused:
            if await self.record.was_done(viewer.player, request.id):
                return False
            raise

    async def _leave(self, viewer: Viewer, request: Leave) -> None:
        """Who leaves is not shown what comes after, so it is dismissed first."""
        self._dismiss(viewer)
        seat = self._seat(viewer)
        if seat is not None:
            await self.record.commit(LeaveSeat(seat), viewer.player, request.id)
        viewer.send(Left(request.id))

    async def _gone(self, viewer: Viewer) -> None:
        self._dismiss(viewer)

    async def _refresh(self, viewer: Viewer) -> None:
        if viewer in self.audience:
            self._publisher.anew(viewer, self._ms_left())

    async def _wake(self, commit: Commit | None) -> None:
        if commit is not None:
            await self.record.hear(commit)
        else:
            await self.record.catch_up()

    def _dismiss(self, viewer: Viewer) -> None:
        if not self.audience.dismiss(viewer):
            return
        self._idle_since = self._now()
        seat = self._seat(viewer)
        if seat is not None:
            self._gone_at[seat] = self._now()
        self._publisher.presence()

    def _after_commit(self, commit: Commit | None) -> None:
        """Time starts anew and everybody is told; None means that the table was loaded anew."""
        if commit is None or moves_game(commit):
            self._moved_at = self._now()
            rest = commit is not None and any(isinstance(event, TrickTaken) for event in commit.events)
            self._think = self._chance.uniform(self._pace.bot_least, self._pace.bot_most) + rest * self._pace.trick_rest
        if commit is not None:
            self._held = [job for job in self._held if not self._is_answered(job, commit)]
            for seat in SEATS:
                if _shows_life(commit, seat, self.record.table):
                    self._gone_at[seat] = self._now()
        self._publisher.commit(commit, self._ms_left())

    def _ms_left(self) -> int | None:
        """Until the next hand is dealt, in milliseconds; None when none is waited for."""
        table = self.record.table
        if table.phase != "scored":
            return None
        at = deal_at(table, self._pace, self._moved_at, self.audience.present(table))
        return max(0, round(1000 * (at - self._now())))

    def _seat(self, viewer: Viewer) -> Seat | None:
        return self.record.table.seat_of(viewer.player)

    def _has_room(self) -> bool:
        return any(occupant is None or occupant.player is None for occupant in self.record.table.seats)


def _shows_life(commit: Commit, seat: Seat, table: Table) -> bool:
    """Whether a commit proves that the person on `seat` is there, on this server or another."""
    occupant = table.seats[seat]
    asked = occupant is not None and occupant.player is not None and occupant.player == commit.player
    return asked or PlayerReturned(seat) in commit.events
