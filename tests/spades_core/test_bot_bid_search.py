"""The expert's candidate bids, and when it trusts a nil."""

import pytest

from spades_core.bots.engine.bid_search import BidSearch
from spades_core.commands import DealHand
from tests.spades_core.scenarios import after_hands, deal

SAFE = "S 32 H 65432 D 432 C 432"
RISKY = "S Q H J963 D K973 C AQ32"
HOPELESS = "S AKQ H AKQ D AKQ C AKQJ"


def search_of(hand: str, *bids: int, scores=(0, 0)) -> BidSearch:
    """The search of the seat that bids next."""
    scenario = after_hands(scores)
    hands = ["", "", ""]
    hands.insert(len(bids), hand)
    scenario.do(DealHand(deal(*hands)))
    scenario.bid(*bids)
    return BidSearch(scenario.view(len(bids)))


@pytest.mark.parametrize("bids", [(), (3,), (3, 4), (3, 4, 3)])
def test_nil_is_a_candidate_where_it_may_be_made(bids) -> None:
    assert 0 in search_of(SAFE, *bids).candidates
    assert 0 not in search_of(HOPELESS, *bids).candidates


def test_nil_is_no_candidate_beside_a_partners_nil() -> None:
    assert 0 not in search_of(SAFE, 0, 4).candidates


def test_the_policy_bid_is_a_candidate() -> None:
    for hand in (SAFE, RISKY, HOPELESS):
        for bids in ((), (3,), (3, 4), (3, 4, 3)):
            search = search_of(hand, *bids)
            assert search.policy_bid in search.candidates
            assert all(abs(bid - max(search.candidates)) <= 2 for bid in search.candidates if bid)


def with_nils(search: BidSearch, *made: bool) -> BidSearch:
    search.nils_made += made
    return search


def test_a_nil_is_safe_only_if_rollouts_and_weights_agree() -> None:
    assert with_nils(search_of(SAFE), True, True, True, False).is_safe(0)
    assert not with_nils(search_of(SAFE), True, False, False, False).is_safe(0)
    assert not with_nils(search_of(RISKY), True, True, True, False).is_safe(0)
    assert with_nils(search_of(RISKY), True, True, True, False).is_safe(2)
    assert search_of(RISKY).is_safe(0), "no rollouts: there was no time"


def test_near_the_end_of_a_game_any_nil_may_be_bid() -> None:
    assert with_nils(search_of(RISKY, scores=(330, 470)), True, False).is_safe(0)


def test_the_fallback_of_an_unsafe_nil_is_a_low_contract() -> None:
    for hand in (SAFE, RISKY):
        assert search_of(hand).fallback in (1, 2)
