"""The medium bot: counts what its hand is worth, cashes sure winners, and ducks when the contract is made.

It looks one trick ahead. It protects a nil, its own or its partner's, takes tricks while its
side or a set needs them, and otherwise gets rid of winners.
"""

from random import Random

from spades_core.bots.engine.auction import Auction, nearest_legal
from spades_core.bots.engine.passing import safest
from spades_core.bots.levels.medium.following import cover_nil, duck, follow_to_win, keep_nil
from spades_core.bots.levels.medium.hand_evaluation import acceptable_risk, expected_tricks, most_dangerous, nil_risk
from spades_core.bots.levels.medium.leading import lead_low, lead_to_win
from spades_core.bots.levels.medium.medium_observation import DECK_SUITS, MediumObservation
from spades_core.cards import Card
from spades_core.views import SeatView

NOISE = 0.05
"""Probability of misjudging its hand by half a trick, and of leading a random card of a side suit."""
BOLDNESS = 0.8
"""Tricks added before rounding down; in self-play 0.7 to 1.0 give the same points, and only differ in bags."""
SUICIDE_RISK = 1.5
"""Risk up to which the first of two partners bids nil in the suicide variant."""
MAX_FORCED_RISK = 1.5
"""Risk below which nil is bid when every contract loses the game."""


def choose_blind(_view: SeatView, _rng: Random) -> bool:
    """Always look first."""
    return False


def choose_bid(view: SeatView, rng: Random) -> int:
    """Return the legal bid nearest to its estimate."""
    assert view.you is not None
    legal = view.legal_bids
    if len(legal) == 1:
        return legal[0]
    suits = DECK_SUITS[view.rules.deck]
    held = suits.deck.mask_of(view.hand)
    auction, tricks, risk = Auction.from_view(view, view.you), expected_tricks(suits, held), nil_risk(suits, held)
    if rng.random() < NOISE:
        tricks += rng.choice((-0.5, 0.5))
    bid = _bid(view, auction, tricks, risk)
    return nearest_legal(bid, legal, tricks)


def _bid(view: SeatView, auction: Auction, tricks: float, risk: float) -> int:
    """Return its estimate, legal or not."""
    if 0 in view.legal_bids and _nil_pays(view, auction, tricks, risk):
        bid = 0
    elif view.rules.variant == "whiz":
        return max(view.legal_bids)
    else:
        bid = int(tricks + BOLDNESS)
        if auction.is_last:
            total = bid + (auction.partner_bid or 0) + auction.their_contract
            bid += _correction(total, (tricks + BOLDNESS) % 1)
        bid = min(max(bid, 1), auction.max_bid)
    if auction.partner_bid is not None and view.rules.variant == "partnership":
        bid = auction.adjust_to_score(bid, tricks, try_nil=risk < MAX_FORCED_RISK)
    return bid


def _nil_pays(view: SeatView, auction: Auction, tricks: float, risk: float) -> bool:
    """Return whether nil promises more than the tricks; never beside a partner's nil."""
    if auction.partner_bid == 0:
        return False
    if view.rules.variant == "suicide":
        return risk <= SUICIDE_RISK
    if view.rules.variant == "whiz":
        return risk <= acceptable_risk(auction) + 0.3 * max(0.0, max(view.legal_bids) - tricks)
    return tricks <= 2.3 and risk <= acceptable_risk(auction)


def _correction(total: int, fraction: float) -> int:
    """Return the last bidder's correction: bids of 13 and more in total are too high, of 9 and fewer too low."""
    return -1 if total >= 13 else 1 if total <= 9 and fraction >= 0.5 else 0


def choose_pass(view: SeatView, _rng: Random) -> tuple[Card, Card]:
    """Return the cards most dangerous to the own nil, else the safest for the partner's."""
    assert view.you is not None
    return most_dangerous(view) if view.seats[view.you].bid == 0 else safest(view)


def choose_card(view: SeatView, rng: Random) -> Card:
    """Return the card for its goal: its own nil, its partner's, tricks, or no more of them."""
    if len(view.legal_cards) == 1:
        return view.legal_cards[0]
    seen = MediumObservation.from_view(view)
    return seen.suits.deck.cards[_choose(seen, rng).bit_length() - 1]


def _choose(seen: MediumObservation, rng: Random) -> int:
    if seen.nil_alive(seen.me):
        return keep_nil(seen) if seen.best else lead_low(seen)
    if seen.best and seen.nil_alive(seen.partner) and (card := cover_nil(seen)):
        return card
    if _wants_tricks(seen):
        return follow_to_win(seen) if seen.best else lead_to_win(seen, rng, NOISE)
    return duck(seen) if seen.best else lead_low(seen)


def _wants_tricks(seen: MediumObservation) -> bool:
    """Return whether a trick is worth more than a bag: for the own contract, or to set the opponents."""
    ours, theirs = seen.need
    if seen.nil_alive(seen.partner):
        ours = seen.bids[seen.me] - seen.taken[seen.me]
    if not seen.counts[seen.me]:
        ours = 0
    if 0 < ours <= seen.tricks_left or seen.rules.bag_limit is None:
        return True
    to_set = seen.tricks_left - theirs + 1
    return theirs > 0 and 0 < to_set <= max(1, seen.bosses().bit_count())
