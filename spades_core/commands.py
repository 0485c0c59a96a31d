"""Commands: requests to a table, named in the imperative. `decide` turns them into events or refuses them.

A command names the seat or player that sends it. The caller has already
checked that the sender may act for that seat.
"""

from dataclasses import dataclass

from spades_core.cards import Card
from spades_core.ruleset import RuleSet
from spades_core.seats import DEFAULT_LEVEL, Level, Seat


class CommandRefused(Exception):
    """A command is not allowed. `code` is for programs, `text` a sentence for people, `field` the field at fault."""

    def __init__(self, code: str, text: str, field: str | None = None) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.field = field


@dataclass(frozen=True, slots=True)
class OpenTable:
    """Make a table. Its maker takes seat 0 and is the host."""

    code: str
    rules: RuleSet
    player: str
    name: str


@dataclass(frozen=True, slots=True)
class TakeSeat:
    """Sit down, or change seats between games. A bot's seat may be taken at any time, together with its cards."""

    player: str
    name: str
    seat: Seat


@dataclass(frozen=True, slots=True)
class LeaveSeat:
    """Leave the table: between games the seat becomes empty, during a game a bot plays on and the seat is kept."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TakeOver:
    """Let a bot play for a person who has been disconnected; the seat is kept."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class ReturnToSeat:
    """Give a kept seat back to its player."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SeatBot:
    """Put a bot on an empty seat, or change the level of the bot there. Only the host may."""

    by: Seat
    seat: Seat
    level: Level = DEFAULT_LEVEL


@dataclass(frozen=True, slots=True)
class RemoveBot:
    by: Seat
    seat: Seat


@dataclass(frozen=True, slots=True)
class StartGame:
    """Start a game; bots of `level` take the empty seats. Only the host may. The caller draws `dealer`."""

    by: Seat
    dealer: Seat
    level: Level = DEFAULT_LEVEL


@dataclass(frozen=True, slots=True)
class DealHand:
    """Deal the next hand: 13 cards of `deck` to each seat in turn, beginning with seat 0."""

    deck: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Redeal:
    """Void hand `number`, of which a part was lost, and deal it again like DealHand."""

    number: int
    deck: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class LookAtHand:
    """Turn up a hand that lies face down, which declines the blind bid."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class PlaceBid:
    """Bid; 0 is nil. `blind` is for a nil on a hand that lies face down."""

    seat: Seat
    bid: int
    blind: bool = False


@dataclass(frozen=True, slots=True)
class PassCards:
    """Pass two cards to the partner, after a blind nil."""

    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class PlayCard:
    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class AskForNextHand:
    """Agree that the next hand may be dealt."""

    seat: Seat


Command = (
    OpenTable
    | TakeSeat
    | LeaveSeat
    | TakeOver
    | ReturnToSeat
    | SeatBot
    | RemoveBot
    | StartGame
    | DealHand
    | Redeal
    | LookAtHand
    | PlaceBid
    | PassCards
    | PlayCard
    | AskForNextHand
)
