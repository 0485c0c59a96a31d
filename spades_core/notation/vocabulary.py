"""The words of the notation and the format of each line."""

from collections.abc import Sequence
from typing import get_args

from spades_core.cards import SUITS, Card
from spades_core.deck import Deck
from spades_core.events import BidPlaced, CardsPassed, GameEnded, SideScore
from spades_core.seats import SEATS, BySeat, BySide, Level, Seat, Side
from spades_core.state import Occupant
from spades_core.wording import bid_text, score_breakdown

TITLE = "Fourth Seat game, notation 1"
"""The first line: the kind of text and its version."""
PLAYER, AWAY = "player", "away"
"""A person, and a bot that plays for a person."""
BOTS: dict[str, Level] = {f"{level} bot": level for level in get_args(Level)}
KINDS = (PLAYER, *BOTS, AWAY)
SEAT_NAMES = ("North", "East", "South", "West")
SIDE_NAMES = ("North-South", "East-West")
SUIT_ORDER = SUITS[::-1]
VOID = "-"
WINNER = "*"
UNFINISHED = "unfinished"
BIDS_BY_TEXT = {bid_text(bid): bid for bid in range(14)}
BLIND_NIL = bid_text(0, blind=True)
LOOKS = "looks"
END_REASONS = {"target": "target", "floor": "floor", "mercy": "mercy", "hand_limit": "hand limit"}
BIDS, PASSED, END = "Bids", "Passed", "End"


def with_label(label: str, text: str) -> str:
    """Return a line whose label is padded to the width of its column."""
    return f"{label:<8}{text}"


def kind_of(occupant: Occupant) -> str:
    if occupant.player is None:
        return next(kind for kind, level in BOTS.items() if level == occupant.level)
    return AWAY if occupant.away else PLAYER


def seat_line(seat: Seat, occupant: Occupant) -> str:
    return with_label(SEAT_NAMES[seat], f"{kind_of(occupant):<12}{occupant.name}")


def split_kind_and_name(text: str) -> tuple[str, str] | None:
    """Split the text of a seat line; None if it begins with no kind of player."""
    return next(((kind, text.removeprefix(kind)) for kind in KINDS if text.startswith(f"{kind} ")), None)


def dealer_line(seat: Seat) -> str:
    return with_label("Dealer", SEAT_NAMES[seat])


def hand_title(number: int, dealer: Seat) -> str:
    return f"Hand {number}, dealer {SEAT_NAMES[dealer]}"


def hand_lines(deck: Deck, hands: BySeat[tuple[Card, ...]], face_down: BySeat[bool]) -> list[str]:
    """Return the lines of the four dealt hands, each suit in a column of its own, highest cards first."""
    rows = [_suits_of(deck, hand) for hand in hands]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = []
    for seat in SEATS:
        suits = [f"{text:<{width}}" for text, width in zip(rows[seat], widths, strict=True)]
        suits += ["face down"] if face_down[seat] else []
        lines.append(with_label(SEAT_NAMES[seat], "  ".join(suits).rstrip()))
    return lines


def _suits_of(deck: Deck, hand: tuple[Card, ...]) -> list[str]:
    """Return the ranks of each suit that is printed on the cards."""
    cards = deck.cards_in(deck.mask_of(hand))[::-1]
    return [f"{suit} {''.join(card[0] for card in cards if card[1] == suit) or VOID}" for suit in SUIT_ORDER]


def bid_item(event: BidPlaced) -> str:
    return f"{SEAT_NAMES[event.seat]} {bid_text(event.bid, blind=event.blind)}"


def look_item(seat: Seat) -> str:
    return f"{SEAT_NAMES[seat]} {LOOKS}"


def pass_item(event: CardsPassed) -> str:
    return " ".join((SEAT_NAMES[event.seat], *event.cards))


def items_line(label: str, items: Sequence[str]) -> str:
    return with_label(label, ", ".join(items))


def trick_prefix(number: int, leader: Seat) -> str:
    return with_label(f"{number:>6}", f"{SEAT_NAMES[leader]:<7}")


def trick_line(number: int, leader: Seat, cards: Sequence[Card], winner: Seat | None) -> str:
    """Return the line of a trick, the leader's card first. `winner` is None for an incomplete trick."""
    marked = [
        card + WINNER if winner is not None and (leader + steps) & 3 == winner else card
        for steps, card in enumerate(cards)
    ]
    return trick_prefix(number, leader) + "".join(f"{card:<5}" for card in marked).rstrip()


def score_lines(side: Side, score: SideScore) -> list[str]:
    """Return the lines for the score of a side: the reasons for its points, and its total."""
    title, entries = score_breakdown(SIDE_NAMES[side], score, SEAT_NAMES)
    return [with_label("Score", title), *(with_label(f"{points:>+6}", text) for points, text in entries)]


def end_line(outcome: GameEnded, scores: BySide[int]) -> str:
    reason = END_REASONS[outcome.reason]
    if outcome.winner is None:
        return with_label(END, f"a draw at {scores[0]} ({reason})")
    won, lost = scores[outcome.winner], scores[1 - outcome.winner]
    return with_label(END, f"{SIDE_NAMES[outcome.winner]} won {won} to {lost} ({reason})")
