"""Cards: as text ("QS") wherever people or programs read them, as bits of one integer where speed matters.

Invariant: the bit of a card rises with suit (clubs, diamonds, hearts, spades)
and, within a suit, with rank; so among spades and cards of the suit led, the
higher bit wins the trick.
"""

from collections.abc import Iterable
from typing import Literal, NewType, cast

Card = NewType("Card", str)
"""Rank then suit: "2C", "TD", "QS", "AH"."""

Suit = Literal["C", "D", "H", "S"]

RANKS = "23456789TJQKA"
SUITS: tuple[Suit, ...] = ("C", "D", "H", "S")
SUIT_NAMES: dict[Suit, str] = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}

DECK: tuple[Card, ...] = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)
BIT: dict[Card, int] = {card: 1 << index for index, card in enumerate(DECK)}
SUIT_MASK: dict[Suit, int] = {suit: 0x1FFF << (13 * index) for index, suit in enumerate(SUITS)}
SPADES = SUIT_MASK["S"]


def suit_of(card: Card) -> Suit:
    return cast(Suit, card[1])


def parse_card(text: str) -> Card:
    """Raises ValueError, naming the text, when it is no card."""
    card = Card(text.upper())
    if card not in BIT:
        raise ValueError(f"{text[:8]!r} is not a card; a card is a rank of {RANKS} and a suit of CDHS, as in QS")
    return card


def mask_of(cards: Iterable[Card]) -> int:
    mask = 0
    for card in cards:
        mask |= BIT[card]
    return mask


def cards_in(mask: int) -> tuple[Card, ...]:
    """The cards of a mask, lowest bit first."""
    cards = []
    while mask:
        low = mask & -mask
        cards.append(DECK[low.bit_length() - 1])
        mask ^= low
    return tuple(cards)
