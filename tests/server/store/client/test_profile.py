"""The durability profile and the warnings of unsafe settings."""

import pytest
from structlog.testing import capture_logs

from server.store.client.node import Node
from tests.server.store.stores import open_log


async def checked(url):
    async with open_log(url) as log:
        with capture_logs() as logged:
            await log.check()
    *warnings, reached = logged
    assert reached["event"] == "store reached"
    return reached, [warning["event"] for warning in warnings]


@pytest.mark.parametrize(
    ("settings", "promise", "warnings"),
    [
        ({}, ("always", "once it is on disk", "nothing, unless the disk lies"), []),
        (
            {"appendfsync": "everysec"},
            (
                "everysec",
                "once the store has it; on disk a second later",
                "one or two seconds, when the machine fails",
            ),
            [],
        ),
        (
            {"appendfsync": "no"},
            ("no", "once the store has it", "half a minute, when the machine fails"),
            ["the store leaves writing to disk to the system: set its appendfsync to everysec or always"],
        ),
        (
            {"appendonly": "no", "maxmemory": "1gb", "maxmemory-policy": "allkeys-lru"},
            ("none", "once the store has it in memory", "everything, when the store ends"),
            [
                "the store keeps no append-only file: its tables may be lost with it",
                "the store may evict tables in play: set its maxmemory-policy to noeviction",
            ],
        ),
    ],
)
async def test_the_profile_of_a_single_server_follows_its_settings(own_store, admin, settings, promise, warnings):
    for name, value in settings.items():
        await admin.config_set(name, value)
    reached, warned = await checked(own_store)
    assert (reached["profile"], reached["acknowledged"], reached["may_be_lost"]) == (
        *(f"single, appendfsync {promise[0]}", *promise[1:]),
    )
    assert warned == warnings


async def test_a_store_that_hides_its_settings_has_an_unknown_profile(own_store, admin):
    await admin.execute_command("ACL", "SETUSER", "shy", "on", ">pw", "~*", "&*", "+@all", "-config")
    reached, warned = await checked(own_store.replace("unix://", "unix://shy@") + "?password=pw")
    assert reached["profile"] == "single, appendfsync unknown"
    assert warned == ["the store hides its settings: check appendfsync and min-replicas-to-write yourself"]


@pytest.mark.parametrize("kind", ["sentinel", "cluster"])
async def test_with_replicas_a_write_is_acknowledged_by_one_of_them(request, kind):
    reached, warned = await checked(request.getfixturevalue(f"{kind}_deployment").url)
    assert reached["profile"] == f"{kind}, appendfsync everysec"
    assert reached["acknowledged"] == "once a replica has it too"
    assert "rollback" in reached["may_be_lost"]
    assert warned == []


async def test_a_master_without_replicas_is_warned_of(sentinel_deployment, monkeypatch):
    execute = Node.execute

    async def patched(node, *commands):
        answers = await execute(node, *commands)
        if commands[0] == ("INFO",):
            answers[0] = answers[0].replace(b"connected_slaves:2", b"connected_slaves:0")
            answers[1] = [b"appendfsync", b"everysec", b"min-replicas-to-write", b"0"]
        return answers

    monkeypatch.setattr(Node, "execute", patched)
    _, warned = await checked(sentinel_deployment.url)
    assert warned == [
        "the store takes writes without any replica: set its min-replicas-to-write to 1",
        "the store has no replica: nothing is acknowledged until it has one",
    ]
