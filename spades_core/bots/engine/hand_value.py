"""What thirteen cards are worth, by the fitted `tables`: expected tricks, and the chance that a nil on them is kept."""

from functools import lru_cache
from math import exp

from spades_core.bots.weights.trick_weights import NIL_BASE, NIL_PARTNER, NIL_SIDE, NIL_SPADES, RUFFS, SIDE, SPADES

REMEMBERED = 1 << 15


@lru_cache(REMEMBERED)
def side_worth(mask: int, size: int) -> float:
    """Of the cards of a side suit, which has so many in this deck."""
    return SIDE[(mask << 13 - size) >> 9 & 15][min(mask.bit_count(), 7)]


@lru_cache(REMEMBERED)
def spade_worth(mask: int, size: int) -> float:
    """Of spades; in a deck that has more than thirteen each is one of more."""
    length = mask.bit_count()
    fair = round(length * 13 / size)
    return max(SPADES[mask >> size - 4][min(fair, 8)] + 0.95 * max(0, fair - 8), -1.5)


def expected_tricks(held: list[int], sizes: list[int]) -> float:
    """Of thirteen cards, by suit."""
    clubs, diamonds, hearts, spades = held
    one, two, three = clubs.bit_count(), diamonds.bit_count(), hearts.bit_count()
    short, second, _ = sorted((one, two, three))
    length = spades.bit_count() * 13 // sizes[3]
    return (
        side_worth(clubs, sizes[0])
        + side_worth(diamonds, sizes[1])
        + side_worth(hearts, sizes[2])
        + spade_worth(spades, sizes[3])
        + RUFFS[length if length < 6 else 6][short if short < 3 else 3][second if second < 3 else 3]
    )


@lru_cache(REMEMBERED)
def side_shelter(mask: int, size: int) -> float:
    """How much the cards of a side suit speak for a nil, in logits; the lowest count most."""
    total = 0.0
    for place in range(4):
        low = mask & -mask
        total += NIL_SIDE[place][low.bit_length() + 13 - size if low else 0]
        mask ^= low
    return total


@lru_cache(REMEMBERED)
def spade_shelter(mask: int, size: int) -> float:
    """The same for spades, from the highest down."""
    total = -3.0 * max(0, mask.bit_count() - 4)
    for place in range(4):
        rank = mask.bit_length()
        total += NIL_SPADES[place][max(1, rank + 13 - size) if rank else 0]
        mask &= (1 << rank >> 1) - 1
    return total


def nil_chance(held: list[int], sizes: list[int], partner_bid: float) -> float:
    """That a nil on these cards is kept."""
    logit = NIL_BASE + NIL_PARTNER * (partner_bid - 3) + spade_shelter(held[3], sizes[3])
    for suit in (0, 1, 2):
        logit += side_shelter(held[suit], sizes[suit])
    return 1 / (1 + exp(-logit))
