"""What thirteen cards are worth: expected tricks, and the risk of promising none.

The numbers were measured by play among bots; they are chances, so they add up
to an expectation.
"""

from dataclasses import dataclass

from spades_core.bots.reading import SIDE_MASKS, bits_of, rank_of
from spades_core.cards import BIT, SPADES, Card, mask_of
from spades_core.seats import Seat, partner_of, side_of
from spades_core.views import SeatView

ACE, KING, QUEEN, JACK = 12, 11, 10, 9
_ACE = (0.0, 1.0, 1.0, 1.0, 1.0, 0.9, 0.7, 0.45, 0.3)
_KING = (0.0, 0.25, 0.65, 0.65, 0.55, 0.35, 0.15, 0.15, 0.1)
_KING_BESIDE_ACE = (0.0, 0.0, 0.85, 0.85, 0.85, 0.7, 0.4, 0.3, 0.2)
_QUEEN = (0.0, 0.0, 0.0, 0.2, 0.2, 0.1, 0.0, 0.0, 0.0)
_QUEEN_BESIDE_HIGHER = (0.0, 0.0, 0.1, 0.35, 0.3, 0.2, 0.1, 0.0, 0.0)
_RUFFS = (1.25, 0.75, 0.25)
"""Expected ruffs with 0, 1, 2 cards of a side suit, given the spades for them."""
_LOW_ENOUGH = (3, 5, 8, QUEEN, ACE)
"""For a nil: the i-th lowest card of a side suit is no danger up to this rank."""
_DANGER = (0.13, 0.10, 0.06, 0.03, 0.01)
"""And what each rank above it costs."""


@dataclass(frozen=True, slots=True)
class Auction:
    """What a seat knows when it bids. Bids not yet made are None."""

    partner_bid: int | None
    their_bids: tuple[int | None, int | None]
    score: int
    their_score: int
    target: int
    nil_value: int

    @property
    def is_last(self) -> bool:
        return self.partner_bid is not None and None not in self.their_bids

    @property
    def their_contract(self) -> int:
        return sum(bid or 0 for bid in self.their_bids)


def auction_of(view: SeatView, me: Seat) -> Auction:
    left, right = view.seats[(me + 1) & 3].bid, view.seats[(me + 3) & 3].bid
    ours, theirs = view.sides[side_of(me)], view.sides[1 - side_of(me)]
    return Auction(
        view.seats[partner_of(me)].bid,
        (left, right),
        ours.score,
        theirs.score,
        view.rules.target,
        view.rules.nil_value,
    )


def expected_tricks(hand: tuple[Card, ...]) -> float:
    """How many tricks these thirteen cards take on average. No player can beat more spades than there are others."""
    held = mask_of(hand)
    spades = held & SPADES
    honours, worth = _spade_honours(spades)
    length = spades.bit_count()
    worth = max(worth + 0.75 * max(0, length - 4), 2 * length - 13)
    ruffs = 0.0
    for suit in SIDE_MASKS:
        cards = held & suit
        worth += _side_suit(cards)
        ruffs += _RUFFS[cards.bit_count()] if cards.bit_count() < 3 else 0.0
    spare = max(0, min(length, 4) - honours)
    return worth + min(ruffs, 0.85 * spare, 2.2)


def _spade_honours(spades: int) -> tuple[int, float]:
    """How many of ace, king, queen and jack count for something, and for how much together."""
    counted, worth, missing = 0, 0.0, 0
    for card in (Card("AS"), Card("KS"), Card("QS"), Card("JS")):
        bit = BIT[card]
        if not spades & bit:
            missing += 1
            continue
        lower = (spades & (bit - 1)).bit_count()
        chance = 1.0 if not missing else 0.85 if lower >= missing else 0.4 if lower == missing - 1 else 0.0
        counted, worth = counted + (chance > 0), worth + chance
    return counted, worth


def _side_suit(cards: int) -> float:
    ranks, length = {rank_of(bit) for bit in bits_of(cards)}, min(cards.bit_count(), 8)
    worth = 0.0
    if ACE in ranks:
        worth += _ACE[length]
    if KING in ranks:
        worth += (_KING_BESIDE_ACE if ACE in ranks else _KING)[length]
    if QUEEN in ranks:
        worth += (_QUEEN_BESIDE_HIGHER if ranks & {ACE, KING} else _QUEEN)[length]
    return worth


def nil_risk(hand: tuple[Card, ...]) -> float:
    """About 0 for a hand that cannot take a trick; above 1 is reckless."""
    held = mask_of(hand)
    spades = held & SPADES
    if spades & BIT[Card("AS")] or spades.bit_count() > 4:
        return 9.0
    risk = 0.5 if spades.bit_count() == 4 else 0.0
    risk += sum(cost for card, cost in (("KS", 1.2), ("QS", 0.6), ("JS", 0.3)) if spades & BIT[Card(card)])
    for suit in SIDE_MASKS:
        for place, bit in enumerate(bits_of(held & suit)[:5]):
            risk += _DANGER[place] * max(0, rank_of(bit) - _LOW_ENOUGH[place])
    return risk


def sensible_nil(hand: tuple[Card, ...], tricks: float, auction: Auction) -> bool:
    """Whether nil promises more than the tricks of this hand. Never behind a partner's nil."""
    if auction.partner_bid == 0 or not auction.nil_value or tricks > 2.3:
        return False
    bearable = 0.6
    if auction.partner_bid is not None:
        bearable += 0.15 if auction.partner_bid >= 4 else -0.15 if auction.partner_bid <= 2 else 0.0
    behind = auction.their_score - auction.score
    bearable += 0.15 if behind >= 150 else -0.15 if behind <= -150 else 0.0
    return nil_risk(hand) <= bearable


def loses_even_if_made(bid: int, auction: Auction) -> bool:
    """Whether the other side, making its contract too, ends the game ahead although we made ours.

    More than thirteen tricks bid cannot all be made: then our contract sets theirs.
    """
    ours, theirs = _scores_if_made(bid, auction)
    return theirs >= auction.target and theirs > ours


def wins_if_made(bid: int, auction: Auction) -> bool:
    """Whether we end the game ahead if we make it, even when the other side makes its contract too."""
    ours, theirs = _scores_if_made(bid, auction)
    return ours >= auction.target and ours > theirs


def _scores_if_made(bid: int, auction: Auction) -> tuple[int, int]:
    contract = (auction.partner_bid or 0) + bid
    nils = (bid == 0) + (auction.partner_bid == 0)
    ours = auction.score + 10 * contract + auction.nil_value * nils
    made = 10 if contract + auction.their_contract <= 13 else -10
    theirs = auction.their_score + made * auction.their_contract + auction.nil_value * auction.their_bids.count(0)
    return ours, theirs
