"""What a terminal can show: colours or none, suit symbols or letters, and how wide a text is on it."""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from spades_core.cards import BIG_JOKER, LITTLE_JOKER, Card, Suit

BOLD, DIM, RED = "1", "2", "31"
SYMBOLS: dict[Suit, str] = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
JOKERS = {BIG_JOKER: "BJ", LITTLE_JOKER: "LJ"}


@dataclass(frozen=True, slots=True)
class Signs:
    """`symbols`: whether characters beyond ASCII can be shown."""

    colours: bool = False
    symbols: bool = True

    def paint(self, text: str, *codes: str) -> str:
        return f"\x1b[{';'.join(codes)}m{text}\x1b[0m" if self.colours and codes else text

    def either(self, symbol: str, ascii_text: str) -> str:
        return symbol if self.symbols else ascii_text

    def suit(self, suit: Suit) -> str:
        return self.either(SYMBOLS[suit], suit)

    def rank(self, card: Card) -> str:
        return JOKERS.get(card) or card[0].replace("T", "10")

    def card(self, card: Card) -> str:
        """As in "10♦" or "BJ"."""
        return (
            self.rank(card) if card in JOKERS else self.rank(card) + self.either(SYMBOLS[suit_printed(card)], card[1])
        )

    def number(self, number: int, signed: bool = False) -> str:
        return format(number, "+" if signed else "").replace("-", self.either("−", "-"))


def suit_printed(card: Card) -> Suit:
    """The suit that is printed on a card, whatever it counts as."""
    return next(suit for suit in SYMBOLS if suit == card[1])


def is_red(card: Card) -> bool:
    return card[1] in "DH"


def columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(0 if unicodedata.combining(each) else 2 if _is_wide(each) else 1 for each in text)


def _is_wide(letter: str) -> bool:
    return unicodedata.east_asian_width(letter) in "WF"


def padded(text: str, width: int) -> str:
    return text + " " * (width - columns(text))


def shortened(text: str, width: int) -> str:
    """No wider than `width`, with a full stop where something is left out."""
    if columns(text) <= width:
        return text
    while columns(text) > width - 1:
        text = text[:-1]
    return text.rstrip() + "."


def widest(texts: Iterable[str]) -> int:
    return max(map(columns, texts), default=0)
