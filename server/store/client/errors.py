"""The errors of a request to a Redis server: one plain sentence for each, and whether a retry may help.

Invariant: a sentence names the problem and the server, and never a password.
"""

import asyncio
import os
import re
import ssl
from collections.abc import Iterator
from contextlib import contextmanager

from redis import exceptions as redis_errors

from server.store.log import StoreError, StoreUnavailable

NODE_ERRORS = (redis_errors.RedisError, OSError, EOFError)
"""The errors of a request to one server."""
CLIENT_ERRORS = (StoreUnavailable, *NODE_ERRORS)
"""The errors of a request to the store: also those of finding the server that owns the key."""

_TRANSIENT = (
    *("ASK", "BUSY", "CLUSTERDOWN", "MASTERDOWN", "MOVED", "NOREPLICAS", "NOSCRIPT", "READONLY", "TRYAGAIN"),
    *("UNBLOCKED", "WAIT cannot be used with replica"),
)


class TransientError(redis_errors.RedisError):
    """The owner of a key, or whether a write was replicated, is unknown for now. Its text is the whole sentence."""


@contextmanager
def closed_handler_is_connection_error() -> Iterator[None]:
    """Turn uvloop's RuntimeError for a write to a closed connection, known by its text, into a ConnectionResetError."""
    try:
        yield
    except RuntimeError as error:
        if "the handler is closed" not in str(error):
            raise
        raise ConnectionResetError("the connection was closed") from error


def raise_if_cancelled() -> None:
    """Raise CancelledError if the current task was cancelled; call it after each request.

    redis-py sends with asyncio.wait_for, which before Python 3.12 swallows a
    cancellation that arrives just as the sending completes. A timeout cancels
    only once, so it would be lost.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


def is_transient(error: BaseException) -> bool:
    """Return whether a retry may succeed, as after a lost connection, a restart or a failover."""
    match error := _unwrapped(error):
        case redis_errors.AuthenticationError() | redis_errors.AuthorizationError() | redis_errors.OutOfMemoryError():
            return False
        case redis_errors.ResponseError():
            return f"{error.status_code}".startswith(_TRANSIENT) or str(error).startswith(_TRANSIENT)
    return not any(isinstance(cause, ssl.SSLCertVerificationError) for cause in _causes(error))


def describe(error: BaseException, address: str, role: str = "the store") -> str:
    """Return one sentence about an error of the server at `address`."""
    store = f"{role} at {address}"
    match error := _unwrapped(error):
        case TransientError() | StoreError():
            return str(error)
        case redis_errors.AuthenticationError() if error.status_code == "NOAUTH":
            return f"{store} asks for a password"
        case redis_errors.AuthenticationError() | redis_errors.AuthorizationError():
            return f"{store} refuses the user name or the password"
        case redis_errors.NoPermissionError():
            return f"{store} denies this user a required permission: {error}"
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
            return f"{store} is moving the slot to another server of its cluster"
        case redis_errors.ResponseError() if str(error).startswith("NOREPLICAS"):
            return f"{store} has too few replicas in sync to take writes"
        case redis_errors.ResponseError() if str(error).startswith(("UNBLOCKED", "WAIT cannot")):
            return f"{store} has just become a replica"
        case redis_errors.ResponseError():
            return f"{store} refuses: {error}"
        case redis_errors.TimeoutError() | TimeoutError():
            return f"{store} does not answer in time"
    return f"{store} cannot be reached: {_root_cause(error)}"


def _unwrapped(error: BaseException) -> BaseException:
    """Unwrap a server's refusal of the handshake, which redis-py wraps in a ConnectionError."""
    while type(error) is redis_errors.ConnectionError and isinstance(error.__cause__, redis_errors.RedisError):
        error = error.__cause__
    return error


def _root_cause(error: BaseException) -> str:
    """Return the message of the operating system or TLS, if there is one."""
    for cause in _causes(error):
        match cause:
            case ssl.SSLCertVerificationError():
                return f"its certificate is not trusted ({cause.verify_message})"
            case ssl.SSLError():
                return f"TLS fails ({cause.reason})"
            case OSError():
                return os.strerror(cause.errno) if cause.errno and cause.errno > 0 else str(cause)
    if found := re.match(r"Error (\d+) ", str(error)):  # redis-py dropped the OSError but kept its number
        return os.strerror(int(found[1]))
    return str(error) or type(error).__name__


def _causes(error: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__ or cause.__context__
