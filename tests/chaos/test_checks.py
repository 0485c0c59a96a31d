"""Every kind of violation, planted into a run that was in order, is found."""

from dataclasses import replace

import pytest

from spades_core.cards import parse_card
from spades_core.events import CardPlayed, GameEnded
from spades_core.protocol.messages import NextHand
from spades_core.seats import SEATS
from tests.chaos.checks import Violation, violations
from tests.chaos.history import History, LogEntry, ObservedUpdate, RequestRecord
from tests.chaos.sample_history import CODE, PLAYERS, sample_history

CARD = 11
"""The commit that plays the first card."""


@pytest.fixture
def facts() -> History:
    return sample_history()


def kinds(facts: History) -> set[str]:
    return {violation.kind for violation in violations(facts)}


def with_asked(facts: History, became: int, **changes: object) -> History:
    """As if the request that became that commit had gone otherwise."""
    return replace(facts, asked=tuple(replace(one, **changes) if one.n == became else one for one in facts.asked))


def with_entries(facts: History, entries: list[LogEntry]) -> History:
    final = facts.final[CODE]
    assert final is not None
    return replace(
        facts,
        journal={CODE: entries},
        final={CODE: replace(final, commits=tuple(entry.commit for entry in entries))},
    )


def with_seen(facts: History, place: int, *instead: ObservedUpdate) -> History:
    """Ben was shown something else than his update number `place`."""
    ben = facts.streams[1]
    seen = (*ben.seen[:place], *instead, *ben.seen[place + 1 :])
    return replace(facts, streams=(facts.streams[0], replace(ben, seen=seen), *facts.streams[2:]))


def test_a_run_in_order_has_no_violation(facts: History) -> None:
    assert list(violations(facts)) == []


def test_a_request_that_is_in_the_log_twice_is_doubled(facts: History) -> None:
    entries = list(facts.journal[CODE])
    last, card = entries[-1].commit, entries[CARD - 1].commit
    entries[-1] = LogEntry(replace(last, player=card.player, request=card.request))
    assert "doubled" in kinds(with_entries(facts, entries))


def test_an_acknowledged_request_that_is_not_in_the_log_is_lost(facts: History) -> None:
    entries = list(facts.journal[CODE])
    entries[-1] = LogEntry(replace(entries[-1].commit, request="another"))
    assert kinds(with_entries(facts, entries)) == {"lost"}


def test_an_answer_older_than_what_it_answers_is_none(facts: History) -> None:
    assert "lost" in kinds(with_asked(facts, CARD, n=CARD - 1))


def test_a_request_that_had_nothing_to_change_need_not_be_in_the_log(facts: History) -> None:
    idle = RequestRecord(PLAYERS[1], replace(facts.asked[1].request, id="again"), 90.0, 91.0, CODE, CARD)
    assert kinds(replace(facts, asked=(*facts.asked, idle))) == set()
    not_now = replace(idle, request=NextHand("early", f"e{CARD}"))
    assert kinds(replace(facts, asked=(*facts.asked, not_now))) == {"lost"}


def test_a_refused_request_must_not_be_in_the_log(facts: History) -> None:
    assert kinds(with_asked(facts, CARD, n=None, refused="stale")) == {"refused, but done"}


def test_a_table_that_could_not_be_saved_may_have_been_made(facts: History) -> None:
    assert kinds(with_asked(facts, 1, n=None, refused="saving_paused")) == set()


def test_a_request_without_an_answer_may_be_in_the_log_or_not(facts: History) -> None:
    unheard = with_asked(facts, CARD, n=None, answered=None)
    never = RequestRecord(PLAYERS[0], NextHand("never", f"e{CARD}"), 99.0)
    assert kinds(replace(unheard, asked=(*unheard.asked, never))) == set()


def test_what_was_sent_after_another_was_acknowledged_has_the_larger_number(facts: History) -> None:
    assert kinds(with_asked(facts, CARD, sent=500.0, answered=501.0)) == {"out of order"}


def test_two_requests_on_their_way_at_once_may_be_done_in_any_order(facts: History) -> None:
    together = with_asked(with_asked(facts, CARD, answered=500.0), CARD + 1, sent=0.0)
    assert kinds(together) == set()


