"""Sizes of tests: `make test` runs the short forms, `make test-long`, which sets LONG_TESTS=1, the long forms."""

import os

LONG = os.environ.get("LONG_TESTS", "") not in ("", "0")


def cases(short: int, long: int) -> int:
    """Return the number of cases to test: `short` or `long`, as the run is."""
    return long if LONG else short
