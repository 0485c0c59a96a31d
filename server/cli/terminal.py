"""Text for terminals: colours, suit symbols or letters, and columns of a given width."""

from collections.abc import Iterable
from dataclasses import dataclass

from wcwidth import clip, width

from spades_core.cards import BIG_JOKER, LITTLE_JOKER, Card, Suit

BOLD, DIM, RED = "1", "2", "31"
SYMBOLS: dict[Suit, str] = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
JOKERS = {BIG_JOKER: "BJ", LITTLE_JOKER: "LJ"}


@dataclass(frozen=True, slots=True)
class Style:
    """The capabilities of a terminal: `colours`, and `symbols` beyond ASCII."""

    colours: bool = False
    symbols: bool = True

    def paint(self, text: str, *codes: str) -> str:
        return f"\x1b[{';'.join(codes)}m{text}\x1b[0m" if self.colours and codes else text

    def symbol(self, symbol: str, ascii_text: str) -> str:
        return symbol if self.symbols else ascii_text

    def suit(self, suit: Suit) -> str:
        return self.symbol(SYMBOLS[suit], suit)

    def rank(self, card: Card) -> str:
        return JOKERS.get(card) or card[0].replace("T", "10")

    def card(self, card: Card) -> str:
        """Return the text of a card, as in "10♦" or "BJ"."""
        return self.rank(card) if card in JOKERS else self.rank(card) + self.suit(printed_suit(card))

    def number(self, number: int, signed: bool = False) -> str:
        return format(number, "+" if signed else "").replace("-", self.symbol("−", "-"))


def printed_suit(card: Card) -> Suit:
    """Return the suit printed on a card, whatever suit it counts as."""
    return next(suit for suit in SYMBOLS if suit == card[1])


def is_red(card: Card) -> bool:
    return card[1] in "DH"


def truncate(text: str, columns: int) -> str:
    """Shorten a text to `columns`, ending in a full stop if it was cut."""
    return text if width(text) <= columns else clip(text, 0, columns - 1).rstrip() + "."


def max_width(texts: Iterable[str]) -> int:
    return max(map(width, texts), default=0)