def test_a_missing_number_is_a_hole(facts: History) -> None:
    entries = facts.journal[CODE]
    assert "hole" in kinds(with_entries(facts, entries[: CARD - 1] + entries[CARD:]))


def test_a_commit_on_another_than_the_one_before_breaks_the_chain(facts: History) -> None:
    entries = list(facts.journal[CODE])
    entries[CARD - 1] = LogEntry(replace(entries[CARD - 1].commit, parent="elsewhere"))
    assert kinds(with_entries(facts, entries)) == {"broken chain"}


def test_a_snapshot_is_what_replaying_gives(facts: History) -> None:
    entries = list(facts.journal[CODE])
    place = next(place for place, entry in enumerate(entries) if entry.snapshot)
    snapshot = entries[place].snapshot
    assert snapshot is not None
    other_table = replace(snapshot, table=replace(snapshot.table, host=None))
    entries[place] = replace(entries[place], snapshot=other_table)
    assert kinds(with_entries(facts, entries)) == {"snapshot"}
    entries[place] = replace(entries[place], snapshot=replace(snapshot, at=entries[0].commit.at))
    assert kinds(with_entries(facts, entries)) == {"snapshot"}


def test_a_game_is_archived_when_it_ends_and_only_then(facts: History) -> None:
    entries = list(facts.journal[CODE])
    early = [*entries[:-1], replace(entries[-1], game="a game")]
    assert kinds(with_entries(facts, early)) == {"archive"}
    last = entries[-1].commit
    ended = LogEntry(replace(last, events=(*last.events, GameEnded(None, "hand_limit"))))
    assert "archive" in kinds(with_entries(facts, [*entries[:-1], ended]))


def test_the_end_of_the_log_is_what_a_server_would_load(facts: History) -> None:
    final = facts.final[CODE]
    assert final is not None
    assert kinds(replace(facts, final={CODE: None})) == {"lost"}
    assert kinds(replace(facts, final={CODE: replace(final, commits=final.commits[:-1])})) == {"lost"}
    other = replace(final.commits[-1], events=final.commits[-2].events)
    assert kinds(replace(facts, final={CODE: replace(final, commits=(*final.commits[:-1], other))})) == {"snapshot"}


def test_an_update_left_out_is_missed(facts: History) -> None:
    assert kinds(with_seen(facts, 8)) == {"stream"}


def test_an_update_may_tell_of_several_commits_at_once(facts: History) -> None:
    seen = facts.streams[1].seen
    both = replace(seen[9], events=seen[8].events + seen[9].events)
    assert kinds(with_seen(with_seen(facts, 9, both), 8)) == set()


def test_only_a_fresh_start_goes_back(facts: History) -> None:
    seen = facts.streams[1].seen
    back = replace(seen[6], fresh=True, events=())
    told = replace(seen[8], events=seen[7].events + seen[8].events)
    assert kinds(with_seen(facts, 8, back, told)) == set()
    assert kinds(with_seen(facts, 8, replace(back, fresh=False), told)) == {"stream"}


def test_the_first_update_is_a_fresh_start(facts: History) -> None:
    assert kinds(with_seen(facts, 0, replace(facts.streams[1].seen[0], fresh=False))) == {"stream"}


def test_an_update_of_another_history_is_found(facts: History) -> None:
    assert kinds(with_seen(facts, 8, replace(facts.streams[1].seen[8], e="other"))) == {"stream"}
    assert kinds(with_seen(facts, 8, replace(facts.streams[1].seen[8], n=500))) == {"stream"}


def test_a_card_that_is_not_in_the_log_was_never_played(facts: History) -> None:
    seen = facts.streams[1].seen
    place = next(place for place, one in enumerate(seen) if one.n == CARD)
    invented = CardPlayed(SEATS[0], parse_card("AS"))
    assert kinds(with_seen(facts, place, replace(seen[place], events=(invented,)))) == {"stream"}
    assert kinds(with_seen(facts, place, replace(seen[place], shown=seen[place - 1].shown))) == {"stream"}


def test_an_account_names_the_table_and_the_request(facts: History) -> None:
    (violation,) = violations(with_asked(facts, CARD, n=None, refused="stale"))
    assert isinstance(violation, Violation)
    assert "r11" in str(violation)
    assert CODE in str(violation)
