"""The consistency checks of a simulation; each yields the violations that it finds."""

from collections.abc import Iterator
from itertools import pairwise

from server.store.log import CorruptLogError
from spades_core.commit import Commit
from spades_core.events import GameEnded, HandScored, HandVoided
from spades_core.evolve import evolve_all
from spades_core.notation import NotationError, read_game
from spades_core.protocol.messages import Update
from spades_core.state import Table
from spades_core.views import SeatView, redact, view_for
from tests.history import RequestRecord, Violation, changes_nothing, check_chain, check_real_time_order
from tests.simulation.faults import FAULT_SECONDS, RECOVERY_SECONDS
from tests.simulation.player import SimulatedPlayer
from tests.simulation.recorded_games import CODE
from tests.simulation.simulation import Rollback, Simulation
from tests.simulation.store import run_sync

MOVE_SECONDS = 5.0
"""Longest time until a bot moves or the next hand is dealt, after the recovery."""
PUBLISH_SECONDS = 0.5
"""Longest time until players have received a commit, after the recovery."""
ROLLBACK_NOTICE_SECONDS = 15.0
"""Longest time until a server notices a rollback, even if the server was paused and the store was down."""


class CommitTree:
    """Every commit ever stored, including those on branches cut off by a rollback, and the table after each commit.

    `log` is the current branch; `index` maps the id of each of its commits to its index.
    """

    def __init__(self, sim: Simulation) -> None:
        self.log = sim.store.chain()
        self.index = {commit.id: index for index, commit in enumerate(self.log)}
        self.commits = sim.store.commits
        self._tables = dict(sim.recorded_game.tables)
        self._views: dict[tuple[str, int | None], SeatView] = {}

    def table(self, e: str) -> Table:
        newer = []
        while e not in self._tables:
            newer.append(self.commits[e])
            e = newer[-1].parent
        table = self._tables[e]
        for commit in reversed(newer):
            table = self._tables[commit.id] = evolve_all(table, commit.events)
        return table

    def view(self, e: str, player: str) -> SeatView:
        seat = self.table(e).seat_of(player)
        view = self._views.get((e, seat))
        if view is None:
            view = self._views[e, seat] = view_for(seat, self.table(e))
        return view

    def commits_between(self, older: str, newer: str) -> list[Commit] | None:
        """Return the commits after `older` up to `newer`, or None if they are on different branches."""
        commits = []
        while newer != older:
            commit = self.commits.get(newer)
            if commit is None:
                return None
            commits.append(commit)
            newer = commit.parent
        return commits[::-1]


def violations(sim: Simulation) -> Iterator[Violation]:
    yield from (Violation("exception", text) for text in sim.logged_exceptions)
    for server in (*sim.servers, *sim.dead_servers):
        yield from (Violation("exception", f"{server.name}: {failure}") for failure in server.loop.failures)
    tree = CommitTree(sim)
    broken = [*check_chain(CODE, tree.log), *check_loaded_log(sim, tree)]
    yield from broken
    if broken:
        return
    yield from check_snapshots(sim, tree)
    yield from check_archive(sim, tree)
    for player in sim.players:
        yield from check_stream(tree, player)
        yield from check_up_to_date(sim, tree, player)
        yield from check_responses(sim, tree, player.records)
    records = {(record.player, record.request.id): record for player in sim.players for record in player.records}
    by_number = {commit.n: records.get((commit.player or "", commit.request or "")) for commit in tree.log}
    yield from check_real_time_order(CODE, {n: record for n, record in by_number.items() if record is not None})
    yield from check_voided_hands(sim, tree)
    yield from check_progress(sim, tree)
    if len(sim.leaders) != 1:
        yield Violation("leaders", f"expected one leader at the end, found {sim.leaders}")


def check_loaded_log(sim: Simulation, tree: CommitTree) -> Iterator[Violation]:
    """Loading the whole game returns the stored commits."""
    try:
        loaded = run_sync(sim.store.load(CODE, whole_game=True))
    except CorruptLogError as problem:
        yield Violation("corrupt", str(problem))
        return
    assert loaded is not None
    if loaded.commits and list(loaded.commits) != tree.log[-len(loaded.commits) :]:
        yield Violation("corrupt", f"loaded commits differ from the stored log: {loaded.commits}")


