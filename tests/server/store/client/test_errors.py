"""The descriptions of errors, and which of them are transient."""

import asyncio
import socket

import pytest
import uvloop
from redis._parsers.base import BaseParser
from redis.exceptions import ConnectionError as ConnectionLost

from server.store.client.errors import TransientError, closed_handler_is_connection_error, describe, is_transient


@pytest.mark.parametrize(
    ("refusal", "description"),
    [
        ("MOVED 42 10.0.0.2:6379", "is moving the slot to another server of its cluster"),
        ("ASK 42 10.0.0.2:6379", "is moving the slot to another server of its cluster"),
        ("TRYAGAIN Multiple keys request during rehashing of slot", "is moving the slot"),
        ("CLUSTERDOWN The cluster is down", "is a cluster that is down: The cluster is down"),
        ("MASTERDOWN Link with MASTER is down", "is a replica that has lost its master"),
        ("READONLY You can't write against a read only replica.", "is a replica that takes no writes"),
        ("NOREPLICAS Not enough good replicas to write.", "has too few replicas in sync to take writes"),
        ("UNBLOCKED force unblock from blocking operation", "has just become a replica"),
        ("ERR WAIT cannot be used with replica instances.", "has just become a replica"),
        ("LOADING is loading the dataset in memory", "is still loading its data"),
        ("BUSY is busy running a script.", "refuses: BUSY is busy running a script."),
    ],
)
def test_errors_of_failovers_and_migrations_are_transient(refusal, description):
    error = BaseParser.parse_error(refusal)
    assert is_transient(error)
    assert describe(error, "h:1").startswith(f"the store at h:1 {description}")


@pytest.mark.parametrize(
    ("refusal", "description"),
    [
        ("WRONGPASS invalid username-password pair", "refuses the user name or the password"),
        ("NOAUTH Authentication required.", "asks for a password"),
        ("NOPERM No permissions to run 'wait'", "denies this user a required permission"),
        ("OOM command not allowed when used memory > 'maxmemory'.", "is full: it has reached its maxmemory"),
        ("CROSSSLOT Keys in request don't hash to the same slot", "refuses: Keys in request"),
    ],
)
def test_errors_that_need_an_operator_are_not_transient(refusal, description):
    error = BaseParser.parse_error(refusal)
    assert not is_transient(error)
    assert describe(error, "h:1", "the Sentinel").startswith(f"the Sentinel at h:1 {description}")


def test_a_transient_error_is_described_by_its_text():
    error = TransientError("no server owns slot 42")
    assert is_transient(error)
    assert describe(error, "h:1") == "no server owns slot 42"


def test_an_os_error_is_described_by_its_number_alone():
    error = ConnectionLost("Error 2 connecting to h:1. Connect call failed ('h', 1).")
    assert describe(error, "h:1") == "the store at h:1 cannot be reached: No such file or directory"


def test_a_write_to_a_closed_connection_is_a_connection_error_under_uvloop():
    async def write_to_a_closed_one():
        here, there = socket.socketpair()
        with there:
            reader, writer = await asyncio.open_connection(sock=here)
            writer.transport.abort()
            await reader.read()  # to its end
            with closed_handler_is_connection_error():
                writer.write(b"PING")

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner, pytest.raises(ConnectionResetError):
        runner.run(write_to_a_closed_one())


@pytest.mark.parametrize("ours", [RuntimeError("no such thing"), RecursionError(), NotImplementedError()])
def test_other_runtime_errors_are_not_connection_errors(ours):
    with pytest.raises(type(ours)), closed_handler_is_connection_error():
        raise ours
