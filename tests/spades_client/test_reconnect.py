"""When a client comes back that lost its connection, and what it asks again."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from random import Random
from typing import Any

import msgpack
import pytest
from spades_client import Client
from spades_client.backoff import FIRST_SECONDS, LONGEST_SECONDS, pause_before
from websockets.exceptions import ConnectionClosed
from websockets.frames import Close

from spades_core.protocol.codec import to_builtins
from spades_core.protocol.messages import CLOSE_RESTARTING, Refusal, Restarting, ServerMessage, Update, Welcome
from spades_core.views import view_for
from tests.spades_core.scenarios import seated


class FakeConnection:
    """One socket of a client; what it says is answered by whoever plays the server."""

    def __init__(self, answer: Callable[["FakeConnection", dict[str, Any]], None]) -> None:
        self.heard: list[dict[str, Any]] = []
        self._answer = answer
        self._frames: asyncio.Queue[bytes | ConnectionClosed] = asyncio.Queue()

    def say(self, message: ServerMessage) -> None:
        self._frames.put_nowait(msgpack.packb(to_builtins(message)))

    def close(self, code: int | None = None) -> None:
        """With a code as a server does that says goodbye; without one it is just gone."""
        self._frames.put_nowait(ConnectionClosed(Close(code, "") if code else None, None))

    async def send(self, frame: bytes) -> None:
        self.heard.append(msgpack.unpackb(frame))
        self._answer(self, self.heard[-1])

    async def recv(self) -> bytes:
        frame = await self._frames.get()
        if isinstance(frame, ConnectionClosed):
            raise frame
        return frame

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            yield await self.recv()


class FakeServer:
    """Welcomes whoever comes and knows every table, unless a test has it do something else for a while."""

    def __init__(self) -> None:
        self.connected_at: list[float] = []
        self.connections: list[FakeConnection] = []
        self.there = True
        self.refusing: str | None = None
        self.silent = False
        self.greeting: ServerMessage = Welcome("token", "Anna", "1")

    @contextlib.asynccontextmanager
    async def connect(self, _url: str, **_settings: object) -> AsyncIterator[FakeConnection]:
        self.connected_at.append(asyncio.get_running_loop().time())
        if not self.there:
            raise ConnectionRefusedError
        self.connections.append(FakeConnection(self.answer))
        yield self.connections[-1]

    def answer(self, connection: FakeConnection, message: dict[str, Any]) -> None:
        if message["t"] == "hello":
            connection.say(self.greeting)
        elif self.silent:
            return
        elif self.refusing is not None:
            connection.say(Refusal(self.refusing, "Not now.", None, message["id"]))
        else:
            table = seated().table
            view = view_for(None, table)
            connection.say(Update(table.code, 5, "e5", (), view, (True, True, True, True), re=message["id"]))

    @property
    def waits(self) -> list[float]:
        """Between one attempt and the next, in seconds."""
        return [
            round(later - sooner, 3) for sooner, later in zip(self.connected_at, self.connected_at[1:], strict=False)
        ]


class Always(Random):
    """Chance that always draws the same part of what it may draw."""

    def __init__(self, part: float) -> None:
        super().__init__(0)
        self._part = part

    def uniform(self, a: float, b: float) -> float:
        return a + (b - a) * self._part


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> FakeServer:
    server = FakeServer()
    monkeypatch.setattr("spades_client.connection.connect", server.connect)
    return server


def anna(part: float = 1.0) -> Client:
    return Client("ws://fake/ws", "Anna", rng=Always(part))


def test_pauses_double_and_only_the_first_may_be_none() -> None:
    assert [pause_before(attempt, Always(1)) for attempt in range(6)] == [0.6, 1.2, 2.4, 4.8, 8.0, 8.0]
    assert [pause_before(attempt, Always(0)) for attempt in range(6)] == [0.0, 0.3, 0.6, 1.2, 2.0, 2.0]
    assert pause_before(10**6, Always(1)) == LONGEST_SECONDS


def test_the_players_of_a_server_that_died_come_to_the_others_one_after_the_other() -> None:
    moments = [pause_before(0, Random(player)) for player in range(6000)]
    tenths = [int(moment / FIRST_SECONDS * 10) for moment in moments]
    assert all(500 < tenths.count(tenth) < 700 for tenth in range(10))


async def test_the_first_connection_is_made_at_once(server: FakeServer) -> None:
    start = asyncio.get_running_loop().time()
    async with anna() as client:
        await client.join("KQXZP")
    assert server.connected_at == [start]


async def test_a_server_that_is_not_there_is_tried_with_growing_pauses(server: FakeServer) -> None:
    server.there = False
    async with anna():
        await asyncio.sleep(20)
    assert server.waits == [0.6, 1.2, 2.4, 4.8, 8.0]


async def test_after_a_loss_without_a_word_the_first_attempt_waits_too(server: FakeServer) -> None:
    async with anna(part=0.5) as client:
        await client.join("KQXZP")
        for _ in range(2):  # an update between them: the pauses start over
            seen = client.last
            server.connections[-1].close()
            await client.wait_for(lambda _, seen=seen: client.last is not seen)
    assert server.waits == [0.3, 0.3]


async def test_a_server_that_restarts_is_left_alone_as_long_as_it_asks(server: FakeServer) -> None:
    async with anna() as client:
        await client.join("KQXZP")
        server.there = False
        server.connections[-1].say(Restarting(3250))
        server.connections[-1].close(CLOSE_RESTARTING)
        await asyncio.sleep(6)
    assert server.waits == [3.25, 0.6, 1.2]


async def test_a_server_may_say_so_instead_of_a_welcome(server: FakeServer) -> None:
    server.greeting = Restarting(3250)
    async with anna() as client:
        await asyncio.sleep(1)
        server.connections[-1].close(CLOSE_RESTARTING)
        server.greeting = Welcome("token", "Anna", "1")
        await client.join("KQXZP")
    assert server.waits == [4.25]


async def test_a_table_that_only_a_newer_server_knows_is_asked_for_again_a_little_later(server: FakeServer) -> None:
    server.refusing = "newer"
    async with anna() as client:
        joining = asyncio.create_task(client.join("KQXZP"))
        await asyncio.sleep(3)
        server.refusing = None
        await joining
    assert server.waits == [0.6, 1.2, 2.4]
    assert len({connection.heard[-1]["id"] for connection in server.connections}) == 1


async def test_coming_back_to_such_a_table_is_tried_again_too(server: FakeServer) -> None:
    async with anna() as client:
        await client.join("KQXZP")
        seen = client.last
        server.refusing = "newer"
        server.connections[-1].close()
        await asyncio.sleep(1)
        server.refusing = None
        await client.wait_for(lambda _: client.last is not seen)
    assert server.waits == [0.6, 1.2]


async def test_nothing_is_asked_at_a_table_before_it_has_let_us_in_again(server: FakeServer) -> None:
    async with anna() as client:
        await client.join("KQXZP")
        server.silent = True
        looking = asyncio.create_task(client.look())
        await asyncio.sleep(1)
        server.connections[-1].close()
        await asyncio.sleep(2)
        sitting = asyncio.create_task(client.sit(2))
        await asyncio.sleep(1)
        again = server.connections[-1]
        assert [said["t"] for said in again.heard] == ["hello", "join_table"]
        server.silent = False
        server.answer(again, again.heard[-1])
        await asyncio.gather(looking, sitting)
        assert [said["t"] for said in again.heard[2:]] == ["look", "sit"]
