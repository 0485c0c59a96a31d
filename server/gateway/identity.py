"""Guest identities: a token identifies a person on a device, and nothing is stored.

A token is 256 random bits; the player id is its hash. Tables and logs store
only the player id, which cannot be turned back into a token, and a server that
was killed recognizes its guests without having kept a list of them.
"""

import hashlib
import re
import secrets
from dataclasses import dataclass, field

_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")

MAX_CLOCK_SKEW_MS = 30_000
"""Largest accepted difference between a client's clock and ours, including the time a hello waited at a busy server."""


@dataclass(frozen=True, slots=True)
class Identity:
    """A player as identified by a hello; `connected_at` is when the connection was opened, in ms since the epoch."""

    token: str = field(repr=False)
    player: str
    name: str
    connected_at: int


def identify(name: str, token: str | None, connected_at: int | None, now_ms: int) -> Identity:
    """Return the identity of a token, or a new identity if there is no token or it is not one of ours.

    The client's clock may be wrong by hours, so `connected_at` is clamped to `MAX_CLOCK_SKEW_MS` around `now_ms`.
    """
    if token is None or not _TOKEN.fullmatch(token):
        token = secrets.token_urlsafe(32)
    player = hashlib.sha256(b"fourth-seat player " + token.encode()).hexdigest()[:24]
    at = now_ms if connected_at is None else connected_at
    return Identity(token, player, name, min(max(at, now_ms - MAX_CLOCK_SKEW_MS), now_ms + MAX_CLOCK_SKEW_MS))
