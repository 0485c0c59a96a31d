"""One table: one task, one inbox; nothing else changes its state.

Everything that may change a table (a player's request, a lost connection, a commit of another server, the passing of
time) goes through `run`, one after the other. A request that could not be saved is parked and carried out, or found
done, once the store is back: it gets one answer.
"""

import asyncio
import contextlib
from collections.abc import Callable
from random import Random

import structlog

from server.experts.pending import Experts, PendingDecision
from server.presence.membership import Membership
from server.presence.tracker import PresenceTracker
from server.presence.viewers import Viewer, Viewers
from server.store.log import Head, NewerVersionError, StoreError, StoreUnavailable, TableLog, TablePresence
from server.tables.inbox import Inbox, Job
from server.tables.publisher import Publisher
from server.tables.replica import Change, NotDueError, TableGone, TableReplica, includes_request
from server.tables.requests import GameRequest, SeatRequest, command_for
from server.tables.scheduler import RETRY_DELAY, Scheduler
from spades_core.commands import Command, CommandRefused, LeaveSeat
from spades_core.commit import Applied, Commit, LogPosition
from spades_core.events import LoggedEvent
from spades_core.protocol.messages import CLOSE_RESTARTING, JoinTable, Leave, Left, Refusal, TableRequest
from spades_core.schedule import Due, Pace
from spades_core.seats import Seat

IDLE_SECONDS = 60.0
"""How long a table stays in memory when it has no viewers."""
MAX_TRIES = 3
"""How often a request is decided again because another server was faster."""

log = structlog.get_logger()


class TooBusy(Exception):
    """Others changed the table each time a command was decided."""


