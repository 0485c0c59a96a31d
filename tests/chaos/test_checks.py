"""Every kind of violation is found in a history that was without one."""

from dataclasses import replace

import pytest

from spades_core.cards import parse_card
from spades_core.events import CardPlayed, GameEnded
from spades_core.protocol.messages import NextHand
from spades_core.seats import SEATS
from tests.chaos.checks import violations
from tests.chaos.sample_history import CODE, PLAYERS, sample_history
from tests.history import History, LogEntry, ObservedUpdate, RequestRecord, Violation

CARD = 11
"""The commit that plays the first card."""


@pytest.fixture
def history() -> History:
    return sample_history()


def kinds(history: History) -> set[str]:
    return {violation.kind for violation in violations(history)}


def with_request(history: History, n: int, **changes: object) -> History:
    """Return the history with changes to the record of the request that became commit `n`."""
    return replace(
        history,
        requests=tuple(
            replace(record, **changes) if record.position and record.position.n == n else record
            for record in history.requests
        ),
    )


def with_entries(history: History, entries: list[LogEntry]) -> History:
    final = history.final[CODE]
    assert final is not None
    return replace(
        history,
        logs={CODE: entries},
        final={CODE: replace(final, commits=tuple(entry.commit for entry in entries))},
    )


def with_updates(history: History, index: int, *updates: ObservedUpdate) -> History:
    """Return the history with other updates in place of the one at `index` in Ben's stream."""
    ben = history.streams[1]
    updates = (*ben.updates[:index], *updates, *ben.updates[index + 1 :])
    return replace(history, streams=(history.streams[0], replace(ben, updates=updates), *history.streams[2:]))


def test_the_sample_history_has_no_violation(history: History) -> None:
    assert list(violations(history)) == []


def test_a_request_that_is_in_the_log_twice_is_doubled(history: History) -> None:
    entries = list(history.logs[CODE])
    last, card = entries[-1].commit, entries[CARD - 1].commit
    entries[-1] = LogEntry(replace(last, player=card.player, request=card.request))
    assert "doubled" in kinds(with_entries(history, entries))


def test_an_acknowledged_request_that_is_not_in_the_log_is_lost(history: History) -> None:
    entries = list(history.logs[CODE])
    entries[-1] = LogEntry(replace(entries[-1].commit, request="another"))
    assert kinds(with_entries(history, entries)) == {"lost"}


def test_a_position_before_the_commit_does_not_acknowledge_it(history: History) -> None:
    assert "lost" in kinds(with_request(history, CARD, position=history.logs[CODE][CARD - 2].commit.at))


def test_a_request_without_effect_need_not_be_in_the_log(history: History) -> None:
    idle = RequestRecord(
        PLAYERS[1],
        replace(history.requests[1].request, id="again"),
        90.0,
        91.0,
        CODE,
        history.logs[CODE][CARD - 1].commit.at,
    )
    assert kinds(replace(history, requests=(*history.requests, idle))) == set()
    not_now = replace(idle, request=NextHand("early", f"e{CARD}"))
    assert kinds(replace(history, requests=(*history.requests, not_now))) == {"lost"}


def test_a_refused_request_must_not_be_in_the_log(history: History) -> None:
    assert kinds(with_request(history, CARD, position=None, refusal="stale")) == {"refused, but done"}


def test_a_table_that_could_not_be_saved_may_have_been_made(history: History) -> None:
    assert kinds(with_request(history, 1, position=None, refusal="saving_paused")) == set()


def test_a_request_without_an_answer_may_be_in_the_log_or_not(history: History) -> None:
    unanswered = with_request(history, CARD, position=None, answered=None)
    never = RequestRecord(PLAYERS[0], NextHand("never", f"e{CARD}"), 99.0)
    assert kinds(replace(unanswered, requests=(*unanswered.requests, never))) == set()


def test_a_request_sent_after_another_was_acknowledged_has_the_higher_number(history: History) -> None:
    assert kinds(with_request(history, CARD, sent=500.0, answered=501.0)) == {"out of order"}


def test_concurrent_requests_may_be_executed_in_any_order(history: History) -> None:
    together = with_request(with_request(history, CARD, answered=500.0), CARD + 1, sent=0.0)
    assert kinds(together) == set()


