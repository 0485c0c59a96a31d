"""What a log of tables promises, for every store alike."""

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

CHANCE = SystemRandom()


async def test_a_table_that_was_created_is_loaded_with_its_first_commit(log, story):
    await story.begin(log)
    assert await log.load(story.code) == LoadedTable(None, tuple(story.told))


async def test_a_code_is_taken_once_created(log, story):
    await story.begin(log)
    rival = type(story)().next()
    assert await log.create(story.code, rival) is False
    assert await log.load(story.code) == LoadedTable(None, tuple(story.told))


async def test_a_code_stays_taken_after_its_first_commit_was_trimmed(log, story):
    await story.begin(log)
    await story.add(log, snapshot=story.table())
    assert await log.create(story.code, type(story)().next()) is False


async def test_creating_again_with_the_same_commit_succeeds(log, story):
    await story.begin(log)
    assert await log.create(story.code, story.told[0]) is True
    assert await log.load(story.code) == LoadedTable(None, tuple(story.told))


async def test_of_many_creators_of_one_code_one_succeeds(log, story):
    drafts = [type(story)().next() for _ in range(8)]
    created = await asyncio.gather(*(log.create(story.code, draft) for draft in drafts))
    assert sorted(created) == [False] * 7 + [True]
    assert await log.load(story.code) == LoadedTable(None, (drafts[created.index(True)],))


async def test_a_table_nobody_created_is_not_loaded_read_or_topped(log, story):
    assert await log.load(story.code) is None
    assert await log.read(story.code, LogPosition(1, new_commit_id(CHANCE))) is None
    assert await log.heads([story.code]) == {story.code: None}


async def test_appended_commits_are_loaded_in_order(log, story):
    await story.begin(log)
    for _ in range(5):
        await story.add(log)
    loaded = await log.load(story.code)
    assert loaded == LoadedTable(None, tuple(story.told))
    assert loaded.last == story.last


async def test_events_come_back_as_they_were(log, story):
    await story.begin(log)
    hands = tuple(STANDARD.cards[13 * seat : 13 * seat + 13] for seat in range(4))
    for events in (
        (TableOpened(story.code, CLASSIC), CardPlayed(SEATS[2], STANDARD.cards[51])),
        (HandDealt(1, SEATS[3], hands),),
        (),
    ):
        draft = story.next(player="pläyer", request="réq 1")
        await story.add(log, type(draft)(draft.n, draft.e, draft.parent, draft.player, draft.request + draft.e, events))
    assert await log.load(story.code) == LoadedTable(None, tuple(story.told))


async def test_the_same_commit_offered_again_is_appended_once(log, story):
    await story.begin(log)
    commit = await story.add(log)
    assert await log.append(story.code, commit) == Appended(commit.at)
    assert await log.load(story.code) == LoadedTable(None, tuple(story.told))


async def test_the_same_commit_offered_again_is_known_when_others_followed(log, story):
    await story.begin(log)
    commit = await story.add(log)
    await story.add(log)
    assert await log.append(story.code, commit) == Appended(commit.at)
    assert await log.load(story.code) == LoadedTable(None, tuple(story.told))


async def test_the_same_commit_offered_again_is_known_by_its_request_after_a_trim(log, story):
    await story.begin(log)
    commit = await story.add(log, story.next(player="ann", request="7"))
    await story.add(log, snapshot=story.table())
    assert await log.append(story.code, commit) == Appended(commit.at)


async def test_the_same_request_of_a_player_is_a_duplicate_with_its_number(log, story):
    await story.begin(log)
    commit = await story.add(log, story.next(player="ann", request="7"))
    await story.add(log)
    again = story.next(player="ann", request="7")
    assert await log.append(story.code, again) == Duplicate(commit.n)
    assert await log.load(story.code) == LoadedTable(None, tuple(story.told))


