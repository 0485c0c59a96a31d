"""What must be true after every run, whatever went wrong in it; each check tells what is not."""

from collections.abc import Iterator
from itertools import pairwise
from random import Random

from server.store.log import CorruptLogError
from server.tables.requests import command_for
from spades_core.commands import CommandRefused
from spades_core.commit import Commit
from spades_core.decide import decide
from spades_core.events import GameEnded, HandScored, HandVoided
from spades_core.evolve import evolve_all
from spades_core.notation import NotationError, read_game
from spades_core.protocol.messages import Leave, Refusal, Update
from spades_core.state import Table
from spades_core.views import SeatView, redact, view_for
from tests.simulation.faults import CHAOS, SETTLE
from tests.simulation.player import RequestRecord, SimulatedPlayer
from tests.simulation.recorded_games import CODE
from tests.simulation.simulation import Rewound, Simulation
from tests.simulation.store import at_once

BOT_SECONDS = 5.0
"""After the healing a bot's turn, or a deal that nobody waits for, is over by then."""
TOLD_SECONDS = 0.5
"""So much later everybody knows what was stored."""
NOTICED_SECONDS = 15.0
"""By then a server has noticed that the log was rewound, even if it was paused, and the store away."""


class History:
    """Every commit ever stored, also on branches that were cut off by a rewind, and the table after each."""

    def __init__(self, sim: Simulation) -> None:
        self.sim = sim
        self.commits = sim.store.commits
        self.chain = sim.store.chain()
        self.final = {commit.e: place for place, commit in enumerate(self.chain)}
        self._tables = dict(sim.recorded_game.tables)
        self._views: dict[tuple[str, int | None], SeatView] = {}

    def table(self, e: str) -> Table:
        ahead = []
        while e not in self._tables:
            ahead.append(self.commits[e])
            e = ahead[-1].parent
        table = self._tables[e]
        for commit in reversed(ahead):
            table = self._tables[commit.e] = evolve_all(table, commit.events)
        return table

    def view(self, e: str, player: str) -> SeatView:
        seat = self.table(e).seat_of(player)
        view = self._views.get((e, seat))
        if view is None:
            view = self._views[e, seat] = view_for(seat, self.table(e))
        return view

    def between(self, older: str, newer: str) -> list[Commit] | None:
        """The commits after one up to another; None when they are on different branches."""
        found = []
        while newer != older:
            commit = self.commits.get(newer)
            if commit is None:
                return None
            found.append(commit)
            newer = commit.parent
        return found[::-1]


def violations(sim: Simulation) -> Iterator[str]:
    yield from sim.alarms
    for server in (*sim.servers, *sim.buried):
        yield from (f"{server.name}: {failure}" for failure in server.loop.failures)
    history = History(sim)
    broken = [*not_chained(history), *damaged(history)]
    yield from broken
    if broken:
        return
    yield from not_as_replayed(history)
    yield from not_archived(history)
    for person in sim.players:
        yield from not_told_in_order(history, person)
        yield from not_up_to_date(history, person)
        yield from not_done_as_answered(history, person.asked)
    yield from not_in_real_time(history)
    yield from not_dealt_again(history)
    yield from not_going_on(history)
    yield from not_led_by_one(sim)


def not_chained(history: History) -> Iterator[str]:
    """Numbers without a hole, each commit on the one before it, from the beginning of what is known."""
    first = history.sim.recorded_game.commits[0]
    if history.chain[0] != first:
        yield f"broken chain: the log goes back to {history.chain[0]}, not to {first}"
    for before, commit in pairwise(history.chain):
        if commit.n != before.n + 1:
            yield f"hole: commit {commit.n} follows {before.n}"


def damaged(history: History) -> Iterator[str]:
    """The whole game can be loaded, and is what was stored."""
    try:
        loaded = at_once(history.sim.store.load(CODE, whole_game=True))
    except CorruptLogError as alarm:
        yield f"damaged: {alarm}"
        return
    assert loaded is not None
    if loaded.commits and list(loaded.commits) != history.chain[-len(loaded.commits) :]:
        yield f"damaged: the log tells {loaded.commits}"


