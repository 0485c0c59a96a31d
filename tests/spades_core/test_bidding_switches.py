"""The legal bids under each bidding switch."""

from itertools import product

import pytest

from spades_core.commands import PlaceBid
from spades_core.legal import legal_bids
from spades_core.seats import SEATS
from spades_core.state import Hand
from tests.spades_core.reference_moves import may_bid
from tests.spades_core.rule_sets import VALUES, made, rules_with
from tests.spades_core.scenarios import Scenario, dealt

ALL = set(range(14))
SPADES_HELD = ("S AKQ", "S 2345", "H AKQJT98765432", "S 6")
"""Hands with 3, 4, 0 and 1 named spades, completed by clubs and diamonds; the last one gets the other spades."""


def left_after(*bids: int, hands=(), **switches) -> set[int]:
    """Return the legal bids of the next seat after these bids, and check that all others are refused."""
    scenario = dealt(*hands, rules=rules_with(**switches))
    scenario.bid(*bids)
    seat = SEATS[len(bids)]
    left = set(scenario.view(seat).legal_bids)
    assert scenario.view(seat).legal_bids == tuple(sorted(left)), "from the lowest, each once"
    for bid in ALL - left:
        assert "leave you only" in scenario.refuses(PlaceBid(seat, bid), "bid_not_allowed")
    for bid in left:
        assert Scenario(scenario.table).do(PlaceBid(seat, bid))[0].bid == bid
    return left


@pytest.mark.rule("R94")
@pytest.mark.parametrize("bids", [(), (3,), (3, 3), (3, 3, 3)])
def test_without_nil_nobody_bids_0(bids) -> None:
    assert left_after(*bids, nil_value=None) == ALL - {0}


@pytest.mark.rule("R95")
def test_a_second_nil_of_a_side_may_be_forbidden() -> None:
    assert left_after(0, double_nil="forbidden") == ALL
    assert left_after(0, 3, double_nil="forbidden") == ALL - {0}
    assert left_after(4, 0, 0, double_nil="forbidden") == ALL - {0}
    assert left_after(4, 3, 0, double_nil="forbidden") == ALL
    assert left_after(0, 3) == ALL


@pytest.mark.rule("R96")
@pytest.mark.parametrize(("first", "least"), [(0, 4), (1, 3), (2, 2), (3, 1), (4, 0), (13, 0)])
def test_a_side_bids_at_least_four(first, least) -> None:
    assert left_after(min_bid="side_four") == ALL
    assert left_after(first, 2, min_bid="side_four") == set(range(least, 14))
    assert left_after(4, first, 4, min_bid="side_four") == set(range(least, 14))


@pytest.mark.rule("R100")
@pytest.mark.parametrize("bids", [(), (2,), (2, 3), (2, 3, 0)])
def test_nobody_bids_1(bids) -> None:
    assert left_after(*bids, min_bid="no_ones") == ALL - {1}


@pytest.mark.rule("R101")
@pytest.mark.parametrize(
    ("bids", "barred"), [((3, 3, 3), 4), ((0, 0, 0), 13), ((13, 0, 0), 0), ((6, 6, 0), 1), ((7, 7, 0), None)]
)
def test_the_last_bid_does_not_make_thirteen(bids, barred) -> None:
    assert left_after(*bids, sum_not_13=True) == ALL - {barred}
    assert left_after(*bids) == ALL
    assert left_after(*bids[:2], sum_not_13=True) == ALL


@pytest.mark.rule("R102")
def test_in_mirror_the_spades_held_are_the_bid() -> None:
    assert left_after(hands=SPADES_HELD, variant="mirror") == {3}
    assert left_after(3, hands=SPADES_HELD, variant="mirror") == {4}
    assert left_after(3, 4, hands=SPADES_HELD, variant="mirror") == {0}
    assert left_after(3, 4, 0, hands=SPADES_HELD, variant="mirror") == {6}


