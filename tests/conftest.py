"""Where the tests of all folders run."""

import os

import pytest

MAX_WORKERS = 8
"""With more, their stores take longer to start than the tests take."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One worker more than there are cores: many tests wait for servers and browsers."""
    return min((os.cpu_count() or 1) + 1, MAX_WORKERS)
