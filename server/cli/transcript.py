"""A game told to a person at a terminal, line by line.

Invariant: what is told is the same with and without colours; they only repeat
what the signs say.
"""

from collections.abc import Iterator
from itertools import zip_longest

from server.cli.terminal import BOLD, DIM, RED, Signs, columns, is_red, padded, shortened, widest
from spades_core.cards import SUITS, Card, Suit
from spades_core.deck import DECKS, Deck
from spades_core.events import (
    BidPlaced,
    BotLevelChanged,
    BotTookOver,
    CardsPassed,
    GameEnded,
    GameStarted,
    HandDealt,
    HandLookedAt,
    HandScored,
    LoggedEvent,
    PlayBegan,
    PlayerReturned,
    SeatTaken,
    SideScore,
    TrickTaken,
)
from spades_core.evolve import current_hand, evolve
from spades_core.notation import GameRecord, plural, score_reason
from spades_core.seats import SEATS, SIDES, BySide, Seat, Side, next_seat, seats_of
from spades_core.state import Table

RULE_WIDTH = 78
LONGEST_HEAD = 12
CELL = 6
ENDS = {
    "target": "the target is reached",
    "floor": "the floor is reached",
    "mercy": "the lead decides",
    "hand_limit": "it was the last hand",
}


def tell(game: GameRecord, signs: Signs) -> Iterator[str]:
    """The lines of a game."""
    teller = _Teller(signs)
    for event in game.events:
        teller.table = evolve(teller.table, event)
        if teller.table.game is not None:
            yield from teller.told(event)
    yield from teller.rest()


def outcome(table: Table, ended: GameEnded, signs: Signs) -> str:
    """As in "Anna and Cleo won 512 to 388"."""
    assert table.game is not None
    scores = [signs.number(score) for score in table.game.scores]
    if ended.winner is None:
        return f"A draw at {scores[0]}"
    return f"{side_named(table, ended.winner)} won {scores[ended.winner]} to {scores[1 - ended.winner]}"


def side_named(table: Table, side: Side) -> str:
    """As in "Anna and Cleo"."""
    return " and ".join(name_of(table, seat) for seat in seats_of(side))


def name_of(table: Table, seat: Seat) -> str:
    occupant = table.seats[seat]
    return occupant.name if occupant else ""


