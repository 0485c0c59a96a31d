"""The contract of TableLog, for every kind of store."""

import asyncio
from random import SystemRandom

import pytest

from server.store.log import Appended, Conflict, Duplicate, Gone, Head, LoadedTable, Snapshot, new_commit_id
from spades_core.commit import LogPosition
from spades_core.deck import STANDARD
from spades_core.events import CardPlayed, HandDealt, TableOpened
from spades_core.ruleset import CLASSIC
from spades_core.seats import SEATS
from spades_core.state import Occupant, Table

RNG = SystemRandom()


async def test_a_created_table_is_loaded_with_its_first_commit(log, history):
    await history.create(log)
    assert await log.load(history.code) == LoadedTable(None, tuple(history.commits))


async def test_an_existing_code_is_taken(log, history):
    await history.create(log)
    rival = type(history)().next()
    assert await log.create(history.code, rival) is False
    assert await log.load(history.code) == LoadedTable(None, tuple(history.commits))


async def test_a_code_stays_taken_after_its_first_commit_was_trimmed(log, history):
    await history.create(log)
    await history.add(log, snapshot=history.table())
    assert await log.create(history.code, type(history)().next()) is False


async def test_creating_again_with_the_same_commit_succeeds(log, history):
    await history.create(log)
    assert await log.create(history.code, history.commits[0]) is True
    assert await log.load(history.code) == LoadedTable(None, tuple(history.commits))


async def test_only_one_of_many_creators_succeeds(log, history):
    drafts = [type(history)().next() for _ in range(8)]
    created = await asyncio.gather(*(log.create(history.code, draft) for draft in drafts))
    assert sorted(created) == [False] * 7 + [True]
    assert await log.load(history.code) == LoadedTable(None, (drafts[created.index(True)],))


async def test_a_missing_table_has_no_commits_and_no_head(log, history):
    assert await log.load(history.code) is None
    assert await log.read(history.code, LogPosition(1, new_commit_id(RNG))) is None
    assert await log.heads([history.code]) == {history.code: None}


async def test_appended_commits_are_loaded_in_order(log, history):
    await history.create(log)
    for _ in range(5):
        await history.add(log)
    loaded = await log.load(history.code)
    assert loaded == LoadedTable(None, tuple(history.commits))
    assert loaded.last == history.last


async def test_events_are_loaded_unchanged(log, history):
    await history.create(log)
    hands = tuple(STANDARD.cards[13 * seat : 13 * seat + 13] for seat in range(4))
    for events in (
        (TableOpened(history.code, CLASSIC), CardPlayed(SEATS[2], STANDARD.cards[51])),
        (HandDealt(1, SEATS[3], hands),),
        (),
    ):
        draft = history.next(player="pläyer", request="réq 1")
        await history.add(
            log, type(draft)(draft.n, draft.id, draft.parent, draft.player, draft.request + draft.id, events)
        )
    assert await log.load(history.code) == LoadedTable(None, tuple(history.commits))


async def test_a_repeated_commit_is_stored_once(log, history):
    await history.create(log)
    commit = await history.add(log)
    assert await log.append(history.code, commit) == Appended(commit.at)
    assert await log.load(history.code) == LoadedTable(None, tuple(history.commits))


async def test_a_repeated_commit_is_recognized_after_later_ones(log, history):
    await history.create(log)
    commit = await history.add(log)
    await history.add(log)
    assert await log.append(history.code, commit) == Appended(commit.at)
    assert await log.load(history.code) == LoadedTable(None, tuple(history.commits))


async def test_a_repeated_commit_is_recognized_by_its_request_after_a_trim(log, history):
    await history.create(log)
    commit = await history.add(log, history.next(player="ann", request="7"))
    await history.add(log, snapshot=history.table())
    assert await log.append(history.code, commit) == Appended(commit.at)


