"""What the expert asks before it bids: how the hand would go with this bid, in one imagined world."""

from spades_core.bots.engine import bid_policy
from spades_core.bots.engine.auction import Auction, auction_of, loses_even_if_made
from spades_core.bots.engine.determinization import Dealer, Hands, explains
from spades_core.bots.engine.hand_value import expected_tricks, nil_chance
from spades_core.bots.engine.position import Position, places_of
from spades_core.bots.engine.rollout import play_out
from spades_core.bots.engine.utility import Stakes, decisive
from spades_core.bots.weights import parameters
from spades_core.views import SeatView


class Bidding:
    """`choices` are the bids worth thinking about: the estimate, one less, one more, and nil."""

    def __init__(self, view: SeatView) -> None:
        assert view.you is not None
        self.view, self.me, self.rules = view, view.you, view.rules
        places = places_of(view.rules)
        self.sizes, self.hand = places.full, places.by_suit(view.hand)
        self.bids = [seat.bid for seat in view.seats]
        self.auction = auction_of(view, self.me)
        self.choices = self._choices()
        self.dealer = Dealer(Position(self.rules, [1, 1, 1, 1], self.me), self.hand, self.me)
        self.stakes: dict[tuple[int, ...], Stakes] = {}
        self.kept: list[bool] = []

    def _choices(self) -> list[int]:
        legal, auction, partner = self.view.legal_bids, self.auction, self.auction.partner_bid
        self.usual = usual = bid_policy.bid(auction, legal, self.hand, self.sizes)
        promise = usual or bid_policy.contract(auction, expected_tricks(self.hand, self.sizes))
        most = bid_policy.most(auction)
        near = [bid for bid in legal if abs(bid - promise) <= 1 and 0 < bid <= most]
        self.nil_chance = nil_chance(self.hand, self.sizes, parameters.UNKNOWN_PARTNER if partner is None else partner)
        if 0 in legal and partner != 0 and self.nil_chance >= parameters.NIL_WORTH_A_THOUGHT:
            near.append(0)
        if partner is not None:
            near = [bid for bid in near if not loses_even_if_made(bid, auction)]
        self.instead = min((bid for bid in near if bid), key=lambda bid: abs(bid - promise), default=usual)
        return near if usual in near else [usual, *near]

    def is_safe(self, bid: int) -> bool:
        """Whether it is no nil, or one that is kept often enough, by the table and in the worlds so far."""
        kept, free = self.kept, self.rules.variant != "partnership" or decisive(self.view)
        return bid > 0 or free or not kept or (self.nil_chance + sum(kept) / len(kept)) / 2 >= parameters.SAFE_NIL

    def likelihood(self, seat: int, hand: list[int], _least: float) -> float:
        """How well an imagined hand explains the bid of its owner, if there is one."""
        bid = self.bids[seat]
        return 1.0 if bid is None or self.view.seats[seat].blind else explains(hand, self.sizes, bid)

    def value(self, bid: int, hands: Hands, dice: bytes) -> float:
        """To the own side, when the others bid and all play on by the policy."""
        all_bids = self._bid_out(bid, hands)
        key = tuple(all_bids)
        stakes = self.stakes.get(key)
        if stakes is None:
            stakes = self.stakes[key] = Stakes(self.view, all_bids)
        position = Position(self.rules, all_bids, self._leader(all_bids, hands))
        taken = play_out(position, [held[:] for held in hands], dice, parameters.BID_NOISE)
        if not bid:
            self.kept.append(not taken[self.me])
        value = stakes.value(taken)
        return value if bid else value - stakes.point * parameters.NIL_HANDICAP

    def _bid_out(self, bid: int, hands: Hands) -> list[int]:
        made = list(self.bids)
        made[self.me] = bid
        for step in (1, 2, 3):
            seat = self.me + step & 3
            if made[seat] is None:
                made[seat] = bid_policy.bid(
                    self._auction(seat, made), self._legal(seat, made, hands), hands[seat], self.sizes
                )
        return [each or 0 for each in made]

    def _auction(self, seat: int, made: list[int | None]) -> Auction:
        ours, theirs = self.view.sides[seat & 1], self.view.sides[1 - (seat & 1)]
        opponents = made[seat + 1 & 3], made[seat + 3 & 3]
        return Auction(self.rules, made[seat ^ 2], opponents, ours.score, theirs.score)

    def _legal(self, seat: int, made: list[int | None], hands: Hands) -> tuple[int, ...]:
        """About what an imagined player may bid."""
        partner, spades = made[seat ^ 2], hands[seat][3].bit_count()
        match self.rules.variant:
            case "mirror":
                return (spades,)
            case "whiz":
                return (0, spades) if spades else (0,)
            case "suicide" if partner is not None:
                return (0,) if partner else (4, 5, 6, 7)
            case _:
                return tuple(range(0 if self.rules.nil_value else 1, 14))

    def _leader(self, all_bids: list[int], hands: Hands) -> int:
        assert self.view.dealer is not None
        order = [self.view.dealer + step & 3 for step in (1, 2, 3, 4)]
        match self.rules.first_lead:
            case "left_of_dealer":
                return order[0]
            case "highest_bidder":
                return max(order, key=lambda seat: all_bids[seat])
            case _:
                return next(seat for seat in order if hands[seat][0] & 1)
