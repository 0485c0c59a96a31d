"""Whether to bid nil on a hand that lies face down: no card is known, so the score decides."""

from itertools import product

from spades_core.bots.engine.auction import auction_of
from spades_core.bots.engine.utility import winning_chance
from spades_core.bots.weights import parameters
from spades_core.ruleset import RuleSet
from spades_core.scoring import BLIND_NIL_POINTS, contract_points
from spades_core.seats import Seat
from spades_core.views import SeatView

Outlook = list[tuple[float, int]]
"""What a side may score in this hand: how likely, and how many points."""
USUAL = 3
"""What who has not bid yet is taken to bid."""


def saves_the_game(view: SeatView) -> bool:
    """Whether the game is lost if all make what is usual, and won if a blind nil is kept besides."""
    auction, rules = auction_of(view, _me(view)), view.rules
    partner = USUAL if auction.partner_bid is None else auction.partner_bid
    theirs = (
        contract_points(rules, sum(USUAL if bid is None else bid for bid in auction.their_bids)) + auction.their_nils
    )
    usual, blind = contract_points(rules, partner + USUAL), contract_points(rules, partner) + BLIND_NIL_POINTS
    return partner != 0 and chance_to_win(view, usual, theirs) == 0 and chance_to_win(view, blind, theirs) == 1


def pays(view: SeatView) -> bool:
    """Whether a blind nil wins the game more often than looking does. Never behind a partner's nil."""
    auction, rules = auction_of(view, _me(view)), view.rules
    if auction.partner_bid == 0:
        return False
    theirs = _outlook(rules, *auction.their_bids)
    kept = parameters.BLIND_KEPT_SWAPPED if rules.blind_nil == "swap" else parameters.BLIND_KEPT
    partner = USUAL if auction.partner_bid is None else auction.partner_bid
    blind = _both(_promise(BLIND_NIL_POINTS, kept), _promise(contract_points(rules, partner), parameters.CONTRACT_MADE))
    looking = _outlook(rules, None, auction.partner_bid)
    return _winning(view, blind, theirs) > _winning(view, looking, theirs)


def chance_to_win(view: SeatView, ours: int, theirs: int) -> float:
    """The game, once this hand has brought so many points."""
    us, them = view.sides[_me(view) & 1], view.sides[1 - (_me(view) & 1)]
    return winning_chance(view.rules, (us.score + ours, them.score + theirs), (us.bags, them.bags), view.hand_number)


def _winning(view: SeatView, ours: Outlook, theirs: Outlook) -> float:
    return sum(
        one * other * chance_to_win(view, points, their_points)
        for (one, points), (other, their_points) in product(ours, theirs)
    )


def _outlook(rules: RuleSet, *bids: int | None) -> Outlook:
    """Of a side whose two bids these are, as far as they are made."""
    nil, often = rules.nil_value or 0, parameters.NILS_BID
    may_bid = [[(1.0, bid)] if bid is not None else [(often, 0), (1 - often, USUAL)] for bid in bids]
    outlook = []
    for (one, bid), (other, partners) in product(*may_bid):
        side = _promise(contract_points(rules, bid + partners), parameters.CONTRACT_MADE)
        for _ in range((bid == 0) + (partners == 0)):
            side = _both(side, _promise(nil, parameters.NIL_KEPT))
        outlook += [(one * other * likely, points) for likely, points in side]
    return outlook


def _promise(points: int, kept: float) -> Outlook:
    return [(kept, points), (1 - kept, -points)]


def _both(one: Outlook, other: Outlook) -> Outlook:
    return [(first * second, points + more) for (first, points), (second, more) in product(one, other)]


def _me(view: SeatView) -> Seat:
    assert view.you is not None
    return view.you