async def test_a_repeated_request_is_a_duplicate_with_the_first_number(log, history):
    await history.create(log)
    commit = await history.add(log, history.next(player="ann", request="7"))
    await history.add(log)
    again = history.next(player="ann", request="7")
    assert await log.append(history.code, again) == Duplicate(commit.n)
    assert await log.load(history.code) == LoadedTable(None, tuple(history.commits))


async def test_a_stale_writer_of_a_repeated_request_gets_a_duplicate(log, history):
    await history.create(log)
    stale = history.next(player="ann", request="7")
    commit = await history.add(log, history.next(player="ann", request="7"))
    assert await log.append(history.code, stale) == Duplicate(commit.n)


async def test_a_repeated_creation_request_is_a_duplicate(log, history):
    first = history.next(player="ann", request="1")
    assert await log.create(history.code, first)
    history.commits.append(first)
    assert await log.append(history.code, history.next(player="ann", request="1")) == Duplicate(1)


@pytest.mark.parametrize(("player", "request_id"), [("ann", "8"), ("bob", "7"), (None, "7"), ("ann", None)])
async def test_another_request_or_player_is_not_a_duplicate(log, history, player, request_id):
    await history.create(log)
    await history.add(log, history.next(player="ann", request="7"))
    await history.add(log, history.next(player=player, request=request_id))


async def test_request_ids_may_be_any_text(log, history):
    await history.create(log)
    for request in ("a b", "a", "a\nb", "%d+", "ü"):
        commit = await history.add(log, history.next(player="v", request=request))
        assert await log.append(history.code, history.next(player="v", request=request)) == Duplicate(commit.n)


async def test_a_stale_writer_gets_a_conflict_and_changes_nothing(log, history):
    await history.create(log)
    late = history.next()
    await history.add(log)
    assert await log.append(history.code, late, snapshot=history.table(), trim=True) == Conflict(history.last)
    assert await log.load(history.code) == LoadedTable(None, tuple(history.commits))


async def test_a_writer_ahead_of_the_log_gets_a_conflict(log, history):
    await history.create(log)
    before = history.last
    history.commits.append(history.next())  # lost: it was never appended
    assert await log.append(history.code, history.next()) == Conflict(before)
    assert await log.load(history.code) == LoadedTable(None, tuple(history.commits[:1]))


async def test_a_number_out_of_order_is_a_conflict_even_with_the_right_parent(log, history):
    await history.create(log)
    fitting = history.next()
    for n in (1, 3):
        skewed = type(fitting)(n, fitting.id, fitting.parent, None, None, fitting.events)
        assert await log.append(history.code, skewed) == Conflict(history.last)
    assert await log.load(history.code) == LoadedTable(None, tuple(history.commits))


async def test_another_parent_is_a_conflict_even_with_the_right_number(log, history):
    await history.create(log)
    fitting = history.next()
    foreign = type(fitting)(fitting.n, fitting.id, new_commit_id(RNG), None, None, fitting.events)
    assert await log.append(history.code, foreign) == Conflict(history.last)
    assert await log.load(history.code) == LoadedTable(None, tuple(history.commits))


async def test_only_one_of_many_concurrent_appends_succeeds(log, history):
    await history.create(log)
    drafts = [history.next() for _ in range(8)]
    results = await asyncio.gather(*(log.append(history.code, draft) for draft in drafts))
    (winner,) = [draft for draft, result in zip(drafts, results, strict=True) if result == Appended(draft.at)]
    assert results.count(Conflict(winner.at)) == 7
    assert await log.load(history.code) == LoadedTable(None, (*history.commits, winner))


async def test_an_append_to_a_missing_table_is_gone(log, history):
    history.commits.append(history.next())
    assert await log.append(history.code, history.next()) == Gone()
    assert await log.load(history.code) is None


async def test_an_append_to_a_deleted_table_is_gone(store, log, history):
    await history.create(log)
    await history.add(log)
    await store.delete_table(history.code)
    assert await log.append(history.code, history.next(), snapshot=history.table(), trim=True) == Gone()
    assert await log.load(history.code) is None
    assert await log.heads([history.code]) == {history.code: None}


