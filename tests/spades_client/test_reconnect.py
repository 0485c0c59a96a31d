"""When a client reconnects, and which requests it sends again."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from random import Random
from typing import Any

import msgpack
import pytest
from spades_client import Client
from spades_client.backoff import INITIAL_DELAY_SECONDS, MAX_DELAY_SECONDS, backoff_delay
from websockets.exceptions import ConnectionClosed
from websockets.frames import Close

from spades_core.protocol.codec import to_builtins
from spades_core.protocol.messages import CLOSE_RESTARTING, Refusal, Restarting, ServerMessage, Update, Welcome
from spades_core.views import view_for
from tests.spades_core.scenarios import seated


class FakeConnection:
    """A client's socket; `answer` is called with each message sent through it."""

    def __init__(self, answer: Callable[["FakeConnection", dict[str, Any]], None]) -> None:
        self.sent: list[dict[str, Any]] = []
        self._answer = answer
        self._frames: asyncio.Queue[bytes | ConnectionClosed] = asyncio.Queue()

    def push(self, message: ServerMessage) -> None:
        self._frames.put_nowait(msgpack.packb(to_builtins(message)))

    def close(self, code: int | None = None) -> None:
        """Close with a code as a server does, or lose the connection if there is none."""
        self._frames.put_nowait(ConnectionClosed(Close(code, "") if code else None, None))

    async def send(self, frame: bytes) -> None:
        self.sent.append(msgpack.unpackb(frame))
        self._answer(self, self.sent[-1])

    async def recv(self) -> bytes:
        frame = await self._frames.get()
        if isinstance(frame, ConnectionClosed):
            raise frame
        return frame

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            yield await self.recv()


class FakeServer:
    """Welcomes every client and knows every table, unless a test changes that."""

    def __init__(self) -> None:
        self.attempts: list[float] = []
        self.connections: list[FakeConnection] = []
        self.up = True
        self.refusing: str | None = None
        self.silent = False
        self.greeting: ServerMessage = Welcome("token", "Anna", "1")

    @contextlib.asynccontextmanager
    async def connect(self, _url: str, **_settings: object) -> AsyncIterator[FakeConnection]:
        self.attempts.append(asyncio.get_running_loop().time())
        if not self.up:
            raise ConnectionRefusedError
        self.connections.append(FakeConnection(self.answer))
        yield self.connections[-1]

    def answer(self, connection: FakeConnection, message: dict[str, Any]) -> None:
        if message["t"] == "hello":
            connection.push(self.greeting)
        elif self.silent:
            return
        elif self.refusing is not None:
            connection.push(Refusal(self.refusing, "Not now.", None, message["id"]))
        else:
            table = seated().table
            view = view_for(None, table)
            connection.push(Update(table.code, 5, "e5", (), view, (True, True, True, True), re=message["id"]))

    @property
    def delays(self) -> list[float]:
        """Seconds between one attempt and the next."""
        return [round(later - earlier, 3) for earlier, later in zip(self.attempts, self.attempts[1:], strict=False)]


class ConstantRandom(Random):
    """Always draws the same fraction of a range."""

    def __init__(self, fraction: float) -> None:
        super().__init__(0)
        self._fraction = fraction

    def uniform(self, a: float, b: float) -> float:
        return a + (b - a) * self._fraction


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> FakeServer:
    server = FakeServer()
    monkeypatch.setattr("spades_client.connection.connect", server.connect)
    return server


def anna(fraction: float = 1.0) -> Client:
    return Client("ws://fake/ws", "Anna", rng=ConstantRandom(fraction))


def test_delays_double_and_only_the_first_may_be_zero() -> None:
    assert [backoff_delay(attempt, ConstantRandom(1)) for attempt in range(6)] == [0.6, 1.2, 2.4, 4.8, 8.0, 8.0]
    assert [backoff_delay(attempt, ConstantRandom(0)) for attempt in range(6)] == [0.0, 0.3, 0.6, 1.2, 2.0, 2.0]
    assert backoff_delay(10**6, ConstantRandom(1)) == MAX_DELAY_SECONDS


