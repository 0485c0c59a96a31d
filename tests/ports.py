"""Free ports for the servers that tests start.

They lie below those that the system gives to outgoing connections, so that a server which is stopped finds its port
free when it starts again. No port is given twice, and no other test process on this machine is given the same.
"""

import random
import socket
from collections.abc import Iterator

_BLOCK = 100


def free_ports(number: int) -> list[int]:
    """So many ports of five digits on which nothing listens."""
    return [next(_ports) for _ in range(number)]


def _all_free_ports() -> Iterator[int]:
    """Block by block: a socket on the first port of a block keeps other test processes away from the others."""
    for first in random.sample(range(10_000, 32_000, _BLOCK), k=22_000 // _BLOCK):
        with socket.socket() as claim:
            if not _binds(claim, first):
                continue
            for port in range(first + 1, first + _BLOCK):
                with socket.socket() as probe:
                    is_free = _binds(probe, port)
                if is_free:
                    yield port


def _binds(new: socket.socket, port: int) -> bool:
    try:
        new.bind(("127.0.0.1", port))
    except OSError:
        return False
    return True


_ports = _all_free_ports()
