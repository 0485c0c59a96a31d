"""Exponential back-off with jitter between attempts to connect.

The first delay may be zero: when a server dies, all its players reconnect at the
same moment, and only full jitter spreads them evenly. Later delays have a lower
bound, for a server that is not up yet.
"""

from random import Random

INITIAL_DELAY_SECONDS = 0.6
MAX_DELAY_SECONDS = 8.0


def backoff_delay(attempt: int, rng: Random) -> float:
    """Return the seconds to wait before reconnection attempt `attempt`, counted from 0."""
    longest = min(MAX_DELAY_SECONDS, INITIAL_DELAY_SECONDS * 2 ** min(attempt, 16))
    return rng.uniform(longest / 4 if attempt else 0.0, longest)