def test_first_delays_are_uniformly_distributed() -> None:
    delays = [backoff_delay(0, Random(player)) for player in range(6000)]
    tenths = [int(delay / INITIAL_DELAY_SECONDS * 10) for delay in delays]
    assert all(500 < tenths.count(tenth) < 700 for tenth in range(10))


async def test_the_first_connection_is_made_at_once(server: FakeServer) -> None:
    start = asyncio.get_running_loop().time()
    async with anna() as client:
        await client.join("KQXZP")
    assert server.attempts == [start]


async def test_attempts_at_a_server_that_is_down_have_growing_delays(server: FakeServer) -> None:
    server.up = False
    async with anna():
        await asyncio.sleep(20)
    assert server.delays == [0.6, 1.2, 2.4, 4.8, 8.0]


async def test_the_first_attempt_after_a_lost_connection_is_delayed_too(server: FakeServer) -> None:
    async with anna(fraction=0.5) as client:
        await client.join("KQXZP")
        for _ in range(2):  # an update between them resets the back-off
            seen = client.last_update
            server.connections[-1].close()
            await client.wait_for(lambda _, seen=seen: client.last_update is not seen)
    assert server.delays == [0.3, 0.3]


async def test_a_restarting_server_sets_the_first_delay(server: FakeServer) -> None:
    async with anna() as client:
        await client.join("KQXZP")
        server.up = False
        server.connections[-1].push(Restarting(3250))
        server.connections[-1].close(CLOSE_RESTARTING)
        await asyncio.sleep(6)
    assert server.delays == [3.25, 0.6, 1.2]


async def test_a_server_may_announce_its_restart_instead_of_a_welcome(server: FakeServer) -> None:
    server.greeting = Restarting(3250)
    async with anna() as client:
        await asyncio.sleep(1)
        server.connections[-1].close(CLOSE_RESTARTING)
        server.greeting = Welcome("token", "Anna", "1")
        await client.join("KQXZP")
    assert server.delays == [4.25]


async def test_a_request_refused_as_newer_is_sent_again_on_the_next_connection(server: FakeServer) -> None:
    server.refusing = "newer"
    async with anna() as client:
        joining = asyncio.create_task(client.join("KQXZP"))
        await asyncio.sleep(3)
        server.refusing = None
        await joining
    assert server.delays == [0.6, 1.2, 2.4]
    assert len({connection.sent[-1]["id"] for connection in server.connections}) == 1


async def test_rejoining_refused_as_newer_is_tried_again(server: FakeServer) -> None:
    async with anna() as client:
        await client.join("KQXZP")
        seen = client.last_update
        server.refusing = "newer"
        server.connections[-1].close()
        await asyncio.sleep(1)
        server.refusing = None
        await client.wait_for(lambda _: client.last_update is not seen)
    assert server.delays == [0.6, 1.2]


async def test_requests_wait_until_the_table_is_rejoined(server: FakeServer) -> None:
    async with anna() as client:
        await client.join("KQXZP")
        server.silent = True
        looking = asyncio.create_task(client.look())
        await asyncio.sleep(1)
        server.connections[-1].close()
        await asyncio.sleep(2)
        sitting = asyncio.create_task(client.sit(2))
        await asyncio.sleep(1)
        latest = server.connections[-1]
        assert [message["t"] for message in latest.sent] == ["hello", "join_table"]
        server.silent = False
        server.answer(latest, latest.sent[-1])
        await asyncio.gather(looking, sitting)
        assert [message["t"] for message in latest.sent[2:]] == ["look", "sit"]


@pytest.mark.usefixtures("server")
async def test_every_message_is_observed_before_the_client_acts_on_it() -> None:
    observed: list[tuple[ServerMessage, Update | None]] = []
    client = Client("ws://fake/ws", "Anna", on_message=lambda message: observed.append((message, client.last_update)))
    async with client:
        await client.join("KQXZP")
    assert [(type(message), last) for message, last in observed] == [(Welcome, None), (Update, None)]
    assert observed[-1][0] == client.last_update