def not_as_replayed(history: History) -> Iterator[str]:
    """Every snapshot, and the table that a server would load now, is what replaying gives."""
    store = history.sim.store
    for e, snapshot in store.snapshots.items():
        if e in history.commits and snapshot != history.table(e):
            yield f"snapshot: that of {history.commits[e].at} is {snapshot}, not {history.table(e)}"
    loaded = at_once(store.load(CODE))
    assert loaded is not None
    assert loaded.snapshot is not None
    table = loaded.snapshot.table
    for commit in loaded.commits:
        table = evolve_all(table, commit.events)
    if loaded.last != store.top or table != history.table(store.top.e):
        yield f"load: {loaded.last} {table} is not {store.top} {history.table(store.top.e)}"


def not_archived(history: History) -> Iterator[str]:
    """Each game that was played to its end is in the archive once, as a text that can be read."""
    sim = history.sim
    ended = sum(isinstance(event, GameEnded) for commit in history.chain for event in commit.events)
    texts = sim.store.games[CODE]
    if ended != len(texts):
        yield f"archive: {ended} games ended, {len(texts)} are in the archive"
    for text in texts:
        try:
            read_game(text)
        except NotationError as bad:
            yield f"archive: {bad} in\n{text}"


def not_told_in_order(history: History, person: SimulatedPlayer) -> Iterator[str]:
    """Each update goes on where the one before ended, or is fresh; views are those of the log.

    Looked at are the fresh ones and the last one; the others are made in the same way.
    """
    for told in person.told:
        update = told.update
        commit = history.commits.get(update.e)
        if commit is None or commit.n != update.n:
            yield f"stream: {person.name} was shown {update.n} {update.e} at {told.at:.3f}, which was never stored"
            return
        if (update.fresh or told is person.told[-1]) and update.view != history.view(update.e, person.player):
            yield f"view: {person.name} at {update.n} was shown {update.view}"
    for before, after in pairwise(each.update for each in person.told):
        if not after.fresh:
            yield from _not_next(history, person, before, after)


def _not_next(history: History, person: SimulatedPlayer, before: Update, after: Update) -> Iterator[str]:
    between = history.between(before.e, after.e)
    if between is None:
        yield f"stream: {person.name} was shown {after.n} {after.e} after {before.n} {before.e}, and not as fresh"
        return
    seat = history.table(after.e).seat_of(person.player)
    told = tuple(redact(seat, event) for commit in between for event in commit.events)
    if after.events != told:
        yield f"stream: {person.name}, from {before.n} to {after.n}, was told {after.events}, not {told}"


def not_up_to_date(history: History, person: SimulatedPlayer) -> Iterator[str]:
    """In the end everybody is at the table, and has seen all but what was stored this very moment."""
    sim = history.sim
    if not person.joined:
        yield f"not up to date: {person.name} is not at the table"
        return
    known = history.final.get(person.seen.e)
    if known is None:
        yield f"not up to date: {person.name} sees {person.seen.n} {person.seen.e}, which is not in the log"
        return
    due = sim.clock.now - TOLD_SECONDS
    missed = [commit.n for commit in history.chain[known + 1 :] if sim.store.stored_at[commit.e] < due]
    if missed:
        yield f"not up to date: {person.name} sees {person.seen.n}, and not {missed}"
    if person.present is not None:
        table = history.table(person.seen.e)
        here = {each.player for each in sim.players if each.joined}
        seats = tuple(occupant is not None and occupant.player in here for occupant in table.seats)
        if seats != person.present:
            yield f"presence: {person.name} was told {person.present}, there are {seats}"
    for at in person.thrown_out:
        yield f"thrown out: {person.name} at {at:.3f}, as if the seat had been opened in another window"