@pytest.mark.rule("R103")
def test_in_whiz_the_spades_held_or_nil() -> None:
    assert left_after(hands=SPADES_HELD, variant="whiz") == {0, 3}
    assert left_after(0, hands=SPADES_HELD, variant="whiz") == {0, 4}
    assert left_after(0, 4, hands=SPADES_HELD, variant="whiz") == {0}
    assert left_after(3, 0, 0, hands=SPADES_HELD, variant="whiz") == {0, 6}


@pytest.mark.rule("R104")
def test_in_suicide_one_of_a_side_bids_nil_and_the_other_at_least_four() -> None:
    nil_or_four = {0, *range(4, 14)}
    assert left_after(variant="suicide") == nil_or_four
    assert left_after(0, variant="suicide") == nil_or_four
    assert left_after(0, 5, variant="suicide") == set(range(4, 14))
    assert left_after(5, 0, variant="suicide") == {0}
    assert left_after(5, 0, 0, variant="suicide") == set(range(4, 14))
    assert left_after(0, 5, 4, variant="suicide") == {0}


@pytest.mark.rule("R102", "R103", "R112", "R113")
@pytest.mark.parametrize("variant", ["mirror", "whiz"])
def test_spades_are_counted_as_the_deck_counts_them(variant) -> None:
    hands = ("S BL2A D 23", "", "", "")
    nil = {0} if variant == "whiz" else set()
    assert left_after(hands=hands, variant=variant, deck="jokers_and_deuces") == {5} | nil
    hands = ("S BL2A D 23 C 3456789", "S 3456789TJQK")
    assert left_after(hands=hands, variant=variant, deck="jokers") == {4} | nil


@pytest.mark.rule("R109")
@pytest.mark.parametrize(
    ("switches", "bids", "says"),
    [
        ({"nil_value": None}, (), "1 to 13"),
        ({"min_bid": "no_ones"}, (), "nil or 2 to 13"),
        ({"min_bid": "no_ones", "sum_not_13": True}, (3, 3, 3), "nil, 2 to 3 or 5 to 13"),
        ({"sum_not_13": True}, (4, 4, 4), "nil or 2 to 13"),
        ({"sum_not_13": True}, (0, 0, 0), "nil to 12"),
        ({"variant": "suicide"}, (5, 5), "nil"),
        ({"variant": "whiz"}, (), "nil or 3"),
    ],
)
def test_a_refusal_names_the_bids_left(switches, bids, says) -> None:
    scenario = dealt(*SPADES_HELD, rules=rules_with(**switches))
    scenario.bid(*bids)
    seat = scenario.table.turn
    bad = next(bid for bid in (1, 0, 13, 4) if bid not in scenario.view(seat).legal_bids)
    text = scenario.refuses(PlaceBid(seat, bad), "bid_not_allowed")
    assert text == f"The rules of this table leave you only {says}."


RELEVANT_BIDS = (0, 1, 3, 4, 6, 13)
"""Bids that the legal bids of later seats may depend on."""
BIDDING = ("nil_value", "double_nil", "min_bid", "sum_not_13", "variant")


@pytest.mark.rule("R109")
def test_there_is_always_a_legal_bid() -> None:
    """For every combination of the bidding switches, and all relevant first, second and third bids."""
    combinations = 0
    for values in product(*(VALUES[name] for name in BIDDING)):
        rules = made(**dict(zip(BIDDING, values, strict=False)))
        if rules is None:
            continue
        combinations += 1
        for spades in (0, 1, 3):
            _something_is_left(rules, spades)
    assert combinations > 100


def _something_is_left(rules, spades: int) -> None:
    """Every seat holds the same spades, which no deal allows but no rule depends on."""
    held = frozenset(f"{rank}S" for rank in "AKQ"[:spades])
    mask = sum(1 << (51 - place) for place in range(spades))
    auctions = [()]
    for seat in SEATS:
        further = []
        for bids in auctions:
            so_far = (*bids, None, None, None, None)[:4]
            hand = Hand(1, SEATS[3], (mask, mask, mask, mask), SEATS[seat], SEATS[0], so_far)
            left = legal_bids(rules, hand, SEATS[seat])
            assert left
            assert set(left) == may_bid(rules, so_far, seat, held)
            further += [(*bids, bid) for bid in left if bid in RELEVANT_BIDS]
        auctions = further