class LiveTable:
    """A table in the memory of this server."""

    def __init__(
        self,
        replica: TableReplica,
        store: TableLog,
        membership: Membership,
        experts: Experts,
        *,
        pace: Pace,
        rng: Random,
    ) -> None:
        self.replica = replica
        self.viewers = Viewers()
        self.presence = PresenceTracker(replica.code, self.viewers, store, membership)
        self._publisher = Publisher(replica, self.viewers, self.presence)
        self._inbox = Inbox(self._reject)
        pending = PendingDecision(experts, lambda: self._inbox.put(None), rng)
        self._scheduler = Scheduler(replica, self.presence, pending, pace=pace, rng=rng)
        self._rng = rng
        self._now = asyncio.get_running_loop().time
        self.idle_since = self._now()
        self._presence_refresh_queued = False
        self._is_saving = True

    # What others may call: each only puts a job into the inbox.

    def join(self, viewer: Viewer, request: JoinTable, admitted: Callable[[], None]) -> None:
        """Call `admitted` when the viewer may stay, before anything is sent to it."""
        self._inbox.put(Job(lambda: self._join(viewer, request, admitted), viewer, request.id))

    def ask(self, viewer: Viewer, request: TableRequest) -> None:
        self._inbox.put(Job(lambda: self._answer(viewer, request), viewer, request.id))

    def disconnected(self, viewer: Viewer) -> None:
        self._inbox.put(Job(lambda: self._disconnected(viewer)))

    def on_wakeup(self, commit: Commit | None) -> None:
        """A server appended `commit`; with None, wake-ups may have been lost, and the log has to be read."""
        self._inbox.put(Job(lambda: self._on_wakeup(commit)))

    def refresh_presence(self, presence: TablePresence | None = None) -> None:
        """Ask the store, as somebody came or went elsewhere or a server died; once for all who come together."""
        self.presence.note_remote_change(presence)
        if self.presence.is_stale and not self._presence_refresh_queued:
            self._presence_refresh_queued = True
            self._inbox.put(Job(self._refresh_presence_if_stale))

    def evict(self) -> None:
        """Drop the table from memory unless it has viewers."""
        self._inbox.put(None)

    async def drain(self) -> None:
        """Wait until all jobs put into the inbox before are done."""
        done = asyncio.Event()

        async def set_done() -> None:
            done.set()

        self._inbox.put(Job(set_done))
        await done.wait()

    def is_at(self, head: Head | None) -> bool:
        """Return whether the table is in sync with the store."""
        return head is not None and self.replica.at == head.at and self.presence.in_sync_with(head.presence_changed_at)

    # The task.

    async def run(self) -> None:
        """Run until the table was without viewers for a while, or is gone."""
        try:
            while (job := await self._next_job()) is not None:
                try:
                    await job.do()
                except StoreUnavailable as problem:
                    self._park(job, problem)
            log.debug("table idle", table=self.replica.code)
        except TableGone:
            log.info("table gone", table=self.replica.code)
            for viewer in self.viewers:
                text = f"Table {self.replica.code} is closed; it was not used for a long time."
                viewer.send(Refusal("no_table", text))
                self.viewers.remove(viewer)
        except NewerVersionError as problem:
            # A server of a newer version plays here by now; the players shall connect to that one.
            log.warning("table left to newer servers", table=self.replica.code, problem=str(problem))
            await self._disconnect_all()
        except Exception:
            # A bug: the players connect again and find the table as the log has it; other tables play on.
            log.exception("table failed", table=self.replica.code)
            await self._disconnect_all()
        finally:
            self._scheduler.cancel_decision()
            self._inbox.close()

    async def _disconnect_all(self) -> None:
        for viewer in self.viewers:
            self.viewers.remove(viewer)
            viewer.close(CLOSE_RESTARTING)
        with contextlib.suppress(StoreError):
            await self.presence.sync()

    async def _next_job(self) -> Job | None:
        """Return the next job, from the inbox or due by time; None if there is no reason to stay in memory."""
        while True:
            at, job_due = self._next_due()
            try:
                job = await self._inbox.next(at)
            except TimeoutError:
                return job_due
            if job is not None or (not self.viewers and self.presence.is_published and self._inbox.is_empty):
                return job

    def _next_due(self) -> tuple[float | None, Job | None]:
        if self._inbox.has_parked:
            return self._scheduler.not_before, Job(self._retry)
        if not self.viewers and not self._scheduler.has_exclusive_action:  # what is due is for other servers to do
            self._scheduler.cancel_decision()
            # A table whose store does not know yet that nobody is here stays; the position check tells it when.
            return self.idle_since + IDLE_SECONDS if self.presence.is_published else None, None
        due = self._scheduler.next()
        return (None, None) if due is None else (due.at, Job(lambda: self._carry_out(due)))

    def _park(self, job: Job, problem: StoreUnavailable) -> None:
        """Keep a job that may or may not be saved; its viewer is told nothing but to wait."""
        if self._is_saving:
            log.warning("saving paused", table=self.replica.code, problem=str(problem))
            self._is_saving = False
        self._scheduler.wait(RETRY_DELAY)
        if job.viewer is not None:
            self._inbox.park(job)
            job.viewer.send(Refusal("saving_paused", "Saving is paused; play goes on by itself in a moment."))

    async def _retry(self) -> None:
        await self._catch_up()
        self._inbox.retry_parked()

    def _reject(self, job: Job) -> None:
        if job.viewer is not None:
            job.viewer.send(
                Refusal("closed", f"Table {self.replica.code} was put away here; join it again.", re=job.re)
            )

    # Changes.

    async def commit(
        self, command: Command, player: str | None = None, request: str | None = None, *, on: str | None = None
    ) -> bool:
        """Commit and publish, in the table's task; return whether an update that answers the request was sent.

        `on` is the id of the commit that the request answers: it is refused if the game has advanced since, as it is
        if its player loses the seat meanwhile. Raises CommandRefused, TableGone, TooBusy; then nothing was done. Raises
        StoreUnavailable, after which the log will tell.
        """
        seat = self.replica.table.seat_of(player) if player else None
        for _ in range(MAX_TRIES):
            moved_seat = player is not None and self.replica.table.seat_of(player) != seat
            if moved_seat or (on is not None and not self.replica.is_unchanged_since(on)):
                raise CommandRefused("stale", "The table has moved on; look again.")
            result = await self.replica.commit(command, player, request)
            self._publish(result.changes)
            if result.done:
                return includes_request(result.changes, player, request)
        raise TooBusy

    async def _carry_out(self, due: Due) -> None:
        """Do what is due. Raises TableGone, StoreUnavailable."""
        command = self._scheduler.command(due)
        if command is None:
            return
        try:
            result = await self.replica.commit(command, only_when_due=due.timeout)
        except NotDueError as early:
            self._scheduler.wait(early.ms_left / 1000)
        except CommandRefused:  # a bug in what is due, to be seen
            log.exception("could not do what was due", table=self.replica.code, what=due.what)
            self._scheduler.wait(RETRY_DELAY)
            await self._catch_up()
        else:
            self._publish(result.changes)
            if not result.done:
                log.info("another server was first", table=self.replica.code, what=due.what)

    async def _catch_up(self) -> None:
        self._publish(await self.replica.catch_up())

    def _publish(self, changes: tuple[Change, ...]) -> None:
        for change in changes:
            if not self._is_saving:
                log.info("saving resumed", table=self.replica.code)
                self._is_saving = True
            if isinstance(change, Applied):
                self._discard_done(change.commit)
            elif change.rolled_back:  # never a silent difference
                lost = Refusal(
                    "rolled_back", "The last moments of this table were lost with its store. It goes on from here."
                )
                for viewer in self.viewers:
                    viewer.send(lost)
            self._scheduler.on_change(change)
            self._publisher.publish(change, self._scheduler.ms_left(change.table))

    def _discard_done(self, commit: Commit) -> None:
        """Discard parked jobs that this commit turns out to be; the update answers viewers, `left` those who left."""

        def is_done(job: Job) -> bool:
            viewer = job.viewer
            if viewer is None or (viewer.player, job.re) != (commit.player, commit.request):
                return False
            if viewer not in self.viewers and job.re is not None:
                viewer.send(Left(job.re))
            return True

        self._inbox.discard_parked(is_done)

    # What the jobs do.

    async def _join(self, viewer: Viewer, request: JoinTable, admitted: Callable[[], None]) -> None:
        await self._catch_up_with(viewer, request)
        if not self.replica.table.has_room_for(viewer.player):
            viewer.send(Refusal("table_full", f"All four seats at table {self.replica.code} are taken.", re=request.id))
            return
        if not self.viewers.add(viewer):
            return
        admitted()
        await self._sync_presence()
        changed = self._scheduler.note_presence(self.replica.table)
        missed = await self._events_missed_by(request)
        self._publisher.welcome(viewer, missed, self._ms_left(), request.id)
        if changed:
            self._publisher.presence()

    async def _catch_up_with(self, viewer: Viewer, request: JoinTable) -> None:
        """Catch up if the viewer may have seen more than we have, such as taking a seat on another server."""
        if (request.n or 0) > self.replica.at.n or not self.replica.table.has_room_for(viewer.player):
            try:
                await self._catch_up()
            except StoreUnavailable as problem:
                log.warning("could not catch up", table=self.replica.code, problem=str(problem))

    async def _events_missed_by(self, request: JoinTable) -> tuple[LoggedEvent, ...] | None:
        """Return the events since the update that the client saw last; None if they are not known."""
        if request.n is None or request.e is None:
            return None
        try:
            return await self.replica.events_since(LogPosition(request.n, request.e))
        except StoreUnavailable:
            return None

    async def _refresh_presence_if_stale(self) -> None:
        self._presence_refresh_queued = False
        if self.presence.is_stale:  # and was not refreshed meanwhile, for a viewer that joined
            await self._refresh_presence()

    async def _refresh_presence(self) -> None:
        await self._sync_presence()
        if self._scheduler.note_presence(self.replica.table):
            self._publisher.presence()

    async def _sync_presence(self) -> None:
        """Share who is present. While the store is away, players last known to be elsewhere still count as such."""
        try:
            if not await self.presence.sync():
                raise TableGone
        except StoreUnavailable as problem:
            log.warning("presence not shared", table=self.replica.code, problem=str(problem))

    async def _answer(self, viewer: Viewer, request: TableRequest) -> None:
        """Carry out a request and answer it: with an update, or with a refusal that changed nothing."""
        try:
            if isinstance(request, Leave):
                await self._leave(viewer, request)
            elif viewer not in self.viewers:
                viewer.send(Refusal("no_table", "You are not at this table any more.", re=request.id))
            elif not await self._do(viewer, request):
                self._publisher.confirm(viewer, self._ms_left(), request.id)
        except CommandRefused as refused:
            viewer.send(Refusal(refused.code, refused.text, re=request.id))
        except TooBusy:
            viewer.send(Refusal("busy", "Others were faster each time; nothing was changed.", re=request.id))

    async def _do(self, viewer: Viewer, request: SeatRequest) -> bool:
        """Return whether an update with the answer was sent. A request done before a reconnect is not refused."""
        try:
            on = request.on if isinstance(request, GameRequest) else None
            command = command_for(request, viewer, self._seat(viewer), self._rng)
            return await self.commit(command, viewer.player, request.id, on=on)
        except CommandRefused:
            if await self.replica.is_committed(viewer.player, request.id):
                return False
            raise

    async def _leave(self, viewer: Viewer, request: Leave) -> None:
        """Detach the leaver before publishing. A player who has reconnected since asks again on that connection."""
        await (self._disconnected(viewer) if viewer in self.viewers else self._refresh_presence())
        if self.presence.is_reconnected(viewer.player):
            raise CommandRefused("no_table", "You are not at this table any more.")
        while (seat := self._seat(viewer)) is not None:
            with contextlib.suppress(CommandRefused, TooBusy):  # the seat is another one by now, or others were faster
                await self.commit(LeaveSeat(seat), viewer.player, request.id)
                break
        viewer.send(Left(request.id))

    async def _disconnected(self, viewer: Viewer) -> None:
        if self.viewers.remove(viewer):
            self.idle_since = self._now()
            await self._refresh_presence()

    async def _on_wakeup(self, commit: Commit | None) -> None:
        if commit is not None:
            self._publish(await self.replica.on_commit(commit))
        else:
            await self._catch_up()
            await self._refresh_presence()

    def _seat(self, viewer: Viewer) -> Seat | None:
        return self.replica.table.seat_of(viewer.player)

    def _ms_left(self) -> int | None:
        return self._scheduler.ms_left(self.replica.table)