def not_done_as_answered(history: History, asked: list[RequestRecord]) -> Iterator[str]:
    """What was acknowledged is in the log once, unless the log was rewound below it; what was refused is not."""
    for one in asked:
        key = (one.player, one.request.id)
        places = [commit for commit in history.chain if (commit.player, commit.request) == key]
        if len(places) > 1:
            yield f"doubled: {one.request} of {one.player} is in the log {len(places)} times"
        if isinstance(one.answer, Refusal) and places and not _rewound_between(history, one, places[0]):
            yield f"refused, but done: {one.request} as {places[0].n}, refused as {one.answer.code}"
        if isinstance(one.answer, Update) and one.answer.e in history.final:
            acknowledged = one.answer
            if places and places[0].n > acknowledged.n:
                yield f"acknowledged early: {one.request} with {acknowledged.n}, and is {places[0].n}"
            if not places and not _changes_nothing(one, history.table(acknowledged.e)):
                yield f"lost: {one.request} of {one.player} was acknowledged with {acknowledged.n}"


def _rewound_between(history: History, asked: RequestRecord, done: Commit) -> bool:
    """Whether the log went back between an answer and what was done: who was too late then may be in time again."""
    answered, stored = asked.answered or 0.0, history.sim.store.stored_at[done.e]
    return any(answered <= each.at <= stored for each in history.sim.rewound)


def _changes_nothing(one: RequestRecord, table: Table) -> bool:
    if isinstance(one.request, Leave):
        return False
    try:
        return not decide(table, command_for(one.request, _Asker(one.player), table.seat_of(one.player), Random(0)))
    except CommandRefused:
        return False


class _Asker:
    """Who asked, as far as a command needs to know."""

    name = "somebody"

    def __init__(self, player: str) -> None:
        self.player = player


def not_in_real_time(history: History) -> Iterator[str]:
    """What was acknowledged before something else was asked comes before it in the log."""
    asked = {(one.player, one.request.id): one for person in history.sim.players for one in person.asked}
    earliest = float("inf")
    for commit in reversed(history.chain):
        one = asked.get((commit.player or "", commit.request or ""))
        if one is None:
            continue
        if earliest < one.sent:
            yield f"out of order: commit {commit.n} was asked for after a later one was acknowledged"
        if isinstance(one.answer, Update) and one.answered is not None:
            earliest = min(earliest, one.answered)


def not_dealt_again(history: History) -> Iterator[str]:
    """A hand of which more was seen than the log remembers is dealt again; no other hand is."""
    rewound = history.sim.rewound
    for each in rewound:
        yield from _not_voided(history, each)
    voided = sum(isinstance(event, HandVoided) for commit in history.chain for event in commit.events)
    if voided > len(rewound):
        yield f"dealt again: {voided} hands, though the log was rewound {len(rewound)} times"


def _not_voided(history: History, rewound: Rewound) -> Iterator[str]:
    table = history.table(rewound.top.e)
    seen = [server for server, e in rewound.seen if e not in history.final]  # a late try may store the lost move again
    remember = [server.name for server in seen if server in history.sim.servers and server.up]
    if table.turn is None or rewound.top.e not in history.final or not remember:
        return
    assert table.game is not None
    number = len(table.game.sheet) + 1
    after = history.chain[history.final[rewound.top.e] + 1 :]
    for commit in after:
        for event in commit.events:
            if event == HandVoided(number):
                return
            if isinstance(event, HandScored):
                if history.sim.store.stored_at[commit.e] > rewound.at + NOTICED_SECONDS:
                    yield f"not dealt again: hand {number}, rewound to {rewound.top.n}, remembered by {remember}"
                return
    yield f"not dealt again: hand {number}, rewound to {rewound.top.n}, remembered by {remember}; it is still played"


def not_going_on(history: History) -> Iterator[str]:
    """Once all is well again the table does by itself what it should, and people what they may, in time."""
    store = history.sim.store
    moments = [(store.stored_at.get(commit.e, 0.0), commit) for commit in history.chain]
    moments.append((history.sim.clock.now, history.chain[-1]))
    for (since, commit), (until, _) in pairwise(moments):
        phase, waited = history.table(commit.e).phase, until - max(since, CHAOS + SETTLE)
        if phase not in ("lobby", "over") and waited > BOT_SECONDS:
            yield f"stuck: after commit {commit.n} ({phase}) nothing happens for {waited:.1f} s"


def not_led_by_one(sim: Simulation) -> Iterator[str]:
    if len(sim.leaders) != 1:
        yield f"driven by {sim.leaders or 'nobody'} in the end"
