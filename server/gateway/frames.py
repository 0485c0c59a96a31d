"""Decode and encode frames. A frame is one msgpack map; docs/protocol.md lists the messages."""

from typing import cast

import msgpack

from spades_core.protocol.codec import ValidationError, from_builtins_union, to_builtins
from spades_core.protocol.messages import ClientMessage, ServerMessage

MAX_FRAME = 4096
"""Largest frame accepted from a client, in bytes; real messages are far shorter."""


def decode_frame(frame: str | bytes) -> ClientMessage:
    """Decode a frame of a client. Raises ValidationError, naming the field, if it is not a client message."""
    if isinstance(frame, str):
        raise ValidationError("", "expected a binary frame, got text")
    try:
        plain = msgpack.unpackb(frame, ext_hook=_no_extensions, strict_map_key=True)
    except ValidationError:
        raise
    except Exception as problem:  # msgpack raises many types for invalid input
        raise ValidationError("", "the frame is not msgpack") from problem
    return cast(ClientMessage, from_builtins_union(ClientMessage, plain))


def encode_frame(message: ServerMessage) -> bytes:
    return cast(bytes, msgpack.packb(to_builtins(message)))


def _no_extensions(_code: int, _data: bytes) -> object:
    raise ValidationError("", "msgpack extension types are not used here")
