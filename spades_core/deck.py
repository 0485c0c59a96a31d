"""The three decks of 52 cards, and sets of cards as the bits of one integer.

Invariant: the bit of a card rises with suit (clubs, diamonds, hearts, spades)
and, within a suit, with rank; so among spades and cards of the suit led, the
higher bit wins the trick. Which cards count as spades, and in which order,
depends on the deck (RULES.md, R110 to R119): a mask is valid for one deck only.
"""

from collections.abc import Iterable
from random import Random

from spades_core.cards import BIG_JOKER, LITTLE_JOKER, RANKS, Card, Suit
from spades_core.ruleset import DeckName


class Deck:
    """52 cards, from the lowest club to the highest spade.

    `bit` maps a card to its bit, `suit` to the suit it belongs to in this deck
    and `follow_mask` to the mask of that suit; `suit_mask` maps a suit to its mask.
    """

    def __init__(self, clubs: str, diamonds: str, hearts: str, spades: tuple[Card, ...]) -> None:
        suits: dict[Suit, tuple[Card, ...]] = {
            "C": tuple(Card(rank + "C") for rank in clubs),
            "D": tuple(Card(rank + "D") for rank in diamonds),
            "H": tuple(Card(rank + "H") for rank in hearts),
            "S": spades,
        }
        self.cards = tuple(card for cards in suits.values() for card in cards)
        self.bit = {card: 1 << index for index, card in enumerate(self.cards)}
        self.suit: dict[Card, Suit] = {card: suit for suit, cards in suits.items() for card in cards}
        self.suit_mask: dict[Suit, int] = {suit: self.mask_of(cards) for suit, cards in suits.items()}
        self.follow_mask = {card: self.suit_mask[suit] for card, suit in self.suit.items()}
        self.spades = self.suit_mask["S"]

    def mask_of(self, cards: Iterable[Card]) -> int:
        mask = 0
        for card in cards:
            mask |= self.bit[card]
        return mask

    def cards_in(self, mask: int) -> tuple[Card, ...]:
        """Return the cards of a mask, lowest bit first."""
        cards = []
        while mask:
            low = mask & -mask
            cards.append(self.cards[low.bit_length() - 1])
            mask ^= low
        return tuple(cards)


_NO_DEUCE = RANKS[1:]
_JOKERS = (LITTLE_JOKER, BIG_JOKER)


def _spades(ranks: str) -> tuple[Card, ...]:
    return tuple(Card(rank + "S") for rank in ranks)


STANDARD = Deck(RANKS, RANKS, RANKS, _spades(RANKS))
DECKS: dict[DeckName, Deck] = {
    "standard": STANDARD,
    "jokers": Deck(_NO_DEUCE, RANKS, _NO_DEUCE, (*_spades(RANKS), *_JOKERS)),
    "jokers_and_deuces": Deck(_NO_DEUCE, _NO_DEUCE, _NO_DEUCE, (*_spades(_NO_DEUCE), Card("2S"), Card("2D"), *_JOKERS)),
}


def shuffled(rng: Random, deck: Deck = STANDARD) -> tuple[Card, ...]:
    """Return the 52 cards of a deck in random order."""
    cards = list(deck.cards)
    rng.shuffle(cards)
    return tuple(cards)
