"""The bid of `hard`, by expected tricks, the probability of nil, the other bids and the score."""

from spades_core.bots.engine.auction import Auction, nearest_legal
from spades_core.bots.engine.hand_value import expected_tricks, nil_probability
from spades_core.bots.engine.utility import bag_cost
from spades_core.bots.weights import parameters


def policy_bid(auction: Auction, legal: tuple[int, ...], held: list[int], sizes: list[int]) -> int:
    """Return one of the legal bids for a hand by suit, in a deck whose suits have these sizes."""
    if len(legal) == 1:
        return legal[0]
    tricks = expected_tricks(held, sizes)
    partner = auction.partner_bid
    nil = nil_probability(held, sizes, parameters.ASSUMED_PARTNER_BID if partner is None else partner)
    bid = 0
    if 0 not in legal or not _nil_pays(auction, legal, tricks, nil):
        if auction.rules.variant == "whiz":
            return max(legal)
        bid = contract_bid(auction, tricks)
    if partner is not None and auction.rules.variant == "partnership":
        bid = auction.adjust_to_score(bid, tricks, try_nil=nil >= parameters.FORCED_NIL_PROBABILITY)
    return nearest_legal(bid, legal, tricks)


def contract_bid(auction: Auction, tricks: float) -> int:
    """Return the number of tricks to bid: at least one, and at most thirteen with the partner's."""
    known = [other for other in (auction.partner_bid, *auction.their_bids) if other is not None]
    surplus = sum(known) - parameters.AVERAGE_BID * len(known)
    boldness = parameters.BOLDNESS + parameters.BAG_BOLDNESS * (bag_cost(auction.rules) - 9)
    estimate = max(0.0, tricks + boldness - parameters.OTHERS_BIDS_WEIGHT * surplus)
    bid = int(estimate)
    if auction.is_last:
        total = bid + sum(known)
        bid -= total >= parameters.HIGH_TOTAL
        bid += total <= parameters.LOW_TOTAL and estimate - bid >= 0.5
    return min(max(bid, 1), auction.max_bid)


def _nil_pays(auction: Auction, legal: tuple[int, ...], tricks: float, nil: float) -> bool:
    """Return whether a nil made with probability `nil` is worth more than the tricks; never beside a partner's nil."""
    rules, partner = auction.rules, auction.partner_bid
    if rules.variant == "suicide":
        return nil >= parameters.SUICIDE_NIL_PROBABILITY and partner is None
    if partner == 0:
        return False
    value = (2 * nil - 1) * (rules.nil_value or 0)
    if rules.variant == "whiz":
        missing = max(0.0, max(legal) - tricks)
        return value > parameters.NIL_PREMIUM + parameters.NIL_PREMIUM_PER_TRICK * (max(legal) - 3 * missing)
    behind = auction.their_score - auction.score
    far = parameters.FAR_BEHIND
    shift = parameters.NIL_PREMIUM_SHIFT * ((behind >= far) - (behind <= -far))
    return value > parameters.NIL_PREMIUM - shift + parameters.NIL_PREMIUM_PER_TRICK * tricks
