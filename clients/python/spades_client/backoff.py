"""How long to wait before the next attempt: doubling, with full jitter so that many clients do not come at once."""

from random import Random

FIRST_SECONDS = 0.25
LONGEST_SECONDS = 8.0


def pause_before(attempt: int, chance: Random) -> float:
    """In seconds, before attempt number `attempt`; the first attempt, number 0, is made at once."""
    if attempt == 0:
        return 0.0
    most = min(LONGEST_SECONDS, FIRST_SECONDS * 2 ** min(attempt, 16))
    return chance.uniform(most / 4, most)
