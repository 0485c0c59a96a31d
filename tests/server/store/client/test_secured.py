"""TLS, users and passwords: a single store, Sentinels and a cluster are all reached with them."""

import pytest

from server.store.log import StoreUnavailable as Unavailable
from tests.server.store.redis_logs import impatient, logging_at
from tests.server.store.tls import certificate, tls_before

RIGHTS = ("~spades:*", "&spades:*", "+@all", "-@admin", "-@dangerous", "+info", "+config|get", "+role")


@pytest.fixture(params=["sentinel", "cluster"])
def fleet(request):
    return request.getfixturevalue(f"{request.param}_fleet")


async def plays(url, story, ear):
    async with logging_at(url, sleep=impatient) as log, ear().on(log) as hearing:
        await log.check()
        await story.begin(log)
        await story.add(log)
        assert [await hearing.of(story), await hearing.of(story)] == story.told
        assert (await log.load(story.code)).last == (await log.heads([story.code]))[story.code].at == story.last
        await log.set_presence(story.code, "s1", {"ann": 1})
        await log.heartbeat("s1", 1)
        await log.leave("s1")


# TLS


async def test_a_single_store_is_reached_through_tls(sentinel_fleet, story, ear, tmp_path):
    pem, server = certificate(tmp_path), sentinel_fleet.owner_of("")
    async with tls_before([server.port], pem) as fronts:
        await plays(f"rediss://127.0.0.1:{fronts[server.port]}?ssl_ca_certs={pem}", story, ear)


async def test_every_server_is_reached_through_tls_when_the_address_says_so(fleet, story, ear, tmp_path):
    pem = certificate(tmp_path)
    async with tls_before([each.port for each in (*fleet.servers, *fleet.sentinels)], pem) as fronts:
        url = fleet.url.replace("redis+", "rediss+")
        for port, front in fronts.items():
            url = url.replace(str(port), str(front))
        await plays(f"{url}?ssl_ca_certs={pem}", story, ear)
        async with logging_at(url, sleep=impatient) as log:
            with pytest.raises(Unavailable, match="cannot be reached: its certificate is not trusted"):
                await log.check()


# Users and passwords


@pytest.fixture
def user(fleet):
    """One who may do no more than the server needs."""
    for server in fleet.servers:
        server.client.execute_command("ACL", "SETUSER", "spades", "on", ">p@ss", *RIGHTS)
    for sentinel in fleet.sentinels:
        sentinel.client.execute_command("ACL", "SETUSER", "sam", "on", ">s", "+sentinel|get-master-addr-by-name")
    yield "spades:p%40ss"
    for server in fleet.servers:
        server.client.execute_command("ACL", "DELUSER", "spades")
    for sentinel in fleet.sentinels:
        sentinel.client.execute_command("ACL", "DELUSER", "sam")


async def test_a_user_with_few_rights_is_enough(fleet, user, story, ear):
    url = fleet.url.replace("://", f"://{user}@")
    if not fleet.sentinels:
        await plays(url, story, ear)
        return
    await plays(f"{url}?sentinel_password=", story, ear)
    await plays(f"{url}?sentinel_user=sam&sentinel_password=s", type(story)(), ear)
