"""The archive of finished games on a real store."""

import time
from zlib import compress

import pytest

from server.store.archive import Archive, CorruptGameError, GameName
from server.store.keys import GAMES, keys_of
from server.store.log import Appended, Conflict
from server.store.serialization import dump_game
from tests.server.store.stores import open_log

WRITTEN = dump_game("a game\n")


@pytest.fixture
async def log(redis_store):
    return redis_store.open()


async def finish(log, history, text="a game\n"):
    """A game that ends at the table of a story; its name in the archive."""
    commit = history.next()
    assert await log.append(history.code, commit, game=text) == Appended(commit.at)
    history.commits.append(commit)
    return GameName(history.code, commit.n)


async def found(log, *histories):
    """The games of these tables: others may be at play on the same store."""
    codes = {history.code for history in histories}
    return [game async for game in Archive(log).games() if game.name.code in codes]


def test_a_name_consists_of_code_and_commit_number():
    assert str(GameName("KQXZP", 812)) == "KQXZP-812"
    assert GameName.parse("KQXZP-812") == GameName("KQXZP", 812)
    for text in ("", "KQXZP", "KQXZP-", "KQXZP-0", "KQXZP-01", "KQXZP--1", "-1", "../up-1", "KQXZP-1.spades", "KQ\n-1"):
        assert GameName.parse(text) is None


def test_every_bucket_has_an_index():
    assert len(set(GAMES)) == 256
    assert keys_of("KQXZP").games in GAMES


async def test_a_finished_game_is_listed_with_its_text_and_time(log, history):
    await history.create(log)
    name = await finish(log, history, "a game\n")
    [game] = await found(log, history)
    assert (game.name, game.text()) == (name, "a game\n")
    assert game.ended_ms == pytest.approx(time.time_ns() // 1_000_000, abs=5000)
    assert await Archive(log).text(name) == "a game\n"


async def test_games_are_listed_newest_first(log, history, other_history):
    await history.create(log)
    await other_history.create(log)
    first = await finish(log, history, "the first\n")
    between = await finish(log, other_history)
    await history.add(log)
    second = await finish(log, history, "the second\n")
    games = await found(log, history, other_history)
    assert {game.name for game in games} == {first, between, second}
    assert [game.ended_ms for game in games] == sorted((game.ended_ms for game in games), reverse=True)
    assert [game.name for game in games if game.name.code == history.code] == [second, first]
    assert {game.name: game.text() for game in games if game.name.code == history.code} == {
        first: "the first\n",
        second: "the second\n",
    }


async def test_more_games_than_one_batch_are_listed(log, history, monkeypatch):
    monkeypatch.setattr("server.store.archive.BATCH_SIZE", 2)
    await history.create(log)
    names = [await finish(log, history) for _ in range(5)]
    assert {game.name for game in await found(log, history)} == set(names)


async def test_after_a_lost_reply_the_game_is_archived_once(proxy, log, history):
    await history.create(log)
    async with open_log(proxy.url) as proxied:
        await proxied.heads([history.code])
        proxy.drop_replies = 2
        name = await finish(proxied, history)
    assert [game.name for game in await found(log, history)] == [name]


async def test_after_a_lost_request_the_game_is_archived_once(proxy, log, history):
    await history.create(log)
    async with open_log(proxy.url) as proxied:
        await proxied.heads([history.code])
        proxy.drop_requests = 1
        name = await finish(proxied, history)
    assert [game.name for game in await found(log, history)] == [name]


async def test_a_conflicting_end_of_the_game_is_not_archived(log, history):
    await history.create(log)
    late = history.next()
    name = await finish(log, history, "as it was\n")
    assert await log.append(history.code, late, game="another end\n") == Conflict(history.last)
    [game] = await found(log, history)
    assert (game.name, game.text()) == (name, "as it was\n")


async def test_an_expired_game_in_the_index_is_not_listed(log, redis_store, history):
    await history.create(log)
    gone, kept = await finish(log, history), await finish(log, history)
    await redis_store.client.pexpireat(gone.key, 1)
    assert await redis_store.client.zscore(keys_of(history.code).games, f"{gone.code}:{gone.n}") is not None
    assert [game.name for game in await found(log, history)] == [kept]
    assert await Archive(log).text(gone) is None


async def test_the_games_of_all_masters_of_a_cluster_are_listed(cluster_deployment, history, other_history):
    async with open_log(cluster_deployment.url) as log:
        while cluster_deployment.owner_of(keys_of(history.code).games) is cluster_deployment.owner_of(
            keys_of(other_history.code).games
        ):
            other_history.code += "x"
        names = [await finish(log, await each.create(log)) for each in (history, other_history)]
        assert {game.name for game in await found(log, history, other_history)} == set(names)
        assert [await Archive(log).text(name) for name in names] == ["a game\n", "a game\n"]


async def test_a_game_outlives_its_table(log, redis_store, history):
    await history.create(log)
    name = await finish(log, history)
    await redis_store.delete_table(history.code)
    assert [game.name for game in await found(log, history)] == [name]


async def test_a_missing_game_has_no_text(log, history):
    await history.create(log)
    assert await Archive(log).text(GameName(history.code, 2)) is None


@pytest.mark.parametrize("damage", [b"", b"no game", WRITTEN[:-5], WRITTEN[:8] + b"?" + WRITTEN[9:], compress(b"\xff")])
async def test_a_damaged_text_is_an_error_and_the_others_are_listed(log, redis_store, history, damage):
    await history.create(log)
    name, sound = await finish(log, history), await finish(log, history)
    await redis_store.client.set(name.key, damage)
    games = {game.name: game for game in await found(log, history)}
    assert games[sound].text() == "a game\n"
    with pytest.raises(CorruptGameError, match=f"the archived game {name} is damaged"):
        games[name].text()
    with pytest.raises(CorruptGameError, match=f"the archived game {name} is damaged"):
        await Archive(log).text(name)


async def test_foreign_members_of_an_index_are_ignored(log, redis_store, history):
    await history.create(log)
    name = await finish(log, history)
    await redis_store.client.zadd(keys_of(history.code).games, {b"\xff:1": 1, "../../etc:1": 2, f"{history.code}:x": 3})
    assert [game.name for game in await found(log, history)] == [name]