def test_a_missing_number_is_a_hole(history: History) -> None:
    entries = history.logs[CODE]
    assert "hole" in kinds(with_entries(history, entries[: CARD - 1] + entries[CARD:]))


def test_a_commit_with_another_parent_breaks_the_chain(history: History) -> None:
    entries = list(history.logs[CODE])
    entries[CARD - 1] = LogEntry(replace(entries[CARD - 1].commit, parent="elsewhere"))
    assert kinds(with_entries(history, entries)) == {"broken chain"}


def test_a_snapshot_equals_the_replayed_table(history: History) -> None:
    entries = list(history.logs[CODE])
    index = next(index for index, entry in enumerate(entries) if entry.snapshot)
    snapshot = entries[index].snapshot
    assert snapshot is not None
    other_table = replace(snapshot, table=replace(snapshot.table, host=None))
    entries[index] = replace(entries[index], snapshot=other_table)
    assert kinds(with_entries(history, entries)) == {"snapshot"}
    entries[index] = replace(entries[index], snapshot=replace(snapshot, at=entries[0].commit.at))
    assert kinds(with_entries(history, entries)) == {"snapshot"}


def test_a_game_is_archived_when_it_ends_and_only_then(history: History) -> None:
    entries = list(history.logs[CODE])
    early = [*entries[:-1], replace(entries[-1], game="a game")]
    assert kinds(with_entries(history, early)) == {"archive"}
    last = entries[-1].commit
    ended = LogEntry(replace(last, events=(*last.events, GameEnded(None, "hand_limit"))))
    assert "archive" in kinds(with_entries(history, [*entries[:-1], ended]))


def test_the_table_loaded_at_the_end_has_every_commit(history: History) -> None:
    final = history.final[CODE]
    assert final is not None
    assert kinds(replace(history, final={CODE: None})) == {"lost"}
    assert kinds(replace(history, final={CODE: replace(final, commits=final.commits[:-1])})) == {"lost"}
    other = replace(final.commits[-1], events=final.commits[-2].events)
    assert kinds(replace(history, final={CODE: replace(final, commits=(*final.commits[:-1], other))})) == {"snapshot"}


def test_a_missing_update_is_found(history: History) -> None:
    assert kinds(with_updates(history, 8)) == {"stream"}


def test_an_update_may_cover_several_commits(history: History) -> None:
    updates = history.streams[1].updates
    both = replace(updates[9], events=updates[8].events + updates[9].events)
    assert kinds(with_updates(with_updates(history, 9, both), 8)) == set()


def test_only_a_fresh_update_may_go_back(history: History) -> None:
    updates = history.streams[1].updates
    back = replace(updates[6], fresh=True, events=())
    both = replace(updates[8], events=updates[7].events + updates[8].events)
    assert kinds(with_updates(history, 8, back, both)) == set()
    assert kinds(with_updates(history, 8, replace(back, fresh=False), both)) == {"stream"}


def test_the_first_update_is_fresh(history: History) -> None:
    assert kinds(with_updates(history, 0, replace(history.streams[1].updates[0], fresh=False))) == {"stream"}


def test_an_update_of_another_history_is_found(history: History) -> None:
    assert kinds(with_updates(history, 8, replace(history.streams[1].updates[8], e="other"))) == {"stream"}
    assert kinds(with_updates(history, 8, replace(history.streams[1].updates[8], n=500))) == {"stream"}


def test_an_event_that_is_not_in_the_log_is_found(history: History) -> None:
    updates = history.streams[1].updates
    index = next(index for index, update in enumerate(updates) if update.n == CARD)
    invented = CardPlayed(SEATS[0], parse_card("AS"))
    assert kinds(with_updates(history, index, replace(updates[index], events=(invented,)))) == {"stream"}
    assert kinds(with_updates(history, index, replace(updates[index], summary=updates[index - 1].summary))) == {
        "stream"
    }


def test_a_violation_names_the_table_and_the_request(history: History) -> None:
    (violation,) = violations(with_request(history, CARD, position=None, refusal="stale"))
    assert isinstance(violation, Violation)
    assert "r11" in str(violation)
    assert CODE in str(violation)
