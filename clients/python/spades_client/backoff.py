"""How long to wait before coming back: doubling, with chance in it so that many clients do not come at once.

The first pause may be as short as none at all: when a server dies, thousands of
players come to the others in the same moment, and only full jitter spreads them
evenly. Later pauses have a least length too, for a server that is not there yet.
"""

from random import Random

FIRST_SECONDS = 0.6
LONGEST_SECONDS = 8.0


def pause_before(attempt: int, rng: Random) -> float:
    """In seconds, before attempt number `attempt` to come back; they are counted from 0."""
    most = min(LONGEST_SECONDS, FIRST_SECONDS * 2 ** min(attempt, 16))
    return rng.uniform(most / 4 if attempt else 0.0, most)
