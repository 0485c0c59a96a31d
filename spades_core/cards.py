"""Cards as text ("QS"), wherever people or programs read them.

Rank then suit. The jokers of the decks that have them are spades: "LS" the
little one, "BS" the big one.
"""

from typing import Literal, NewType

Card = NewType("Card", str)
"""Rank then suit: "2C", "TD", "QS", "AH"."""

Suit = Literal["C", "D", "H", "S"]

RANKS = "23456789TJQKA"
SUITS: tuple[Suit, ...] = ("C", "D", "H", "S")
SUIT_NAMES: dict[Suit, str] = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
LITTLE_JOKER, BIG_JOKER = Card("LS"), Card("BS")
CARDS: tuple[Card, ...] = (*(Card(rank + suit) for suit in SUITS for rank in RANKS), LITTLE_JOKER, BIG_JOKER)
"""Every card that some deck has."""

_CARDS = frozenset(CARDS)


def parse_card(text: str) -> Card:
    """Raises ValueError, naming the text, when it is no card."""
    card = Card(text.upper())
    if card not in _CARDS:
        raise ValueError(f"{text[:8]!r} is not a card; a card is a rank of {RANKS} and a suit of CDHS, as in QS")
    return card