async def test_a_duplicate_is_told_whatever_the_top_is(log, story):
    await story.begin(log)
    stale = story.next(player="ann", request="7")
    commit = await story.add(log, story.next(player="ann", request="7"))
    assert await log.append(story.code, stale) == Duplicate(commit.n)


async def test_the_request_that_created_a_table_is_a_duplicate_too(log, story):
    first = story.next(player="ann", request="1")
    assert await log.create(story.code, first)
    story.told.append(first)
    assert await log.append(story.code, story.next(player="ann", request="1")) == Duplicate(1)


@pytest.mark.parametrize(("player", "request_id"), [("ann", "8"), ("bob", "7"), (None, "7"), ("ann", None)])
async def test_another_request_or_another_player_is_no_duplicate(log, story, player, request_id):
    await story.begin(log)
    await story.add(log, story.next(player="ann", request="7"))
    await story.add(log, story.next(player=player, request=request_id))


async def test_requests_with_any_text_are_told_apart(log, story):
    await story.begin(log)
    for request in ("a b", "a", "a\nb", "%d+", "ü"):
        commit = await story.add(log, story.next(player="v", request=request))
        assert await log.append(story.code, story.next(player="v", request=request)) == Duplicate(commit.n)


async def test_a_writer_that_is_behind_meets_a_conflict_and_changes_nothing(log, story):
    await story.begin(log)
    late = story.next()
    await story.add(log)
    assert await log.append(story.code, late, snapshot=story.table(), trim=True) == Conflict(story.last)
    assert await log.load(story.code) == LoadedTable(None, tuple(story.told))


async def test_a_writer_that_is_ahead_leaves_no_hole(log, story):
    await story.begin(log)
    before = story.last
    story.told.append(story.next())  # lost: it was never appended
    assert await log.append(story.code, story.next()) == Conflict(before)
    assert await log.load(story.code) == LoadedTable(None, tuple(story.told[:1]))


async def test_a_number_that_does_not_follow_is_a_conflict_though_the_id_before_fits(log, story):
    await story.begin(log)
    fitting = story.next()
    for n in (1, 3):
        skewed = type(fitting)(n, fitting.e, fitting.parent, None, None, fitting.events)
        assert await log.append(story.code, skewed) == Conflict(story.last)
    assert await log.load(story.code) == LoadedTable(None, tuple(story.told))


async def test_a_writer_of_another_history_meets_a_conflict_though_the_number_fits(log, story):
    await story.begin(log)
    fitting = story.next()
    foreign = type(fitting)(fitting.n, fitting.e, new_commit_id(CHANCE), None, None, fitting.events)
    assert await log.append(story.code, foreign) == Conflict(story.last)
    assert await log.load(story.code) == LoadedTable(None, tuple(story.told))


async def test_of_many_writers_at_once_one_is_appended_and_the_others_meet_it(log, story):
    await story.begin(log)
    drafts = [story.next() for _ in range(8)]
    outcomes = await asyncio.gather(*(log.append(story.code, draft) for draft in drafts))
    (winner,) = [draft for draft, outcome in zip(drafts, outcomes, strict=True) if outcome == Appended(draft.at)]
    assert outcomes.count(Conflict(winner.at)) == 7
    assert await log.load(story.code) == LoadedTable(None, (*story.told, winner))


async def test_a_table_that_was_never_there_is_not_appended_to(log, story):
    story.told.append(story.next())
    assert await log.append(story.code, story.next()) == Gone()
    assert await log.load(story.code) is None


async def test_a_deleted_table_is_never_resurrected(store, log, story):
    await story.begin(log)
    await story.add(log)
    await store.forget(story.code)
    assert await log.append(story.code, story.next(), snapshot=story.table(), trim=True) == Gone()
    assert await log.load(story.code) is None
    assert await log.heads([story.code]) == {story.code: None}


