"""Mutants of `view_for`, `redact` and `decide` that leak information: the check must find each within a few games."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from spades_core import views
from spades_core.cards import Card
from spades_core.decide import decide
from spades_core.deck import STANDARD
from spades_core.events import (
    BidPlaced,
    CardsPassed,
    HandDealt,
    HandLookedAt,
    HandReceived,
    HandVoided,
    PlayBegan,
    SeatTaken,
)
from spades_core.legal import first_leader, legal_cards
from spades_core.seats import SEATS, Seat, partner_of
from spades_core.state import Table
from tests.spades_core import random_games
from tests.spades_core.information_leaks import check_game
from tests.spades_core.rule_sets import rules_with

RULES = rules_with(blind_nil="swap", first_lead="two_of_clubs", target=100, floor=None, hand_limit=4)
"""Rules with every kind of secret: hands face down, passed cards, and the holder of the card that will be led."""

view_for, redact = views.view_for, views.redact


def _held(seat: Seat, table: Table) -> int:
    return table.game.hand.held[seat] if table.game and table.game.hand else 0


def spectator_sees_the_dealers_hand(seat, table):
    view = view_for(seat, table)
    return view if seat is not None or view.dealer is None else view_for(view.dealer, table)


def partner_hand_beside_the_own(seat, table):
    view = view_for(seat, table)
    return view if seat is None else replace(view, hand=view.hand + STANDARD.cards_in(_held(partner_of(seat), table)))


def cards_left_counted_in_the_hands(seat, table):
    view = view_for(seat, table)
    seats = tuple(replace(seen, cards_left=_held(SEATS[at], table).bit_count()) for at, seen in enumerate(view.seats))
    return replace(view, seats=seats)


def sort_order_that_knows_the_next_hand(seat, table):
    view = view_for(seat, table)
    if seat is None or not _held(SEATS[(seat + 1) & 3], table) & STANDARD.spades:
        return view
    return replace(view, hand=view.hand[::-1])


def legal_cards_of_whoever_is_on_turn(seat, table):
    view = view_for(seat, table)
    if table.phase != "playing" or table.turn is None:
        return view
    assert table.game is not None
    assert table.game.hand is not None
    return replace(view, legal_cards=STANDARD.cards_in(legal_cards(table.rules, table.game.hand, table.turn)))


def name_that_counts_spades(seat, table):
    view = view_for(seat, table)
    first = replace(
        view.seats[0], name=f"{view.seats[0].name} {(_held(SEATS[0], table) & STANDARD.spades).bit_count()}"
    )
    return replace(view, seats=(first, *view.seats[1:]))


def sentence_that_knows_a_void(seat, table):
    view = view_for(seat, table)
    return replace(view, barred="Somebody has no spade.") if _held(SEATS[0], table) & STANDARD.spades else view


def mask_of_the_next_hand(seat, table):
    view = view_for(seat, table)
    return view if seat is None else replace(view, hand_number=_held(SEATS[(seat + 1) & 3], table))


def passed_cards_shown_to_the_other_side(seat, table):
    view = view_for(seat, table)
    hand = table.game.hand if table.game else None
    return replace(view, passed=hand.passed[1 - (seat & 1)]) if hand and seat is not None else view


def the_deal_itself(_seat, event):
    return event


def the_partners_cards(seat, event):
    seen = redact(seat, event)
    if seat is None or not isinstance(event, HandDealt):
        return seen
    return replace(seen, cards=event.hands[partner_of(seat)])


def a_card_too_many(seat, event):
    seen = redact(seat, event)
    if not isinstance(seen, HandReceived) or not isinstance(event, HandDealt):
        return seen
    return replace(seen, cards=(*seen.cards, event.hands[seen.dealer][0]))


def somebodys_identity(seat, event):
    return event if isinstance(event, SeatTaken) else redact(seat, event)


def a_card_before_it_is_played(seat, event):
    seen = redact(seat, event)
    return replace(seen, cards=(Card("AS"),)) if isinstance(seen, HandReceived) and seat is None else seen


def a_hand_face_down_in_the_view(seat, table):
    view = view_for(seat, table)
    return replace(view, hand=STANDARD.cards_in(_held(seat, table))) if view.may_look else view


def legal_bids_that_know_a_hand_face_down(seat, table):
    view = view_for(seat, table)
    return replace(view, may_bid_blind=_held(seat, table).bit_count() % 2 == 1) if view.may_look else view


def who_will_lead_the_two_of_clubs(seat, table):
    view = view_for(seat, table)
    if table.phase != "bidding":
        return view
    holders = [other for other in SEATS if _held(other, table) & STANDARD.bit[Card("2C")]]
    return replace(view, host=holders[0]) if holders else view


def a_hand_face_down_told_to_its_owner(seat, event):
    seen = redact(seat, event)
    if seat is None or not isinstance(event, HandDealt):
        return seen
    return replace(seen, cards=event.hands[seat])


def a_hand_turned_up_told_to_all(seat, event):
    return event if isinstance(event, HandLookedAt) else redact(seat, event)


def passed_cards_told_to_the_other_side(seat, event):
    return event if isinstance(event, CardsPassed) else redact(seat, event)


def the_leader_after_the_first_bid(table, command):
    """Announce the holder of the two of clubs after the first bid."""
    events = decide(table, command)
    if not isinstance(events[0] if events else None, BidPlaced) or table.game.hand.bids.count(None) < 4:
        return events
    return *events, PlayBegan(first_leader(table.rules, table.game.hand))


def a_void_hand_told_with_a_set_of_its_cards(table, command):
    """Send the mask of a hand with the event that voids it."""
    voided, *dealt = decide(table, command) or (None,)
    if not isinstance(voided, HandVoided):
        return decide(table, command)
    return replace(voided, number=_held(SEATS[0], table)), *dealt


@pytest.mark.parametrize(
    "leak",
    [
        spectator_sees_the_dealers_hand,
        partner_hand_beside_the_own,
        cards_left_counted_in_the_hands,
        sort_order_that_knows_the_next_hand,
        legal_cards_of_whoever_is_on_turn,
        name_that_counts_spades,
        sentence_that_knows_a_void,
        mask_of_the_next_hand,
        a_hand_face_down_in_the_view,
        legal_bids_that_know_a_hand_face_down,
        who_will_lead_the_two_of_clubs,
        passed_cards_shown_to_the_other_side,
    ],
)
def test_a_leak_in_the_view_is_found(leak: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "view_for", leak)
    _found()


@pytest.mark.parametrize(
    "leak",
    [
        the_deal_itself,
        the_partners_cards,
        a_card_too_many,
        somebodys_identity,
        a_card_before_it_is_played,
        a_hand_face_down_told_to_its_owner,
        a_hand_turned_up_told_to_all,
        passed_cards_told_to_the_other_side,
    ],
)
def test_a_leak_in_redacted_events_is_found(leak: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "redact", leak)
    _found()


@pytest.mark.parametrize("leak", [the_leader_after_the_first_bid, a_void_hand_told_with_a_set_of_its_cards])
def test_a_leak_in_the_events_of_a_command_is_found(leak: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_games, "decide", leak)
    _found()


def test_without_a_leak_nothing_is_found() -> None:
    _check_some_games()


def _found() -> None:
    with pytest.raises(AssertionError, match=r"view is not what|is sent|set of cards|identity|too early"):
        _check_some_games()


def _check_some_games() -> None:
    for seed in range(5):
        check_game(seed, RULES)
