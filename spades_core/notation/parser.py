"""Reading a game: its lines become events.

Only the input of the game is read: the rules, the players, the deal, looks, bids,
passes and cards. `decide` checks it, a `GameWriter` writes the events, and its
lines must be those of the text. So leaders, winners, scores and spacing are only
compared.
"""

from dataclasses import dataclass

from spades_core.cards import Card
from spades_core.commands import (
    Command,
    CommandRefused,
    DealHand,
    LeaveSeat,
    LookAtHand,
    PassCards,
    PlaceBid,
    PlayCard,
    ReturnToSeat,
    SeatBot,
    TakeSeat,
)
from spades_core.decide import decide
from spades_core.deck import DECKS
from spades_core.events import LoggedEvent
from spades_core.evolve import current_hand, evolve_all
from spades_core.notation import vocabulary
from spades_core.notation.header import Header, read_header, read_seat_line
from spades_core.notation.lines import Lines
from spades_core.notation.writer import GameWriter
from spades_core.ruleset import RuleSet
from spades_core.seats import SEATS, BySeat, Seat, next_seat
from spades_core.state import Occupant, Table

SEAT_LINES = tuple(vocabulary.with_label(seat, "") for seat in vocabulary.SEAT_NAMES)


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game. `seats` are those at its beginning; `evolve` rebuilds everything else from `events`."""

    rules: RuleSet
    seats: BySeat[Occupant]
    events: tuple[LoggedEvent, ...]

    @property
    def table(self) -> Table:
        """The table after the last event."""
        return evolve_all(Table(), self.events)


def read_game(text: str) -> GameRecord:
    """Read a game. Raises NotationError unless the text is, to the byte, that of a possible game."""
    lines = Lines(text)
    header = read_header(lines)
    parser = _GameParser(lines, header)
    parser.parse()
    return GameRecord(header.rules, header.seats, tuple(parser.events))


class _GameParser:
    """Invariant: the text begins with the lines of the writer; `_next_index` is that of the next line."""

    def __init__(self, lines: Lines, header: Header) -> None:
        self.events = [*header.events]
        self._lines = lines
        self._writer = GameWriter(evolve_all(Table(), header.events))
        self._compare(0)

    @property
    def _next_index(self) -> int:
        return len(self._writer.lines)

    @property
    def _table(self) -> Table:
        return self._writer.table

    def parse(self) -> None:
        """Read the lines after the header."""
        complete = True
        while complete and self._table.phase != "over" and not self._lines.is_end_mark(self._next_index):
            complete = self._step()
        index = self._next_index
        self._writer.close()
        self._compare(index)
        self._lines.expect_end(self._next_index)

    def _step(self) -> bool:
        """Read the next line or deal. Return False if a line is incomplete, as before the end of an unfinished game."""
        index = self._next_index
        if self._lines[index].startswith(SEAT_LINES):
            self._change_seat(index)
        else:
            match self._table.phase:
                case "scored":
                    self._deal(index)
                case "bidding":
                    self._bids(index)
                case "passing":
                    self._passes(index)
                case _:
                    self._trick(index)
        if self._next_index == index and not self._lines.is_end_mark(index + 1):
            raise self._lines.error(index, "something is missing at the end of this line")
        self._compare(index)
        return self._next_index > index

    def _compare(self, start: int) -> None:
        """Compare the text with the lines that were written from index `start` on."""
        for index in range(start, self._next_index):
            self._lines.expect(index, self._writer.lines[index])

    def _do(self, index: int, command: Command, subject: str) -> None:
        try:
            events = decide(self._table, command)
        except CommandRefused as refusal:
            raise self._lines.error(index, f"{subject} is refused: {refusal.text}") from None
        if not events:
            raise self._lines.error(index, f"{subject} changes nothing")
        for event in events:
            self._writer.add(event)
        self.events += events

    def _change_seat(self, index: int) -> None:
        seat = self._lines.seat(index, self._lines[index].split()[0])
        kind, name = read_seat_line(self._lines, index, seat)
        table, bots = self._table, vocabulary.BOTS
        occupant = table.seats[seat]
        assert occupant is not None
        assert table.host is not None
        command: Command
        match vocabulary.kind_of(occupant), kind:
            case vocabulary.PLAYER, vocabulary.AWAY:
                command = LeaveSeat(seat)
            case vocabulary.AWAY, vocabulary.PLAYER:
                command = ReturnToSeat(seat)
            case before, vocabulary.PLAYER if before in bots:
                command = TakeSeat(f"{vocabulary.SEAT_NAMES[seat].lower()}-{len(self.events)}", name, seat)
            case before, after if before in bots and after in bots:
                command = SeatBot(table.host, seat, bots[after])
            case before, _:
                raise self._lines.error(index, f"the seat cannot go from {before} to {kind}")
        self._do(index, command, "this")

    def _deal(self, index: int) -> None:
        game = self._table.game
        assert game is not None
        self._lines.expect(index, "")
        self._lines.expect(index + 1, vocabulary.hand_title(len(game.sheet) + 1, game.next_dealer))
        deck: list[Card] = []
        for seat in SEATS:
            deck += self._hand(index + 2 + seat, seat, deck)
        self._do(index, DealHand(tuple(deck)), "this deal")

    def _hand(self, index: int, seat: Seat, dealt: list[Card]) -> list[Card]:
        """Read 13 cards of the deck that were not dealt before."""
        suits = self._lines.after_label(index, vocabulary.SEAT_NAMES[seat]).split()[:8]
        if tuple(suits[::2]) != vocabulary.SUIT_ORDER or len(suits) != 8:
            raise self._lines.error(
                index, "a hand is its spades, hearts, diamonds and clubs, as in S AQ2 H K D - C T98"
            )
        cards: list[Card] = []
        for suit, ranks in zip(suits[::2], suits[1::2], strict=True):
            for rank in "" if ranks == vocabulary.VOID else ranks:
                card = self._lines.card(index, rank + suit)
                if card not in DECKS[self._table.rules.deck].bit:
                    raise self._lines.error(index, f"this deck has no {card}")
                if card in cards or card in dealt:
                    raise self._lines.error(index, f"{card} is dealt twice")
                cards.append(card)
        if len(cards) != 13:
            raise self._lines.error(index, f"a hand has 13 cards, this one {len(cards)}")
        return cards

    def _bids(self, index: int) -> None:
        for item in self._lines.after_label(index, vocabulary.BIDS).split(", "):
            name, _, bid = item.partition(" ")
            seat = self._lines.seat(index, name)
            if bid == vocabulary.LOOKS:
                self._do(index, LookAtHand(seat), item)
            elif bid == vocabulary.BLIND_NIL:
                self._do(index, PlaceBid(seat, 0, blind=True), item)
            elif bid in vocabulary.BIDS_BY_TEXT:
                self._do(index, PlaceBid(seat, vocabulary.BIDS_BY_TEXT[bid]), item)
            else:
                raise self._lines.error(index, f"{bid[:24]!r} is not a bid; a bid is nil or 1 to 13")

    def _passes(self, index: int) -> None:
        for item in self._lines.after_label(index, vocabulary.PASSED).split(", "):
            name, *cards = item.split(" ")
            seat = self._lines.seat(index, name)
            passed = tuple(self._lines.card(index, card) for card in cards)
            self._do(index, PassCards(seat, passed), f"{name}'s pass")

    def _trick(self, index: int) -> None:
        hand = current_hand(self._table)
        number, leader = len(hand.tricks) + 1, hand.turn
        prefix = vocabulary.trick_prefix(number, leader)
        line = self._lines[index]
        if not line.startswith(prefix):
            raise self._lines.error(index, f"expected trick {number} here, led by {vocabulary.SEAT_NAMES[leader]}")
        cards = line[len(prefix) :].split()
        if not 1 <= len(cards) <= 4:
            raise self._lines.error(index, f"a trick has four cards, this one {len(cards)}")
        for steps, card in enumerate(cards):
            seat = next_seat(leader, steps)
            played = self._lines.card(index, card.removesuffix(vocabulary.WINNER))
            self._do(index, PlayCard(seat, played), f"{played} from {vocabulary.SEAT_NAMES[seat]}")
