"""What thirteen cards are worth, by the fitted `tables`: expected tricks, and the chance that a nil on them is kept."""

from functools import cache
from math import exp

from spades_core.bots.tables import NIL_BASE, NIL_PARTNER, NIL_SIDE, NIL_SPADES, RUFFS, SIDE, SPADES


@cache
def side_worth(size: int) -> list[float]:
    """For every mask of a side suit with so many cards."""
    return [SIDE[(mask << 13 - size) >> 9 & 15][min(mask.bit_count(), 7)] for mask in range(1 << size)]


@cache
def spade_worth(size: int) -> list[float]:
    """For every mask of spades; in a deck with more of them each is one of more."""
    worth = []
    for mask in range(1 << size):
        length = mask.bit_count()
        fair = min(round(length * 13 / size), 8)
        more = max(0, length - 8) * 0.95
        worth.append(max(SPADES[mask >> size - 4][fair] + more, -1.5))
    return worth


def expected_tricks(held: list[int], sizes: list[int]) -> float:
    """Of thirteen cards, by suit."""
    clubs, diamonds, hearts = held[0].bit_count(), held[1].bit_count(), held[2].bit_count()
    short = clubs if clubs < diamonds else diamonds
    longer = clubs + diamonds - short
    if hearts < short:
        short, second = hearts, short
    else:
        second = hearts if hearts < longer else longer
    spades = held[3].bit_count() * 13 // sizes[3]
    return (
        side_worth(sizes[0])[held[0]]
        + side_worth(sizes[1])[held[1]]
        + side_worth(sizes[2])[held[2]]
        + spade_worth(sizes[3])[held[3]]
        + RUFFS[spades if spades < 6 else 6][short if short < 3 else 3][second if second < 3 else 3]
    )


@cache
def side_shelter(size: int) -> list[float]:
    """For every mask of a side suit, how much it speaks for a nil, in logits."""
    shelter = []
    for mask in range(1 << size):
        total = 0.0
        for place in range(4):
            low = mask & -mask
            total += NIL_SIDE[place][low.bit_length() + 13 - size if low else 0]
            mask ^= low
        shelter.append(total)
    return shelter


@cache
def spade_shelter(size: int) -> list[float]:
    """The same for the spades, from the highest down."""
    shelter = []
    for mask in range(1 << size):
        total = -3.0 * max(0, mask.bit_count() - 4)
        for place in range(4):
            rank = mask.bit_length()
            total += NIL_SPADES[place][max(1, rank + 13 - size) if rank else 0]
            mask &= (1 << rank >> 1) - 1
        shelter.append(total)
    return shelter


def nil_chance(held: list[int], sizes: list[int], partner_bid: float) -> float:
    """That a nil on these cards is kept."""
    logit = NIL_BASE + NIL_PARTNER * (partner_bid - 3)
    logit += side_shelter(sizes[0])[held[0]] + side_shelter(sizes[1])[held[1]] + side_shelter(sizes[2])[held[2]]
    return 1 / (1 + exp(-logit - spade_shelter(sizes[3])[held[3]]))
