"""SIGTERM in the middle of a trick: all is answered, everybody is told when to come back, and it is over soon."""

import asyncio
import contextlib
import os
import secrets
import signal
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from server.store.embedded.process import EmbeddedStore
from server.store.redis_log import RedisLog
from spades_core.protocol.messages import CLOSE_RESTARTING
from tests.end_to_end.test_four_clients import everything_appended
from tests.server.gateway.conftest import RawClient, deaf_client
from tests.server.store.processes import pid_at
from tests.serving import Serving, serving

PATIENT = {"SPADES_AWAY_SECONDS": "1000000", "SPADES_PACE": "0.001"}
"""No bot sits down for somebody who is about to come."""


class RawPlayer:
    """Plays whatever it may until it is sent away. `ms` and `code` are what it was told at the end."""

    def __init__(self, raw: RawClient) -> None:
        self.acknowledged: list[str] = []
        self.in_the_middle = asyncio.Event()
        self.ms = self.code = -1
        self._raw = raw
        self._asked = ""

    async def ask(self, t: str, **fields: object) -> dict[str, Any]:
        await self.say(t, **fields)
        return await self._raw.receive_answer(self._asked)

    async def say(self, t: str, **fields: object) -> None:
        self._asked = secrets.token_hex(8)
        await self._raw.send({"t": t, "id": self._asked, **fields})

    async def play(self) -> None:
        while (heard := await self._raw.receive())["t"] != "restarting":
            if heard["t"] == "update":
                await self._take(heard)
        self.ms = heard["ms"]
        self.code = await self._raw.wait_closed()

    async def _take(self, update: dict[str, Any]) -> None:
        view = update["view"]
        if update["re"] == self._asked:
            self.acknowledged.append(self._asked)
        if len(view["tricks"]) > 2:
            self.in_the_middle.set()
        with contextlib.suppress(ConnectionClosed):  # the goodbye is read all the same
            if view["legal_bids"]:
                await self.say("bid", on=update["e"], bid=view["legal_bids"][3])
            elif view["legal_cards"]:
                await self.say("play", on=update["e"], card=view["legal_cards"][0])


@contextlib.asynccontextmanager
async def four_playing(url: str) -> AsyncIterator[list[RawPlayer]]:
    """In the block they are in the middle of a hand; it ends when all have been sent away."""
    async with contextlib.AsyncExitStack() as stack, asyncio.TaskGroup() as group:
        sockets = [await stack.enter_async_context(connect(url, compression=None)) for _ in range(4)]
        players = [RawPlayer(RawClient(socket)) for socket in sockets]
        for seat, (player, socket) in enumerate(zip(players, sockets, strict=True)):
            await RawClient(socket).hello(f"Player {seat}")
            if seat == 0:
                code = (await player.ask("make_table"))["code"]
            else:
                await player.ask("join_table", code=code)
                await player.ask("sit", seat=seat)
        await players[0].say("start")
        for player in players:
            group.create_task(player.play())
        await players[0].in_the_middle.wait()
        yield players


@pytest.mark.parametrize("workers", ["1", "2"])
async def test_what_was_acknowledged_is_in_the_log_and_everybody_is_told_when_to_come_back(
    tmp_path: Path, workers: str
) -> None:
    async with EmbeddedStore(tmp_path / "store") as store_url:
        log = RedisLog(store_url)
        server = Serving(tmp_path, "--redis", store_url, "--workers", workers, **PATIENT)
        await server.start()
        async with everything_appended(log) as commits, deaf_client(server.port):
            async with four_playing(server.socket) as players:
                server.signal(signal.SIGTERM)
                began = time.monotonic()
            assert await server.ended() == 0
            assert time.monotonic() - began < 10
            acknowledged = {request for player in players for request in player.acknowledged}
            async with asyncio.timeout(5):
                while not acknowledged <= {commit.request for commit in commits}:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
            requests = [commit.request for commit in commits if commit.request]
        await log.close()
    assert len(acknowledged) > 8
    assert len(requests) == len(set(requests))
    assert [player.code for player in players] == [CLOSE_RESTARTING] * 4
    assert all(0 <= player.ms <= 205 for player in players)
    assert len({player.ms for player in players}) > 1


async def test_a_store_that_is_away_does_not_hold_up_a_stop(tmp_path: Path) -> None:
    async with EmbeddedStore(tmp_path / "store") as store_url:
        store = await pid_at(store_url)
        server = Serving(tmp_path, "--redis", store_url, **PATIENT)
        await server.start()
        try:
            async with four_playing(server.socket) as players:
                os.kill(store, signal.SIGSTOP)
                server.signal(signal.SIGTERM)
                began = time.monotonic()
            assert await server.ended() == 0
            assert time.monotonic() - began < 10
        finally:
            os.kill(store, signal.SIGCONT)
    assert [player.code for player in players] == [CLOSE_RESTARTING] * 4


async def test_what_was_asked_just_before_sigterm_is_answered(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, connect(server.socket, compression=None) as socket:
        anna = RawClient(socket)
        await anna.hello()
        await anna.send({"t": "make_table", "id": "1"})
        await anna.receive_answer("1")
        await anna.send({"t": "start", "id": "2"})
        server.signal(signal.SIGTERM)
        assert (await anna.receive_answer("2"))["t"] == "update"
        assert await anna.wait_closed() == CLOSE_RESTARTING
        assert await server.ended() == 0


async def test_health_says_that_the_server_stops(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        async with connect(server.socket):  # so the connection before it was accepted
            server.signal(signal.SIGTERM)
            await server.until_said("stopping")
            writer.write(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
            answer = (await reader.read()).decode()
        writer.close()
        assert await server.ended() == 0
    assert answer.startswith("HTTP/1.1 503")
    assert '"status": "stopping"' in answer
