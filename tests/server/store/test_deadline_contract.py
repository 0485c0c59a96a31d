"""A table's deadline, judged by the store's own clock, for every store alike."""

import pytest

from server.store.log import Appended, NotDue


async def test_a_timeout_before_the_deadline_is_early_and_changes_nothing(log, story):
    await story.begin(log)
    commit = story.next()
    await log.append(story.code, commit, deadline_in_ms=60_000)
    story.told.append(commit)
    outcome = await log.append(story.code, story.next(), only_when_due=True)
    assert isinstance(outcome, NotDue)
    assert 50_000 < outcome.ms_left <= 60_000
    loaded = await log.load(story.code)
    assert loaded.commits == tuple(story.told)
    assert 50_000 < loaded.deadline_in_ms <= 60_000


@pytest.mark.parametrize("deadline_in_ms", [0, None])
async def test_a_timeout_after_the_deadline_or_without_one_is_appended(log, story, deadline_in_ms):
    await story.begin(log)
    commit = story.next()
    await log.append(story.code, commit, deadline_in_ms=deadline_in_ms)
    story.told.append(commit)
    assert (await log.load(story.code)).deadline_in_ms == deadline_in_ms
    late = story.next()
    assert await log.append(story.code, late, only_when_due=True) == Appended(late.at)


async def test_a_move_leaves_the_deadline_and_is_not_held_up_by_it(log, story):
    await story.begin(log)
    for deadline_in_ms in (60_000, None):
        commit = story.next()
        assert await log.append(story.code, commit, deadline_in_ms=deadline_in_ms) == Appended(commit.at)
        story.told.append(commit)
    assert isinstance(await log.append(story.code, story.next(), only_when_due=True), NotDue)
