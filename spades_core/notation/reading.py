"""The lines of a game to its events.

Only what people did is read: the rules, who sits where, the deal, looks, bids,
passes and cards. `decide` says whether they could, and a `Scribe` writes down
what comes of it; whatever it writes has to be what stands in the text. So
leaders, winners, scores and the spacing are never read, only compared.
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
from spades_core.notation import versions, words
from spades_core.notation.opening import Opening, kind_and_name, read_opening
from spades_core.notation.parts import Lines
from spades_core.notation.writing import Scribe
from spades_core.ruleset import RuleSet
from spades_core.seats import SEATS, BySeat, Seat, next_seat
from spades_core.state import Occupant, Table

SEAT_LINES = tuple(words.labelled(seat, "") for seat in words.SEAT_NAMES)


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game; `seats` are as it began, and `evolve` rebuilds everything else from `events`."""

    rules: RuleSet
    seats: BySeat[Occupant]
    events: tuple[LoggedEvent, ...]

    @property
    def table(self) -> Table:
        """Where the game ended, or stands."""
        return evolve_all(Table(), self.events)


def read_game(text: str) -> GameRecord:
    """The game of a text; raises NotationError for everything but a game that could have happened, to the byte."""
    lines = Lines(text)
    opening = read_opening(lines)
    reader = _Reader(lines, opening)
    reader.read()
    return GameRecord(opening.rules, opening.seats, tuple(reader.events))


class _Reader:
    """Every line that the scribe has completed was found right in the text; the next one is at `at`."""

    def __init__(self, lines: Lines, opening: Opening) -> None:
        self.events = [*opening.events]
        self._lines = lines
        self._version = opening.version
        self._scribe = Scribe(evolve_all(Table(), opening.events), opening.version)
        self._compare(0)

    @property
    def at(self) -> int:
        return len(self._scribe.lines)

    @property
    def _table(self) -> Table:
        return self._scribe.table

    def read(self) -> None:
        """The rest, up to the mark at its end."""
        goes_on = True
        while goes_on and self._table.phase != "over" and not self._lines.is_end(self.at):
            goes_on = self._step()
        at = self.at
        self._scribe.close()
        self._compare(at)
        self._lines.end_at(self.at)

    def _step(self) -> bool:
        """Reads the next line, or those of a deal; false when it was cut short, which only an unfinished game may."""
        at = self.at
        if self._lines[at].startswith(SEAT_LINES):
            self._change_seat(at)
        else:
            match self._table.phase:
                case "scored":
                    self._deal(at)
                case "bidding":
                    self._bids(at)
                case "passing":
                    self._passes(at)
                case _:
                    self._trick(at)
        if self.at == at and not self._lines.is_end(at + 1):
            raise self._lines.refused(at, "something is missing at the end of this line")
        self._compare(at)
        return self.at > at

    def _compare(self, at: int) -> None:
        for index in range(at, self.at):
            self._lines.compare(index, self._scribe.lines[index])

    def _take(self, events: tuple[LoggedEvent, ...]) -> None:
        for event in events:
            self._scribe.add(event)
        self.events += events

    def _do(self, at: int, command: Command, what: str) -> None:
        try:
            events = decide(self._table, command)
        except CommandRefused as refusal:
            raise self._lines.refused(at, f"{what} is refused: {refusal.text}") from None
        if not events:
            raise self._lines.refused(at, f"{what} changes nothing")
        self._take(events)

    def _change_seat(self, at: int) -> None:
        seat = self._lines.seat(at, self._lines[at].split()[0])
        kind, name = kind_and_name(self._lines, self._version, at, seat)
        table, bots = self._table, self._version.bots
        occupant = table.seats[seat]
        assert occupant is not None
        assert table.host is not None
        command: Command
        match self._version.kind_of(occupant), kind:
            case versions.PLAYER, versions.AWAY:
                command = LeaveSeat(seat)
            case versions.AWAY, versions.PLAYER:
                command = ReturnToSeat(seat)
            case before, versions.PLAYER if before in bots:
                command = TakeSeat(f"{words.SEAT_NAMES[seat].lower()}-{len(self.events)}", name, seat)
            case before, after if before in bots and after in bots:
                command = SeatBot(table.host, seat, bots[after])
            case before, _:
                raise self._lines.refused(at, f"the seat cannot go from {before} to {kind}")
        self._do(at, command, "this")

    def _deal(self, at: int) -> None:
        game = self._table.game
        assert game is not None
        self._lines.compare(at, "")
        self._lines.compare(at + 1, words.hand_title(len(game.sheet) + 1, game.next_dealer))
        deck: list[Card] = []
        for seat in SEATS:
            deck += self._hand(at + 2 + seat, seat, deck)
        self._do(at, DealHand(tuple(deck)), "this deal")

    def _hand(self, index: int, seat: Seat, dealt: list[Card]) -> list[Card]:
        """Thirteen cards of the deck that were not dealt before."""
        parts = self._lines.after(words.SEAT_NAMES[seat], index).split()[:8]
        if tuple(parts[::2]) != words.SUITS_WRITTEN or len(parts) != 8:
            raise self._lines.refused(
                index, "a hand is its spades, hearts, diamonds and clubs, as in S AQ2 H K D - C T98"
            )
        cards: list[Card] = []
        for suit, ranks in zip(parts[::2], parts[1::2], strict=True):
            for rank in "" if ranks == words.VOID else ranks:
                card = self._lines.card(index, rank + suit)
                if card not in DECKS[self._table.rules.deck].bit:
                    raise self._lines.refused(index, f"this deck has no {card}")
                if card in cards or card in dealt:
                    raise self._lines.refused(index, f"{card} is dealt twice")
                cards.append(card)
        if len(cards) != 13:
            raise self._lines.refused(index, f"a hand has 13 cards, this one {len(cards)}")
        return cards

    def _bids(self, at: int) -> None:
        for item in self._lines.after(words.BIDS, at).split(", "):
            name, _, said = item.partition(" ")
            seat = self._lines.seat(at, name)
            if said == words.LOOKS:
                self._do(at, LookAtHand(seat), item)
            elif said == words.BLIND_NIL:
                self._do(at, PlaceBid(seat, 0, blind=True), item)
            elif said in words.CALLS:
                self._do(at, PlaceBid(seat, words.CALLS.index(said)), item)
            else:
                raise self._lines.refused(at, f"{said[:24]!r} is no bid; a bid is nil or 1 to 13")

    def _passes(self, at: int) -> None:
        for item in self._lines.after(words.PASSED, at).split(", "):
            name, *cards = item.split(" ")
            seat = self._lines.seat(at, name)
            passed = tuple(self._lines.card(at, card) for card in cards)
            self._do(at, PassCards(seat, passed), f"{name}'s pass")

    def _trick(self, at: int) -> None:
        hand = current_hand(self._table)
        opening = words.trick_opening(len(hand.tricks) + 1, hand.turn)
        line = self._lines[at]
        if not line.startswith(opening):
            raise self._lines.refused(
                at, f"here trick {len(hand.tricks) + 1} is expected, led by {words.SEAT_NAMES[hand.turn]}"
            )
        cards = line[len(opening) :].split()
        if not 1 <= len(cards) <= 4:
            raise self._lines.refused(at, f"a trick has four cards, this one {len(cards)}")
        for steps, card in enumerate(cards):
            seat = next_seat(hand.turn, steps)
            played = self._lines.card(at, card.removesuffix(words.WON))
            self._do(at, PlayCard(seat, played), f"{played} from {words.SEAT_NAMES[seat]}")
