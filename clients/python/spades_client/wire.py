"""Frames to messages and back, seen from a client."""

from typing import cast

import msgpack

from spades_core.protocol.codec import from_plain_union, to_plain
from spades_core.protocol.messages import ClientMessage, ServerMessage


def write_frame(message: ClientMessage) -> bytes:
    return cast(bytes, msgpack.packb(to_plain(message)))


def read_frame(frame: bytes | str) -> ServerMessage:
    """Raises Malformed for what this version does not know."""
    return cast(ServerMessage, from_plain_union(ServerMessage, msgpack.unpackb(cast(bytes, frame))))