def check_snapshots(sim: Simulation, tree: CommitTree) -> Iterator[Violation]:
    """Every snapshot, and the table that a server would load now, equals the replayed table."""
    store = sim.store
    for e, snapshot in store.snapshots.items():
        if e in tree.commits and snapshot != tree.table(e):
            position = tree.commits[e].at
            yield Violation("snapshot", f"snapshot at {position} is {snapshot}, expected {tree.table(e)}")
    loaded = run_sync(store.load(CODE))
    assert loaded is not None
    assert loaded.snapshot is not None
    table = loaded.snapshot.table
    for commit in loaded.commits:
        table = evolve_all(table, commit.events)
    if loaded.last != store.last or table != tree.table(store.last.id):
        yield Violation("load", f"loaded {loaded.last} {table}, expected {store.last} {tree.table(store.last.id)}")


def check_archive(sim: Simulation, tree: CommitTree) -> Iterator[Violation]:
    """Each finished game is archived exactly once, and its text can be parsed."""
    ended = sum(isinstance(event, GameEnded) for commit in tree.log for event in commit.events)
    texts = sim.store.games[CODE]
    if ended != len(texts):
        yield Violation("archive", f"{ended} games ended but {len(texts)} are archived")
    for text in texts:
        try:
            read_game(text)
        except NotationError as problem:
            yield Violation("archive", f"{problem} in\n{text}")


def check_stream(tree: CommitTree, player: SimulatedPlayer) -> Iterator[Violation]:
    """Each update either follows the previous one or is a full update, and its view matches the log.

    Only the views of full updates and of the last update are compared.
    """
    for received in player.received:
        update = received.update
        commit = tree.commits.get(update.e)
        if commit is None or commit.n != update.n:
            text = (
                f"{player.name} was sent commit {update.n} {update.e} at {received.time:.3f} s, which was never stored"
            )
            yield Violation("stream", text)
            return
        if (update.fresh or received is player.received[-1]) and update.view != tree.view(update.e, player.player):
            yield Violation("view", f"{player.name} received a wrong view at {update.n}: {update.view}")
    for before, after in pairwise(received.update for received in player.received):
        if not after.fresh:
            yield from _check_successor(tree, player, before, after)


def _check_successor(tree: CommitTree, player: SimulatedPlayer, before: Update, after: Update) -> Iterator[Violation]:
    commits = tree.commits_between(before.e, after.e)
    if commits is None:
        text = f"{player.name} was sent {after.n} {after.e} after {before.n} {before.e} without a full update"
        yield Violation("stream", text)
        return
    seat = tree.table(after.e).seat_of(player.player)
    expected = tuple(redact(seat, event) for commit in commits for event in commit.events)
    if after.events != expected:
        text = f"{player.name} was sent {after.events} from {before.n} to {after.n}, expected {expected}"
        yield Violation("stream", text)


def check_up_to_date(sim: Simulation, tree: CommitTree, player: SimulatedPlayer) -> Iterator[Violation]:
    """At the end every player is at the table and has received all updates except those in flight."""
    if not player.joined:
        yield Violation("not up to date", f"{player.name} is not at the table")
        return
    last = player.last_update
    index = tree.index.get(last.e)
    if index is None:
        yield Violation("not up to date", f"{player.name} is at {last.n} {last.e}, which is not in the log")
        return
    cutoff = sim.clock.now - PUBLISH_SECONDS
    missed = [commit.n for commit in tree.log[index + 1 :] if sim.store.stored_at[commit.id] < cutoff]
    if missed:
        yield Violation("not up to date", f"{player.name} is at {last.n} and has not received {missed}")
    if player.present is not None:
        present = {each.player for each in sim.players if each.joined}
        seats = tuple(occupant is not None and occupant.player in present for occupant in tree.table(last.e).seats)
        if seats != player.present:
            yield Violation("presence", f"{player.name} was sent presence {player.present}, expected {seats}")
    for time in player.replaced_at:
        yield Violation("replaced", f"{player.name} at {time:.3f} s, although the session had no other connection")


