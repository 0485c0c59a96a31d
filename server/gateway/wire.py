"""Frames to messages and back. A frame is one msgpack map; docs/protocol.md lists them all."""

from typing import cast

import msgpack

from spades_core.protocol.codec import ValidationError, from_builtins_union, to_builtins
from spades_core.protocol.messages import ClientMessage, ServerMessage

MAX_FRAME = 4096
"""In bytes; what a client has to say is far shorter."""


def read_frame(frame: str | bytes) -> ClientMessage:
    """Raises ValidationError, naming the field, for anything that is not a message of a client."""
    if isinstance(frame, str):
        raise ValidationError("", "expected a binary frame, got text")
    try:
        plain = msgpack.unpackb(frame, ext_hook=_no_extensions, strict_map_key=True)
    except ValidationError:
        raise
    except Exception as problem:  # msgpack raises many kinds for bytes that are none of its own
        raise ValidationError("", "the frame is not msgpack") from problem
    return cast(ClientMessage, from_builtins_union(ClientMessage, plain))


def write_frame(message: ServerMessage) -> bytes:
    return cast(bytes, msgpack.packb(to_builtins(message)))


def _no_extensions(_code: int, _data: bytes) -> object:
    raise ValidationError("", "msgpack extension types are not used here")
