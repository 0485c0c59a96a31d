"""An orderly shutdown: pending requests are answered, then every client is told when to reconnect."""

import asyncio
from contextlib import AsyncExitStack

import pytest
from structlog.testing import capture_logs
from websockets.asyncio.client import connect

from server.settings import Settings
from spades_core.protocol.messages import CLOSE_RESTARTING
from tests.server.gateway.conftest import ClientFactory, RawClient, Server, deaf_client


async def restart_delay(client: RawClient) -> int:
    """Receive until `restarting` and the close after it; return the milliseconds of the message."""
    while (received := await client.receive())["t"] != "restarting":
        pass
    assert await client.wait_closed() == CLOSE_RESTARTING
    return int(received["ms"])


async def test_every_client_is_told_its_own_time_to_reconnect(server: Server, new_client: ClientFactory) -> None:
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(new_client()) for _ in range(8)]
        for client in clients[1:]:  # one has not even said hello
            await client.hello()
        await server.gateway.stop_reading()
        closing = asyncio.create_task(server.gateway.close())
        times = [await restart_delay(client) for client in clients]
        await closing
    assert all(0 <= ms <= 208 for ms in times)
    assert len(set(times)) > 4


async def test_requests_received_before_the_stop_are_answered_before_the_close(
    server: Server, new_client: ClientFactory
) -> None:
    async with new_client() as anna:
        await anna.hello()
        await anna.send({"t": "make_table", "id": "1"})
        await anna.receive_answer("1")
        for number in range(20):
            await anna.send({"t": "add_bot", "id": f"add {number}", "seat": 1})
        await server.gateway.stop_reading()
        await server.tables.drain()
        closing = asyncio.create_task(server.gateway.close())
        for number in range(20):
            await anna.receive_answer(f"add {number}")
        await restart_delay(anna)
        await closing


async def test_requests_received_after_the_stop_are_not_processed(server: Server, new_client: ClientFactory) -> None:
    async with new_client() as anna:
        await anna.hello()
        await server.gateway.stop_reading()
        await anna.send({"t": "make_table", "id": "late"})
        closing = asyncio.create_task(server.gateway.close())
        assert (await anna.receive())["t"] == "restarting"
        await closing
    assert len(server.tables) == 0


async def test_new_connections_are_refused_during_a_stop(server: Server, new_client: ClientFactory) -> None:
    async with new_client() as anna:
        await anna.hello()
        await server.gateway.stop_reading()
        with pytest.raises(ConnectionRefusedError):
            async with new_client():
                pass


async def test_a_handshake_in_progress_is_refused_at_a_stop(server: Server) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    await asyncio.sleep(0)
    async with connect(f"ws://127.0.0.1:{server.port}/ws"):  # so the one before it was accepted
        await server.gateway.stop_reading()
        writer.write(
            b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        assert (await reader.readline()).startswith(b"HTTP/1.1 503")
    writer.close()


async def test_clients_are_not_told_that_the_others_leave(server: Server, new_client: ClientFactory) -> None:
    async with new_client() as anna, new_client() as ben:
        await anna.hello()
        await anna.send({"t": "make_table", "id": "1"})
        code = (await anna.receive_answer("1"))["code"]
        await ben.hello("Ben")
        await ben.send({"t": "join_table", "id": "2", "code": code})
        await ben.receive_answer("2")
        await server.gateway.stop_reading()
        await anna.socket.close()
        await server.tables.drain()
        closing = asyncio.create_task(server.gateway.close())
        while (received := await ben.receive())["t"] != "restarting":
            assert received["present"][0]
        await closing


async def test_a_client_that_waits_for_an_unavailable_store_is_closed_too(
    server: Server, new_client: ClientFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.tables, "find", lambda _: asyncio.Event().wait())
    async with new_client() as anna:
        await anna.hello()
        await anna.send({"t": "join_table", "id": "1", "code": "KQXZP"})
        async with asyncio.timeout(6):
            await server.gateway.stop_reading()
            closing = asyncio.create_task(server.gateway.close())
            await restart_delay(anna)
            await closing


class TestFlooded:
    @pytest.fixture
    def settings(self) -> Settings:
        return Settings(port=0, pace=0, requests_per_second=1e9)

    async def test_a_client_that_never_reads_does_not_delay_the_others(
        self, server: Server, new_client: ClientFactory
    ) -> None:
        async with new_client() as anna, deaf_client(server.port):
            await anna.hello()
            with capture_logs() as logs:
                async with asyncio.timeout(7):
                    await server.gateway.stop_reading()
                    closing = asyncio.create_task(server.gateway.close())
                    await restart_delay(anna)
                    await closing
        assert {"event": "aborting unresponsive connections", "connections": 1, "log_level": "warning"} in logs
