"""The state of a table: its seats, the game and the hand in play.

Invariant: states are immutable; `evolve` returns the next one. The same types
serve the server, which holds all four hands, and a viewer, for whom the other
hands are empty masks. So everything on which both must agree is derived from
public facts only (see `views`).
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
    """The person or bot on a seat.

    `player` identifies a person and is None for a bot; `level` is None for a
    person, and for a bot that has none of the four levels. A bot plays for a
    person who is `away`.
    """

    name: str
    player: str | None
    away: bool = False
    level: Level | None = None


@dataclass(frozen=True, slots=True)
class Trick:
    """A finished trick; `cards` begin with the leader's."""

    leader: Seat
    cards: tuple[Card, ...]
    winner: Seat


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand, from its deal to its last trick.

    `held` are masks (see `deck`) of the cards still held, `trick` the cards on
    the table beginning with the leader's, `broken` whether a spade was played on
    another suit. `face_down` hands were not looked at yet and `blind` bids were made
    on such a hand. `to_pass` are the seats that still have two cards to pass, in
    order, and `passed` the cards that each seat has passed; a viewer has only its
    own and its partner's.
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
        """Count the cards that a seat holds, from public facts."""
        in_trick = (seat - self.leader) & 3 < len(self.trick)
        return 13 - len(self.tricks) - in_trick + self._passed(seat)

    def _passed(self, seat: Seat) -> int:
        """Return by how many cards a seat is over or short after the first pass of a blind nil, before the second."""
        if not self.to_pass or partner_of(self.to_pass[0]) in self.to_pass:
            return 0
        return {self.to_pass[0]: 2, partner_of(self.to_pass[0]): -2}.get(seat, 0)


@dataclass(frozen=True, slots=True)
class Game:
    """One game. `next_dealer` deals the hand after this one; a seat is `ready` when it has asked for that hand."""

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
        """The phase of the table: "scored" between hands, and also between the start of a game and its first deal."""
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
        """Whether no game is in progress."""
        return self.game is None or self.game.outcome is not None

    @property
    def turn(self) -> Seat | None:
        """The seat that has to bid, pass or play; None if no hand is in play."""
        game = self.game
        if game is None or game.hand is None or game.outcome is not None or game.hand.played_out:
            return None
        return game.hand.turn

    def seat_of(self, player: str) -> Seat | None:
        """Return the seat of a person, or None."""
        for seat, occupant in zip(SEATS, self.seats, strict=True):
            if occupant is not None and occupant.player == player:
                return seat
        return None

    def has_room_for(self, player: str) -> bool:
        """Return whether a person has a seat or could take one, an empty one or a bot's."""
        return any(each is None or each.player in (None, player) for each in self.seats)

    def bot_level(self, seat: Seat) -> Level | None:
        """Return the level of the bot that plays this seat now, or None if no bot does."""
        occupant = self.seats[seat]
        if occupant is None:
            return None
        return DEFAULT_LEVEL if occupant.away else occupant.level


def next_host(seats: BySeat[Occupant | None], host: Seat) -> Seat | None:
    """Return the seat of the next person clockwise from `host` who is not away, or None."""
    for steps in (1, 2, 3):
        seat = next_seat(host, steps)
        occupant = seats[seat]
        if occupant is not None and occupant.player is not None and not occupant.away:
            return seat
    return None
