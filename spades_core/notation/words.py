"""The words of the notation: how each line of a game is put."""

from collections.abc import Sequence
from typing import assert_never

from spades_core.cards import SUITS, Card
from spades_core.deck import Deck
from spades_core.events import BidPlaced, CardsPassed, GameEnded, ScoreLine, SideScore
from spades_core.seats import SEATS, BySeat, BySide, Seat, Side

SEAT_NAMES = ("North", "East", "South", "West")
SIDE_NAMES = ("North-South", "East-West")
SUITS_WRITTEN = SUITS[::-1]
VOID = "-"
WON = "*"
UNFINISHED = "unfinished"
CALLS = ("nil", *map(str, range(1, 14)))
BLIND_NIL = "blind nil"
LOOKS = "looks"
REASONS = {"target": "target", "floor": "floor", "mercy": "mercy", "hand_limit": "hand limit"}
BIDS, PASSED, END = "Bids", "Passed", "End"


def labelled(label: str, text: str) -> str:
    """What every line begins with stands in a column of its own."""
    return f"{label:<8}{text}"


def dealer_line(seat: Seat) -> str:
    return labelled("Dealer", SEAT_NAMES[seat])


def hand_title(number: int, dealer: Seat) -> str:
    return f"Hand {number}, dealer {SEAT_NAMES[dealer]}"


def hand_lines(deck: Deck, hands: BySeat[tuple[Card, ...]], face_down: BySeat[bool]) -> list[str]:
    """The four dealt hands, highest cards first, each suit in a column of its own."""
    rows = [_suits_of(deck, hand) for hand in hands]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = []
    for seat in SEATS:
        suits = [f"{text:<{width}}" for text, width in zip(rows[seat], widths, strict=True)]
        suits += ["face down"] if face_down[seat] else []
        lines.append(labelled(SEAT_NAMES[seat], "  ".join(suits).rstrip()))
    return lines


def _suits_of(deck: Deck, hand: tuple[Card, ...]) -> list[str]:
    """The ranks of each suit, by what is printed on the card."""
    cards = deck.cards_in(deck.mask_of(hand))[::-1]
    return [f"{suit} {''.join(card[0] for card in cards if card[1] == suit) or VOID}" for suit in SUITS_WRITTEN]


def bid_said(event: BidPlaced) -> str:
    return f"{SEAT_NAMES[event.seat]} {BLIND_NIL if event.blind else CALLS[event.bid]}"


def look_said(seat: Seat) -> str:
    return f"{SEAT_NAMES[seat]} {LOOKS}"


def pass_said(event: CardsPassed) -> str:
    return " ".join((SEAT_NAMES[event.seat], *event.cards))


def items_line(label: str, items: Sequence[str]) -> str:
    return labelled(label, ", ".join(items))


def trick_opening(number: int, leader: Seat) -> str:
    return labelled(f"{number:>6}", f"{SEAT_NAMES[leader]:<7}")


def trick_line(number: int, leader: Seat, cards: Sequence[Card], winner: Seat | None) -> str:
    """The leader's card first; the one that wins is marked when the trick is complete."""
    marked = [
        card + WON if winner is not None and (leader + place) & 3 == winner else card
        for place, card in enumerate(cards)
    ]
    return trick_opening(number, leader) + "".join(f"{card:<5}" for card in marked).rstrip()


def score_lines(side: Side, score: SideScore) -> list[str]:
    """Why a side got its points, and where it stands after them."""
    title = labelled("Score", f"{SIDE_NAMES[side]} bid {score.contract}, took {score.taken}")
    reasons = [_entry(line.points, score_reason(line, SEAT_NAMES)) for line in score.lines]
    return [title, *reasons, _entry(score.points, f"now {score.score}, {plural(score.bags, 'bag')}")]


def _entry(points: int, text: str) -> str:
    return labelled(f"{points:>+6}", text)


def plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def score_reason(line: ScoreLine, names: Sequence[str]) -> str:
    """Why a side got points, for people; `names` are those of the seats."""
    who = "" if line.seat is None else f" by {names[line.seat]}"
    match line.kind:
        case "contract_made" | "ten_made":
            return f"contract of {line.count} made"
        case "contract_set" | "ten_set":
            return f"contract of {line.count} missed"
        case "overtricks":
            return plural(line.count, "overtrick")
        case "nil_made":
            return f"nil{who} made"
        case "nil_failed":
            return f"nil{who} missed by {plural(line.count, 'trick')}"
        case "blind_nil_made":
            return f"blind nil{who} made"
        case "blind_nil_failed":
            return f"blind nil{who} missed by {plural(line.count, 'trick')}"
        case "double_nil_made":
            return "both nils made"
        case "double_nil_failed":
            return f"both nils missed by {plural(line.count, 'trick')}"
        case "bag_penalty":
            return "bag penalty" if line.count == 1 else f"{line.count} bag penalties"
        case "bags_given_back":
            return f"points of {line.count} bags given back"
        case _:
            assert_never(line.kind)


def end_line(outcome: GameEnded, scores: BySide[int]) -> str:
    reason = REASONS[outcome.reason]
    if outcome.winner is None:
        return labelled(END, f"a draw at {scores[0]} ({reason})")
    won, lost = scores[outcome.winner], scores[1 - outcome.winner]
    return labelled(END, f"{SIDE_NAMES[outcome.winner]} won {won} to {lost} ({reason})")
