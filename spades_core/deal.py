"""Shuffling. Chance is an argument: the caller says where it comes from."""

from random import Random

from spades_core.cards import Card
from spades_core.deck import STANDARD, Deck


def shuffled(rng: Random, deck: Deck = STANDARD) -> tuple[Card, ...]:
    """All 52 cards of a deck in an order drawn from `chance`."""
    cards = list(deck.cards)
    rng.shuffle(cards)
    return tuple(cards)
