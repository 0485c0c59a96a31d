"""What thirteen cards are worth to `medium`: expected tricks, and the risk of a nil.

The numbers were measured by play among bots. They are probabilities, so they add up to
an expectation. The fitted numbers of `hard` and `expert` are in `hand_value`.
"""

from spades_core.bots.engine.auction import Auction
from spades_core.bots.levels.medium.medium_observation import ACE, KING, QUEEN, Suits, bits_of
from spades_core.legal import CARDS_TO_PASS

_ACE = (0.0, 1.0, 1.0, 1.0, 1.0, 0.9, 0.7, 0.45, 0.3)
_KING = (0.0, 0.25, 0.65, 0.65, 0.55, 0.35, 0.15, 0.15, 0.1)
_KING_BESIDE_ACE = (0.0, 0.0, 0.85, 0.85, 0.85, 0.7, 0.4, 0.3, 0.2)
_QUEEN = (0.0, 0.0, 0.0, 0.2, 0.2, 0.1, 0.0, 0.0, 0.0)
_QUEEN_BESIDE_HIGHER = (0.0, 0.0, 0.1, 0.35, 0.3, 0.2, 0.1, 0.0, 0.0)
_RUFFS = (1.25, 0.75, 0.25)
"""Expected ruffs with 0, 1, 2 cards of a side suit, given the spades for them."""
_MORE_SPADES = 0.5
"""How many of a player's spades are worth nothing for each spade that a deck has beyond thirteen."""
_HONOURS = 4
"""How many of a deck's highest spades are counted one by one."""
_NIL_SPADES = (3.0, 1.2, 0.6, 0.3)
"""What each of them, highest first, costs a nil."""
_LOW_ENOUGH = (3, 5, 8, QUEEN, ACE)
"""For a nil: the i-th lowest card of a side suit is no danger up to this rank."""
_DANGER = (0.13, 0.10, 0.06, 0.03, 0.01)
"""And what each rank above it costs."""


def expected_tricks(suits: Suits, held: int) -> float:
    """How many tricks these thirteen cards take on average. No player can beat more spades than there are others."""
    spades = held & suits.spades
    honours, worth = _spade_honours(suits, spades)
    length, all_spades = spades.bit_count(), suits.spades.bit_count()
    more = _MORE_SPADES * (all_spades - 13)
    worth = max(worth + 0.75 * max(0.0, length - 4 - more), 2 * length - all_spades)
    ruffs = 0.0
    for suit in suits.side:
        cards = held & suit
        worth += _side_suit(suits, cards)
        ruffs += _RUFFS[cards.bit_count()] if cards.bit_count() < 3 else 0.0
    spare = max(0.0, min(length - more, 4) - honours)
    return worth + min(ruffs, 0.85 * spare, 2.2)


def _spade_honours(suits: Suits, spades: int) -> tuple[int, float]:
    """How many of the highest spades count for something, and for how much together."""
    counted, worth, missing = 0, 0.0, 0
    bit = 1 << (suits.spades.bit_length() - 1)
    for _ in range(_HONOURS):
        if spades & bit:
            lower = (spades & (bit - 1)).bit_count()
            chance = 1.0 if not missing else 0.85 if lower >= missing else 0.4 if lower == missing - 1 else 0.0
            counted, worth = counted + (chance > 0), worth + chance
        else:
            missing += 1
        bit >>= 1
    return counted, worth


def _side_suit(suits: Suits, cards: int) -> float:
    ranks, length = {suits.rank_of(bit) for bit in bits_of(cards)}, min(cards.bit_count(), 8)
    worth = 0.0
    if ACE in ranks:
        worth += _ACE[length]
    if KING in ranks:
        worth += (_KING_BESIDE_ACE if ACE in ranks else _KING)[length]
    if QUEEN in ranks:
        worth += (_QUEEN_BESIDE_HIGHER if ranks & {ACE, KING} else _QUEEN)[length]
    return worth


def nil_risk(suits: Suits, held: int) -> float:
    """About 0 for a hand that cannot take a trick; above 1 is reckless."""
    spades = held & suits.spades
    risk = 0.5 if spades.bit_count() == 4 else 0.0
    risk += 3.0 * max(0, spades.bit_count() - 4)
    bit = 1 << (suits.spades.bit_length() - 1)
    for cost in _NIL_SPADES:
        risk += cost if spades & bit else 0.0
        bit >>= 1
    for suit in suits.side:
        for place, bit in enumerate(bits_of(held & suit)[:5]):
            risk += _DANGER[place] * max(0, suits.rank_of(bit) - _LOW_ENOUGH[place])
    return risk


def bearable_risk(auction: Auction) -> float:
    """The risk up to which a nil promises more than a small bid."""
    bearable = {50: 0.45, 150: 0.7}.get(auction.rules.nil_value or 0, 0.6)
    if auction.partner_bid is not None:
        bearable += 0.15 if auction.partner_bid >= 4 else -0.15 if auction.partner_bid <= 2 else 0.0
    behind = auction.their_score - auction.score
    return bearable + (0.15 if behind >= 150 else -0.15 if behind <= -150 else 0.0)


def dangers(suits: Suits, held: int) -> int:
    """The two cards without which a nil is safest: high spades, then high cards with few low ones below."""
    given = 0
    for _ in range(CARDS_TO_PASS):
        rest = held & ~given
        given |= min(bits_of(rest), key=lambda bit: (nil_risk(suits, rest & ~bit), -bit))
    return given
