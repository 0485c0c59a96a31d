"""What a seat knows when it bids, and the scores that a bid leads to if all contracts are made."""

from dataclasses import dataclass

from spades_core.ruleset import RuleSet
from spades_core.scoring import contract_points, nil_value
from spades_core.seats import Seat, partner_of, side_of
from spades_core.views import PublicSeat, SeatView


@dataclass(frozen=True, slots=True)
class Auction:
    """The other bids, None if not made yet, and the scores.

    `nil_points` and `their_nil_points` are what the nils already bid bring if they are made.
    """

    rules: RuleSet
    partner_bid: int | None
    their_bids: tuple[int | None, int | None]
    score: int
    their_score: int
    nil_points: int = 0
    their_nil_points: int = 0

    @classmethod
    def from_view(cls, view: SeatView, me: Seat) -> "Auction":
        left, partner, right = view.seats[(me + 1) & 3], view.seats[partner_of(me)], view.seats[(me + 3) & 3]
        ours, theirs = view.sides[side_of(me)], view.sides[1 - side_of(me)]
        return cls(
            view.rules,
            partner.bid,
            (left.bid, right.bid),
            ours.score,
            theirs.score,
            _nil_points(view.rules, partner),
            _nil_points(view.rules, left) + _nil_points(view.rules, right),
        )

    @property
    def is_last(self) -> bool:
        """Whether the other three have bid."""
        return self.partner_bid is not None and None not in self.their_bids

    @property
    def their_contract(self) -> int:
        return sum(bid or 0 for bid in self.their_bids)

    @property
    def max_bid(self) -> int:
        """The highest bid that can be made beside the partner's, at least one."""
        return max(1, 13 - (self.partner_bid or 0))

    def loses_even_if_made(self, bid: int) -> bool:
        """Return whether the opponents win the game although all contracts are made.

        If more than thirteen tricks are bid, not all can be made: ours then sets theirs.
        """
        ours, theirs = self._scores_if_made(bid)
        return theirs >= self.rules.target and theirs > ours

    def wins_if_made(self, bid: int) -> bool:
        """Return whether our side wins the game if all contracts are made, or if ours sets theirs as above."""
        ours, theirs = self._scores_if_made(bid)
        return ours >= self.rules.target and ours > theirs

    def adjust_to_score(self, bid: int, tricks: float, *, try_nil: bool) -> int:
        """Near the end, avoid a bid that loses the game even if made, and one higher than the game needs.

        `tricks` are the expected tricks. If every contract loses and `try_nil` is set, bid nil.
        """
        if self.loses_even_if_made(bid):
            higher = range(bid + 1, min(self.max_bid, int(tricks) + 4) + 1)
            for other in higher:
                if self.wins_if_made(other):
                    return other
            for other in higher:
                if not self.loses_even_if_made(other):
                    return other
            if self.partner_bid and not self.loses_even_if_made(0) and try_nil:
                return 0
        while bid > 1 and self.is_last and self.wins_if_made(bid - 1):
            bid -= 1
        return bid

    def _scores_if_made(self, bid: int) -> tuple[int, int]:
        rules, contract = self.rules, (self.partner_bid or 0) + bid
        nil = 0 if bid else rules.nil_value or 0
        theirs = contract_points(rules, self.their_contract)
        both_can_make = contract + self.their_contract <= 13
        return (
            self.score + contract_points(rules, contract) + self.nil_points + nil,
            self.their_score + (theirs if both_can_make else -theirs) + self.their_nil_points,
        )


def nearest_legal(bid: int, legal: tuple[int, ...], tricks: float) -> int:
    """Return the legal bid nearest to `bid`, of two the one nearer to the expected tricks; no nil for a contract."""
    if bid in legal:
        return bid
    others = [other for other in legal if other] if bid else legal
    return min(others or legal, key=lambda other: (abs(other - bid), abs(other - tricks)))


def _nil_points(rules: RuleSet, seat: PublicSeat) -> int:
    if seat.bid != 0:
        return 0
    return nil_value(rules, seat.blind)
