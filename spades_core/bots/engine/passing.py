"""The two cards that partners pass to each other after a blind nil."""

from itertools import combinations

from spades_core.bots.engine.hand_value import nil_probability
from spades_core.bots.engine.position import SPADES, deck_bits
from spades_core.cards import Card
from spades_core.views import SeatView

SPADE_HANDICAP = 4
"""Ranks by which a spade is more dangerous to a nil than a card of a side suit."""


def pass_cards(view: SeatView) -> tuple[Card, Card]:
    """Return the two cards most dangerous to the own nil, or the two safest for the partner's."""
    assert view.you is not None
    return most_dangerous(view) if view.seats[view.you].bid == 0 else safest(view)


def most_dangerous(view: SeatView) -> tuple[Card, Card]:
    """Return the two cards without which the hand is most likely to make nil."""
    deck = deck_bits(view.rules)

    def nil_without(pair: tuple[Card, Card]) -> float:
        return nil_probability(deck.masks_of(card for card in view.hand if card not in pair), deck.suit_sizes, 3.0)

    return max(combinations(view.hand, 2), key=nil_without)


def safest(view: SeatView) -> tuple[Card, Card]:
    """Return the two cards least dangerous to the partner's nil: low ones, of long suits first."""
    deck = deck_bits(view.rules)
    held = deck.masks_of(view.hand)

    def danger(card: Card) -> tuple[int, int]:
        suit, bit = deck.bit_of[card]
        ace = deck.bit_of[Card("A" + "CDHS"[suit])][1]
        rank = bit.bit_length() - ace.bit_length()
        return rank + (SPADE_HANDICAP if suit == SPADES else 0), -held[suit].bit_count()

    first, second = sorted(sorted(view.hand, key=danger)[:2], key=view.hand.index)
    return first, second
