"""A table as a value: who sits where and, once begun, the game and the hand being played.

Invariant: nothing here is ever changed; `evolve` makes the next one. The same
types serve the server, which holds all four hands, and a viewer, for whom the
hands of the others are empty masks. What both must agree on is therefore
derived from public facts only (see `views`).
"""

from dataclasses import dataclass
from typing import Literal

from spades_core.cards import Card
from spades_core.events import GameEnded, HandScored
from spades_core.ruleset import CLASSIC, RuleSet
from spades_core.seats import DEFAULT_LEVEL, SEATS, BySeat, BySide, Level, Seat, next_seat, partner_of

Phase = Literal["lobby", "bidding", "passing", "playing", "scored", "over"]


@dataclass(frozen=True, slots=True)
class Occupant:
    """Who sits on a seat: a person, by `player`, or a bot. `away`: a bot plays for this person.

    `level` is None for people, and for a bot that is none of the four there are.
    """

    name: str
    player: str | None
    away: bool = False
    level: Level | None = None


@dataclass(frozen=True, slots=True)
class Trick:
    """A finished trick; `cards` begins with the leader's."""

    leader: Seat
    cards: tuple[Card, ...]
    winner: Seat


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand, from its deal to its last trick.

    `held` are masks (see `deck`) of the cards still held, `trick` the cards on
    the table beginning with the leader's, `broken` whether a spade was played on
    another suit. `face_down` hands were not looked at yet, `blind` bids were made
    on such a hand, `to_pass` are the seats that have two cards to pass, in order,
    and `passed` what each has passed; a viewer knows this of itself and its partner.
    """

    number: int
    dealer: Seat
    held: BySeat[int]
    turn: Seat
    leader: Seat
    bids: BySeat[int | None] = (None, None, None, None)
    face_down: BySeat[bool] = (False, False, False, False)
    blind: BySeat[bool] = (False, False, False, False)
    to_pass: tuple[Seat, ...] = ()
    taken: BySeat[int] = (0, 0, 0, 0)
    trick: tuple[Card, ...] = ()
    tricks: tuple[Trick, ...] = ()
    broken: bool = False
    passed: BySeat[tuple[Card, ...]] = ((), (), (), ())

    @property
    def played_out(self) -> bool:
        return len(self.tricks) == 13

    def cards_left(self, seat: Seat) -> int:
        """How many cards a seat holds, from what everybody saw."""
        in_trick = (seat - self.leader) & 3 < len(self.trick)
        return 13 - len(self.tricks) - in_trick + self._passed(seat)

    def _passed(self, seat: Seat) -> int:
        """How many cards more or less a seat holds while two are on their way back to it."""
        if not self.to_pass or partner_of(self.to_pass[0]) in self.to_pass:
            return 0
        return {self.to_pass[0]: 2, partner_of(self.to_pass[0]): -2}.get(seat, 0)


@dataclass(frozen=True, slots=True)
class Game:
    """One game. `next_dealer` deals the hand after this one; `ready` are the seats that asked for it."""

    next_dealer: Seat
    scores: BySide[int] = (0, 0)
    bags: BySide[int] = (0, 0)
    sheet: tuple[HandScored, ...] = ()
    hand: Hand | None = None
    ready: BySeat[bool] = (False, False, False, False)
    outcome: GameEnded | None = None


@dataclass(frozen=True, slots=True)
class Table:
    code: str = ""
    rules: RuleSet = CLASSIC
    seats: BySeat[Occupant | None] = (None, None, None, None)
    host: Seat | None = None
    game: Game | None = None

    @property
    def phase(self) -> Phase:
        """Where the table stands. Between a start and its first deal, as between hands, it is "scored"."""
        game = self.game
        if game is None:
            return "lobby"
        if game.outcome is not None:
            return "over"
        if game.hand is None or game.hand.played_out:
            return "scored"
        if None in game.hand.bids:
            return "bidding"
        return "passing" if game.hand.to_pass else "playing"

    @property
    def between_games(self) -> bool:
        """Before the first game, or after the end of one."""
        return self.game is None or self.game.outcome is not None

    @property
    def turn(self) -> Seat | None:
        """Whose bid, pass or card is awaited."""
        game = self.game
        if game is None or game.hand is None or game.outcome is not None or game.hand.played_out:
            return None
        return game.hand.turn

    def seat_of(self, player: str) -> Seat | None:
        """Where a person sits."""
        for seat, occupant in zip(SEATS, self.seats, strict=True):
            if occupant is not None and occupant.player == player:
                return seat
        return None

    def has_room_for(self, player: str) -> bool:
        """Whether they sit here, or could: a bot makes room."""
        return any(each is None or each.player in (None, player) for each in self.seats)

    def bot_level(self, seat: Seat) -> Level | None:
        """The level of the bot that plays this seat now; None where a person does, or nobody."""
        occupant = self.seats[seat]
        if occupant is None:
            return None
        return DEFAULT_LEVEL if occupant.away else occupant.level


def next_host(seats: BySeat[Occupant | None], host: Seat) -> Seat | None:
    """The next person clockwise who is there, to be host after `host`."""
    for steps in (1, 2, 3):
        seat = next_seat(host, steps)
        occupant = seats[seat]
        if occupant is not None and occupant.player is not None and not occupant.away:
            return seat
    return None
