"""TLS, users and passwords, for every kind of store."""

import pytest

from server.store.log import StoreUnavailable as Unavailable
from tests.server.store.stores import no_retry, open_log
from tests.server.store.tls import certificate, tls_proxies

RIGHTS = ("~spades:*", "&spades:*", "+@all", "-@admin", "-@dangerous", "+info", "+config|get", "+role")


@pytest.fixture(params=["sentinel", "cluster"])
def deployment(request):
    return request.getfixturevalue(f"{request.param}_deployment")


async def plays(url, history, subscriber):
    async with open_log(url, sleep=no_retry) as log, subscriber().on(log) as received:
        await log.check()
        await history.create(log)
        await history.add(log)
        assert [await received.of(history), await received.of(history)] == history.commits
        assert (await log.load(history.code)).last == (await log.heads([history.code]))[history.code].at == history.last
        await log.set_presence(history.code, "s1", {"ann": 1})
        await log.heartbeat("s1", 1)
        await log.leave("s1")


# TLS


async def test_a_single_server_is_reached_over_tls(sentinel_deployment, history, subscriber, tmp_path):
    pem, server = certificate(tmp_path), sentinel_deployment.owner_of("")
    async with tls_proxies([server.port], pem) as fronts:
        await plays(f"rediss://127.0.0.1:{fronts[server.port]}?ssl_ca_certs={pem}", history, subscriber)


async def test_every_server_is_reached_over_tls(deployment, history, subscriber, tmp_path):
    pem = certificate(tmp_path)
    async with tls_proxies([each.port for each in (*deployment.servers, *deployment.sentinels)], pem) as fronts:
        url = deployment.url.replace("redis+", "rediss+")
        for port, front in fronts.items():
            url = url.replace(str(port), str(front))
        await plays(f"{url}?ssl_ca_certs={pem}", history, subscriber)
        async with open_log(url, sleep=no_retry) as log:
            with pytest.raises(Unavailable, match="cannot be reached: its certificate is not trusted"):
                await log.check()


# Users and passwords


@pytest.fixture
def user(deployment):
    """A user with the documented rights only."""
    for server in deployment.servers:
        server.client.execute_command("ACL", "SETUSER", "spades", "on", ">p@ss", *RIGHTS)
    for sentinel in deployment.sentinels:
        sentinel.client.execute_command("ACL", "SETUSER", "sam", "on", ">s", "+sentinel|get-master-addr-by-name")
    yield "spades:p%40ss"
    for server in deployment.servers:
        server.client.execute_command("ACL", "DELUSER", "spades")
    for sentinel in deployment.sentinels:
        sentinel.client.execute_command("ACL", "DELUSER", "sam")


async def test_the_documented_rights_of_a_user_suffice(deployment, user, history, subscriber):
    url = deployment.url.replace("://", f"://{user}@")
    if not deployment.sentinels:
        await plays(url, history, subscriber)
        return
    await plays(f"{url}?sentinel_password=", history, subscriber)
    await plays(f"{url}?sentinel_user=sam&sentinel_password=s", type(history)(), subscriber)
