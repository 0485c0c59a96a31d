"""What a store promises is said at the start, and warned of where its settings fall short."""

import pytest
from structlog.testing import capture_logs

from server.store.client.node import Node
from tests.server.store.redis_logs import logging_at


async def said_of(url):
    async with logging_at(url) as log:
        with capture_logs() as said:
            await log.check()
    *warnings, reached = said
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
async def test_a_single_store_promises_what_its_settings_allow(own_store, admin, settings, promise, warnings):
    for name, value in settings.items():
        await admin.config_set(name, value)
    reached, warned = await said_of(own_store)
    assert (reached["profile"], reached["acknowledged"], reached["may_be_lost"]) == (
        *(f"single, appendfsync {promise[0]}", *promise[1:]),
    )
    assert warned == warnings


async def test_a_store_that_does_not_tell_its_settings_promises_no_more_than_is_known(own_store, admin):
    await admin.execute_command("ACL", "SETUSER", "shy", "on", ">pw", "~*", "&*", "+@all", "-config")
    reached, warned = await said_of(own_store.replace("unix://", "unix://shy@") + "?password=pw")
    assert reached["profile"] == "single, appendfsync unknown"
    assert warned == ["the store hides its settings: check appendfsync and min-replicas-to-write yourself"]


@pytest.mark.parametrize("kind", ["sentinel", "cluster"])
async def test_with_replicas_an_answer_means_that_one_of_them_has_it(request, kind):
    reached, warned = await said_of(request.getfixturevalue(f"{kind}_fleet").url)
    assert reached["profile"] == f"{kind}, appendfsync everysec"
    assert reached["acknowledged"] == "once a replica has it too"
    assert "rewind" in reached["may_be_lost"]
    assert warned == []


async def test_a_master_without_replicas_or_that_does_without_them_is_warned_of(sentinel_fleet, monkeypatch):
    execute = Node.execute

    async def patched(node, *commands):
        answers = await execute(node, *commands)
        if commands[0] == ("INFO",):
            answers[0] = answers[0].replace(b"connected_slaves:2", b"connected_slaves:0")
            answers[1] = [b"appendfsync", b"everysec", b"min-replicas-to-write", b"0"]
        return answers

    monkeypatch.setattr(Node, "execute", patched)
    _, warned = await said_of(sentinel_fleet.url)
    assert warned == [
        "the store takes writes without any replica: set its min-replicas-to-write to 1",
        "the store has no replica: nothing is acknowledged until it has one",
    ]
