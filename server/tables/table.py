"""One table: one task, one inbox; nothing else writes its state.

Everything that may change a table, be it a player's request, a connection that
went, a wake-up from another server or the passing of time, goes through `run`,
one thing after the other. A request that could not be saved is held and carried
out, or found to have been, once the store is back: it gets one answer.
"""

import asyncio
import contextlib
from collections.abc import Callable
from random import Random

import structlog

from server.experts.pending import Thinking, Thought
from server.presence.audience import Audience, Viewer
from server.presence.membership import Membership
from server.presence.tracker import Attendants
from server.store.log import Head, NewerVersionError, StoreError, StoreUnavailable, TableLog, TablePresence
from server.tables.driving import Driver
from server.tables.inbox import Inbox, Job
from server.tables.publisher import Publisher
from server.tables.record import Record, TableGone, TooBusy
from server.tables.requests import GameRequest, SeatRequest, command_for
from spades_core.commands import CommandRefused, LeaveSeat
from spades_core.commit import Commit, LogPosition
from spades_core.events import LoggedEvent
from spades_core.protocol.messages import CLOSE_RESTARTING, JoinTable, Leave, Left, Refusal, TableRequest
from spades_core.schedule import Pace
from spades_core.seats import Seat

IDLE_SECONDS = 60.0
"""How long a table stays in memory when nobody looks at it."""

log = structlog.get_logger()