def check_responses(sim: Simulation, tree: CommitTree, records: list[RequestRecord]) -> Iterator[Violation]:
    """Acknowledged requests appear in the log exactly once, and refused requests do not appear.

    A request acknowledged at a position that the log was later rolled back past may be missing.
    """
    for record in records:
        key = (record.player, record.request.id)
        commits = [commit for commit in tree.log if (commit.player, commit.request) == key]
        if len(commits) > 1:
            yield Violation("duplicate", f"{record} is in the log {len(commits)} times")
        if record.refusal is not None and commits and not _rolled_back_between(sim, record, commits[0]):
            yield Violation(
                "refused but committed", f"{record} was refused as {record.refusal}, committed as {commits[0].n}"
            )
        if record.position is not None and record.position.id in tree.index:
            if commits and commits[0].n > record.position.n:
                text = f"{record} was acknowledged at {record.position.n} but committed at {commits[0].n}"
                yield Violation("acknowledged early", text)
            if not commits and not changes_nothing(record, tree.table(record.position.id)):
                yield Violation("lost", f"{record} was acknowledged at {record.position.n}")


def _rolled_back_between(sim: Simulation, record: RequestRecord, commit: Commit) -> bool:
    """Return whether a rollback between refusal and commit made a stale request valid again."""
    return any(
        (record.answered or 0.0) <= rollback.time <= sim.store.stored_at[commit.id] for rollback in sim.rollbacks
    )


def check_voided_hands(sim: Simulation, tree: CommitTree) -> Iterator[Violation]:
    """A hand is dealt again if and only if a live server had seen commits of it that the rollback lost."""
    for rollback in sim.rollbacks:
        yield from _check_voided(sim, tree, rollback)
    voided = sum(isinstance(event, HandVoided) for commit in tree.log for event in commit.events)
    if voided > len(sim.rollbacks):
        yield Violation("dealt again", f"{voided} hands, but the log was rolled back {len(sim.rollbacks)} times")


def _check_voided(sim: Simulation, tree: CommitTree, rollback: Rollback) -> Iterator[Violation]:
    live_servers_with_lost_commits = [
        server.name
        for server, e in rollback.servers_with_lost_commits
        if e not in tree.index  # a delayed append may store a lost move again
        and server in sim.servers
        and server.up
    ]
    table = tree.table(rollback.last.id)
    if table.turn is None or rollback.last.id not in tree.index or not live_servers_with_lost_commits:
        return
    assert table.game is not None
    number = len(table.game.sheet) + 1
    description = f"hand {number}, rolled back to {rollback.last.n}, known to {live_servers_with_lost_commits}"
    for commit in tree.log[tree.index[rollback.last.id] + 1 :]:
        for event in commit.events:
            if event == HandVoided(number):
                return
            if isinstance(event, HandScored):
                if sim.store.stored_at[commit.id] > rollback.time + ROLLBACK_NOTICE_SECONDS:
                    yield Violation("not dealt again", description)
                return
    yield Violation("not dealt again", f"{description}; it is still being played")


def check_progress(sim: Simulation, tree: CommitTree) -> Iterator[Violation]:
    """After the recovery, no bot, deal or player takes longer than `MOVE_SECONDS`."""
    times = [(sim.store.stored_at.get(commit.id, 0.0), commit) for commit in tree.log]
    times.append((sim.clock.now, tree.log[-1]))
    for (start, commit), (end, _) in pairwise(times):
        phase, waited = tree.table(commit.id).phase, end - max(start, FAULT_SECONDS + RECOVERY_SECONDS)
        if phase not in ("lobby", "over") and waited > MOVE_SECONDS:
            yield Violation("no progress", f"after commit {commit.n} ({phase}): no commit for {waited:.1f} s")
