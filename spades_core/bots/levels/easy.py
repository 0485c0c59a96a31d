"""The easy bot: bids what it sees, looks at the current trick only and counts nothing; at times it plays at random.

It bids nil only if the rules leave nothing else, and is never absurd: it throws no ace under a
ruff and ruffs no sure winner of its partner.
"""

from random import Random

from spades_core.bots.engine.auction import Auction
from spades_core.bots.engine.bid_policy import policy_bid
from spades_core.bots.engine.hand_value import expected_tricks
from spades_core.bots.engine.observation import Observation
from spades_core.bots.engine.passing import pass_cards
from spades_core.bots.engine.policy import policy_card
from spades_core.bots.engine.position import DUCK, HIGHEST, SPADES, TAKE, CardBit, deck_bits, legal
from spades_core.cards import Card
from spades_core.views import SeatView

NOISE = 0.12
"""Probability of playing a random card of the suit, or of leading a random suit."""
BID_DEVIATION = 0.35
"""Standard deviation of the error of its expected tricks."""


def choose_blind(_view: SeatView, _rng: Random) -> bool:
    """Always look first."""
    return False


def choose_bid(view: SeatView, rng: Random) -> int:
    """Return the expected tricks, misjudged a little and rounded down; one at least where the rules allow."""
    assert view.you is not None
    deck, auction, legal_bids = deck_bits(view.rules), Auction.from_view(view, view.you), view.legal_bids
    held = deck.masks_of(view.hand)
    if view.rules.variant != "partnership":
        return policy_bid(auction, legal_bids, held, deck.sizes)
    tricks = expected_tricks(held, deck.sizes) + rng.gauss(0, BID_DEVIATION)
    wanted = min(max(1, int(tricks)), auction.max_bid)
    return min((bid for bid in legal_bids if bid), key=lambda bid: abs(bid - wanted))


def choose_pass(view: SeatView, _rng: Random) -> tuple[Card, Card]:
    """Return the same cards as `hard`."""
    return pass_cards(view)


def choose_card(view: SeatView, rng: Random) -> Card:
    """Return a card by rules of thumb; the policy's where a nil of its own side is alive."""
    if len(view.legal_cards) == 1:
        return view.legal_cards[0]
    seen = Observation.from_view(view)
    position = seen.position
    if position.goal[seen.me] not in (TAKE, DUCK):
        return seen.card(policy_card(position, seen.hand, seen.me))
    at_random = rng.random() < NOISE
    cards = legal(position, seen.hand)
    if not position.trick_size:
        return seen.card(_lead(seen, cards, rng if at_random else None))
    if not cards[position.led]:
        return seen.card(_ruff_or_discard(seen, cards))
    if at_random and position.trick_size < 3:
        return rng.choice([card for card in view.legal_cards if card[0] != "A"] or view.legal_cards)
    return seen.card((position.led, _follow(seen, cards[position.led])))


def _lead(seen: Observation, cards: list[int], rng: Random | None) -> CardBit:
    """Lead an ace while tricks are needed, else low from the longest side suit; given `rng`, low from any."""
    suits = [suit for suit in range(SPADES) if cards[suit]]
    if not suits:
        return SPADES, _lowest(cards[SPADES])
    if rng is not None:
        suit = rng.choice(suits)
        return suit, _lowest(cards[suit])
    if _wants_tricks(seen):
        for suit in suits:
            ace = 1 << seen.deck.sizes[suit] - 1
            if cards[suit] & ace:
                return suit, ace
    longest = max(suits, key=lambda suit: cards[suit].bit_count())
    return longest, _lowest(cards[longest])


def _follow(seen: Observation, suit: int) -> int:
    position = seen.position
    over = 0 if position.ruffed else suit & -(position.best << 1)
    if not over or _partner_wins(seen) or not _wants_tricks(seen):
        return _lowest(suit)
    if position.trick_size == 3:
        return _lowest(over)
    ace = 1 << seen.deck.sizes[position.led] - 1
    return HIGHEST[over] if position.trick_size == 2 or (suit & ace and position.led != SPADES) else _lowest(suit)


def _ruff_or_discard(seen: Observation, cards: list[int]) -> CardBit:
    position, spades = seen.position, cards[SPADES]
    over = spades & -(position.best << 1) if position.ruffed else spades
    side = [suit for suit in range(SPADES) if cards[suit]]
    if position.led != SPADES and over and not _partner_wins(seen) and (_wants_tricks(seen) or not side):
        return SPADES, _lowest(over)
    if not side:
        return SPADES, _lowest(spades)
    suit = min(side, key=lambda suit: _lowest(cards[suit]) << 13 - seen.deck.sizes[suit])
    return suit, _lowest(cards[suit])


def _partner_wins(seen: Observation) -> bool:
    """Return whether the partner's card takes the trick for certain, or looks so: an ace or a ruff."""
    position = seen.position
    looks_sure = position.ruffed or position.best == 1 << seen.deck.sizes[position.led] - 1
    return position.winner == seen.me ^ 2 and (position.trick_size == 3 or looks_sure)


def _wants_tricks(seen: Observation) -> bool:
    return seen.position.goal[seen.me] == TAKE


def _lowest(cards: int) -> int:
    return cards & -cards
