"""A short run of `python -m tests.chaos`."""

import asyncio
import sys

import pytest

from tests.scale import cases

COMMAND = ("-m", "tests.chaos", "--seconds", str(cases(10, 20)), "--tables", "10")


@pytest.mark.timeout(180)
async def test_nothing_is_lost_doubled_or_out_of_order_while_servers_store_and_connections_fail() -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, *COMMAND, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    output = (await process.communicate())[0].decode()
    assert process.returncode == 0, output
    assert "lost 0, doubled 0, out of order 0" in output
