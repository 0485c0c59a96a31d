"""What may be asked of a table, imperative. `decide` answers with events or refuses.

A command names the seat or the player that asks; who may ask in whose name is
settled before it gets here.
"""

from dataclasses import dataclass

from spades_core.cards import Card
from spades_core.ruleset import RuleSet
from spades_core.seats import DEFAULT_LEVEL, Level, Seat


class CommandRefused(Exception):
    """A command is not allowed: a `code` for programs, a sentence for people, the field at fault if there is one."""

    def __init__(self, code: str, text: str, field: str | None = None) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.field = field


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A new table; who makes it sits down at seat 0 and is its host."""

    code: str
    rules: RuleSet
    player: str
    name: str


@dataclass(frozen=True, slots=True)
class TakeSeat:
    """Sit down, or change seats before the game. A bot's seat may be taken at any time, its cards with it."""

    player: str
    name: str
    seat: Seat


@dataclass(frozen=True, slots=True)
class LeaveSeat:
    """Between games the seat becomes free; during a game a bot plays on and the seat is kept."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TakeOver:
    """A bot is to play for a person whose connection is gone; the seat stays theirs."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class ReturnToSeat:
    """The player of a kept seat is back and plays the next card."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SeatBot:
    """The host puts a bot on an empty seat, or changes the level of the one that sits there."""

    by: Seat
    seat: Seat
    level: Level = DEFAULT_LEVEL


@dataclass(frozen=True, slots=True)
class RemoveBot:
    by: Seat
    seat: Seat


@dataclass(frozen=True, slots=True)
class StartGame:
    """The host starts a game; bots of `level` take the empty seats. `dealer` is drawn by the caller."""

    by: Seat
    dealer: Seat
    level: Level = DEFAULT_LEVEL


@dataclass(frozen=True, slots=True)
class DealHand:
    """Deal the next hand: 13 cards of `deck` to each seat in turn, beginning with seat 0."""

    deck: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class DealAgain:
    """Hand `number` can no longer be finished, since a part of it was lost: deal it anew, as DealHand does."""

    number: int
    deck: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class LookAtHand:
    """Turn up a hand that lies face down, and with it decline to bid blind."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class PlaceBid:
    """`blind` is for a nil bid on a hand that lies face down."""

    seat: Seat
    bid: int
    blind: bool = False


@dataclass(frozen=True, slots=True)
class PassCards:
    """Two cards of one's own to the partner, after a blind nil."""

    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class PlayCard:
    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class AskForNextHand:
    """The player has seen the score of the hand."""

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
    | DealAgain
    | LookAtHand
    | PlaceBid
    | PassCards
    | PlayCard
    | AskForNextHand
)
