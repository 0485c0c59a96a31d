"""A token bucket that limits the rate of requests. Time is an argument, in seconds of any monotonic clock."""


class TokenBucket:
    """Allow `burst` requests at once, and `rate` more per second."""

    def __init__(self, rate: float, burst: int, now: float) -> None:
        self._rate = rate
        self._burst = float(burst)
        self._tokens = float(burst)
        self._updated_at = now

    def take(self, now: float) -> float:
        """Take a token for one request and return the seconds to wait before serving it."""
        self._tokens = min(self._burst, self._tokens + (now - self._updated_at) * self._rate) - 1
        self._updated_at = now
        return max(0.0, -self._tokens / self._rate)
