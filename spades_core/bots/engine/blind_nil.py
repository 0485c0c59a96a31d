"""Decides whether to bid nil before looking, by the scores alone because no card is known."""

from itertools import product

from spades_core.bots.engine.auction import Auction
from spades_core.bots.engine.utility import win_probability
from spades_core.bots.weights import parameters
from spades_core.ruleset import RuleSet
from spades_core.scoring import BLIND_NIL_POINTS, contract_points
from spades_core.views import SeatView

Distribution = list[tuple[float, int]]
"""The probability of each number of points of a side in this hand."""
ASSUMED_BID = 3
"""Bid assumed of a seat that has not bid yet."""


def only_blind_nil_wins(view: SeatView) -> bool:
    """Return whether the side loses the game if all contracts are made, and wins it with a made blind nil."""
    auction, rules = Auction.from_view(view), view.rules
    partner = ASSUMED_BID if auction.partner_bid is None else auction.partner_bid
    their_contract = sum(ASSUMED_BID if bid is None else bid for bid in auction.their_bids)
    theirs = contract_points(rules, their_contract) + auction.their_nil_points
    looking, blind = contract_points(rules, partner + ASSUMED_BID), contract_points(rules, partner) + BLIND_NIL_POINTS
    return partner != 0 and win_after(view, looking, theirs) == 0 and win_after(view, blind, theirs) == 1


def blind_nil_wins_more(view: SeatView) -> bool:
    """Return whether a blind nil wins the game more often than looking; never beside a partner's nil."""
    auction, rules = Auction.from_view(view), view.rules
    if auction.partner_bid == 0:
        return False
    theirs = _side_points(rules, *auction.their_bids)
    made = parameters.BLIND_NIL_MADE_AFTER_PASSING if rules.blind_nil == "swap" else parameters.BLIND_NIL_MADE
    partner = ASSUMED_BID if auction.partner_bid is None else auction.partner_bid
    contract = _made_or_set(contract_points(rules, partner), parameters.CONTRACT_MADE_RATE)
    blind = _sum(_made_or_set(BLIND_NIL_POINTS, made), contract)
    looking = _side_points(rules, None, auction.partner_bid)
    return _expected_win(view, blind, theirs) > _expected_win(view, looking, theirs)


def win_after(view: SeatView, ours: int, theirs: int) -> float:
    """Return the probability of winning the game if this hand brings these points."""
    assert view.you is not None
    us, them = view.sides[view.you & 1], view.sides[1 - (view.you & 1)]
    return win_probability(view.rules, (us.score + ours, them.score + theirs), (us.bags, them.bags), view.hand_number)


def _expected_win(view: SeatView, ours: Distribution, theirs: Distribution) -> float:
    return sum(
        p * q * win_after(view, our_points, their_points)
        for (p, our_points), (q, their_points) in product(ours, theirs)
    )


def _side_points(rules: RuleSet, *bids: int | None) -> Distribution:
    """Return the distribution of a side's points; a bid of None is not made yet."""
    nil, rate = rules.nil_value or 0, parameters.NIL_BID_RATE
    bids_of = [[(1.0, bid)] if bid is not None else [(rate, 0), (1 - rate, ASSUMED_BID)] for bid in bids]
    distribution = []
    for (p, bid), (q, partner_bid) in product(*bids_of):
        side = _made_or_set(contract_points(rules, bid + partner_bid), parameters.CONTRACT_MADE_RATE)
        for _ in range((bid == 0) + (partner_bid == 0)):
            side = _sum(side, _made_or_set(nil, parameters.NIL_MADE_RATE))
        distribution += [(p * q * probability, points) for probability, points in side]
    return distribution


def _made_or_set(points: int, made: float) -> Distribution:
    return [(made, points), (1 - made, -points)]


def _sum(first: Distribution, second: Distribution) -> Distribution:
    """Return the distribution of the sum of two independent random numbers of points."""
    return [(p * q, points + more) for (p, points), (q, more) in product(first, second)]
