"""Three servers on one store are restarted one after the other during play."""

import asyncio
import contextlib
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from spades_client import Client

from server.store.embedded.process import EmbeddedStore
from spades_core.commit import Commit
from spades_core.events import BidPlaced, BotTookOver, CardPlayed
from spades_core.protocol.messages import Bid, Play
from spades_core.views import SeatView
from tests.chaos.proxy import Proxy, Streams
from tests.commit_recorder import CommitRecorder
from tests.players import RecordingPlayer, play_all, seated_players
from tests.server.store.stores import open_log
from tests.serving import ServerProcess, several_servers

SETTINGS = {"SPADES_AWAY_SECONDS": "5000", "SPADES_PACE": "0.001"}
"""A bot plays on for a player who is disconnected for five seconds."""


class Balancer:
    """An upstream that connects to each server in turn, except those that are down."""

    def __init__(self, servers: Sequence[ServerProcess]) -> None:
        self._servers = list(servers)

    async def connect(self) -> Streams:
        for _ in self._servers:
            self._servers.append(server := self._servers.pop(0))
            with contextlib.suppress(ConnectionRefusedError):
                return await asyncio.open_connection("127.0.0.1", server.port)
        raise ConnectionRefusedError


class Restarts:
    """Restarts of all servers, each begun in the middle of a hand; the game keeps pace with them."""

    def __init__(self, servers: Sequence[ServerProcess]) -> None:
        self._servers = servers
        self._done = [asyncio.Event() for _ in servers]

    async def roll(self, observer: Client) -> None:
        for hand, (server, done) in enumerate(zip(self._servers, self._done, strict=True), start=1):
            await observer.wait_for(lambda view, hand=hand: view.hand_number >= hand and len(view.tricks) > 3)
            await server.stop()
            await server.start()
            done.set()

    async def keep_pace(self, hand: int) -> None:
        for done in self._done[: max(0, hand - 2)]:
            await done.wait()


class PacedPlayer(RecordingPlayer):
    """Keeps pace with the restarts."""

    def __init__(self, url: str, name: str, rng: Random, *, restarts: Restarts, **options: Any) -> None:
        super().__init__(url, name, rng, **options)
        self._restarts = restarts

    async def move(self, view: SeatView) -> None:
        await self._restarts.keep_pace(view.hand_number)
        await super().move(view)


def turns_of(commits: Sequence[Commit], seat: int) -> int:
    events = [event for commit in commits for event in commit.events]
    return sum(isinstance(event, BidPlaced | CardPlayed) and event.seat == seat for event in events)


async def test_no_turn_is_lost_in_a_rolling_restart(tmp_path: Path) -> None:
    async with (
        EmbeddedStore(tmp_path / "store") as store_url,
        several_servers(tmp_path, ("one", "two", "three"), "--redis", store_url, **SETTINGS) as servers,
        open_log(store_url) as log,
    ):
        balancer, restarts = Balancer(servers), Restarts(servers)
        proxy = Proxy(lambda: balancer)
        await proxy.listen()
        url = f"ws://127.0.0.1:{proxy.port}/ws"
        async with (
            CommitRecorder(log).recording() as recorder,
            seated_players(url, kind=PacedPlayer, restarts=restarts) as players,
        ):
            rolling = asyncio.create_task(restarts.roll(players[0]))
            await play_all(players)
            await rolling
            last = max(player.last_update.n for player in players)
            await recorder.until(lambda: recorder.commits[-1].n >= last)
        await proxy.close()
    assert sum(player.connect_count for player in players) >= 4 + 3
    assert len({player.view.outcome for player in players}) == 1
    commits = recorder.commits
    assert [commit.n for commit in commits] == list(range(1, last + 1))
    assert not any(isinstance(event, BotTookOver) for commit in commits for event in commit.events)
    for seat, player in enumerate(players):
        moves = [record for record in player.records if isinstance(record.request, Bid | Play)]
        assert all(record.acknowledged for record in moves)
        assert len(moves) == turns_of(commits, seat)
