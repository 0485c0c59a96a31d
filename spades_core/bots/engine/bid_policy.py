"""What `hard` bids: expected tricks, the chance of a nil, what the others bid, and the score."""

from spades_core.bots.engine.auction import Auction, loses_even_if_made, wins_if_made
from spades_core.bots.engine.hand_value import expected_tricks, nil_chance
from spades_core.bots.weights import parameters
from spades_core.ruleset import RuleSet


def bid(auction: Auction, legal: tuple[int, ...], held: list[int], sizes: list[int]) -> int:
    """One of the legal bids."""
    if len(legal) == 1:
        return legal[0]
    tricks = expected_tricks(held, sizes)
    partner = auction.partner_bid
    kept = nil_chance(held, sizes, parameters.UNKNOWN_PARTNER if partner is None else partner)
    wanted = 0
    if 0 not in legal or not _sensible_nil(auction, legal, tricks, kept):
        if auction.rules.variant == "whiz":
            return max(legal)
        wanted = contract(auction, tricks)
    if partner is not None and auction.rules.variant == "partnership":
        wanted = to_the_score(wanted, auction, tricks, kept)
    if wanted in legal:
        return wanted
    promises = [other for other in legal if other] if wanted else legal
    return min(promises or legal, key=lambda other: (abs(other - wanted), abs(other - tricks)))


def contract(auction: Auction, tricks: float) -> int:
    """How many tricks to promise, at least one and with the partner at most thirteen."""
    known = [other for other in (auction.partner_bid, *auction.their_bids) if other is not None]
    surplus = sum(known) - parameters.USUAL_BID * len(known)
    boldness = parameters.BOLDNESS + parameters.BAG_BOLDNESS * (bag_cost(auction.rules) - 9)
    hopes = max(0.0, tricks + boldness - parameters.OTHERS_BIDS * surplus)
    promised = int(hopes)
    if auction.is_last:
        total = promised + sum(known)
        promised -= total >= parameters.HIGH_TABLE
        promised += total <= parameters.LOW_TABLE and hopes - promised >= 0.5
    return min(max(promised, 1), most(auction))


def most(auction: Auction) -> int:
    return max(1, 13 - (auction.partner_bid or 0))


def bag_cost(rules: RuleSet) -> float:
    """What a bag costs on average, in points; below 0 when it brings something."""
    point = 0.0 if rules.bag_points == "none" else 1.0
    if rules.bag_limit is None:
        return -point
    given_back = point if rules.bag_points == "given_back" else 0.0
    return rules.bag_penalty / rules.bag_limit + given_back - point


def _sensible_nil(auction: Auction, legal: tuple[int, ...], tricks: float, kept: float) -> bool:
    """Whether nil promises more points than the tricks of this hand. Never behind a partner's nil."""
    rules, partner = auction.rules, auction.partner_bid
    if rules.variant == "suicide":
        return kept >= parameters.SUICIDE_CHANCE and partner is None
    if partner == 0:
        return False
    value = (2 * kept - 1) * (rules.nil_value or 0)
    if rules.variant == "whiz":
        short = max(0.0, max(legal) - tricks)
        return value > parameters.NIL_PREMIUM + parameters.NIL_PER_TRICK * (max(legal) - 3 * short)
    behind = auction.their_score - auction.score
    tilt = parameters.NIL_WHEN_BEHIND * ((behind >= parameters.FAR) - (behind <= -parameters.FAR))
    return value > parameters.NIL_PREMIUM - tilt + parameters.NIL_PER_TRICK * tricks


def to_the_score(wanted: int, auction: Auction, tricks: float, kept: float) -> int:
    """Near the end: never a bid that loses the game when made, nor a higher one than the game needs."""
    if loses_even_if_made(wanted, auction):
        reach = range(wanted + 1, min(most(auction), int(tricks) + 4) + 1)
        for other in reach:
            if wins_if_made(other, auction):
                return other
        for other in reach:
            if not loses_even_if_made(other, auction):
                return other
        if auction.partner_bid and not loses_even_if_made(0, auction) and kept >= parameters.FORCED_NIL_CHANCE:
            return 0
    while wanted > 1 and auction.is_last and wins_if_made(wanted - 1, auction):
        wanted -= 1
    return wanted
