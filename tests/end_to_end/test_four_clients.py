"""Four players of the SDK play a whole game over real sockets and a real store; then the log is replayed."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest
from spades_client import Client, ClientClosed, CommandRefused

from server.store.embedded.process import EmbeddedStore
from server.store.log import TablePresence
from server.store.redis_log import RedisLog
from spades_core.bots.levels import medium
from spades_core.commit import Commit
from spades_core.events import CardPlayed, HandDealt
from spades_core.evolve import evolve_all
from spades_core.protocol.messages import Update
from spades_core.state import Table
from spades_core.views import SeatView
from tests.serving import Serving, serving

NAMES = ("Anna", "Ben", "Cleo", "Dora")


@contextlib.asynccontextmanager
async def four_seated(url: str) -> AsyncIterator[list[Client]]:
    async with contextlib.AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(Client(url, name)) for name in NAMES]
        await clients[0].make_table()
        for seat, client in enumerate(clients[1:], start=1):
            await client.join(clients[0].code)
            await client.sit(seat)
        yield clients


def asked_of(view: SeatView) -> bool:
    waits = view.phase == "scored" and view.you is not None and not view.seats[view.you].ready
    return view.phase == "over" or bool(view.legal_bids or view.legal_cards) or waits


async def play_to_the_end(client: Client, rng: Random) -> None:
    while (view := await client.wait_for(asked_of)).phase != "over":
        # Between being asked and answering, the table may have gone on without us: the server had died, a bot sat in.
        with contextlib.suppress(CommandRefused):
            if view.legal_bids:
                await client.bid(medium.choose_bid(view, rng))
            elif view.legal_cards:
                await client.play(medium.choose_card(view, rng))
            else:
                await client.next_hand()


class Everything:
    """Every commit of every table: the log forgets a game when the next one starts, its wake-ups tell of all."""

    def __init__(self) -> None:
        self.commits: list[Commit] = []
        self.subscribed = asyncio.Event()

    def wants(self, _code: str) -> bool:
        return True

    def committed(self, _code: str, commit: Commit) -> None:
        self.commits.append(commit)

    def presence_changed(self, _code: str, _attendance: TablePresence) -> None:
        pass

    def resubscribed(self) -> None:
        self.subscribed.set()


@contextlib.asynccontextmanager
async def everything_appended(log: RedisLog) -> AsyncIterator[list[Commit]]:
    hearing = Everything()
    listening = asyncio.create_task(log.listen(hearing))
    await hearing.subscribed.wait()
    yield hearing.commits
    listening.cancel()


async def test_a_whole_game_ends_with_the_scores_that_replaying_its_log_gives(tmp_path: Path) -> None:
    async with EmbeddedStore(tmp_path / "store") as store_url, serving(tmp_path, "--redis", store_url) as server:
        log = RedisLog(store_url)
        async with everything_appended(log) as commits, four_seated(server.socket) as clients:
            await clients[0].start()
            await asyncio.gather(*(play_to_the_end(client, Random(seat)) for seat, client in enumerate(clients)))
            last = clients[0].last
            assert last is not None
            async with asyncio.timeout(5):
                while not commits or commits[-1].n < last.n:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
        loaded = await log.load(last.code)
        await log.close()
    assert [commit.n for commit in commits] == list(range(1, last.n + 1))
    replayed = evolve_all(Table(), tuple(event for commit in commits for event in commit.events))
    assert replayed.game is not None
    assert replayed.game.outcome is not None
    for client in clients:
        assert tuple(side.score for side in client.last.view.sides) == replayed.game.scores
        assert client.last.view.outcome == replayed.game.outcome
        assert client.sheet == replayed.game.sheet
    assert loaded is not None
    assert loaded.snapshot is not None
    events = tuple(event for commit in loaded.commits for event in commit.events)
    assert evolve_all(loaded.snapshot.table, events) == replayed


async def test_a_player_is_only_ever_sent_its_own_cards(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, four_seated(server.socket) as clients:
        streams: list[list[Update]] = [[] for _ in clients]

        async def note(client: Client, stream: list[Update]) -> None:
            async for update in client.updates():
                stream.append(update)

        noting = [asyncio.create_task(note(client, stream)) for client, stream in zip(clients, streams, strict=True)]
        await clients[0].start()
        await asyncio.gather(*(play_to_the_end(client, Random(seat)) for seat, client in enumerate(clients)))
        for task in noting:
            task.cancel()
        for seat, stream in enumerate(streams):
            for update in stream:
                events = update.events
                assert not any(isinstance(event, HandDealt) for event in events)
                assert all(event.seat == seat for event in events if event.t == "hand_received")
                assert len(update.view.hand) == update.view.seats[seat].cards_left
            assert any(isinstance(event, CardPlayed) for update in stream for event in update.events)


async def test_a_server_killed_again_and_again_costs_nobody_a_card(tmp_path: Path) -> None:
    """Three SIGKILLs in the middle of tricks: the same cards, the same turn, and the game reaches its end."""
    server = Serving(tmp_path)
    await server.start()
    try:
        async with four_seated(server.socket) as clients:
            await clients[0].start()
            playing = [
                asyncio.create_task(play_to_the_end(client, Random(seat))) for seat, client in enumerate(clients)
            ]
            for hand in (1, 2, 3):
                await clients[hand].wait_for(
                    lambda view, hand=hand: view.hand_number == hand and view.trick is not None and len(view.tricks) > 3
                )
                before = [client.last for client in clients]
                await server.kill()
                await server.start()
                for client, seen in zip(clients, before, strict=True):
                    view = await client.wait_for(lambda _, client=client, seen=seen: client.last is not seen)
                    assert view.hand_number > seen.view.hand_number or set(view.hand) <= set(seen.view.hand)
            await asyncio.gather(*playing)
            assert len({client.view.outcome for client in clients}) == 1
            assert all(client.connections == 4 for client in clients)
    finally:
        await server.stop()


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[tuple[Serving, Client]]:
    async with serving(tmp_path) as server, Client(server.socket, "Anna") as anna:
        await anna.make_table()
        yield server, anna


async def test_a_session_opened_elsewhere_takes_its_seat_with_it(table: tuple[Serving, Client]) -> None:
    server, anna = table
    async with Client(server.socket, "Anna", token=anna.token) as again:
        view = await again.join(anna.code)
        assert view.you == 0
        with pytest.raises(Exception, match="another window"):
            await anna.wait_for(lambda _: False)


async def test_what_is_refused_is_said_in_a_sentence(table: tuple[Serving, Client]) -> None:
    _, anna = table
    with pytest.raises(CommandRefused, match=r"There is no table 'ZZZZZ'"):
        await anna.join("ZZZZZ")
    with pytest.raises(CommandRefused, match="Not now: the game has not started"):
        await anna.play("QS")
    with pytest.raises(CommandRefused, match="'QX' is not a card"):
        await anna.play("QX")


async def test_a_client_that_is_not_let_in_hears_why(table: tuple[Serving, Client]) -> None:
    server, _ = table
    async with Client(server.socket, "a name that is far too long for anybody") as nobody:
        with pytest.raises(ClientClosed, match="at most 24 characters"):
            await nobody.make_table()
    async with Client("http://nowhere", "Anna") as lost:
        with pytest.raises(ClientClosed, match="no way to talk to http://nowhere"):
            await lost.make_table()
