"""Players on several servers whose store fails over, and the logs of their tables."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Self

from server.store.archive import Archive, GameName
from server.store.redis_log import RedisLog
from spades_core.commit import Commit, LogPosition
from spades_core.events import GameEnded
from spades_core.protocol.messages import Presence, Refusal, ServerMessage, Update
from spades_core.seats import BySeat
from spades_core.views import SeatView
from tests.chaos.players import PlayedTable
from tests.commit_recorder import CommitRecorder
from tests.history import LogEntry, RequestRecord, UpdateStream
from tests.players import NAMES, RecordingPlayer
from tests.serving import ServerProcess

THINK_SECONDS = 0.08
"""Longest, at a table of four; players who play with bots think longer, so that all hands take equally long."""


class Gate:
    """A point of the game that nobody plays beyond until it is moved: a trick of a hand."""

    def __init__(self, hand: int, tricks: int = 0) -> None:
        self._at = (hand, tricks)
        self._moved = asyncio.Event()

    def move(self, hand: int, tricks: int = 0) -> None:
        self._at = (hand, tricks)
        self._moved.set()
        self._moved = asyncio.Event()

    def is_reached(self, view: SeatView) -> bool:
        return (view.hand_number, len(view.tricks)) >= self._at

    async def moved(self) -> None:
        await self._moved.wait()


class GatedPlayer(RecordingPlayer):
    """Stops at a gate. Counts the updates, `absences`, that show one of the first `people` seats as not present.

    `notices` are the codes of refusals that answer no request.
    """

    def __init__(self, url: str, name: str, gate: Gate, people: int) -> None:
        super().__init__(url, name, Random(name), think_seconds=THINK_SECONDS * 4 / people)
        self.notices: list[str] = []
        self.absences = 0
        self._gate = gate
        self._people = people
        self._rollbacks = [0]
        self._in_game = False

    @property
    def stream(self) -> UpdateStream:
        (stream,) = self.streams
        return stream

    def streams_between_rollbacks(self) -> list[UpdateStream]:
        """Return the stream, cut where the end of the log was lost."""
        whole = self.stream
        cuts = pairwise([*self._rollbacks, len(whole.updates)])
        return [replace(whole, updates=whole.updates[start:end]) for start, end in cuts]

    async def move(self, view: SeatView) -> None:
        if self._gate.is_reached(view):
            await self._gate.moved()
        else:
            await super().move(view)

    def observe(self, message: ServerMessage) -> None:
        super().observe(message)
        match message:
            case Refusal(code, re=None):
                self.notices.append(code)
                if code == "rolled_back":
                    self._rollbacks.append(len(self.stream.updates))
            case Update(view=view, present=present) if view.phase != "lobby":
                self._in_game = True
                self._check_presence(present)
            case Presence(present=present) if self._in_game:
                self._check_presence(present)

    def _check_presence(self, present: BySeat[bool]) -> None:
        self.absences += not all(present[: self._people])


class LogRecorder(CommitRecorder):
    """Knows every commit published or stored: a log that is rolled back has had two ends."""

    def __init__(self, log: RedisLog) -> None:
        super().__init__(log)
        self._known: dict[tuple[str, str], Commit] = {}
        self._active: set[str] = set()

    def committed(self, code: str, commit: Commit) -> None:
        self._known[code, commit.id] = commit
        self._active.add(code)

    async def catch_up(self, codes: Sequence[str]) -> None:
        """Read what was not published, once commits of every table are published again."""
        self._active.clear()
        await self.until(lambda: self._active.issuperset(codes), seconds=10)
        for code in codes:
            await self.read(code)

    async def read(self, code: str) -> LogPosition:
        """Read the present game of a table from the store; return its position."""
        loaded = await self._log.load(code, whole_game=True)
        assert loaded is not None
        for commit in loaded.commits:
            self._known[code, commit.id] = commit
        return loaded.last

    def knows(self, code: str, e: str) -> bool:
        return (code, e) in self._known

    async def entries_up_to(self, code: str, top: LogPosition) -> list[LogEntry]:
        """Return the log from the first commit to `top`."""
        commits = [self._known[code, top.id]]
        while commits[-1].parent:
            commits.append(self._known[code, commits[-1].parent])
        return [LogEntry(commit, game=await self._game(code, commit)) for commit in reversed(commits)]

    async def _game(self, code: str, commit: Commit) -> str | None:
        if not any(isinstance(event, GameEnded) for event in commit.events):
            return None
        return await Archive(self._log).text(GameName(code, commit.n))


class GatedTables:
    """Tables whose players are connected to different servers and stop at one gate.

    `people` is the number of players at each table.
    """

    def __init__(self, servers: Sequence[ServerProcess], people: Sequence[int], rules: str, gate: Gate) -> None:
        self.gate = gate
        self.tables = [
            PlayedTable(
                [
                    GatedPlayer(servers[seat % len(servers)].ws_url, f"{name} {number}", gate, count)
                    for seat, name in enumerate(NAMES[:count])
                ],
                rules,
            )
            for number, count in enumerate(people, start=1)
        ]

    @property
    def players(self) -> list[GatedPlayer]:
        return [player for table in self.tables for player in gated_players(table)]

    @property
    def codes(self) -> list[str]:
        return [table.code for table in self.tables]

    @property
    def records(self) -> tuple[RequestRecord, ...]:
        return tuple(record for player in self.players for record in player.records)

    @contextlib.asynccontextmanager
    async def playing(self) -> AsyncIterator[Self]:
        """Play one game at each table."""
        async with contextlib.AsyncExitStack() as stack, asyncio.TaskGroup() as group:
            for player in self.players:
                await stack.enter_async_context(player)
            tasks = [group.create_task(table.play(lambda: False)) for table in self.tables]
            yield self
            for task in tasks:
                task.cancel()

    async def all_reach(self, hand: int, tricks: int = 0) -> None:
        """Wait until every player sees this trick of this hand, and each table waits for one of its players."""

        def is_reached(view: SeatView) -> bool:
            return (view.hand_number, len(view.tricks)) >= (hand, tricks) and view.turn in self._seats(view.code)

        for player in self.players:
            await player.wait_for(is_reached)

    def _seats(self, code: str) -> range:
        """Return the seats of the players at a table."""
        return next(range(len(table.players)) for table in self.tables if table.code == code)

    def acknowledgements(self, code: str) -> list[float]:
        """Return when requests at a table were acknowledged."""
        return sorted(
            record.answered
            for record in self.records
            if record.code == code and record.acknowledged and record.answered
        )

    async def progress(self, seconds: float, requests: int = 5) -> None:
        """Wait until so many more requests are acknowledged at every table. Raises TimeoutError."""
        wanted = {code: len(self.acknowledgements(code)) + requests for code in self.codes}
        async with asyncio.timeout(seconds):
            while any(len(self.acknowledgements(code)) < number for code, number in wanted.items()):  # noqa: ASYNC110
                await asyncio.sleep(0.02)

    def longest_silence(self, code: str, since: float) -> float:
        """Return the longest time between two acknowledgements at a table."""
        times = self.acknowledgements(code)
        return max(after - before for before, after in pairwise(times) if after > since)

    async def finish(self) -> None:
        """Play to the end as fast as possible."""
        for player in self.players:
            player.think_seconds = 0.0
        self.gate.move(1000)
        for table in self.tables:
            await table.game_over()


def gated_players(table: PlayedTable) -> list[GatedPlayer]:
    return [player for player in table.players if isinstance(player, GatedPlayer)]
