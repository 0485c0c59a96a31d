"""The contract of deadlines, judged by the store's clock."""

import pytest

from server.store.log import Appended, NotDue


async def test_a_timeout_before_the_deadline_is_not_due(log, history):
    await history.create(log)
    commit = history.next()
    await log.append(history.code, commit, ms_until_deadline=60_000)
    history.commits.append(commit)
    result = await log.append(history.code, history.next(), only_when_due=True)
    assert isinstance(result, NotDue)
    assert 50_000 < result.ms_left <= 60_000
    loaded = await log.load(history.code)
    assert loaded.commits == tuple(history.commits)
    assert 50_000 < loaded.ms_until_deadline <= 60_000


@pytest.mark.parametrize("ms_until_deadline", [0, None])
async def test_a_timeout_after_the_deadline_or_without_one_is_appended(log, history, ms_until_deadline):
    await history.create(log)
    commit = history.next()
    await log.append(history.code, commit, ms_until_deadline=ms_until_deadline)
    history.commits.append(commit)
    assert (await log.load(history.code)).ms_until_deadline == ms_until_deadline
    late = history.next()
    assert await log.append(history.code, late, only_when_due=True) == Appended(late.at)


async def test_a_move_keeps_the_deadline_and_ignores_it(log, history):
    await history.create(log)
    for ms_until_deadline in (60_000, None):
        commit = history.next()
        assert await log.append(history.code, commit, ms_until_deadline=ms_until_deadline) == Appended(commit.at)
        history.commits.append(commit)
    assert isinstance(await log.append(history.code, history.next(), only_when_due=True), NotDue)
