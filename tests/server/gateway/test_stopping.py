"""An orderly stop as clients meet it: what was asked is answered, then everybody is told when to come back."""

import asyncio
from contextlib import AsyncExitStack

import pytest
from structlog.testing import capture_logs
from websockets.asyncio.client import connect

from server.settings import Settings
from spades_core.protocol.messages import CLOSE_RESTARTING
from tests.server.gateway.conftest import Door, Raw, Server, deaf_client


async def sent_away(client: Raw) -> int:
    """Listen until `restarting` and the close after it; the milliseconds it names."""
    while (heard := await client.hear())["t"] != "restarting":
        pass
    assert await client.until_closed() == CLOSE_RESTARTING
    return int(heard["ms"])


async def test_everybody_is_told_a_time_of_their_own_and_sent_away(server: Server, door: Door) -> None:
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(door()) for _ in range(8)]
        for client in clients[1:]:  # one has not even said hello
            await client.hello()
        await server.door.stop_reading()
        closing = asyncio.create_task(server.door.close())
        times = [await sent_away(client) for client in clients]
        await closing
    assert all(0 <= ms <= 208 for ms in times)
    assert len(set(times)) > 4


async def test_what_was_asked_before_is_answered_before_the_goodbye(server: Server, door: Door) -> None:
    async with door() as anna:
        await anna.hello()
        await anna.say({"t": "make_table", "id": "1"})
        await anna.hear_of("1")
        for number in range(20):
            await anna.say({"t": "add_bot", "id": f"add {number}", "seat": 1})
        await server.door.stop_reading()
        await server.tables.drain()
        closing = asyncio.create_task(server.door.close())
        for number in range(20):
            await anna.hear_of(f"add {number}")
        await sent_away(anna)
        await closing


async def test_what_is_asked_after_a_stop_began_is_left_for_the_next_server(server: Server, door: Door) -> None:
    async with door() as anna:
        await anna.hello()
        await server.door.stop_reading()
        await anna.say({"t": "make_table", "id": "late"})
        closing = asyncio.create_task(server.door.close())
        assert (await anna.hear())["t"] == "restarting"
        await closing
    assert len(server.tables) == 0


async def test_nobody_new_comes_in_during_a_stop(server: Server, door: Door) -> None:
    async with door() as anna:
        await anna.hello()
        await server.door.stop_reading()
        with pytest.raises(ConnectionRefusedError):
            async with door():
                pass


async def test_a_handshake_that_a_stop_overtakes_is_turned_away(server: Server) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    await asyncio.sleep(0)
    async with connect(f"ws://127.0.0.1:{server.port}/ws"):  # so the one before it was accepted
        await server.door.stop_reading()
        writer.write(
            b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        assert (await reader.readline()).startswith(b"HTTP/1.1 503")
    writer.close()


async def test_nobody_is_told_that_the_others_go(server: Server, door: Door) -> None:
    async with door() as anna, door() as ben:
        await anna.hello()
        await anna.say({"t": "make_table", "id": "1"})
        code = (await anna.hear_of("1"))["code"]
        await ben.hello("Ben")
        await ben.say({"t": "join_table", "id": "2", "code": code})
        await ben.hear_of("2")
        await server.door.stop_reading()
        await anna.socket.close()
        await server.tables.drain()
        closing = asyncio.create_task(server.door.close())
        while (heard := await ben.hear())["t"] != "restarting":
            assert heard["present"][0]
        await closing


async def test_who_waits_for_a_store_that_is_away_is_sent_away_too(
    server: Server, door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.tables, "find", lambda _: asyncio.Event().wait())
    async with door() as anna:
        await anna.hello()
        await anna.say({"t": "join_table", "id": "1", "code": "KQXZP"})
        async with asyncio.timeout(6):
            await server.door.stop_reading()
            closing = asyncio.create_task(server.door.close())
            await sent_away(anna)
            await closing


class TestFlooded:
    @pytest.fixture
    def settings(self) -> Settings:
        return Settings(port=0, pace=0, requests_per_second=1e9)

    async def test_who_never_reads_does_not_hold_up_the_others(self, server: Server, door: Door) -> None:
        async with door() as anna, deaf_client(server.port):
            await anna.hello()
            with capture_logs() as logs:
                async with asyncio.timeout(7):
                    await server.door.stop_reading()
                    closing = asyncio.create_task(server.door.close())
                    await sent_away(anna)
                    await closing
        assert {"event": "cut off who does not listen", "connections": 1, "log_level": "warning"} in logs
