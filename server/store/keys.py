"""The names of a table's keys and of the channel of its wake-ups.

Invariant: all of them carry the hash tag of one bucket, derived from the table's
code, so that one script may access them in a cluster, too.
"""

from dataclasses import dataclass
from zlib import crc32

BUCKETS = 256


@dataclass(frozen=True, slots=True)
class Keys:
    table: str
    head: str
    log: str
    games: str
    """The index of the bucket's archived games."""
    channel: str

    def game(self, n: int) -> str:
        """The key of the archived game that commit `n` ended."""
        return f"{self.table}:game:{n}"


_TAGS = tuple(f"spades:{{b{number:03}}}" for number in range(BUCKETS))

CHANNELS = tuple(f"{tag}:wakeups" for tag in _TAGS)

GAMES = tuple(f"{tag}:games" for tag in _TAGS)
"""The indexes of archived games, one for each bucket."""

SERVERS = "spades:{servers}"
"""A sorted set of the servers, by the end of their leases."""


def keys_of(code: str) -> Keys:
    bucket = crc32(code.encode()) % BUCKETS
    table = f"{_TAGS[bucket]}:{code}"
    return Keys(table, f"{table}:head", f"{table}:log", GAMES[bucket], CHANNELS[bucket])
