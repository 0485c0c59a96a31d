"""A connection that speaks too fast has to wait; one that listens too slowly is let go."""

import pytest

from server.gateway.connection import OUTBOX_FRAMES, Connection
from server.gateway.limits import Bucket
from spades_core.protocol.messages import CLOSE_RESTARTING, CLOSE_TOO_SLOW, Pong, Restarting


def test_a_burst_is_free_and_then_requests_wait_their_turn() -> None:
    bucket = Bucket(rate=5, burst=20, now=100.0)
    assert [bucket.take(100.0) for _ in range(20)] == [0.0] * 20
    assert bucket.take(100.0) == pytest.approx(0.2)
    assert bucket.take(100.0) == pytest.approx(0.4)


def test_the_bucket_fills_again_but_not_above_its_burst() -> None:
    bucket = Bucket(rate=5, burst=20, now=0.0)
    for _ in range(20):
        bucket.take(0.0)
    assert bucket.take(1000.0) == 0.0
    assert [bucket.take(1000.0) for _ in range(19)] == [0.0] * 19
    assert bucket.take(1000.0) > 0


class Socket:
    """Notes what it was sent, and how it was closed."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.closed: int | None = None

    async def send(self, frame: bytes) -> None:
        self.sent.append(frame)

    async def close(self, code: int, _: str) -> None:
        self.closed = code


async def test_who_does_not_listen_is_let_go_and_told_nothing_more() -> None:
    socket = Socket()
    connection = Connection(socket)  # type: ignore[arg-type]
    for _ in range(OUTBOX_FRAMES + 2):
        connection.send(Pong())
    connection.close(CLOSE_RESTARTING)
    await connection.write()
    assert (socket.sent, socket.closed) == ([], CLOSE_TOO_SLOW)


async def test_a_goodbye_to_a_full_outbox_is_the_last_that_is_said() -> None:
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
