"""How fast one connection may speak: a token bucket. Time is an argument, in seconds on any steady clock."""


class Bucket:
    """Full it allows `burst` requests at once; it fills by `rate` a second."""

    def __init__(self, rate: float, burst: int, now: float) -> None:
        self._rate = rate
        self._burst = float(burst)
        self._level = float(burst)
        self._at = now

    def take(self, now: float) -> float:
        """Count one request; returns how many seconds its sender has to wait before it is looked at."""
        self._level = min(self._burst, self._level + (now - self._at) * self._rate) - 1
        self._at = now
        return max(0.0, -self._level / self._rate)
