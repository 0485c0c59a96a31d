"""Who looks at a table and which servers are alive, for every store alike."""

from server.store.log import TablePresence


def who(attendance):
    return attendance.leader, attendance.players


async def test_who_looks_at_a_table_is_known_with_their_servers_and_the_first_one_drives(log, story):
    await story.begin(log)
    assert who(await log.set_presence(story.code, "s1", {"ann": 1})) == ("s1", {"ann": "s1"})
    both = await log.set_presence(story.code, "s2", {"ben": 1, "cleo": 1})
    assert who(both) == ("s1", {"ann": "s1", "ben": "s2", "cleo": "s2"})
    assert await log.set_presence(story.code, "s1", {"ann": 1}) == both  # saying it again changes nothing


async def test_a_server_without_players_sees_who_is_there_and_does_not_drive(log, story):
    await story.begin(log)
    assert await log.set_presence(story.code, "s1", {}) == TablePresence()
    await log.set_presence(story.code, "s2", {"ben": 1})
    assert who(await log.set_presence(story.code, "s1", {})) == ("s2", {"ben": "s2"})


async def test_who_goes_is_not_there_and_the_last_of_a_server_takes_the_driving_along(log, story):
    await story.begin(log)
    await log.set_presence(story.code, "s1", {"ann": 1, "dora": 1})
    await log.set_presence(story.code, "s2", {"ben": 1})
    assert who(await log.set_presence(story.code, "s1", {"dora": 1})) == ("s1", {"dora": "s1", "ben": "s2"})
    assert who(await log.set_presence(story.code, "s1", {})) == ("s2", {"ben": "s2"})
    assert who(await log.set_presence(story.code, "s2", {})) == (None, {})


async def test_of_two_connections_of_a_player_the_one_dialled_later_counts_whoever_speaks_last(log, story):
    await story.begin(log)
    await log.set_presence(story.code, "s1", {"ann": 20})
    assert who(await log.set_presence(story.code, "s2", {"ann": 10})) == ("s1", {"ann": "s1"})
    assert who(await log.set_presence(story.code, "s2", {"ann": 20})) == ("s1", {"ann": "s1"})
    assert who(await log.set_presence(story.code, "s2", {"ann": 30})) == ("s2", {"ann": "s2"})
    assert who(await log.set_presence(story.code, "s1", {"ann": 20})) == ("s2", {"ann": "s2"})
    assert who(await log.set_presence(story.code, "s1", {})) == ("s2", {"ann": "s2"})


async def test_who_dials_the_same_server_again_is_known_by_the_later_time(log, story):
    await story.begin(log)
    await log.set_presence(story.code, "s1", {"ann": 10})
    assert who(await log.set_presence(story.code, "s1", {"ann": 30})) == ("s1", {"ann": "s1"})
    assert who(await log.set_presence(story.code, "s2", {"ann": 20})) == ("s1", {"ann": "s1"})


async def test_an_old_connection_counts_once_the_newer_one_is_gone(log, story):
    await story.begin(log)
    await log.set_presence(story.code, "s1", {"ann": 20})
    await log.set_presence(story.code, "s1", {})
    assert who(await log.set_presence(story.code, "s2", {"ann": 10})) == ("s2", {"ann": "s2"})


async def test_every_change_has_a_later_time_and_what_changes_nothing_has_none(log, story):
    await story.begin(log)
    told = [await log.set_presence(story.code, "s1", here) for here in ({"ann": 1}, {"ann": 1}, {}, {"ann": 1})]
    first, again, gone, back = (attendance.changed_at for attendance in told)
    assert first == again < gone < back
    assert (await log.heads([story.code]))[story.code].presence_changed_at == back


async def test_a_dead_server_loses_its_players_and_the_driving(log, story):
    await story.begin(log)
    await log.set_presence(story.code, "s1", {"ann": 1})
    await log.set_presence(story.code, "s2", {"ben": 1})
    await log.set_presence(story.code, "s3", {"cleo": 1})
    after = await log.set_presence(story.code, "s3", {"cleo": 1}, dead=["s1"])
    assert who(after) == ("s3", {"ben": "s2", "cleo": "s3"})


async def test_nobody_attends_a_table_that_is_not_there(store, log, story):
    assert await log.set_presence(story.code, "s1", {"ann": 1}) is None
    await story.begin(log)
    await store.forget(story.code)
    assert await log.set_presence(story.code, "s1", {"ann": 1}) is None
    assert await log.load(story.code) is None


async def test_servers_are_alive_for_their_lease_and_until_they_retire(log, story):
    one, other = f"{story.code} 1", f"{story.code} 2"
    assert one in await log.heartbeat(one, 60_000)
    assert {one, other} <= await log.heartbeat(other, 60_000)
    await log.leave(one)
    alive = await log.heartbeat(other, 1)
    assert one not in alive
    assert other in alive
    while other in await log.heartbeat(one, 60_000):  # it takes a millisecond
        pass
    await log.leave(one)
