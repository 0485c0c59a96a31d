"""Three servers on one store, restarted one after the other under play: the game goes on, and nobody loses a turn."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from random import Random

from spades_client import Client, CommandRefused

from server.store.embedded.process import EmbeddedStore
from server.store.redis_log import RedisLog
from spades_core.bots.levels import medium
from spades_core.commit import Commit
from spades_core.events import BidPlaced, BotTookOver, CardPlayed
from tests.end_to_end.test_four_clients import asked_of, everything_appended, four_seated
from tests.serving import Serving, serving

SETTINGS = {"SPADES_AWAY_SECONDS": "5000", "SPADES_PACE": "0.001"}
"""After five seconds without a connection a bot would play on."""


class Balancer:
    """What stands in front of several servers: each new connection goes to the next one that is up."""

    def __init__(self, servers: Sequence[Serving]) -> None:
        self._servers = list(servers)

    async def forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in self._servers:
            self._servers.append(server := self._servers.pop(0))
            with contextlib.suppress(ConnectionRefusedError):
                there = await asyncio.open_connection("127.0.0.1", server.port)
                await asyncio.gather(_pass_on(reader, there[1]), _pass_on(there[0], writer))
                return
        writer.close()


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.close()


class Restarts:
    """Each begins in the middle of a hand; the game is never more than a hand ahead of them."""

    def __init__(self, servers: Sequence[Serving]) -> None:
        self._servers = servers
        self._done = [asyncio.Event() for _ in servers]

    async def roll(self, watching: Client) -> None:
        for hand, (server, done) in enumerate(zip(self._servers, self._done, strict=True), start=1):
            await watching.wait_for(lambda view, hand=hand: view.hand_number >= hand and len(view.tricks) > 3)
            await server.stop()
            await server.start()
            done.set()

    async def keep_up(self, hand: int) -> None:
        for done in self._done[: max(0, hand - 2)]:
            await done.wait()


async def play(client: Client, rng: Random, restarts: Restarts) -> int:
    """To the end; returns how many bids and cards were acknowledged. None may be refused: that were a lost turn."""
    acknowledged = 0
    while (view := await client.wait_for(asked_of)).phase != "over":
        await restarts.keep_up(view.hand_number)
        if view.legal_bids:
            await client.bid(medium.choose_bid(view, rng))
            acknowledged += 1
        elif view.legal_cards:
            await client.play(medium.choose_card(view, rng))
            acknowledged += 1
        else:
            with contextlib.suppress(CommandRefused):  # the next hand is dealt after a while even if nobody asks
                await client.next_hand()
    return acknowledged


def turns_of(commits: Sequence[Commit], seat: int) -> int:
    events = [event for commit in commits for event in commit.events]
    return sum(isinstance(event, BidPlaced | CardPlayed) and event.seat == seat for event in events)


@contextlib.asynccontextmanager
async def three_servers(folder: Path, store_url: str) -> AsyncIterator[list[Serving]]:
    async with contextlib.AsyncExitStack() as stack:
        servers = []
        for name in ("one", "two", "three"):
            (folder / name).mkdir()
            servers.append(await stack.enter_async_context(serving(folder / name, "--redis", store_url, **SETTINGS)))
        yield servers


async def test_a_rolling_restart_costs_nobody_a_turn(tmp_path: Path) -> None:
    async with EmbeddedStore(tmp_path / "store") as store_url, three_servers(tmp_path, store_url) as servers:
        log = RedisLog(store_url)
        balancer = await asyncio.start_server(Balancer(servers).forward, "127.0.0.1", 0)
        url = f"ws://127.0.0.1:{balancer.sockets[0].getsockname()[1]}/ws"
        async with balancer, everything_appended(log) as commits, four_seated(url) as clients:
            await clients[0].start()
            restarts = Restarts(servers)
            rolling = asyncio.create_task(restarts.roll(clients[0]))
            playing = [play(client, Random(seat), restarts) for seat, client in enumerate(clients)]
            acknowledged = await asyncio.gather(*playing)
            await rolling
            last = max(client.last.n for client in clients)
            async with asyncio.timeout(5):
                while not commits or commits[-1].n < last:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
        await log.close()
    assert sum(client.connections for client in clients) >= 4 + 3
    assert len({client.view.outcome for client in clients}) == 1
    assert [commit.n for commit in commits] == list(range(1, last + 1))
    assert not any(isinstance(event, BotTookOver) for commit in commits for event in commit.events)
    assert acknowledged == [turns_of(commits, seat) for seat in range(4)]
