"""Free ports for the servers that tests start.

They lie below those that the system gives to outgoing connections, so that a server which is stopped finds its port
free when it starts again. No port is given twice, and each pytest-xdist worker has ports of its own.
"""

import os
import random
import socket
from itertools import cycle

_WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
_WORKERS = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
_ALL = range(10_000 + _WORKER, 32_000, _WORKERS)
_FIRST = random.randrange(len(_ALL))
"""Drawn, since other test runs on this machine take ports, too."""
_ports = cycle((*_ALL[_FIRST:], *_ALL[:_FIRST]))


def free_ports(number: int) -> list[int]:
    """So many ports of five digits on which nothing listens."""
    found: list[int] = []
    while len(found) < number:
        port = next(_ports)
        if _is_free(port):
            found.append(port)
    return found


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