async def test_a_snapshot_is_loaded_with_the_commits_after_it(log, story):
    await story.begin(log)
    await story.add(log)
    table = Table(
        story.code, CLASSIC, (Occupant("Ann", "p1"), None, Occupant("Otto", None, level="easy"), None), host=SEATS[0]
    )
    at = await story.add(log, snapshot=table)
    assert await log.load(story.code) == LoadedTable(Snapshot(at.at, table), ())
    after = (await story.add(log), await story.add(log))
    assert await log.load(story.code) == LoadedTable(Snapshot(at.at, table), after)


async def test_a_later_snapshot_is_the_one_loaded_and_the_whole_game_begins_with_the_first(log, story):
    await story.begin(log)
    start = await story.add(log, snapshot=story.table())
    await story.add(log)
    later = Table(story.code, host=SEATS[1])
    deal = story.next()
    assert await log.append(story.code, deal, snapshot=later) == Appended(deal.at)
    story.told.append(deal)
    last = await story.add(log)
    assert await log.load(story.code) == LoadedTable(Snapshot(deal.at, later), (last,))
    whole = await log.load(story.code, whole_game=True)
    assert whole == LoadedTable(Snapshot(start.at, story.table()), tuple(story.told[2:]))


async def test_the_last_four_commits_with_a_snapshot_are_known_also_those_that_were_trimmed(log, story):
    await story.begin(log)
    assert (await log.load(story.code)).checkpoints == ()
    came = [(await story.add(log, snapshot=story.table())).e for _ in range(5)]
    await story.add(log)
    assert (await log.load(story.code)).checkpoints == tuple(came[1:])


async def test_the_whole_game_of_a_log_without_snapshots_begins_with_its_first_commit(log, story):
    await story.begin(log)
    await story.add(log)
    assert await log.load(story.code, whole_game=True) == LoadedTable(None, tuple(story.told))


async def test_reading_after_a_position_gives_what_followed(log, story):
    await story.begin(log)
    for _ in range(4):
        await story.add(log)
    assert await log.read(story.code, story.told[1].at) == tuple(story.told[2:])
    assert await log.read(story.code, story.last) == ()


async def test_reading_after_the_commit_of_a_snapshot_works_and_after_an_older_one_does_not(log, story):
    await story.begin(log)
    await story.add(log)
    at = await story.add(log, snapshot=story.table())
    after = await story.add(log)
    assert await log.read(story.code, at.at) == (after,)
    assert await log.read(story.code, story.told[1].at) is None


async def test_reading_after_a_position_the_log_does_not_hold_gives_nothing(log, story):
    await story.begin(log)
    await story.add(log)
    assert await log.read(story.code, LogPosition(1, new_commit_id(CHANCE))) is None  # another history
    assert await log.read(story.code, LogPosition(3, new_commit_id(CHANCE))) is None  # rewound below it
    assert await log.read(story.code, LogPosition(0, "")) is None
    assert await log.read(story.code, LogPosition(0, story.told[0].e)) is None


async def test_tops_are_told_for_many_tables_at_once(log, story, another_story):
    await story.begin(log)
    await another_story.begin(log)
    await another_story.add(log)
    attended = (await log.set_presence(another_story.code, "s1", {"ann": 1})).changed_at
    heads = await log.heads([story.code, "nowhere", another_story.code])
    assert heads == {
        story.code: Head(story.last, 0),
        "nowhere": None,
        another_story.code: Head(another_story.last, attended),
    }
    assert await log.heads([]) == {}


async def test_what_a_request_became_is_known_while_it_is_the_players_last(log, story):
    await story.begin(log)
    await story.add(log, story.next(player="ann", request="7"))
    assert await log.find_request(story.code, "ann", "7") == story.last.n
    assert await log.find_request(story.code, "ann", "8") is None
    assert await log.find_request(story.code, "bob", "7") is None
    assert await log.find_request("NOBOD", "ann", "7") is None
    await story.add(log, story.next(player="ann", request="8"))
    assert await log.find_request(story.code, "ann", "7") is None
