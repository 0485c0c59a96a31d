"""The value of thirteen cards to `medium`: expected tricks, and the risk of a nil.

The numbers come from self-play of earlier bots. Those of a trick are probabilities, so they
add up to an expectation. The fitted weights of the stronger levels are in `engine.hand_value`.
"""

from spades_core.bots.engine.auction import Auction
from spades_core.bots.levels.medium.medium_observation import ACE, DECK_SUITS, KING, QUEEN, DeckSuits, bits_of
from spades_core.cards import Card
from spades_core.views import SeatView

# Probabilities that an honour of a side suit wins a trick, by the length of the suit.
_ACE = (0.0, 1.0, 1.0, 1.0, 1.0, 0.9, 0.7, 0.45, 0.3)
_KING = (0.0, 0.25, 0.65, 0.65, 0.55, 0.35, 0.15, 0.15, 0.1)
_KING_BESIDE_ACE = (0.0, 0.0, 0.85, 0.85, 0.85, 0.7, 0.4, 0.3, 0.2)
_QUEEN = (0.0, 0.0, 0.0, 0.2, 0.2, 0.1, 0.0, 0.0, 0.0)
_QUEEN_BESIDE_HIGHER = (0.0, 0.0, 0.1, 0.35, 0.3, 0.2, 0.1, 0.0, 0.0)

_RUFFS = (1.25, 0.75, 0.25)
"""Expected ruffs with 0, 1 and 2 cards of a side suit, if there are spades for them."""
_WORTHLESS_SPADES = 0.5
"""Spades of a hand that are worth nothing, for each spade of the deck beyond thirteen."""
_HONOURS = 4
"""Highest spades of the deck that are valued one by one."""
_NIL_SPADES = (3.0, 1.2, 0.6, 0.3)
"""Risk that each of them, highest first, is to a nil."""
_SAFE_RANKS = (3, 5, 8, QUEEN, ACE)
"""Rank up to which the lowest, second lowest, ... card of a side suit is no risk to a nil."""
_RISK_PER_RANK = (0.13, 0.10, 0.06, 0.03, 0.01)
"""Risk of the same card for each rank above."""


def expected_tricks(suits: DeckSuits, held: int) -> float:
    """Return the tricks that thirteen cards take on average; at least the spades in excess of the other players'."""
    spades = held & suits.spades
    honours, tricks = _spade_honours(suits, spades)
    length, all_spades = spades.bit_count(), suits.spades.bit_count()
    worthless = _WORTHLESS_SPADES * (all_spades - 13)
    tricks = max(tricks + 0.75 * max(0.0, length - 4 - worthless), 2 * length - all_spades)
    ruffs = 0.0
    for suit in suits.side:
        cards = held & suit
        tricks += _side_suit_tricks(suits, cards)
        ruffs += _RUFFS[cards.bit_count()] if cards.bit_count() < 3 else 0.0
    spare = max(0.0, min(length - worthless, 4) - honours)
    return tricks + min(ruffs, 0.85 * spare, 2.2)


def _spade_honours(suits: DeckSuits, spades: int) -> tuple[int, float]:
    """Return how many of the highest spades may win a trick, and their expected tricks."""
    count, tricks, missing = 0, 0.0, 0
    bit = 1 << (suits.spades.bit_length() - 1)
    for _ in range(_HONOURS):
        if spades & bit:
            lower = (spades & (bit - 1)).bit_count()
            probability = 1.0 if not missing else 0.85 if lower >= missing else 0.4 if lower == missing - 1 else 0.0
            count, tricks = count + (probability > 0), tricks + probability
        else:
            missing += 1
        bit >>= 1
    return count, tricks


def _side_suit_tricks(suits: DeckSuits, cards: int) -> float:
    ranks, length = {suits.rank_of(bit) for bit in bits_of(cards)}, min(cards.bit_count(), 8)
    tricks = 0.0
    if ACE in ranks:
        tricks += _ACE[length]
    if KING in ranks:
        tricks += (_KING_BESIDE_ACE if ACE in ranks else _KING)[length]
    if QUEEN in ranks:
        tricks += (_QUEEN_BESIDE_HIGHER if ranks & {ACE, KING} else _QUEEN)[length]
    return tricks


def nil_risk(suits: DeckSuits, held: int) -> float:
    """Return the risk of a nil: about 0 for a hand that cannot take a trick, reckless above 1."""
    spades = held & suits.spades
    risk = 0.5 if spades.bit_count() == 4 else 0.0
    risk += 3.0 * max(0, spades.bit_count() - 4)
    bit = 1 << (suits.spades.bit_length() - 1)
    for spade_risk in _NIL_SPADES:
        risk += spade_risk if spades & bit else 0.0
        bit >>= 1
    for suit in suits.side:
        for index, bit in enumerate(bits_of(held & suit)[:5]):
            risk += _RISK_PER_RANK[index] * max(0, suits.rank_of(bit) - _SAFE_RANKS[index])
    return risk


def acceptable_risk(auction: Auction) -> float:
    """Return the risk up to which a nil promises more than a small bid."""
    risk = {50: 0.45, 150: 0.7}.get(auction.rules.nil_value or 0, 0.6)
    if auction.partner_bid is not None:
        risk += 0.15 if auction.partner_bid >= 4 else -0.15 if auction.partner_bid <= 2 else 0.0
    behind = auction.their_score - auction.score
    return risk + (0.15 if behind >= 150 else -0.15 if behind <= -150 else 0.0)


def most_dangerous(view: SeatView) -> tuple[Card, Card]:
    """Return the two cards without which a nil has the least risk: high spades, then high cards of short suits."""
    suits = DECK_SUITS[view.rules.deck]
    held, passed = suits.deck.mask_of(view.hand), 0
    for _ in range(2):
        rest = held & ~passed
        passed |= min(bits_of(rest), key=lambda bit: (nil_risk(suits, rest & ~bit), -bit))
    first, second = suits.deck.cards_in(passed)
    return first, second