class LiveTable:
    """A table in the memory of this server."""

    def __init__(
        self, record: Record, store: TableLog, membership: Membership, thinking: Thinking, *, pace: Pace, rng: Random
    ) -> None:
        self.record = record
        self.audience = Audience()
        self.attendants = Attendants(record.code, self.audience, store, membership)
        self._publisher = Publisher(record, self.audience, self.attendants)
        self._inbox = Inbox(self._turn_away)
        thought = Thought(thinking, lambda: self._inbox.put(None), rng)
        self._driver = Driver(record, self.attendants, thought, pace=pace, rng=rng)
        self._rng = rng
        self._now = asyncio.get_running_loop().time
        self.idle_since = self._now()
        self._roll_is_due = False
        self._is_saving = True
        record.tell(self._after_commit, self._after_rewind)

    # What others may call: each only puts something into the inbox.

    def join(self, viewer: Viewer, request: JoinTable, admitted: Callable[[], None]) -> None:
        """`admitted` is called when the viewer may stay, before it is sent anything."""
        self._inbox.put(Job(lambda: self._join(viewer, request, admitted), viewer, request.id))

    def ask(self, viewer: Viewer, request: TableRequest) -> None:
        self._inbox.put(Job(lambda: self._answer(viewer, request), viewer, request.id))

    def gone(self, viewer: Viewer) -> None:
        self._inbox.put(Job(lambda: self._gone(viewer)))

    def wake(self, commit: Commit | None) -> None:
        """Somebody appended `commit`, or, with None, something that has to be read."""
        self._inbox.put(Job(lambda: self._wake(commit)))

    def call_roll(self, told: TablePresence | None = None) -> None:
        """Somebody came or went elsewhere, or a server died: the store is asked, once for all who go together."""
        self.attendants.hear(told)
        if self.attendants.are_behind and not self._roll_is_due:
            self._roll_is_due = True
            self._inbox.put(Job(self._roll_if_behind))

    def put_away(self) -> None:
        """Out of memory with it, unless somebody looks at it."""
        self._inbox.put(None)

    async def settle(self) -> None:
        """Wait until all that was put into the inbox before is done."""
        done = asyncio.Event()

        async def tell() -> None:
            done.set()

        self._inbox.put(Job(tell))
        await done.wait()

    def is_at(self, top: Head | None) -> bool:
        """Whether this is what the store says, too."""
        return top is not None and self.record.at == top.at and self.attendants.agrees(top.presence_changed_at)

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
            log.info("table gone", table=self.record.code)
            for viewer in self.audience:
                text = f"Table {self.record.code} is closed; it was not used for a long time."
                viewer.send(Refusal("no_table", text))
                self.audience.dismiss(viewer)
        except NewerVersionError as problem:
            # A server of a newer version plays here by now; who is here shall connect to it.
            log.warning("table left to newer servers", table=self.record.code, problem=str(problem))
            await self._send_off()
        except Exception:
            # A bug: who is here connects again and finds the table as the log has it; other tables play on.
            log.exception("table failed", table=self.record.code)
            await self._send_off()
        finally:
            self._driver.stop_thinking()
            self._inbox.end()

    async def _send_off(self) -> None:
        for viewer in self.audience:
            self.audience.dismiss(viewer)
            viewer.close(CLOSE_RESTARTING)
        with contextlib.suppress(StoreError):
            await self.attendants.call()

    async def _next_job(self) -> Job | None:
        """What comes next, from the inbox or because its time has come; None when there is no reason to stay."""
        while True:
            at, job = self._next_by_itself()
            try:
                said = await self._inbox.next(at)
            except TimeoutError:
                return job
            if said is not None or (not self.audience and self.attendants.are_told and self._inbox.is_empty):
                return said

    def _next_by_itself(self) -> tuple[float | None, Job | None]:
        if self._inbox.holds:
            return self._driver.not_before, Job(self._try_again)
        if not self.audience and not self._driver.is_needed:  # what is due here is the others' to do
            self._driver.stop_thinking()
            # Who must still tell the store that nobody is here stays for it: the position check will say when.
            return self.idle_since + IDLE_SECONDS if self.attendants.are_told else None, None
        due = self._driver.think()
        return (None, None) if due is None else (due.at, Job(lambda: self._driver.carry_out(due)))

    def _hold(self, job: Job, problem: StoreUnavailable) -> None:
        """Whether it was saved is not known: nobody is told anything but to wait."""
        if self._is_saving:
            log.warning("saving paused", table=self.record.code, problem=str(problem))
            self._is_saving = False
        self._driver.pause()
        if job.viewer is not None:
            self._inbox.hold(job)
            job.viewer.send(Refusal("saving_paused", "Saving is paused; play goes on by itself in a moment."))

    def _answer_held(self, job: Job, commit: Commit) -> bool:
        """Whether a held job turns out to be done by this commit; who is here is told by it, who left is told now."""
        viewer = job.viewer
        if viewer is None or (viewer.player, job.re) != (commit.player, commit.request):
            return False
        if viewer not in self.audience and job.re is not None:
            viewer.send(Left(job.re))
        return True

    async def _try_again(self) -> None:
        await self.record.catch_up()
        self._inbox.try_again()

    def _turn_away(self, job: Job) -> None:
        if job.viewer is not None:
            job.viewer.send(Refusal("closed", f"Table {self.record.code} was put away here; join it again.", re=job.re))

    # What a job does.

    async def _join(self, viewer: Viewer, request: JoinTable, admitted: Callable[[], None]) -> None:
        await self._catch_up_with(viewer, request)
        if not self.record.table.has_room_for(viewer.player):
            viewer.send(Refusal("table_full", f"All four seats at table {self.record.code} are taken.", re=request.id))
            return
        if not self.audience.admit(viewer):
            return
        admitted()
        await self._ask_roll()
        news = self._driver.note_presence()
        self._publisher.arrival(viewer, await self._missed_by(request), self._driver.ms_left(), request.id)
        if news:
            self._publisher.presence()

    async def _catch_up_with(self, viewer: Viewer, request: JoinTable) -> None:
        """Who comes from another server may have seen more than we have heard of, such as taking a seat."""
        if (request.n or 0) > self.record.at.n or not self.record.table.has_room_for(viewer.player):
            try:
                await self.record.catch_up()
            except StoreUnavailable as problem:
                log.warning("could not catch up", table=self.record.code, problem=str(problem))

    async def _roll_if_behind(self) -> None:
        self._roll_is_due = False
        if self.attendants.are_behind:  # and has not been asked meanwhile, for somebody who came here
            await self._call_roll()

    async def _call_roll(self) -> None:
        await self._ask_roll()
        if self._driver.note_presence():
            self._publisher.presence()

    async def _ask_roll(self) -> None:
        """Who is here, and elsewhere? While the store is away, whoever was last known to be elsewhere still is."""
        try:
            if not await self.attendants.call():
                raise TableGone
        except StoreUnavailable as problem:
            log.warning("attendance not shared", table=self.record.code, problem=str(problem))

    async def _missed_by(self, request: JoinTable) -> tuple[LoggedEvent, ...] | None:
        """What happened since the update that the client saw last; None when that is not known."""
        if request.n is None or request.e is None:
            return None
        try:
            return await self.record.missed_since(LogPosition(request.n, request.e))
        except StoreUnavailable:
            return None

    async def _answer(self, viewer: Viewer, request: TableRequest) -> None:
        """Carry out a request and answer it: with an update, or with a refusal that changed nothing."""
        try:
            if isinstance(request, Leave):
                await self._leave(viewer, request)
            elif viewer not in self.audience:
                viewer.send(Refusal("no_table", "You are not at this table any more.", re=request.id))
            elif not await self._do(viewer, request):
                self._publisher.nothing_new(viewer, self._driver.ms_left(), request.id)
        except CommandRefused as refused:
            viewer.send(Refusal(refused.code, refused.text, re=request.id))
        except TooBusy:
            viewer.send(Refusal("busy", "Others were faster each time; nothing was changed.", re=request.id))

    async def _do(self, viewer: Viewer, request: SeatRequest) -> bool:
        """Whether an update with the answer went out. What was done before a connection broke is not refused now."""
        try:
            on = request.on if isinstance(request, GameRequest) else None
            command = command_for(request, viewer, self._seat(viewer), self._rng)
            return await self.record.commit(command, viewer.player, request.id, on=on)
        except CommandRefused:
            if await self.record.was_done(viewer.player, request.id):
                return False
            raise

    async def _leave(self, viewer: Viewer, request: Leave) -> None:
        """Who leaves is not shown what comes after, so it is dismissed first. Who came back since asks again there."""
        await (self._gone(viewer) if viewer in self.audience else self._call_roll())
        if self.attendants.has_come_again(viewer.player):
            raise CommandRefused("no_table", "You are not at this table any more.")
        while (seat := self._seat(viewer)) is not None:
            with contextlib.suppress(CommandRefused, TooBusy):  # the seat is another one by now, or others were faster
                await self.record.commit(LeaveSeat(seat), viewer.player, request.id)
                break
        viewer.send(Left(request.id))

    async def _gone(self, viewer: Viewer) -> None:
        if self.audience.dismiss(viewer):
            self.idle_since = self._now()
            await self._call_roll()

    async def _wake(self, commit: Commit | None) -> None:
        if commit is not None:
            await self.record.hear(commit)
        else:
            await self.record.catch_up()
            await self._call_roll()

    def _after_commit(self, commit: Commit | None) -> None:
        """Everybody is told; None means that the table was loaded anew."""
        if not self._is_saving:
            log.info("saving goes on", table=self.record.code)
            self._is_saving = True
        if commit is not None:
            self._inbox.let_go(lambda job: self._answer_held(job, commit))
        self._driver.note_commit(commit)
        self._publisher.commit(commit, self._driver.ms_left())

    def _after_rewind(self) -> None:
        """Never a silent difference: what players saw and the store forgot is not so any more."""
        lost = Refusal("rewound", "The last moments of this table were lost with its store. It goes on from here.")
        for viewer in self.audience:
            viewer.send(lost)

    def _seat(self, viewer: Viewer) -> Seat | None:
        return self.record.table.seat_of(viewer.player)
