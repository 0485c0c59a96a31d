"""What is said of Sentinels and clusters that are not there, are something else, or do not let us in."""

import asyncio

import pytest

from server.store.keys import keys_of
from server.store.log import StoreUnavailable as Unavailable
from tests.ports import free_ports
from tests.server.store.fleets import SERVICE
from tests.server.store.redis_logs import impatient, logging_at


async def refusal(url, **settings):
    async with logging_at(url, **({"sleep": impatient} | settings)) as log:
        with pytest.raises(Unavailable) as refused:
            await log.check()
    return str(refused.value)


async def test_that_no_sentinel_answers():
    one, two = free_ports(2)
    said = await refusal(f"redis+sentinel://127.0.0.1:{one},127.0.0.1:{two}/spades", sleep=_soon, timeout_s=0.1)
    assert said == f"the Sentinel at 127.0.0.1:{one} cannot be reached: Connection refused"


async def test_that_no_server_of_a_cluster_answers():
    (port,) = free_ports(1)
    said = await refusal(f"redis+cluster://127.0.0.1:{port}", sleep=_soon, timeout_s=0.1)
    assert said == f"the store at 127.0.0.1:{port} cannot be reached: Connection refused"


async def test_that_sentinels_know_no_master_of_that_name(sentinel_fleet):
    said = await refusal(sentinel_fleet.url.replace(SERVICE, "hearts"))
    assert said == f"the Sentinel at {sentinel_fleet.sentinels[0].at} knows no master called hearts"


async def test_that_a_server_is_no_sentinel(sentinel_fleet):
    server = sentinel_fleet.servers[0].at
    assert await refusal(f"redis+sentinel://{server}/{SERVICE}") == f"the server at {server} is not a Sentinel"


async def test_that_a_server_is_a_sentinel(sentinel_fleet):
    sentinel = sentinel_fleet.sentinels[0].at
    assert await refusal(f"redis://{sentinel}") == (
        f"the server at {sentinel} is a Sentinel: its address is redis+sentinel://HOST:PORT/SERVICE"
    )


async def test_that_a_store_is_not_a_cluster(sentinel_fleet):
    server = sentinel_fleet.servers[0].at
    assert await refusal(f"redis+cluster://{server}") == (
        f"the store at {server} is not a cluster: its address is redis://HOST:PORT"
    )


async def test_that_a_store_is_part_of_a_cluster(cluster_fleet, story):
    server = cluster_fleet.servers[0].at
    expected = f"the store at {server} is part of a cluster: its address is redis+cluster://HOST:PORT"
    assert await refusal(f"redis://{server}") == expected
    async with logging_at(f"redis://{server}") as log:
        while cluster_fleet.owner_of(keys_of(story.code).head).at == server:
            story = type(story)()
        with pytest.raises(Unavailable) as refused:
            await story.begin(log)
        assert str(refused.value) == expected


async def test_that_a_password_is_wrong_and_never_which(sentinel_fleet, cluster_fleet):
    for fleet in (sentinel_fleet, cluster_fleet):
        said = await refusal(fleet.url.replace("://", "://ann:hunter2@"))
        assert "refuses the user name or the password" in said
        assert "hunter2" not in said


async def test_a_sentinel_and_a_seed_that_are_down_do_not_matter(sentinel_fleet, cluster_fleet, story):
    (port,) = free_ports(1)
    for fleet in (sentinel_fleet, cluster_fleet):
        async with logging_at(fleet.url.replace("://", f"://127.0.0.1:{port},"), sleep=impatient) as log:
            await log.check()
            await story.begin(log)
            await story.add(log)
            story = type(story)()


async def _soon(_seconds):
    await asyncio.sleep(0)
