"""The error messages for unreachable, unsuitable and forbidden Sentinels and clusters."""

import asyncio

import pytest

from server.store.keys import keys_of
from server.store.log import StoreUnavailable as Unavailable
from tests.ports import free_ports
from tests.server.store.deployments import SERVICE
from tests.server.store.stores import no_retry, open_log


async def refusal(url, **settings):
    async with open_log(url, **({"sleep": no_retry} | settings)) as log:
        with pytest.raises(Unavailable) as refused:
            await log.check()
    return str(refused.value)


async def test_no_sentinel_answers():
    one, two = free_ports(2)
    message = await refusal(f"redis+sentinel://127.0.0.1:{one},127.0.0.1:{two}/spades", sleep=_soon, timeout_s=0.3)
    assert message == f"the Sentinel at 127.0.0.1:{one} cannot be reached: Connection refused"


async def test_no_server_of_a_cluster_answers():
    (port,) = free_ports(1)
    message = await refusal(f"redis+cluster://127.0.0.1:{port}", sleep=_soon, timeout_s=0.3)
    assert message == f"the store at 127.0.0.1:{port} cannot be reached: Connection refused"


async def test_the_sentinels_do_not_know_the_service(sentinel_deployment):
    message = await refusal(sentinel_deployment.url.replace(SERVICE, "hearts"))
    assert message == f"the Sentinel at {sentinel_deployment.sentinels[0].address} knows no master called hearts"


async def test_the_server_is_not_a_sentinel(sentinel_deployment):
    server = sentinel_deployment.servers[0].address
    assert await refusal(f"redis+sentinel://{server}/{SERVICE}") == f"the server at {server} is not a Sentinel"


async def test_the_server_is_a_sentinel(sentinel_deployment):
    sentinel = sentinel_deployment.sentinels[0].address
    assert await refusal(f"redis://{sentinel}") == (
        f"the server at {sentinel} is a Sentinel: its address is redis+sentinel://HOST:PORT/SERVICE"
    )


async def test_the_store_is_not_a_cluster(sentinel_deployment):
    server = sentinel_deployment.servers[0].address
    assert await refusal(f"redis+cluster://{server}") == (
        f"the store at {server} is not a cluster: its address is redis://HOST:PORT"
    )


async def test_the_store_is_part_of_a_cluster(cluster_deployment, history):
    server = cluster_deployment.servers[0].address
    expected = f"the store at {server} is part of a cluster: its address is redis+cluster://HOST:PORT"
    assert await refusal(f"redis://{server}") == expected
    async with open_log(f"redis://{server}") as log:
        while cluster_deployment.owner_of(keys_of(history.code).head).address == server:
            history = type(history)()
        with pytest.raises(Unavailable) as refused:
            await history.create(log)
        assert str(refused.value) == expected


async def test_a_wrong_password_is_reported_without_being_shown(sentinel_deployment, cluster_deployment):
    for deployment in (sentinel_deployment, cluster_deployment):
        message = await refusal(deployment.url.replace("://", "://ann:hunter2@"))
        assert "refuses the user name or the password" in message
        assert "hunter2" not in message


async def test_a_listed_server_that_is_down_is_passed_over(sentinel_deployment, cluster_deployment, history):
    (port,) = free_ports(1)
    for deployment in (sentinel_deployment, cluster_deployment):
        async with open_log(deployment.url.replace("://", f"://127.0.0.1:{port},"), sleep=no_retry) as log:
            await log.check()
            await history.create(log)
            await history.add(log)
            history = type(history)()


async def _soon(_seconds):
    await asyncio.sleep(0)
