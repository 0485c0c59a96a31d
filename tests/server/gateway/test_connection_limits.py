"""Limits of a connection: the rate of its requests and the size of its outbox."""

import pytest

from server.gateway.connection import OUTBOX_FRAMES, Connection
from server.gateway.token_bucket import TokenBucket
from spades_core.protocol.messages import CLOSE_RESTARTING, CLOSE_TOO_SLOW, Pong, Restarting


def test_a_burst_is_free_and_then_requests_are_delayed() -> None:
    bucket = TokenBucket(rate=5, burst=20, now=100.0)
    assert [bucket.take(100.0) for _ in range(20)] == [0.0] * 20
    assert bucket.take(100.0) == pytest.approx(0.2)
    assert bucket.take(100.0) == pytest.approx(0.4)


def test_the_bucket_refills_up_to_its_burst() -> None:
    bucket = TokenBucket(rate=5, burst=20, now=0.0)
    for _ in range(20):
        bucket.take(0.0)
    assert bucket.take(1000.0) == 0.0
    assert [bucket.take(1000.0) for _ in range(19)] == [0.0] * 19
    assert bucket.take(1000.0) > 0


class Socket:
    """Records the frames it was sent and the code it was closed with."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.closed: int | None = None

    async def send(self, frame: bytes) -> None:
        self.sent.append(frame)

    async def close(self, code: int, _: str) -> None:
        self.closed = code


async def test_a_connection_with_a_full_outbox_is_closed_without_sending_it() -> None:
    socket = Socket()
    connection = Connection(socket)  # type: ignore[arg-type]
    for _ in range(OUTBOX_FRAMES + 2):
        connection.send(Pong())
    connection.close(CLOSE_RESTARTING)
    await connection.write()
    assert (socket.sent, socket.closed) == ([], CLOSE_TOO_SLOW)


async def test_the_last_message_is_sent_even_after_a_full_outbox() -> None:
    socket = Socket()
    connection = Connection(socket)  # type: ignore[arg-type]
    for _ in range(OUTBOX_FRAMES):
        connection.send(Pong())
    connection.close(CLOSE_RESTARTING, Restarting(7))
    for _ in range(2):
        connection.send(Pong())
    await connection.write()
    assert (len(socket.sent), socket.closed) == (OUTBOX_FRAMES + 1, CLOSE_RESTARTING)
    assert b"restarting" in socket.sent[-1]
