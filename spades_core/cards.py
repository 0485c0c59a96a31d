"""Cards as text: rank, then suit, as in "QS".

Jokers are spades: "LS" is the little joker and "BS" the big one.
"""

from typing import Literal, NewType

Card = NewType("Card", str)
"""A card as text: "2C", "TD", "QS", "AH"."""

Suit = Literal["C", "D", "H", "S"]

RANKS = "23456789TJQKA"
SUITS: tuple[Suit, ...] = ("C", "D", "H", "S")
SUIT_NAMES: dict[Suit, str] = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
LITTLE_JOKER, BIG_JOKER = Card("LS"), Card("BS")
CARDS: tuple[Card, ...] = (*(Card(rank + suit) for suit in SUITS for rank in RANKS), LITTLE_JOKER, BIG_JOKER)
"""Every card of any deck."""

_CARDS = frozenset(CARDS)


def parse_card(text: str) -> Card:
    """Parse a card in upper or lower case. Raises ValueError if `text` is not a card."""
    card = Card(text.upper())
    if card not in _CARDS:
        raise ValueError(f"{text[:8]!r} is not a card; a card is a rank of {RANKS} and a suit of CDHS, as in QS")
    return card
