"""What can go wrong with a Redis server, as one plain sentence each, and whether asking again may help.

Invariant: a sentence names what and where, and never a password.
"""

import asyncio
import os
import re
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from redis import exceptions as redis_errors

from server.store.log import StoreError

LOST = (redis_errors.RedisError, OSError, EOFError)
"""Anything a request may end with besides an answer."""

_MAY_PASS = (
    *("ASK", "BUSY", "CLUSTERDOWN", "MASTERDOWN", "MOVED", "NOREPLICAS", "NOSCRIPT", "READONLY", "TRYAGAIN"),
    *("UNBLOCKED", "WAIT cannot be used with replica"),
)


class NotSettled(redis_errors.RedisError):
    """Nobody can say for now: who keeps a key, or whether a write is safe. Its text is the whole sentence."""


@contextmanager
def closed_is_lost() -> Iterator[None]:
    """Writing to a connection that was closed meanwhile is a RuntimeError of uvloop, told from ours by its words."""
    try:
        yield
    except RuntimeError as error:
        if "the handler is closed" not in str(error):
            raise
        raise ConnectionResetError("the connection was closed") from error


def stop_if_told_to() -> None:
    """To be called after each request: raises CancelledError when somebody waits for this task to end.

    The client library sends with asyncio.wait_for, which before Python 3.12
    swallows being cancelled when it happens in the moment the sending is done.
    A timeout cancels only once, so one that was swallowed would never come.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


def place(settings: Mapping[str, Any]) -> str:
    """Where a client connects to, from the settings of its pool: host and port, or the path of a socket."""
    if "path" in settings:
        return str(settings["path"])
    return f"{settings.get('host', 'localhost')}:{settings.get('port', 6379)}"


def may_pass(error: BaseException) -> bool:
    """Whether the same request may have another answer in a moment: a lost wire, a restart, a failover."""
    match error := _unwrapped(error):
        case redis_errors.AuthenticationError() | redis_errors.AuthorizationError() | redis_errors.OutOfMemoryError():
            return False
        case redis_errors.ResponseError():
            return f"{error.status_code}".startswith(_MAY_PASS) or str(error).startswith(_MAY_PASS)
    return not any(isinstance(link, ssl.SSLCertVerificationError) for link in _links(error))


def sentence(error: BaseException, where: str, what: str = "the store") -> str:
    store = f"{what} at {where}"
    match error := _unwrapped(error):
        case NotSettled() | StoreError():
            return str(error)
        case redis_errors.AuthenticationError() if error.status_code == "NOAUTH":
            return f"{store} asks for a password"
        case redis_errors.AuthenticationError() | redis_errors.AuthorizationError():
            return f"{store} refuses the user name or the password"
        case redis_errors.NoPermissionError():
            return f"{store} does not allow this user what the server needs: {error}"
        case redis_errors.BusyLoadingError():
            return f"{store} is still loading its data"
        case redis_errors.OutOfMemoryError():
            return f"{store} is full: it has reached its maxmemory"
        case redis_errors.ReadOnlyError():
            return f"{store} is a replica that takes no writes"
        case redis_errors.MasterDownError():
            return f"{store} is a replica that has lost its master"
        case redis_errors.ClusterDownError():
            return f"{store} is a cluster that is down: {error}"
        case redis_errors.AskError() | redis_errors.TryAgainError():
            return f"{store} is just being handed over to another server of its cluster"
        case redis_errors.ResponseError() if str(error).startswith("NOREPLICAS"):
            return f"{store} has too few replicas in step to take writes"
        case redis_errors.ResponseError() if str(error).startswith(("UNBLOCKED", "WAIT cannot")):
            return f"{store} has just become a replica"
        case redis_errors.ResponseError():
            return f"{store} refuses: {error}"
        case redis_errors.TimeoutError() | TimeoutError():
            return f"{store} does not answer in time"
    return f"{store} cannot be reached: {_cause(error)}"


def _unwrapped(error: BaseException) -> BaseException:
    """The library wraps what the server answered to its greeting in an error of the connection."""
    while type(error) is redis_errors.ConnectionError and isinstance(error.__cause__, redis_errors.RedisError):
        error = error.__cause__
    return error


def _cause(error: BaseException) -> str:
    """What the operating system or TLS said, where they did."""
    for link in _links(error):
        match link:
            case ssl.SSLCertVerificationError():
                return f"its certificate is not trusted ({link.verify_message})"
            case ssl.SSLError():
                return f"TLS fails ({link.reason})"
            case OSError():
                return os.strerror(link.errno) if link.errno and link.errno > 0 else str(link)
    if told := re.match(r"Error (\d+) ", str(error)):  # the library has lost the error itself, not its number
        return os.strerror(int(told[1]))
    return str(error) or type(error).__name__


def _links(error: BaseException) -> Iterator[BaseException]:
    link: BaseException | None = error
    while link is not None:
        yield link
        link = link.__cause__ or link.__context__
