"""What may be bid or played, and who wins a trick (RULES.md, R20 to R39)."""

from spades_core.cards import BIT, SPADES, SUIT_MASK, SUIT_NAMES, Card, suit_of
from spades_core.seats import SEATS, Seat
from spades_core.state import Hand

ALL_BIDS = tuple(range(14))


def playable(held: int, trick: tuple[Card, ...], broken: bool) -> int:
    """The mask of the cards of `held` that may be played onto `trick`; never empty while `held` is not."""
    if trick:
        return held & SUIT_MASK[suit_of(trick[0])] or held
    return held if broken else held & ~SPADES or held


def legal_cards(hand: Hand, seat: Seat) -> int:
    """The mask of the cards that `seat` may play were it its turn."""
    return playable(hand.held[seat], hand.trick, hand.broken)


def why_barred(hand: Hand) -> str:
    """Why the other cards of the seat on turn may not be played now, as a sentence to it."""
    if hand.trick:
        return f"You must follow {SUIT_NAMES[suit_of(hand.trick[0])]}."
    return "Spades are not broken yet, so you cannot lead one."


def winning_place(trick: tuple[Card, ...]) -> int:
    """The place in `trick`, 0 being the leader's, of its winner: highest spade, else highest of the suit led."""
    led = SUIT_MASK[suit_of(trick[0])] | SPADES
    best, best_bit = 0, 0
    for place, card in enumerate(trick):
        bit = BIT[card]
        if bit & led and bit > best_bit:
            best, best_bit = place, bit
    return best


def winning_seat(leader: Seat, trick: tuple[Card, ...]) -> Seat:
    return SEATS[(leader + winning_place(trick)) & 3]
