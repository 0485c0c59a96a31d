"""People on several servers who play whatever is legal, and all that they and the log have to say of it afterwards."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random

from server.store.archive import Archive, GameName
from server.store.log import TablePresence
from server.store.redis_log import RedisLog
from spades_core.commit import Commit, LogPosition
from spades_core.events import GameEnded
from spades_core.protocol.messages import Presence, Refusal, ServerMessage, Update
from spades_core.seats import BySeat
from spades_core.views import SeatView
from tests.chaos.history import LogEntry, RequestRecord, UpdateStream
from tests.chaos.players import Person, PlayedTable
from tests.serving import Serving, serving

THINK_SECONDS = 0.08
"""At the most, at a table of four; where bots play along, people take longer, so that hands take as long everywhere."""


class Gate:
    """Nobody acts at this trick of this hand, or later, until it is moved on."""

    def __init__(self, hand: int, tricks: int = 0) -> None:
        self._at = (hand, tricks)
        self._moved = asyncio.Event()

    def move(self, hand: int, tricks: int = 0) -> None:
        self._at = (hand, tricks)
        self._moved.set()
        self._moved = asyncio.Event()

    def reached_in(self, view: SeatView) -> bool:
        return (view.hand_number, len(view.tricks)) >= self._at

    async def moved(self) -> None:
        await self._moved.wait()


class Guest(Person):
    """Hears what is said unasked, and whether anybody is shown as not there once the game has begun."""

    def __init__(self, url: str, name: str, think: float, gate: Gate) -> None:
        self.heard: list[str] = []
        self._rewound_after = [0]
        self.missed = 0
        self.people = 0
        self._gate = gate
        self._plays = False
        super().__init__(url, name, Random(name), think)
        link = self.client._link
        take = link._take

        def take_noted(message: ServerMessage) -> None:
            self._listen(message)
            take(message)

        link._take = take_noted  # type: ignore[method-assign]

    @property
    def stream(self) -> UpdateStream:
        (stream,) = self.streams
        return stream

    def histories(self) -> list[UpdateStream]:
        """The stream, cut where it was said that the end of the log was lost."""
        whole = self.stream
        cuts = pairwise([*self._rewound_after, len(whole.seen)])
        return [replace(whole, seen=whole.seen[begin:end]) for begin, end in cuts]

    def hurry(self) -> None:
        self._think = 0.0

    async def act(self, view: SeatView) -> None:
        if self._gate.reached_in(view):
            await self._gate.moved()
        else:
            await super().act(view)

    def _listen(self, message: ServerMessage) -> None:
        match message:
            case Refusal(code, re=None):
                self.heard.append(code)
                if code == "rewound":
                    self._rewound_after.append(len(self.stream.seen))
            case Update(view=view, present=present) if view.phase != "lobby":
                self._plays = True
                self._look(present)
            case Presence(present=present) if self._plays:
                self._look(present)

    def _look(self, present: BySeat[bool]) -> None:
        self.missed += not all(present[: self.people])


class Histories:
    """Every commit of every table that the store told of, or had: a log that is rewound has had two ends."""

    def __init__(self, log: RedisLog) -> None:
        self._log = log
        self._known: dict[tuple[str, str], Commit] = {}
        self._told: set[str] = set()
        self._told_of = asyncio.Condition()

    @contextlib.asynccontextmanager
    async def hearing(self) -> AsyncIterator["Histories"]:
        listening = asyncio.create_task(self._log.listen(self))
        self._subscribed = asyncio.Event()
        await self._subscribed.wait()
        yield self
        listening.cancel()

    def wants(self, _code: str) -> bool:
        return True

    def committed(self, code: str, commit: Commit) -> None:
        self._known[code, commit.e] = commit
        self._told.add(code)

    def presence_changed(self, _code: str, _attendance: TablePresence) -> None:
        pass

    def resubscribed(self) -> None:
        self._subscribed.set()

    async def complete(self, codes: Sequence[str]) -> None:
        """What is played is heard again, and what was not is read."""
        self._told.clear()
        async with asyncio.timeout(10):
            while not self._told.issuperset(codes):  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        for code in codes:
            await self.read(code)

    async def read(self, code: str) -> LogPosition:
        """The game in play as the store has it now, and where it stands."""
        loaded = await self._log.load(code, whole_game=True)
        assert loaded is not None
        for commit in loaded.commits:
            self._known[code, commit.e] = commit
        return loaded.last

    def knows(self, code: str, e: str) -> bool:
        return (code, e) in self._known

    async def up_to(self, code: str, top: LogPosition) -> list[LogEntry]:
        """From the first commit on."""
        commits = [self._known[code, top.e]]
        while commits[-1].parent:
            commits.append(self._known[code, commits[-1].parent])
        return [LogEntry(commit, game=await self._game(code, commit)) for commit in reversed(commits)]

    async def _game(self, code: str, commit: Commit) -> str | None:
        if not any(isinstance(event, GameEnded) for event in commit.events):
            return None
        return await Archive(self._log).text(GameName(code, commit.n))


class Party:
    """Tables with people who sit at different servers, playing; `gate` holds them all."""

    def __init__(self, servers: Sequence[Serving], people: Sequence[int], rules: str, gate: Gate) -> None:
        self.gate = gate
        self.servers = servers
        self.tables: list[PlayedTable] = []
        for number, count in enumerate(people, start=1):
            guests = [
                Guest(servers[seat % len(servers)].socket, f"{name} {number}", THINK_SECONDS * 4 / count, gate)
                for seat, name in enumerate(("Anna", "Ben", "Cleo", "Dora")[:count])
            ]
            for guest in guests:
                guest.people = count
            self.tables.append(PlayedTable(guests, rules))

    @property
    def guests(self) -> list[Guest]:
        return [guest for table in self.tables for guest in table.people if isinstance(guest, Guest)]

    @property
    def codes(self) -> list[str]:
        return [table.code for table in self.tables]

    @property
    def asked(self) -> tuple[RequestRecord, ...]:
        return tuple(asked for guest in self.guests for asked in guest.asked)

    @contextlib.asynccontextmanager
    async def playing(self) -> AsyncIterator["Party"]:
        """One game at each table."""
        finishing = asyncio.Event()
        finishing.set()
        async with contextlib.AsyncExitStack() as stack, asyncio.TaskGroup() as group:
            for guest in self.guests:
                await stack.enter_async_context(guest)
            tasks = [group.create_task(table.play(finishing)) for table in self.tables]
            yield self
            for task in tasks:
                task.cancel()

    async def all_see(self, hand: int, tricks: int = 0) -> None:
        """Until everybody has come as far, and each table waits for one of its people."""

        def has_come(view: SeatView) -> bool:
            return (view.hand_number, len(view.tricks)) >= (hand, tricks) and view.turn in self._seats(view.code)

        for guest in self.guests:
            await guest.client.wait_for(has_come)

    def _seats(self, code: str) -> range:
        """Those of people."""
        return next(range(len(table.people)) for table in self.tables if table.code == code)

    def acknowledged(self, code: str) -> list[float]:
        return sorted(one.answered for one in self.asked if one.code == code and one.n is not None and one.answered)

    async def go_on(self, seconds: float, times: int = 5) -> None:
        """Until at every table more is acknowledged, which may take so long."""
        wanted = {code: len(self.acknowledged(code)) + times for code in self.codes}
        async with asyncio.timeout(seconds):
            while any(len(self.acknowledged(code)) < number for code, number in wanted.items()):  # noqa: ASYNC110
                await asyncio.sleep(0.02)

    def silence(self, code: str, since: float) -> float:
        times = self.acknowledged(code)
        return max(after - before for before, after in pairwise(times) if after > since)

    async def finish(self) -> None:
        for guest in self.guests:
            guest.hurry()
        self.gate.move(1000)
        for table in self.tables:
            await table.over()


@contextlib.asynccontextmanager
async def servers_on(folder: Path, url: str) -> AsyncIterator[list[Serving]]:
    async with contextlib.AsyncExitStack() as stack:
        servers = []
        for name in ("one", "two"):
            (folder / name).mkdir()
            servers.append(await stack.enter_async_context(serving(folder / name, "--redis", url)))
        yield servers
