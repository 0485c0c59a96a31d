"""Where a table is kept: the names of its keys and of the channel of its wake-ups.

Invariant: they all carry the hash tag of one bucket, chosen by the table's code,
so that one script may touch them in a cluster too.
"""

from dataclasses import dataclass
from zlib import crc32

BUCKETS = 256


@dataclass(frozen=True, slots=True)
class Keys:
    head: str
    log: str
    old_snapshot: str
    """Only tables written by schema 1 have one."""
    games: str
    """The index of the archived games of the bucket."""
    channel: str

    def game(self, n: int) -> str:
        """The archived game that commit `n` ended."""
        return f"{self.head.removesuffix(':h')}:g:{n}"


_TAGS = tuple(f"sp:{{b{number:03}}}" for number in range(BUCKETS))

CHANNELS = tuple(f"{tag}:w" for tag in _TAGS)

GAMES = tuple(f"{tag}:games" for tag in _TAGS)
"""The indexes of the archived games of all buckets."""

SERVERS = "sp:{servers}"
"""The servers that are alive, and until when."""


def keys_of(code: str) -> Keys:
    bucket = crc32(code.encode()) % BUCKETS
    table = f"{_TAGS[bucket]}:{code}"
    return Keys(f"{table}:h", f"{table}:l", f"{table}:s", GAMES[bucket], CHANNELS[bucket])
