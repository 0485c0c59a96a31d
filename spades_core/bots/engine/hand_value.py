"""The value of thirteen cards by the fitted weights: expected tricks, and the probability of making nil."""

from functools import lru_cache
from math import exp

from spades_core.bots.engine.position import SIDE_SUITS, SPADES
from spades_core.bots.weights import trick_weights as weights

_CACHED_MASKS = 1 << 15


def expected_tricks(held: list[int], suit_sizes: list[int]) -> float:
    """Return the tricks that thirteen cards, by suit, take on average in a deck with these suit sizes."""
    clubs, diamonds, hearts, spades = held
    shortest, second, _ = sorted((clubs.bit_count(), diamonds.bit_count(), hearts.bit_count()))
    length = spades.bit_count() * 13 // suit_sizes[SPADES]
    return (
        side_suit_tricks(clubs, suit_sizes[0])
        + side_suit_tricks(diamonds, suit_sizes[1])
        + side_suit_tricks(hearts, suit_sizes[2])
        + spade_tricks(spades, suit_sizes[SPADES])
        + weights.RUFF_TRICKS[length if length < 6 else 6][shortest if shortest < 3 else 3][second if second < 3 else 3]
    )


@lru_cache(_CACHED_MASKS)
def side_suit_tricks(mask: int, size: int) -> float:
    """Return the expected tricks of the cards of a side suit of `size` cards."""
    return weights.SIDE_SUIT_TRICKS[(mask << 13 - size) >> 9 & 15][min(mask.bit_count(), 7)]


@lru_cache(_CACHED_MASKS)
def spade_tricks(mask: int, size: int) -> float:
    """Return the expected tricks of spades; in a deck of more than thirteen the length counts in proportion."""
    length = round(mask.bit_count() * 13 / size)
    return max(weights.SPADE_TRICKS[mask >> size - 4][min(length, 8)] + 0.95 * max(0, length - 8), -1.5)


def nil_probability(held: list[int], suit_sizes: list[int], partner_bid: float) -> float:
    """Return the probability that a nil on thirteen cards, by suit, is made beside a partner's bid."""
    logit = weights.NIL_BASE_LOGIT + weights.NIL_PARTNER_LOGIT * (partner_bid - 3)
    logit += _spade_nil_logit(held[SPADES], suit_sizes[SPADES])
    for suit in SIDE_SUITS:
        logit += _side_suit_nil_logit(held[suit], suit_sizes[suit])
    return 1 / (1 + exp(-logit))


@lru_cache(_CACHED_MASKS)
def _side_suit_nil_logit(mask: int, size: int) -> float:
    """Return the logit of nil of the four lowest cards of a side suit."""
    total = 0.0
    for index in range(4):
        low = mask & -mask
        total += weights.NIL_SIDE_SUIT_LOGITS[index][low.bit_length() + 13 - size if low else 0]
        mask ^= low
    return total


@lru_cache(_CACHED_MASKS)
def _spade_nil_logit(mask: int, size: int) -> float:
    """Return the logit of nil of the four highest spades and the number of spades."""
    total = -3.0 * max(0, mask.bit_count() - 4)
    for index in range(4):
        rank = mask.bit_length()
        total += weights.NIL_SPADE_LOGITS[index][max(1, rank + 13 - size) if rank else 0]
        mask &= (1 << rank >> 1) - 1
    return total
