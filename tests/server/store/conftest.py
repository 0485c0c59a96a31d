"""Shared by the tests of the store: a real store process, tables told commit by commit, ears, and a wire that fails."""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from random import SystemRandom

import pytest
import pytest_asyncio
from redis.asyncio import Redis

from server.store.embedded.process import EmbeddedStore
from server.store.log import Appended, TableLog, TablePresence, new_commit_id
from spades_core.commit import Commit, LogPosition
from spades_core.events import BidPlaced
from spades_core.seats import SEATS
from spades_core.state import Table
from tests.server.store.fleets import ClusterFleet, SentinelFleet
from tests.server.store.stores import FleetStore, MemoryStore, RedisStore, Store


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def store_url(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    """A throwaway store for all tests of a run; tests keep apart by their table codes."""
    async with EmbeddedStore(tmp_path_factory.mktemp("store") / "tables") as url:
        yield url


@pytest.fixture
async def own_store(tmp_path: Path) -> AsyncIterator[str]:
    """A store that a test may ill-treat."""
    async with EmbeddedStore(tmp_path / "own") as url:
        yield url


@pytest.fixture
async def admin(own_store: str) -> AsyncIterator[Redis]:
    """A bare client of `own_store`."""
    client = Redis.from_url(own_store, protocol=2)
    await client.ping()  # connected before any test takes passwords or memory away
    yield client
    await client.aclose()


async def until(condition: Callable[[], bool]) -> None:
    """Wait for something that only a real process or socket can bring about."""
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.002)


@pytest.fixture(name="until")
def until_fixture() -> Callable[[Callable[[], bool]], Awaitable[None]]:
    return until


@pytest.fixture(scope="session")
def sentinel_fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SentinelFleet]:
    """For all tests of a run, as `store_url`; who kills its servers takes one of their own."""
    with SentinelFleet(tmp_path_factory.mktemp("sentinel")) as fleet:
        yield fleet


@pytest.fixture(scope="session")
def cluster_fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClusterFleet]:
    with ClusterFleet(tmp_path_factory.mktemp("cluster")) as fleet:
        yield fleet


@pytest.fixture(params=["memory", "redis", "sentinel", "cluster"])
async def store(request: pytest.FixtureRequest, store_url: str) -> AsyncIterator[Store]:
    """What every store must do is tested on each."""
    made: Store
    match request.param:
        case "memory":
            made = MemoryStore()
        case "redis":
            made = RedisStore(store_url)
        case kind:
            made = FleetStore(request.getfixturevalue(f"{kind}_fleet"))
    yield made
    await made.close()


@pytest.fixture
async def redis_store(store_url: str) -> AsyncIterator[RedisStore]:
    made = RedisStore(store_url)
    yield made
    await made.close()


@pytest.fixture
async def log(store: Store) -> TableLog:
    return store.open()


class Story:
    """One table, told commit by commit: `next` drafts the commit after the top, `add` appends it."""

    def __init__(self) -> None:
        self.code = "T" + secrets.token_hex(6)
        self.told: list[Commit] = []

    @property
    def last(self) -> LogPosition:
        return self.told[-1].at if self.told else LogPosition(0, "")

    def next(self, player: str | None = None, request: str | None = None, bid: int = 3) -> Commit:
        events = (BidPlaced(SEATS[self.last.n % 4], bid),)
        return Commit(self.last.n + 1, new_commit_id(CHANCE), self.last.e, player, request, events)

    async def begin(self, log: TableLog) -> "Story":
        first = self.next()
        assert await log.create(self.code, first)
        self.told.append(first)
        return self

    async def add(self, log: TableLog, commit: Commit | None = None, snapshot: Table | None = None) -> Commit:
        commit = commit or self.next()
        outcome = await log.append(self.code, commit, snapshot=snapshot, trim=snapshot is not None)
        assert outcome == Appended(commit.at)
        self.told.append(commit)
        return commit

    def table(self) -> Table:
        return Table(code=self.code)


@pytest.fixture
def story() -> Story:
    return Story()


@pytest.fixture
def another_story() -> Story:
    return Story()


CHANCE = SystemRandom()
SUBSCRIBED = "subscribed"


class Subscriber:
    """Hears wake-ups; `next` waits for the following one, or for the word that it is subscribed (again)."""

    def __init__(self) -> None:
        self._heard: asyncio.Queue[object] = asyncio.Queue()

    @contextlib.asynccontextmanager
    async def on(self, log: TableLog) -> AsyncIterator["Subscriber"]:
        listening = asyncio.create_task(log.listen(self))
        try:
            assert await self.next() == SUBSCRIBED
            yield self
        finally:
            listening.cancel()
            await asyncio.wait([listening])
            assert listening.cancelled()

    def wants(self, _code: str) -> bool:
        return True

    def committed(self, code: str, commit: Commit) -> None:
        self._heard.put_nowait((code, commit))

    def presence_changed(self, code: str, attendance: TablePresence) -> None:
        self._heard.put_nowait((code, attendance))

    def resubscribed(self) -> None:
        self._heard.put_nowait(SUBSCRIBED)

    async def next(self) -> object:
        async with asyncio.timeout(5):
            return await self._heard.get()

    def is_quiet(self) -> bool:
        return self._heard.empty()

    async def of(self, story: Story) -> object:
        """The next wake-up of one table: others may be at play on the same store."""
        while True:
            heard = await self.next()
            if isinstance(heard, tuple) and heard[0] == story.code:
                return heard[1]

    async def subscribed(self) -> None:
        while await self.next() != SUBSCRIBED:
            pass


@pytest.fixture
def ear() -> Callable[[], Subscriber]:
    return Subscriber


class Wire:
    """A Unix socket in front of the store's that can lose requests, answers, or go dead."""

    def __init__(self, to: str, at: Path) -> None:
        self._to, self._at = to, at
        self.lose_answers = 0
        self.lose_requests = 0
        self.dead = False
        self.requests = 0
        self.connections = 0
        self._open: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.url = f"unix://{at}"

    async def __aenter__(self) -> "Wire":
        self._server = await asyncio.start_unix_server(self._connected, self._at)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        self._hang_up()
        if self._tasks:
            await asyncio.wait(self._tasks)
        await self._server.wait_closed()

    def _hang_up(self) -> None:
        for writer in self._open:
            writer.close()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        store_reader, store_writer = await asyncio.open_unix_connection(self._to)
        self._open |= {writer, store_writer}
        for source, sink, of_answers in ((reader, store_writer, False), (store_reader, writer, True)):
            task = asyncio.create_task(self._pump(source, sink, (writer, store_writer), of_answers))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pump(
        self,
        source: asyncio.StreamReader,
        sink: asyncio.StreamWriter,
        both: tuple[asyncio.StreamWriter, ...],
        of_answers: bool,
    ) -> None:
        with contextlib.suppress(OSError):
            while said := await source.read(65536):
                self.requests += not of_answers
                if self.dead:
                    continue
                if self._loses(of_answers):
                    break
                sink.write(said)
                await sink.drain()
        for writer in both:
            writer.close()
            self._open.discard(writer)

    def _loses(self, of_answers: bool) -> bool:
        if of_answers and self.lose_answers:
            self.lose_answers -= 1
            return True
        if not of_answers and self.lose_requests:
            self.lose_requests -= 1
            return True
        return False


@pytest.fixture
async def wire(store_url: str, tmp_path: Path) -> AsyncIterator[Wire]:
    async with Wire(store_url.removeprefix("unix://"), tmp_path / "wire.sock") as wire:
        yield wire
