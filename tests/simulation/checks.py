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
"""Longest time until a server notices a rollback, even if it was paused and the store down."""


class CommitTree:
    """Every commit ever stored, on branches cut off by a rollback too, and the table after each.

    `log` is the present branch, and `index` the index of each of its commits by id.
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

    def between(self, older: str, newer: str) -> list[Commit] | None:
        """Return the commits after one up to another, or None if they are on different branches."""
        found = []
        while newer != older:
            commit = self.commits.get(newer)
            if commit is None:
                return None
            found.append(commit)
            newer = commit.parent
        return found[::-1]


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
        yield from check_answers(sim, tree, player.records)
    records = {(record.player, record.request.id): record for player in sim.players for record in player.records}
    by_number = {commit.n: records.get((commit.player or "", commit.request or "")) for commit in tree.log}
    yield from check_real_time_order(CODE, {n: record for n, record in by_number.items() if record is not None})
    yield from check_voided_hands(sim, tree)
    yield from check_progress(sim, tree)
    if len(sim.leaders) != 1:
        yield Violation("leaders", f"in the end {sim.leaders} lead the table")


def check_loaded_log(sim: Simulation, tree: CommitTree) -> Iterator[Violation]:
    """The whole game can be loaded as it was stored."""
    try:
        loaded = run_sync(sim.store.load(CODE, whole_game=True))
    except CorruptLogError as problem:
        yield Violation("corrupt", str(problem))
        return
    assert loaded is not None
    if loaded.commits and list(loaded.commits) != tree.log[-len(loaded.commits) :]:
        yield Violation("corrupt", f"the loaded commits are {loaded.commits}")


def check_snapshots(sim: Simulation, tree: CommitTree) -> Iterator[Violation]:
    """Every snapshot equals the replayed table, and so does the table that a server would load now."""
    store = sim.store
    for e, snapshot in store.snapshots.items():
        if e in tree.commits and snapshot != tree.table(e):
            yield Violation("snapshot", f"that of {tree.commits[e].at} is {snapshot}, not {tree.table(e)}")
    loaded = run_sync(store.load(CODE))
    assert loaded is not None
    assert loaded.snapshot is not None
    table = loaded.snapshot.table
    for commit in loaded.commits:
        table = evolve_all(table, commit.events)
    if loaded.last != store.last or table != tree.table(store.last.id):
        yield Violation("load", f"{loaded.last} {table} is not {store.last} {tree.table(store.last.id)}")


def check_archive(sim: Simulation, tree: CommitTree) -> Iterator[Violation]:
    """Each finished game is archived once, as a text that can be read."""
    ended = sum(isinstance(event, GameEnded) for commit in tree.log for event in commit.events)
    texts = sim.store.games[CODE]
    if ended != len(texts):
        yield Violation("archive", f"{ended} games ended, {len(texts)} are archived")
    for text in texts:
        try:
            read_game(text)
        except NotationError as problem:
            yield Violation("archive", f"{problem} in\n{text}")


def check_stream(tree: CommitTree, player: SimulatedPlayer) -> Iterator[Violation]:
    """Each update continues the one before or is fresh, and views agree with the log.

    Only the views of fresh updates and of the last one are compared; the others are made in the same way.
    """
    for received in player.received:
        update = received.update
        commit = tree.commits.get(update.e)
        if commit is None or commit.n != update.n:
            text = f"{player.name} was sent {update.n} {update.e} at {received.at:.3f}, which was never stored"
            yield Violation("stream", text)
            return
        if (update.fresh or received is player.received[-1]) and update.view != tree.view(update.e, player.player):
            yield Violation("view", f"{player.name} was shown at {update.n} {update.view}")
    for before, after in pairwise(received.update for received in player.received):
        if not after.fresh:
            yield from _check_successor(tree, player, before, after)


def _check_successor(tree: CommitTree, player: SimulatedPlayer, before: Update, after: Update) -> Iterator[Violation]:
    between = tree.between(before.e, after.e)
    if between is None:
        text = f"{player.name} was sent {after.n} {after.e} after {before.n} {before.e}, and not as fresh"
        yield Violation("stream", text)
        return
    seat = tree.table(after.e).seat_of(player.player)
    expected = tuple(redact(seat, event) for commit in between for event in commit.events)
    if after.events != expected:
        text = f"{player.name}, from {before.n} to {after.n}, was sent {after.events}, not {expected}"
        yield Violation("stream", text)


def check_up_to_date(sim: Simulation, tree: CommitTree, player: SimulatedPlayer) -> Iterator[Violation]:
    """In the end every player is at the table, and has all updates but those that are in flight."""
    if not player.joined:
        yield Violation("not up to date", f"{player.name} is not at the table")
        return
    last = player.last_update
    index = tree.index.get(last.e)
    if index is None:
        yield Violation("not up to date", f"{player.name} sees {last.n} {last.e}, which is not in the log")
        return
    due = sim.clock.now - PUBLISH_SECONDS
    missed = [commit.n for commit in tree.log[index + 1 :] if sim.store.stored_at[commit.id] < due]
    if missed:
        yield Violation("not up to date", f"{player.name} sees {last.n}, and not {missed}")
    if player.present is not None:
        present = {each.player for each in sim.players if each.joined}
        seats = tuple(occupant is not None and occupant.player in present for occupant in tree.table(last.e).seats)
        if seats != player.present:
            yield Violation("presence", f"{player.name} was sent {player.present}, present are {seats}")
    for at in player.replaced_at:
        yield Violation("replaced", f"{player.name} at {at:.3f}, as if the session had another connection")


def check_answers(sim: Simulation, tree: CommitTree, records: list[RequestRecord]) -> Iterator[Violation]:
    """Acknowledged requests are in the log once, unless that was rolled back before them; refused ones are not."""
    for record in records:
        key = (record.player, record.request.id)
        commits = [commit for commit in tree.log if (commit.player, commit.request) == key]
        if len(commits) > 1:
            yield Violation("doubled", f"{record} is in the log {len(commits)} times")
        if record.refusal is not None and commits and not _rolled_back_between(sim, record, commits[0]):
            yield Violation("refused, but done", f"{record} as {commits[0].n}, refused as {record.refusal}")
        if record.position is not None and record.position.id in tree.index:
            if commits and commits[0].n > record.position.n:
                yield Violation("acknowledged early", f"{record} at {record.position.n}, but is {commits[0].n}")
            if not commits and not changes_nothing(record, tree.table(record.position.id)):
                yield Violation("lost", f"{record} was acknowledged at {record.position.n}")


def _rolled_back_between(sim: Simulation, record: RequestRecord, commit: Commit) -> bool:
    """Return whether a rollback came between refusal and commit; after it a late request may be valid again."""
    return any((record.answered or 0.0) <= rollback.at <= sim.store.stored_at[commit.id] for rollback in sim.rollbacks)


def check_voided_hands(sim: Simulation, tree: CommitTree) -> Iterator[Violation]:
    """A hand is dealt again if and only if a server had seen more of it than the rolled-back log has."""
    for rollback in sim.rollbacks:
        yield from _check_voided(sim, tree, rollback)
    voided = sum(isinstance(event, HandVoided) for commit in tree.log for event in commit.events)
    if voided > len(sim.rollbacks):
        yield Violation("dealt again", f"{voided} hands, though the log was rolled back {len(sim.rollbacks)} times")


def _check_voided(sim: Simulation, tree: CommitTree, rollback: Rollback) -> Iterator[Violation]:
    seen = [server for server, e in rollback.seen if e not in tree.index]  # a late append may store a lost move again
    witnesses = [server.name for server in seen if server in sim.servers and server.up]
    table = tree.table(rollback.last.id)
    if table.turn is None or rollback.last.id not in tree.index or not witnesses:
        return
    assert table.game is not None
    number = len(table.game.sheet) + 1
    description = f"hand {number}, rolled back to {rollback.last.n}, remembered by {witnesses}"
    for commit in tree.log[tree.index[rollback.last.id] + 1 :]:
        for event in commit.events:
            if event == HandVoided(number):
                return
            if isinstance(event, HandScored):
                if sim.store.stored_at[commit.id] > rollback.at + ROLLBACK_NOTICE_SECONDS:
                    yield Violation("not dealt again", description)
                return
    yield Violation("not dealt again", f"{description}; it is still being played")


def check_progress(sim: Simulation, tree: CommitTree) -> Iterator[Violation]:
    """After the recovery, neither the table nor its players are slower than they should be."""
    times = [(sim.store.stored_at.get(commit.id, 0.0), commit) for commit in tree.log]
    times.append((sim.clock.now, tree.log[-1]))
    for (since, commit), (until, _) in pairwise(times):
        phase, waited = tree.table(commit.id).phase, until - max(since, FAULT_SECONDS + RECOVERY_SECONDS)
        if phase not in ("lobby", "over") and waited > MOVE_SECONDS:
            yield Violation("stuck", f"after commit {commit.n} ({phase}) nothing happens for {waited:.1f} s")