class _Teller:
    """`table` is where the game stands after the event that is told."""

    def __init__(self, signs: Signs) -> None:
        self.table = Table()
        self._signs = signs
        self._said: list[str] = []

    def told(self, event: LoggedEvent) -> Iterator[str]:
        match event:
            case GameStarted():
                yield from self._title()
            case HandDealt():
                yield from self._dealt(event)
            case HandLookedAt(seat):
                if not current_hand(self.table).blind[seat]:
                    self._said.append(f"{self._name(seat)} looks")
            case BidPlaced(seat, bid, blind):
                call = "blind nil" if blind else str(bid or "nil")
                self._said.append(f"{self._name(seat)} {call}")
                if None not in current_hand(self.table).bids:
                    yield from self._items("Bids")
            case CardsPassed(seat, to, cards):
                passed = " ".join(self._card(card) for card in cards)
                self._said.append(f"{self._name(seat)} gives {self._name(to)} {passed}")
            case PlayBegan():
                yield from self._items("Passes")
                yield from self._heads()
            case TrickTaken(winner):
                tricks = current_hand(self.table).tricks
                yield self._trick(len(tricks), tricks[-1].leader, tricks[-1].cards, winner)
            case HandScored(_, _, _, sides):
                yield from self._scored(sides)
            case GameEnded():
                yield from ("", self._signs.paint(self._ending(event), BOLD))
            case BotTookOver(seat):
                yield self._aside(f"{self._name(seat)} leaves, a bot plays on")
            case PlayerReturned(seat):
                yield self._aside(f"{self._name(seat)} is back")
            case SeatTaken(_, name):
                yield self._aside(f"{name} sits down in place of a bot")
            case BotLevelChanged(seat, level):
                yield self._aside(f"{self._name(seat)}'s level is now {level}")
            case _:
                pass

    def rest(self) -> Iterator[str]:
        """What an unfinished game leaves open."""
        if self.table.phase == "over" or self.table.game is None:
            return
        hand = self.table.game.hand
        yield from self._items("Bids" if self.table.phase == "bidding" else "Passes")
        if hand is not None and hand.trick:
            yield self._trick(len(hand.tricks) + 1, hand.leader, hand.trick, None)
        ours, theirs = (f"{self._side(side)} {self._signs.number(self.table.game.scores[side])}" for side in SIDES)
        yield from ("", self._signs.paint(f"The game is not finished: {ours}, {theirs}.", BOLD))

    def _title(self) -> Iterator[str]:
        levels = [(seat, self.table.bot_level(seat)) for seat in SEATS]
        bots = [f"{self._name(seat)} ({level})" for seat, level in levels if level is not None]
        yield self._signs.paint(f"{self._side(SIDES[0])} against {self._side(SIDES[1])}", BOLD)
        rules = f"Rules: {str(self.table.rules).replace(',', ', ')}."
        yield self._signs.paint(rules + (f" A bot plays for {' and '.join(bots)}." if bots else ""), DIM)

    def _dealt(self, event: HandDealt) -> Iterator[str]:
        line = self._signs.either("─", "-")
        title = f"{line * 2} Hand {event.number} {line * 2} {self._name(event.dealer)} deals "
        yield from ("", self._signs.paint(title + line * (RULE_WIDTH - columns(title)), BOLD), "")
        deck = DECKS[self.table.rules.deck]
        rows = [[self._ranks(deck, hand, suit) for suit in reversed(SUITS)] for hand in event.hands]
        widths = [widest(row[column] for row in rows) for column in range(4)]
        names = widest(self._name(seat) for seat in SEATS)
        for seat in SEATS:
            suits = "   ".join(
                self._coloured(padded(text, width), red=suit in "DH")
                for text, width, suit in zip(rows[seat], widths, reversed(SUITS), strict=True)
            )
            down = "   face down" if event.face_down[seat] else ""
            yield f"  {padded(self._name(seat), names)}   {suits}{down}".rstrip()
        yield ""

    def _ranks(self, deck: Deck, hand: tuple[Card, ...], suit: Suit) -> str:
        """One suit of a hand, highest first; a card of another print that counts to it keeps its symbol."""
        cards = deck.cards_in(deck.mask_of(hand) & deck.suit_mask[suit])[::-1]
        ranks = [self._signs.rank(card) if card[1] == suit else self._signs.card(card) for card in cards]
        return " ".join((self._signs.suit(suit), *(ranks or [self._signs.either("–", "-")])))

    def _items(self, label: str) -> Iterator[str]:
        if self._said:
            yield f"  {label:<7}{self._signs.either(' · ', ', ').join(self._said)}"
        self._said = []

    def _heads(self) -> Iterator[str]:
        hand = current_hand(self.table)
        needed = [(hand.bids[side] or 0) + (hand.bids[side + 2] or 0) for side in SIDES]
        yield f"         {self._side(SIDES[0])} need {needed[0]}, {self._side(SIDES[1])} {needed[1]}"
        heads = (padded(shortened(self._name(seat), LONGEST_HEAD), self._cell(seat)) for seat in SEATS)
        yield from ("", self._signs.paint(" " * 9 + "".join(heads).rstrip(), DIM))

    def _cell(self, seat: Seat) -> int:
        """The width of a player's column."""
        return 3 + max(CELL, columns(shortened(self._name(seat), LONGEST_HEAD)))

    def _trick(self, number: int, leader: Seat, cards: tuple[Card, ...], winner: Seat | None) -> str:
        """A card in the column of each player: the lead pointed at, the winner in brackets."""
        cells = {seat: " " * self._cell(seat) for seat in SEATS}
        for steps, card in enumerate(cards):
            seat = next_seat(leader, steps)
            lead = self._signs.either("›", ">") if steps == 0 else " "
            text = f"[{self._signs.card(card)}]" if seat == winner else f" {self._signs.card(card)}"
            space = " " * (self._cell(seat) - 1 - columns(text))
            cells[seat] = lead + self._coloured(text, red=is_red(card), bold=seat == winner) + space
        row = f"  {number:>3}  {''.join(cells[seat] for seat in SEATS)}"
        if winner is None:
            return row.rstrip()
        taken = current_hand(self.table).taken
        return f"{row}{self._name(winner)} takes it, {taken[0] + taken[2]} : {taken[1] + taken[3]}"

    def _scored(self, sides: BySide[SideScore]) -> Iterator[str]:
        """Both accounts side by side."""
        left, right = (self._account(side, sides[side]) for side in SIDES)
        width = max(RULE_WIDTH // 2 - 2, widest(left) + 3)
        yield ""
        for row, (ours, theirs) in enumerate(zip_longest(left[:-1], right[:-1], fillvalue="")):
            yield self._signs.paint(f"  {padded(ours, width)}{theirs}".rstrip(), *([BOLD] if row == 0 else []))
        yield f"  {padded(left[-1], width)}{right[-1]}"

    def _account(self, side: Side, score: SideScore) -> list[str]:
        names = [self._name(seat) for seat in SEATS]
        return [
            f"{self._side(side)} bid {score.contract}, took {score.taken}",
            *(self._entry(line.points, score_reason(line, names)) for line in score.lines),
            self._entry(score.points, f"now {self._signs.number(score.score)}, {plural(score.bags, 'bag')}"),
        ]

    def _entry(self, points: int, text: str) -> str:
        return f"{self._signs.number(points, signed=True):>6}  {text}"

    def _ending(self, event: GameEnded) -> str:
        return f"{outcome(self.table, event, self._signs)}: {ENDS[event.reason]}."

    def _aside(self, text: str) -> str:
        return self._signs.paint(f"  {self._signs.either('·', '*')} {text}", DIM)

    def _coloured(self, text: str, *, red: bool, bold: bool = False) -> str:
        return self._signs.paint(text, *([BOLD] if bold else []), *([RED] if red else []))

    def _card(self, card: Card) -> str:
        return self._coloured(self._signs.card(card), red=is_red(card))

    def _name(self, seat: Seat) -> str:
        return name_of(self.table, seat)

    def _side(self, side: Side) -> str:
        return side_named(self.table, side)
