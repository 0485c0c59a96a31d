"""Which bids the expert thinks about before it plays them out."""

import pytest

from spades_core.bots.engine.bid_search import Bidding
from spades_core.commands import DealHand
from tests.spades_core.scenarios import after_hands, deal

SAFE = "S 32 H 65432 D 432 C 432"
RISKY = "S Q H J963 D K973 C AQ32"
HOPELESS = "S AKQ H AKQ D AKQ C AKQJ"


def thought_of(hand: str, *bids: int, scores=(0, 0)) -> Bidding:
    """By the seat that bids next."""
    scenario = after_hands(scores)
    hands = ["", "", ""]
    hands.insert(len(bids), hand)
    scenario.do(DealHand(deal(*hands)))
    scenario.bid(*bids)
    return Bidding(scenario.view(len(bids)))


@pytest.mark.parametrize("bids", [(), (3,), (3, 4), (3, 4, 3)])
def test_a_nil_is_thought_of_where_it_may_be_kept(bids) -> None:
    assert 0 in thought_of(SAFE, *bids).choices
    assert 0 not in thought_of(HOPELESS, *bids).choices


def test_never_behind_a_partners_nil() -> None:
    assert 0 not in thought_of(SAFE, 0, 4).choices


def test_what_hard_would_bid_is_among_them() -> None:
    for hand in (SAFE, RISKY, HOPELESS):
        for bids in ((), (3,), (3, 4), (3, 4, 3)):
            bidding = thought_of(hand, *bids)
            assert bidding.usual in bidding.choices
            assert all(abs(bid - max(bidding.choices)) <= 2 for bid in bidding.choices if bid)


def rolled(bidding: Bidding, *kept: bool) -> Bidding:
    bidding.kept += kept
    return bidding


def test_a_nil_is_bid_only_where_worlds_and_table_say_that_it_is_safe() -> None:
    assert rolled(thought_of(SAFE), True, True, True, False).is_safe(0)
    assert not rolled(thought_of(SAFE), True, False, False, False).is_safe(0)
    assert not rolled(thought_of(RISKY), True, True, True, False).is_safe(0)
    assert rolled(thought_of(RISKY), True, True, True, False).is_safe(2)
    assert thought_of(RISKY).is_safe(0), "nothing was tried: there was no time"


def test_near_the_end_of_a_game_a_nil_may_be_daring() -> None:
    assert rolled(thought_of(RISKY, scores=(330, 470)), True, False).is_safe(0)


def test_instead_of_a_nil_that_is_not_safe_it_promises_tricks() -> None:
    for hand in (SAFE, RISKY):
        assert thought_of(hand).instead in (1, 2)
