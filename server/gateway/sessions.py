"""Guest sessions: a token is a person on a device, and nothing else has to be remembered.

The token is 256 random bits. The player it stands for is its hash, so whatever
is stored about a player, in tables and logs, cannot be turned back into a
token, and a server that was killed knows its guests again without having kept
a list of them.
"""

import hashlib
import re
import secrets
from dataclasses import dataclass, field

_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


CLOCKS_APART_MS = 30_000
"""How far a player's clock is believed to be from ours; or how long a hello waited at a server that was paused."""


@dataclass(frozen=True, slots=True)
class Session:
    """`name` is what the player wants to be called from now on, `connected_at` when the connection was begun (ms)."""

    token: str = field(repr=False)
    player: str
    name: str
    connected_at: int


def open_session(name: str, token: str | None, connected_at: int | None, now_ms: int) -> Session:
    """The session of a token, or a new one. A text that cannot be one of our tokens begins a new session, too.

    The player's clock may be wrong by hours: it is believed as far as it can be true.
    """
    if token is None or not _TOKEN.fullmatch(token):
        token = secrets.token_urlsafe(32)
    player = hashlib.sha256(b"fourth-seat player " + token.encode()).hexdigest()[:24]
    since = (
        now_ms if connected_at is None else min(max(connected_at, now_ms - CLOCKS_APART_MS), now_ms + CLOCKS_APART_MS)
    )
    return Session(token, player, name, since)
