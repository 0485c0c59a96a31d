"""Shuffling. Chance is an argument: the caller says where it comes from."""

from random import Random

from spades_core.cards import DECK, Card


def shuffled(chance: Random) -> tuple[Card, ...]:
    """All 52 cards in an order drawn from `chance`."""
    cards = list(DECK)
    chance.shuffle(cards)
    return tuple(cards)