async def test_a_snapshot_is_loaded_with_the_commits_after_it(log, history):
    await history.create(log)
    await history.add(log)
    table = Table(
        history.code, CLASSIC, (Occupant("Ann", "p1"), None, Occupant("Otto", None, level="easy"), None), host=SEATS[0]
    )
    at = await history.add(log, snapshot=table)
    assert await log.load(history.code) == LoadedTable(Snapshot(at.at, table), ())
    after = (await history.add(log), await history.add(log))
    assert await log.load(history.code) == LoadedTable(Snapshot(at.at, table), after)


async def test_load_starts_at_the_last_snapshot_and_a_whole_game_at_the_first(log, history):
    await history.create(log)
    start = await history.add(log, snapshot=history.table())
    await history.add(log)
    later = Table(history.code, host=SEATS[1])
    deal = history.next()
    assert await log.append(history.code, deal, snapshot=later) == Appended(deal.at)
    history.commits.append(deal)
    last = await history.add(log)
    assert await log.load(history.code) == LoadedTable(Snapshot(deal.at, later), (last,))
    whole = await log.load(history.code, whole_game=True)
    assert whole == LoadedTable(Snapshot(start.at, history.table()), tuple(history.commits[2:]))


async def test_the_last_four_checkpoints_are_known_including_trimmed_ones(log, history):
    await history.create(log)
    assert (await log.load(history.code)).snapshot_ids == ()
    snapshot_ids = [(await history.add(log, snapshot=history.table())).id for _ in range(5)]
    await history.add(log)
    assert (await log.load(history.code)).snapshot_ids == tuple(snapshot_ids[1:])


async def test_a_whole_game_without_snapshots_starts_at_the_first_commit(log, history):
    await history.create(log)
    await history.add(log)
    assert await log.load(history.code, whole_game=True) == LoadedTable(None, tuple(history.commits))


async def test_read_returns_the_commits_after_a_position(log, history):
    await history.create(log)
    for _ in range(4):
        await history.add(log)
    assert await log.read(history.code, history.commits[1].at) == tuple(history.commits[2:])
    assert await log.read(history.code, history.last) == ()


async def test_read_works_from_the_commit_of_a_snapshot_but_not_from_a_trimmed_one(log, history):
    await history.create(log)
    await history.add(log)
    at = await history.add(log, snapshot=history.table())
    after = await history.add(log)
    assert await log.read(history.code, at.at) == (after,)
    assert await log.read(history.code, history.commits[1].at) is None


async def test_read_from_an_unknown_position_returns_none(log, history):
    await history.create(log)
    await history.add(log)
    assert await log.read(history.code, LogPosition(1, new_commit_id(RNG))) is None  # another history
    assert await log.read(history.code, LogPosition(3, new_commit_id(RNG))) is None  # rolled back below it
    assert await log.read(history.code, LogPosition(0, "")) is None
    assert await log.read(history.code, LogPosition(0, history.commits[0].id)) is None


async def test_heads_of_many_tables(log, history, other_history):
    await history.create(log)
    await other_history.create(log)
    await other_history.add(log)
    changed_at = (await log.set_presence(other_history.code, "s1", {"ann": 1})).changed_at
    heads = await log.heads([history.code, "nowhere", other_history.code])
    assert heads == {
        history.code: Head(history.last, 0),
        "nowhere": None,
        other_history.code: Head(other_history.last, changed_at),
    }
    assert await log.heads([]) == {}


async def test_the_last_request_of_a_player_is_found(log, history):
    await history.create(log)
    await history.add(log, history.next(player="ann", request="7"))
    assert await log.find_request(history.code, "ann", "7") == history.last.n
    assert await log.find_request(history.code, "ann", "8") is None
    assert await log.find_request(history.code, "bob", "7") is None
    assert await log.find_request("NOBOD", "ann", "7") is None
    await history.add(log, history.next(player="ann", request="8"))
    assert await log.find_request(history.code, "ann", "7") is None
