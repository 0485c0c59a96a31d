"""Encode and decode frames. A frame is one msgpack map; docs/protocol.md lists the messages."""

from typing import cast

import msgpack

from spades_core.protocol.codec import from_builtins_union, to_builtins
from spades_core.protocol.messages import ClientMessage, ServerMessage


def encode_frame(message: ClientMessage) -> bytes:
    return cast(bytes, msgpack.packb(to_builtins(message)))


def decode_frame(frame: bytes | str) -> ServerMessage:
    """Decode a frame of the server. Raises ValidationError for a message that this version does not know."""
    return cast(ServerMessage, from_builtins_union(ServerMessage, msgpack.unpackb(cast(bytes, frame))))
