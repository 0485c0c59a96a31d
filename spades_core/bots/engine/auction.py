"""What a seat knows when it bids, and what a bid does to the score if all contracts are made."""

from dataclasses import dataclass

from spades_core.ruleset import RuleSet
from spades_core.scoring import contract_points, nil_value
from spades_core.seats import Seat, partner_of, side_of
from spades_core.views import PublicSeat, SeatView


@dataclass(frozen=True, slots=True)
class Auction:
    """What a seat knows when it bids. Bids not yet made are None; `nils` are points for those already bid, if made."""

    rules: RuleSet
    partner_bid: int | None
    their_bids: tuple[int | None, int | None]
    score: int
    their_score: int
    nils: int = 0
    their_nils: int = 0

    @property
    def is_last(self) -> bool:
        return self.partner_bid is not None and None not in self.their_bids

    @property
    def their_contract(self) -> int:
        return sum(bid or 0 for bid in self.their_bids)


def auction_of(view: SeatView, me: Seat) -> Auction:
    left, partner, right = view.seats[(me + 1) & 3], view.seats[partner_of(me)], view.seats[(me + 3) & 3]
    ours, theirs = view.sides[side_of(me)], view.sides[1 - side_of(me)]
    return Auction(
        view.rules,
        partner.bid,
        (left.bid, right.bid),
        ours.score,
        theirs.score,
        _nil_points(view.rules, partner),
        _nil_points(view.rules, left) + _nil_points(view.rules, right),
    )


def _nil_points(rules: RuleSet, seat: PublicSeat) -> int:
    if seat.bid != 0:
        return 0
    return nil_value(rules, seat.blind)


def loses_even_if_made(bid: int, auction: Auction) -> bool:
    """Whether the other side, making its contract too, ends the game ahead although we made ours.

    More than thirteen tricks bid cannot all be made: then our contract sets theirs.
    """
    ours, theirs = _scores_if_made(bid, auction)
    return theirs >= auction.rules.target and theirs > ours


def wins_if_made(bid: int, auction: Auction) -> bool:
    """Whether we end the game ahead if we make it, even when the other side makes its contract too."""
    ours, theirs = _scores_if_made(bid, auction)
    return ours >= auction.rules.target and ours > theirs


def _scores_if_made(bid: int, auction: Auction) -> tuple[int, int]:
    rules, contract = auction.rules, (auction.partner_bid or 0) + bid
    nil = 0 if bid else rules.nil_value or 0
    theirs = contract_points(rules, auction.their_contract)
    made = contract + auction.their_contract <= 13
    return (
        auction.score + contract_points(rules, contract) + auction.nils + nil,
        auction.their_score + (theirs if made else -theirs) + auction.their_nils,
    )
