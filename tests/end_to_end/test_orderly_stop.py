"""On SIGTERM a server answers what it was asked, tells its players when to reconnect, and exits soon."""

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
from tests.commit_recorder import CommitRecorder
from tests.server.gateway.conftest import RawClient, deaf_client
from tests.server.store.processes import pid_at
from tests.serving import ServerProcess, serving

PATIENT = {"SPADES_AWAY_SECONDS": "1000000", "SPADES_PACE": "0.001"}
"""No bot plays for a player who is reconnecting."""


class RawPlayer:
    """Plays until the server restarts; `ms` and `code` are then the requested delay and the close code."""

    def __init__(self, raw: RawClient) -> None:
        self.acknowledged: list[str] = []
        self.mid_hand = asyncio.Event()
        self.ms = self.code = -1
        self._raw = raw
        self._request_id = ""

    async def ask(self, t: str, **fields: object) -> dict[str, Any]:
        await self.send(t, **fields)
        return await self._raw.receive_answer(self._request_id)

    async def send(self, t: str, **fields: object) -> None:
        self._request_id = secrets.token_hex(8)
        await self._raw.send({"t": t, "id": self._request_id, **fields})

    async def play(self) -> None:
        while (message := await self._raw.receive())["t"] != "restarting":
            if message["t"] == "update":
                await self._handle(message)
        self.ms = message["ms"]
        self.code = await self._raw.wait_closed()

    async def _handle(self, update: dict[str, Any]) -> None:
        view = update["view"]
        if update["re"] == self._request_id:
            self.acknowledged.append(self._request_id)
        if len(view["tricks"]) > 2:
            self.mid_hand.set()
        with contextlib.suppress(ConnectionClosed):  # what was sent before is still read
            if view["legal_bids"]:
                await self.send("bid", on=update["e"], bid=view["legal_bids"][3])
            elif view["legal_cards"]:
                await self.send("play", on=update["e"], card=view["legal_cards"][0])


@contextlib.asynccontextmanager
async def four_playing(url: str) -> AsyncIterator[list[RawPlayer]]:
    """Yield in the middle of a hand; leave when the server has closed all connections."""
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
        await players[0].send("start")
        for player in players:
            group.create_task(player.play())
        await players[0].mid_hand.wait()
        yield players


@pytest.mark.parametrize("workers", ["1", "2"])
async def test_acknowledged_requests_are_in_the_log_and_players_are_told_when_to_reconnect(
    tmp_path: Path, workers: str
) -> None:
    async with EmbeddedStore(tmp_path / "store") as store_url:
        log = RedisLog(store_url)
        server = ServerProcess(tmp_path, "--redis", store_url, "--workers", workers, **PATIENT)
        await server.start()
        async with CommitRecorder(log).recording() as recorder, deaf_client(server.port):
            async with four_playing(server.ws_url) as players:
                server.signal(signal.SIGTERM)
                began = time.monotonic()
            assert await server.wait() == 0
            assert time.monotonic() - began < 10
            acknowledged = {request for player in players for request in player.acknowledged}
            await recorder.until(lambda: acknowledged <= {commit.request for commit in recorder.commits})
            requests = [commit.request for commit in recorder.commits if commit.request]
        await log.close()
    assert len(acknowledged) > 8
    assert len(requests) == len(set(requests))
    assert [player.code for player in players] == [CLOSE_RESTARTING] * 4
    assert all(0 <= player.ms <= 205 for player in players)
    assert len({player.ms for player in players}) > 1


async def test_an_unresponsive_store_does_not_delay_the_exit(tmp_path: Path) -> None:
    async with EmbeddedStore(tmp_path / "store") as store_url:
        store = await pid_at(store_url)
        server = ServerProcess(tmp_path, "--redis", store_url, **PATIENT)
        await server.start()
        try:
            async with four_playing(server.ws_url) as players:
                os.kill(store, signal.SIGSTOP)
                server.signal(signal.SIGTERM)
                began = time.monotonic()
            assert await server.wait() == 0
            assert time.monotonic() - began < 10
        finally:
            os.kill(store, signal.SIGCONT)
    assert [player.code for player in players] == [CLOSE_RESTARTING] * 4


async def test_a_request_sent_just_before_sigterm_is_answered(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, connect(server.ws_url, compression=None) as socket:
        anna = RawClient(socket)
        await anna.hello()
        await anna.send({"t": "make_table", "id": "1"})
        await anna.receive_answer("1")
        await anna.send({"t": "start", "id": "2"})
        server.signal(signal.SIGTERM)
        assert (await anna.receive_answer("2"))["t"] == "update"
        assert await anna.wait_closed() == CLOSE_RESTARTING
        assert await server.wait() == 0


async def test_health_reports_that_the_server_is_stopping(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        async with connect(server.ws_url):  # so the connection before it was accepted
            server.signal(signal.SIGTERM)
            await server.wait_logged("stopping")
            writer.write(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
            answer = (await reader.read()).decode()
        writer.close()
        assert await server.wait() == 0
    assert answer.startswith("HTTP/1.1 503")
    assert '"status": "stopping"' in answer
