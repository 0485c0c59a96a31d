"""A connection that speaks too fast has to wait; one that listens too slowly is shown everything anew, once."""

import pytest

from server.gateway.connection import OUTBOX_FRAMES, Connection
from server.gateway.limits import Bucket
from spades_core.protocol.messages import CLOSE_TOO_SLOW, Pong


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


class DeafSocket:
    """Takes nothing; notes how it was closed."""

    closed: int | None = None

    async def send(self, _: bytes) -> None:
        raise AssertionError("nobody writes in this test")

    async def close(self, code: int, _: str) -> None:
        self.closed = code


async def test_who_does_not_listen_is_shown_everything_anew_once_and_then_let_go() -> None:
    socket, asked = DeafSocket(), []
    connection = Connection(socket, lambda: asked.append("anew"))  # type: ignore[arg-type]
    for _ in range(OUTBOX_FRAMES):
        connection.send(Pong())
    assert asked == []
    connection.send(Pong())
    assert asked == ["anew"]
    for _ in range(OUTBOX_FRAMES):
        connection.send(Pong())
    assert socket.closed is None
    connection.send(Pong())
    await connection.write()
    assert asked == ["anew"]
    assert socket.closed == CLOSE_TOO_SLOW
