"""The size of the tests: `make test` runs a short form of some, `make test-long` (LONG_TESTS=1) the long form."""

import os

LONG = os.environ.get("LONG_TESTS", "") not in ("", "0")


def cases(short: int, long: int) -> int:
    """How many cases a test tries, in its short form and in its long form."""
    return long if LONG else short
