"""The store in memory and the real one give the same answers to the same random operations."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from redis.asyncio import Redis

from server.store.embedded.process import EmbeddedStore
from server.store.keys import keys_of
from server.store.log import LoadedTable, NotDue, TableLog, TablePresence, new_commit_id
from server.store.memory_log import MemoryLog
from server.store.redis_log import RedisLog
from server.store.serialization import load_game
from spades_core.commit import Commit, LogPosition
from spades_core.events import BidPlaced
from spades_core.seats import SEATS
from spades_core.state import Table

SEQUENCES, STEPS = 20, 50
TOLERANCE_MS = 2_000
PLAYERS = (None, "ann", "bob", "cleo")
REQUESTS = (None, "1", "2", "3")
DEADLINES = (None, None, 0, 600_000)


@pytest.fixture
async def url(tmp_path: Path) -> AsyncIterator[str]:
    async with EmbeddedStore(tmp_path / "store") as url:
        yield url


class Operations:
    """Random operations on one table, drawn from a seed: most are valid, some fail in every possible way."""

    def __init__(self, seed: int) -> None:
        self.code = f"T{seed}"
        self.servers = [f"{self.code} s{number}" for number in range(3)]
        self._rng = Random(seed)
        self._commits: list[Commit] = []
        self.last = LogPosition(0, "")

    def next(self) -> tuple[str, tuple[Any, ...], dict[str, Any]]:
        rng, code = self._rng, self.code
        kind = rng.choices(
            ("append", "create", "read", "load", "find_request", "heads", "set_presence", "heartbeat", "leave"),
            (50, 3, 8, 8, 6, 4, 14, 5, 2),
        )[0]
        if not self._commits or kind == "create":
            return "create", (code, self._new_commit(LogPosition(0, ""))), {}
        match kind:
            case "append":
                return "append", (code, self._any_commit()), self._options()
            case "read":
                return "read", (code, self._position()), {}
            case "load":
                return "load", (code,), {"whole_game": rng.random() < 0.5}
            case "find_request":
                return "find_request", (code, rng.choice(PLAYERS[1:]), rng.choice(REQUESTS[1:])), {}
            case "heads":
                return "heads", ([code, f"{code} nowhere"],), {}
            case "set_presence":
                return self._presence()
            case "heartbeat":
                return "heartbeat", (rng.choice(self.servers), 600_000), {}
            case _:
                return "leave", (rng.choice(self.servers),), {}

    def _new_commit(self, parent: LogPosition) -> Commit:
        rng = self._rng
        events = (BidPlaced(SEATS[parent.n % 4], rng.randrange(14)),)
        player, request = rng.choice(PLAYERS), rng.choice(REQUESTS)
        self._commits.append(Commit(parent.n + 1, new_commit_id(rng), parent.id, player, request, events))
        return self._commits[-1]

    def _any_commit(self) -> Commit:
        """Return a commit on the last one, on another position, with a wrong number, or used before."""
        draw = self._rng.random()
        if draw < 0.7:
            return self._new_commit(self.last)
        if draw < 0.8:
            return self._new_commit(self._position())
        if draw < 0.85:
            return replace(self._new_commit(self.last), n=self.last.n + self._rng.choice((0, 2, 7)))
        return self._rng.choice(self._commits[-6:])

    def _position(self) -> LogPosition:
        """Return the position of a commit used before, stored or not, or of none."""
        if self._rng.random() < 0.1:
            return LogPosition(self._rng.randrange(self.last.n + 3), new_commit_id(self._rng))
        return self._rng.choice(self._commits[-12:]).at

    def _options(self) -> dict[str, Any]:
        rng = self._rng
        snapshot = Table(self.code, host=rng.choice(SEATS)) if rng.random() < 0.2 else None
        return {
            "snapshot": snapshot,
            "trim": snapshot is not None and rng.random() < 0.4,
            "game": f"game {rng.random()}" if rng.random() < 0.1 else None,
            "ms_until_deadline": rng.choice(DEADLINES),
            "only_when_due": rng.random() < 0.3,
        }

    def _presence(self) -> tuple[str, tuple[Any, ...], dict[str, Any]]:
        rng = self._rng
        server = rng.choice(self.servers)
        connected_at = {player: rng.randrange(5) for player in sorted(rng.sample(PLAYERS[1:], rng.randrange(4)))}
        others = [other for other in self.servers if other != server]
        dead = rng.sample(others, 1) if rng.random() < 0.2 else []
        return "set_presence", (self.code, server, connected_at), {"dead": dead}


def agree(one: Any, other: Any) -> bool:
    """Return whether two answers are equal, except for times of different clocks and the time between the two."""
    if isinstance(one, TablePresence) and isinstance(other, TablePresence):
        return (one.leader, one.players) == (other.leader, other.players)
    if isinstance(one, dict) and isinstance(other, dict):
        return {code: head and head.at for code, head in one.items()} == {
            code: head and head.at for code, head in other.items()
        }
    if isinstance(one, NotDue) and isinstance(other, NotDue):
        return abs(one.ms_left - other.ms_left) < TOLERANCE_MS
    if (
        isinstance(one, LoadedTable)
        and isinstance(other, LoadedTable)
        and one.ms_until_deadline
        and other.ms_until_deadline
    ):
        near = abs(one.ms_until_deadline - other.ms_until_deadline) < TOLERANCE_MS
        return near and replace(one, ms_until_deadline=0) == replace(other, ms_until_deadline=0)
    return bool(one == other)


async def answer(log: TableLog, operations: Operations, operation: tuple[str, Any, Any]) -> Any:
    name, arguments, options = operation
    result = await getattr(log, name)(*arguments, **options)
    if name == "heartbeat":  # other sequences have servers too
        return result & set(operations.servers)
    return result


@pytest.mark.timeout(300)
async def test_the_store_in_memory_and_the_real_one_agree(url: str) -> None:
    memory, real = MemoryLog(), RedisLog(url)
    client = Redis.from_url(url, protocol=2)
    for seed in range(SEQUENCES):
        operations = Operations(seed)
        for step in range(STEPS):
            operation = operations.next()
            expected, got = [await answer(log, operations, operation) for log in (real, memory)]
            assert agree(expected, got), f"seed {seed}, step {step}: {operation}\nreal: {expected}\nin memory: {got}"
            head = (await memory.heads([operations.code]))[operations.code]
            assert head is not None
            operations.last = head.at
        assert memory.games.get(operations.code, []) == await archived(client, operations.code)
    await real.close()
    await client.aclose()


async def archived(client: Redis, code: str) -> list[str]:
    """Return the archived games of one table."""
    keys = keys_of(code)
    entries = [entry.decode().split(":") for entry in await client.zrange(keys.games, 0, -1)]
    numbers = sorted(int(n) for table, n in entries if table == code)
    return [load_game(await client.get(keys.game(n))) for n in numbers]
