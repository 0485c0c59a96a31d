"""The contract of presence and heartbeats."""

from server.store.log import TablePresence


def summary(presence):
    return presence.leader, presence.players


async def test_players_are_known_with_their_servers_and_the_first_server_leads(log, history):
    await history.create(log)
    assert summary(await log.set_presence(history.code, "s1", {"ann": 1})) == ("s1", {"ann": "s1"})
    both = await log.set_presence(history.code, "s2", {"ben": 1, "cleo": 1})
    assert summary(both) == ("s1", {"ann": "s1", "ben": "s2", "cleo": "s2"})
    assert await log.set_presence(history.code, "s1", {"ann": 1}) == both  # a repeated report changes nothing


async def test_a_server_without_players_sees_the_others_and_does_not_lead(log, history):
    await history.create(log)
    assert await log.set_presence(history.code, "s1", {}) == TablePresence()
    await log.set_presence(history.code, "s2", {"ben": 1})
    assert summary(await log.set_presence(history.code, "s1", {})) == ("s2", {"ben": "s2"})


async def test_a_server_loses_the_lead_with_its_last_player(log, history):
    await history.create(log)
    await log.set_presence(history.code, "s1", {"ann": 1, "dora": 1})
    await log.set_presence(history.code, "s2", {"ben": 1})
    assert summary(await log.set_presence(history.code, "s1", {"dora": 1})) == ("s1", {"dora": "s1", "ben": "s2"})
    assert summary(await log.set_presence(history.code, "s1", {})) == ("s2", {"ben": "s2"})
    assert summary(await log.set_presence(history.code, "s2", {})) == (None, {})


async def test_the_later_of_two_connections_wins_in_any_order(log, history):
    await history.create(log)
    await log.set_presence(history.code, "s1", {"ann": 20})
    assert summary(await log.set_presence(history.code, "s2", {"ann": 10})) == ("s1", {"ann": "s1"})
    assert summary(await log.set_presence(history.code, "s2", {"ann": 20})) == ("s1", {"ann": "s1"})
    assert summary(await log.set_presence(history.code, "s2", {"ann": 30})) == ("s2", {"ann": "s2"})
    assert summary(await log.set_presence(history.code, "s1", {"ann": 20})) == ("s2", {"ann": "s2"})
    assert summary(await log.set_presence(history.code, "s1", {})) == ("s2", {"ann": "s2"})


async def test_a_reconnection_to_the_same_server_updates_the_time(log, history):
    await history.create(log)
    await log.set_presence(history.code, "s1", {"ann": 10})
    assert summary(await log.set_presence(history.code, "s1", {"ann": 30})) == ("s1", {"ann": "s1"})
    assert summary(await log.set_presence(history.code, "s2", {"ann": 20})) == ("s1", {"ann": "s1"})


async def test_an_earlier_connection_counts_once_the_later_one_is_gone(log, history):
    await history.create(log)
    await log.set_presence(history.code, "s1", {"ann": 20})
    await log.set_presence(history.code, "s1", {})
    assert summary(await log.set_presence(history.code, "s2", {"ann": 10})) == ("s2", {"ann": "s2"})


async def test_the_time_of_change_grows_with_every_change_only(log, history):
    await history.create(log)
    reports = ({"ann": 1}, {"ann": 1}, {}, {"ann": 1})
    presences = [await log.set_presence(history.code, "s1", report) for report in reports]
    first, again, gone, back = (presence.changed_at for presence in presences)
    assert first == again < gone < back
    assert (await log.heads([history.code]))[history.code].presence_changed_at == back


async def test_a_dead_server_loses_its_players_and_the_lead(log, history):
    await history.create(log)
    await log.set_presence(history.code, "s1", {"ann": 1})
    await log.set_presence(history.code, "s2", {"ben": 1})
    await log.set_presence(history.code, "s3", {"cleo": 1})
    after = await log.set_presence(history.code, "s3", {"cleo": 1}, dead=["s1"])
    assert summary(after) == ("s3", {"ben": "s2", "cleo": "s3"})


async def test_a_missing_table_has_no_presence(store, log, history):
    assert await log.set_presence(history.code, "s1", {"ann": 1}) is None
    await history.create(log)
    await store.delete_table(history.code)
    assert await log.set_presence(history.code, "s1", {"ann": 1}) is None
    assert await log.load(history.code) is None


async def test_servers_are_alive_until_their_lease_ends_or_they_leave(log, history):
    one, other = f"{history.code} 1", f"{history.code} 2"
    assert one in await log.heartbeat(one, 60_000)
    assert {one, other} <= await log.heartbeat(other, 60_000)
    await log.leave(one)
    alive = await log.heartbeat(other, 1)
    assert one not in alive
    assert other in alive
    while other in await log.heartbeat(one, 60_000):  # it takes a millisecond
        pass
    await log.leave(one)
