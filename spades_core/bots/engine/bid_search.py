"""The expert's search for a bid: evaluates candidate bids by rollouts in sampled worlds."""

from spades_core.bots.engine.auction import Auction
from spades_core.bots.engine.bid_policy import contract_bid, policy_bid
from spades_core.bots.engine.determinization import Sampler, bid_likelihood
from spades_core.bots.engine.hand_value import expected_tricks, nil_probability
from spades_core.bots.engine.position import SPADES, Hands, Position, deck_bits
from spades_core.bots.engine.rollout import play_out
from spades_core.bots.engine.utility import Utility, near_game_end
from spades_core.bots.weights import parameters
from spades_core.views import SeatView


class BidSearch:
    """The `candidates` are the policy's bid, one less, one more, and nil; `fallback` replaces an unsafe nil."""

    def __init__(self, view: SeatView) -> None:
        assert view.you is not None
        self.view, self.own_seat, self.rules = view, view.you, view.rules
        deck = deck_bits(view.rules)
        self.suit_sizes, self.hand = deck.suit_sizes, deck.masks_of(view.hand)
        self.bids = [seat.bid for seat in view.seats]
        self.auction = Auction.from_view(view)
        self.candidates = self._candidates()
        self.sampler = Sampler(Position(self.rules, [1, 1, 1, 1], self.own_seat), self.hand, self.own_seat)
        self.utilities: dict[tuple[int, ...], Utility] = {}
        self.nils_made: list[bool] = []

    def _candidates(self) -> list[int]:
        legal, auction, partner = self.view.legal_bids, self.auction, self.auction.partner_bid
        self.policy_bid = policy_bid(auction, legal, self.hand, self.suit_sizes)
        center = self.policy_bid or contract_bid(auction, expected_tricks(self.hand, self.suit_sizes))
        near = [bid for bid in legal if abs(bid - center) <= 1 and 0 < bid <= auction.max_bid]
        partner_bid = parameters.ASSUMED_PARTNER_BID if partner is None else partner
        self.nil_probability = nil_probability(self.hand, self.suit_sizes, partner_bid)
        if 0 in legal and partner != 0 and self.nil_probability >= parameters.CANDIDATE_NIL_PROBABILITY:
            near.append(0)
        if partner is not None:
            near = [bid for bid in near if not auction.loses_even_if_made(bid)]
        self.fallback = min((bid for bid in near if bid), key=lambda bid: abs(bid - center), default=self.policy_bid)
        return near if self.policy_bid in near else [self.policy_bid, *near]

    def is_safe(self, bid: int) -> bool:
        """Return whether the bid is a contract or a nil that the weights and the rollouts so far consider safe."""
        made, any_risk = self.nils_made, self.rules.variant != "partnership" or near_game_end(self.view)
        if bid > 0 or any_risk or not made:
            return True
        return (self.nil_probability + sum(made) / len(made)) / 2 >= parameters.SAFE_NIL_PROBABILITY

    def likelihood(self, seat: int, hand: list[int], _cutoff: float) -> float:
        """Return the likelihood of a seat's hand given its bid; 1 if it has not bid, or bid blind."""
        bid = self.bids[seat]
        return 1.0 if bid is None or self.view.seats[seat].blind else bid_likelihood(hand, self.suit_sizes, bid)

    def value(self, bid: int, hands: Hands, dice: bytes) -> float:
        """Return the utility of a bid in a world, by a rollout in which the others bid by the policy."""
        all_bids = self._complete_auction(bid, hands)
        key = tuple(all_bids)
        utility = self.utilities.get(key)
        if utility is None:
            utility = self.utilities[key] = Utility(self.view, all_bids)
        position = Position(self.rules, all_bids, self._first_leader(all_bids, hands))
        taken = play_out(position, [held[:] for held in hands], dice, parameters.BID_ROLLOUT_NOISE)
        if not bid:
            self.nils_made.append(not taken[self.own_seat])
        value = utility.value(taken)
        return value if bid else value - utility.point * parameters.NIL_HANDICAP

    def _complete_auction(self, bid: int, hands: Hands) -> list[int]:
        bids = list(self.bids)
        bids[self.own_seat] = bid
        for step in (1, 2, 3):
            seat = self.own_seat + step & 3
            if bids[seat] is None:
                legal = self._legal_bids(seat, bids, hands)
                bids[seat] = policy_bid(self._auction(seat, bids), legal, hands[seat], self.suit_sizes)
        return [each or 0 for each in bids]

    def _auction(self, seat: int, bids: list[int | None]) -> Auction:
        ours, theirs = self.view.sides[seat & 1], self.view.sides[1 - (seat & 1)]
        return Auction(self.rules, bids[seat ^ 2], (bids[seat + 1 & 3], bids[seat + 3 & 3]), ours.score, theirs.score)

    def _legal_bids(self, seat: int, bids: list[int | None], hands: Hands) -> tuple[int, ...]:
        """Return the legal bids of another seat, approximately."""
        partner, spades = bids[seat ^ 2], hands[seat][SPADES].bit_count()
        match self.rules.variant:
            case "mirror":
                return (spades,)
            case "whiz":
                return (0, spades) if spades else (0,)
            case "suicide" if partner is not None:
                return (0,) if partner else (4, 5, 6, 7)
            case _:
                return tuple(range(0 if self.rules.nil_value else 1, 14))

    def _first_leader(self, bids: list[int], hands: Hands) -> int:
        assert self.view.dealer is not None
        order = [self.view.dealer + step & 3 for step in (1, 2, 3, 4)]
        match self.rules.first_lead:
            case "left_of_dealer":
                return order[0]
            case "highest_bidder":
                return max(order, key=lambda seat: bids[seat])
            case _:
                return next(seat for seat in order if hands[seat][0] & 1)
