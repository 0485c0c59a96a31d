"""The archive of finished games on a real store: each game once, as long as it is kept, newest first."""

import time
from zlib import compress

import pytest

from server.store.archive import Archive, CorruptGameError, GameName
from server.store.keys import GAMES, keys_of
from server.store.log import Appended, Conflict
from server.store.serialization import dump_game
from tests.server.store.redis_logs import logging_at

WRITTEN = dump_game("a game\n")


@pytest.fixture
async def log(redis_store):
    return redis_store.open()


async def finish(log, story, text="a game\n"):
    """A game that ends at the table of a story; its name in the archive."""
    commit = story.next()
    assert await log.append(story.code, commit, game=text) == Appended(commit.at)
    story.told.append(commit)
    return GameName(story.code, commit.n)


async def found(log, *stories):
    """The games of these tables: others may be at play on the same store."""
    codes = {story.code for story in stories}
    return [game async for game in Archive(log).games() if game.name.code in codes]


def test_a_name_is_the_table_and_the_number_of_a_commit():
    assert str(GameName("KQXZP", 812)) == "KQXZP-812"
    assert GameName.parse("KQXZP-812") == GameName("KQXZP", 812)
    for text in ("", "KQXZP", "KQXZP-", "KQXZP-0", "KQXZP-01", "KQXZP--1", "-1", "../up-1", "KQXZP-1.spades", "KQ\n-1"):
        assert GameName.parse(text) is None


def test_every_bucket_has_an_index():
    assert len(set(GAMES)) == 256
    assert keys_of("KQXZP").games in GAMES


async def test_a_finished_game_is_listed_with_its_text_and_the_time_of_the_store(log, story):
    await story.begin(log)
    name = await finish(log, story, "a game\n")
    [game] = await found(log, story)
    assert (game.name, game.text()) == (name, "a game\n")
    assert game.ended_ms == pytest.approx(time.time_ns() // 1_000_000, abs=5000)
    assert await Archive(log).text(name) == "a game\n"


async def test_a_second_game_at_the_same_table_is_a_second_entry_and_comes_first(log, story, another_story):
    await story.begin(log)
    await another_story.begin(log)
    first = await finish(log, story, "the first\n")
    between = await finish(log, another_story)
    await story.add(log)
    second = await finish(log, story, "the second\n")
    games = await found(log, story, another_story)
    assert {game.name for game in games} == {first, between, second}
    assert [game.ended_ms for game in games] == sorted((game.ended_ms for game in games), reverse=True)
    assert [game.name for game in games if game.name.code == story.code] == [second, first]
    assert {game.name: game.text() for game in games if game.name.code == story.code} == {
        first: "the first\n",
        second: "the second\n",
    }


async def test_more_games_than_are_asked_for_at_once_are_all_listed(log, story, monkeypatch):
    monkeypatch.setattr("server.store.archive.BATCH_SIZE", 2)
    await story.begin(log)
    names = [await finish(log, story) for _ in range(5)]
    assert {game.name for game in await found(log, story)} == set(names)


async def test_a_game_whose_answer_was_lost_is_archived_once(wire, log, story):
    await story.begin(log)
    async with logging_at(wire.url) as behind_the_wire:
        await behind_the_wire.heads([story.code])
        wire.lose_answers = 2
        name = await finish(behind_the_wire, story)
    assert [game.name for game in await found(log, story)] == [name]


async def test_a_game_whose_request_was_lost_is_archived_once(wire, log, story):
    await story.begin(log)
    async with logging_at(wire.url) as behind_the_wire:
        await behind_the_wire.heads([story.code])
        wire.lose_requests = 1
        name = await finish(behind_the_wire, story)
    assert [game.name for game in await found(log, story)] == [name]


async def test_a_server_that_ends_the_game_after_another_has_ended_it_archives_nothing(log, story):
    await story.begin(log)
    late = story.next()
    name = await finish(log, story, "as it was\n")
    assert await log.append(story.code, late, game="another end\n") == Conflict(story.last)
    [game] = await found(log, story)
    assert (game.name, game.text()) == (name, "as it was\n")


async def test_a_game_that_has_expired_is_not_listed_though_its_index_has_it(log, redis_store, story):
    await story.begin(log)
    gone, kept = await finish(log, story), await finish(log, story)
    await redis_store.client.pexpireat(gone.key, 1)
    assert await redis_store.client.zscore(keys_of(story.code).games, f"{gone.code}:{gone.n}") is not None
    assert [game.name for game in await found(log, story)] == [kept]
    assert await Archive(log).text(gone) is None


async def test_the_games_of_all_servers_of_a_cluster_are_one_list(cluster_fleet, story, another_story):
    async with logging_at(cluster_fleet.url) as log:
        while cluster_fleet.owner_of(keys_of(story.code).games) is cluster_fleet.owner_of(
            keys_of(another_story.code).games
        ):
            another_story.code += "x"
        names = [await finish(log, await each.begin(log)) for each in (story, another_story)]
        assert {game.name for game in await found(log, story, another_story)} == set(names)
        assert [await Archive(log).text(name) for name in names] == ["a game\n", "a game\n"]


async def test_a_game_outlives_its_table(log, redis_store, story):
    await story.begin(log)
    name = await finish(log, story)
    await redis_store.forget(story.code)
    assert [game.name for game in await found(log, story)] == [name]


async def test_a_game_nobody_has_played_has_no_text(log, story):
    await story.begin(log)
    assert await Archive(log).text(GameName(story.code, 2)) is None


@pytest.mark.parametrize("damage", [b"", b"no game", WRITTEN[:-5], WRITTEN[:8] + b"?" + WRITTEN[9:], compress(b"\xff")])
async def test_a_text_that_cannot_be_read_is_named_and_the_others_are_listed(log, redis_store, story, damage):
    await story.begin(log)
    name, sound = await finish(log, story), await finish(log, story)
    await redis_store.client.set(name.key, damage)
    games = {game.name: game for game in await found(log, story)}
    assert games[sound].text() == "a game\n"
    with pytest.raises(CorruptGameError, match=f"the archived game {name} is damaged"):
        games[name].text()
    with pytest.raises(CorruptGameError, match=f"the archived game {name} is damaged"):
        await Archive(log).text(name)


async def test_what_is_no_game_in_an_index_is_passed_over(log, redis_store, story):
    await story.begin(log)
    name = await finish(log, story)
    await redis_store.client.zadd(keys_of(story.code).games, {b"\xff:1": 1, "../../etc:1": 2, f"{story.code}:x": 3})
    assert [game.name for game in await found(log, story)] == [name]
