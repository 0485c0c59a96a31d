"""Shared fixtures: real store processes, tables written commit by commit, a subscriber, and a faulty proxy."""

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
from tests.server.store.deployments import ClusterDeployment, SentinelDeployment
from tests.server.store.stores import MemoryStore, RedisStore, ReplicatedStore, Store


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def store_url(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    """A temporary store for all tests of a run; each test uses table codes of its own."""
    async with EmbeddedStore(tmp_path_factory.mktemp("store") / "tables") as url:
        yield url


@pytest.fixture
async def own_store(tmp_path: Path) -> AsyncIterator[str]:
    """A store of one test, which may break it."""
    async with EmbeddedStore(tmp_path / "own") as url:
        yield url


@pytest.fixture
async def admin(own_store: str) -> AsyncIterator[Redis]:
    """A redis-py client of `own_store`."""
    client = Redis.from_url(own_store, protocol=2)
    await client.ping()  # connect before a test takes away passwords or memory
    yield client
    await client.aclose()


async def until(condition: Callable[[], bool]) -> None:
    """Wait for a condition that a real process or socket brings about."""
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.002)


@pytest.fixture(name="until")
def until_fixture() -> Callable[[Callable[[], bool]], Awaitable[None]]:
    return until


@pytest.fixture(scope="session")
def sentinel_deployment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SentinelDeployment]:
    """Shared by all tests of a run, like `store_url`; a test that kills servers makes its own."""
    with SentinelDeployment(tmp_path_factory.mktemp("sentinel")) as deployment:
        yield deployment


@pytest.fixture(scope="session")
def cluster_deployment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClusterDeployment]:
    with ClusterDeployment(tmp_path_factory.mktemp("cluster")) as deployment:
        yield deployment


@pytest.fixture(params=["memory", "redis", "sentinel", "cluster"])
async def store(request: pytest.FixtureRequest, store_url: str) -> AsyncIterator[Store]:
    """A store of each kind, for the tests of the contract."""
    made: Store
    match request.param:
        case "memory":
            made = MemoryStore()
        case "redis":
            made = RedisStore(store_url)
        case kind:
            made = ReplicatedStore(request.getfixturevalue(f"{kind}_deployment"))
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


class TableHistory:
    """One table, written commit by commit: `next` drafts the commit after the last, `add` appends it."""

    def __init__(self) -> None:
        self.code = "T" + secrets.token_hex(6)
        self.commits: list[Commit] = []

    @property
    def last(self) -> LogPosition:
        return self.commits[-1].at if self.commits else LogPosition(0, "")

    def next(self, player: str | None = None, request: str | None = None, bid: int = 3) -> Commit:
        events = (BidPlaced(SEATS[self.last.n % 4], bid),)
        return Commit(self.last.n + 1, new_commit_id(RNG), self.last.id, player, request, events)

    async def create(self, log: TableLog) -> "TableHistory":
        first = self.next()
        assert await log.create(self.code, first)
        self.commits.append(first)
        return self

    async def add(self, log: TableLog, commit: Commit | None = None, snapshot: Table | None = None) -> Commit:
        commit = commit or self.next()
        result = await log.append(self.code, commit, snapshot=snapshot, trim=snapshot is not None)
        assert result == Appended(commit.at)
        self.commits.append(commit)
        return commit

    def table(self) -> Table:
        return Table(code=self.code)


@pytest.fixture
def history() -> TableHistory:
    return TableHistory()


@pytest.fixture
def other_history() -> TableHistory:
    return TableHistory()


RNG = SystemRandom()
SUBSCRIBED = "subscribed"


class Subscriber:
    """Records wake-ups; `next` waits for the following one, or for SUBSCRIBED."""

    def __init__(self) -> None:
        self._received: asyncio.Queue[object] = asyncio.Queue()

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
        self._received.put_nowait((code, commit))

    def presence_changed(self, code: str, presence: TablePresence) -> None:
        self._received.put_nowait((code, presence))

    def resubscribed(self) -> None:
        self._received.put_nowait(SUBSCRIBED)

    async def next(self) -> object:
        async with asyncio.timeout(5):
            return await self._received.get()

    def is_empty(self) -> bool:
        return self._received.empty()

    async def of(self, history: TableHistory) -> object:
        """Wait for the next wake-up of one table: other tests use the same store."""
        while True:
            received = await self.next()
            if isinstance(received, tuple) and received[0] == history.code:
                return received[1]

    async def wait_until_subscribed(self) -> None:
        while await self.next() != SUBSCRIBED:
            pass


@pytest.fixture
def subscriber() -> Callable[[], Subscriber]:
    return Subscriber


class FaultyProxy:
    """A Unix socket in front of the store's that can drop requests, drop replies, or freeze."""

    def __init__(self, to: str, at: Path) -> None:
        self._to, self._at = to, at
        self.drop_replies = 0
        self.drop_requests = 0
        self.frozen = False
        self.requests = 0
        self.connections = 0
        self._open: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.url = f"unix://{at}"

    async def __aenter__(self) -> "FaultyProxy":
        self._server = await asyncio.start_unix_server(self._connected, self._at)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for writer in self._open:
            writer.close()
        if self._tasks:
            await asyncio.wait(self._tasks)
        await self._server.wait_closed()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        store_reader, store_writer = await asyncio.open_unix_connection(self._to)
        self._open |= {writer, store_writer}
        for source, sink, replies in ((reader, store_writer, False), (store_reader, writer, True)):
            task = asyncio.create_task(self._pump(source, sink, (writer, store_writer), replies))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pump(
        self,
        source: asyncio.StreamReader,
        sink: asyncio.StreamWriter,
        both: tuple[asyncio.StreamWriter, ...],
        replies: bool,
    ) -> None:
        with contextlib.suppress(OSError):
            while chunk := await source.read(65536):
                self.requests += not replies
                if self.frozen:
                    continue
                if self._drops(replies):
                    break
                sink.write(chunk)
                await sink.drain()
        for writer in both:
            writer.close()
            self._open.discard(writer)

    def _drops(self, replies: bool) -> bool:
        if replies and self.drop_replies:
            self.drop_replies -= 1
            return True
        if not replies and self.drop_requests:
            self.drop_requests -= 1
            return True
        return False


@pytest.fixture
async def proxy(store_url: str, tmp_path: Path) -> AsyncIterator[FaultyProxy]:
    async with FaultyProxy(store_url.removeprefix("unix://"), tmp_path / "wire.sock") as proxy:
        yield proxy
