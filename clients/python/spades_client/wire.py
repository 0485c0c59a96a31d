"""Encoding of client messages and decoding of server messages: one frame is one msgpack map."""

from typing import cast

import msgpack

from spades_core.protocol.codec import from_builtins_union, to_builtins
from spades_core.protocol.messages import ClientMessage, ServerMessage


def write_frame(message: ClientMessage) -> bytes:
    return cast(bytes, msgpack.packb(to_builtins(message)))


def read_frame(frame: bytes | str) -> ServerMessage:
    """Raises ValidationError for what this version does not know."""
    return cast(ServerMessage, from_builtins_union(ServerMessage, msgpack.unpackb(cast(bytes, frame))))
