"""The transcript of a game for people at a terminal.

Invariant: the text is the same with and without colours; colours add nothing
that the text does not say.
"""

from collections.abc import Iterator
from itertools import zip_longest

from wcwidth import ljust, width

from server.cli.terminal import BOLD, DIM, RED, Style, is_red, max_width, truncate
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
from spades_core.notation import GameRecord
from spades_core.seats import SEATS, SIDES, BySide, Seat, Side, next_seat, seats_of
from spades_core.state import Table
from spades_core.wording import bid_text, score_breakdown

PAGE_COLUMNS = 78
NAME_COLUMNS = 12
CARD_COLUMNS = 6
END_REASONS = {
    "target": "target score reached",
    "floor": "minimum score reached",
    "mercy": "mercy rule",
    "hand_limit": "hand limit reached",
}


def transcript(game: GameRecord, style: Style) -> Iterator[str]:
    """Return the lines of the transcript of a game."""
    writer = _Writer(style)
    for event in game.events:
        writer.table = evolve(writer.table, event)
        if writer.table.game is not None:
            yield from writer.lines(event)
    yield from writer.unfinished()


def result(table: Table, ended: GameEnded, style: Style) -> str:
    """Return the result of a game, as in "Anna and Cleo won 512 to 388"."""
    assert table.game is not None
    scores = [style.number(score) for score in table.game.scores]
    if ended.winner is None:
        return f"A draw at {scores[0]}"
    return f"{_side_name(table, ended.winner)} won {scores[ended.winner]} to {scores[1 - ended.winner]}"


def _side_name(table: Table, side: Side) -> str:
    return " and ".join(_player_name(table, seat) for seat in seats_of(side))


def _player_name(table: Table, seat: Seat) -> str:
    occupant = table.seats[seat]
    return occupant.name if occupant else ""


class _Writer:
    """Writes the lines of each event; `table` is the state after it."""

    def __init__(self, style: Style) -> None:
        self.table = Table()
        self._style = style
        self._pending_items: list[str] = []
        """Bids, looks or passes for the next line."""

    def lines(self, event: LoggedEvent) -> Iterator[str]:
        match event:
            case GameStarted():
                yield from self._title()
            case HandDealt():
                yield from self._hand(event)
            case HandLookedAt(seat):
                if not current_hand(self.table).blind[seat]:
                    self._pending_items.append(f"{self._name(seat)} looks")
            case BidPlaced(seat, bid, blind):
                self._pending_items.append(f"{self._name(seat)} {bid_text(bid, blind=blind)}")
                if None not in current_hand(self.table).bids:
                    yield from self._item_line("Bids")
            case CardsPassed(seat, to, cards):
                passed = " ".join(self._card(card) for card in cards)
                self._pending_items.append(f"{self._name(seat)} gives {self._name(to)} {passed}")
            case PlayBegan():
                yield from self._item_line("Passes")
                yield from self._play_headings()
            case TrickTaken(winner):
                tricks = current_hand(self.table).tricks
                yield self._trick(len(tricks), tricks[-1].leader, tricks[-1].cards, winner)
            case HandScored(_, _, _, sides):
                yield from self._scored(sides)
            case GameEnded():
                reason = END_REASONS[event.reason]
                yield from ("", self._style.paint(f"{result(self.table, event, self._style)}: {reason}.", BOLD))
            case BotTookOver(seat):
                yield self._note(f"{self._name(seat)} left; a bot takes over")
            case PlayerReturned(seat):
                yield self._note(f"{self._name(seat)} is back")
            case SeatTaken(_, name):
                yield self._note(f"{name} sits down in place of a bot")
            case BotLevelChanged(seat, level):
                yield self._note(f"{self._name(seat)}'s level is now {level}")
            case _:
                pass

    def unfinished(self) -> Iterator[str]:
        """Return the incomplete last lines and the scores of an unfinished game; nothing for a finished one."""
        if self.table.phase == "over" or self.table.game is None:
            return
        hand = self.table.game.hand
        yield from self._item_line("Bids" if self.table.phase == "bidding" else "Passes")
        if hand is not None and hand.trick:
            yield self._trick(len(hand.tricks) + 1, hand.leader, hand.trick, None)
        first, second = (f"{self._side(side)} {self._style.number(self.table.game.scores[side])}" for side in SIDES)
        yield from ("", self._style.paint(f"The game is not finished: {first}, {second}.", BOLD))

    def _title(self) -> Iterator[str]:
        levels = [(seat, self.table.bot_level(seat)) for seat in SEATS]
        bots = [f"{self._name(seat)} ({level})" for seat, level in levels if level is not None]
        yield self._style.paint(f"{self._side(SIDES[0])} against {self._side(SIDES[1])}", BOLD)
        rules = f"Rules: {str(self.table.rules).replace(',', ', ')}."
        yield self._style.paint(rules + (f" A bot plays for {' and '.join(bots)}." if bots else ""), DIM)

    def _hand(self, event: HandDealt) -> Iterator[str]:
        line = self._style.symbol("─", "-")
        title = f"{line * 2} Hand {event.number} {line * 2} {self._name(event.dealer)} deals "
        yield from ("", self._style.paint(title + line * (PAGE_COLUMNS - width(title)), BOLD), "")
        deck = DECKS[self.table.rules.deck]
        rows = [[self._ranks(deck, hand, suit) for suit in reversed(SUITS)] for hand in event.hands]
        widths = [max_width(row[column] for row in rows) for column in range(4)]
        names = max_width(self._name(seat) for seat in SEATS)
        for seat in SEATS:
            suits = "   ".join(
                self._coloured(ljust(text, column), red=suit in "DH")
                for text, column, suit in zip(rows[seat], widths, reversed(SUITS), strict=True)
            )
            down = "   face down" if event.face_down[seat] else ""
            yield f"  {ljust(self._name(seat), names)}   {suits}{down}".rstrip()
        yield ""

    def _ranks(self, deck: Deck, hand: tuple[Card, ...], suit: Suit) -> str:
        """Return one suit of a hand, highest card first; cards printed with another suit keep its symbol."""
        cards = deck.cards_in(deck.mask_of(hand) & deck.suit_mask[suit])[::-1]
        ranks = [self._style.rank(card) if card[1] == suit else self._style.card(card) for card in cards]
        return " ".join((self._style.suit(suit), *(ranks or [self._style.symbol("–", "-")])))

    def _item_line(self, label: str) -> Iterator[str]:
        if self._pending_items:
            yield f"  {label:<7}{self._style.symbol(' · ', ', ').join(self._pending_items)}"
        self._pending_items = []

    def _play_headings(self) -> Iterator[str]:
        hand = current_hand(self.table)
        needed = [(hand.bids[side] or 0) + (hand.bids[side + 2] or 0) for side in SIDES]
        yield f"         {self._side(SIDES[0])} need {needed[0]}, {self._side(SIDES[1])} {needed[1]}"
        names = (ljust(truncate(self._name(seat), NAME_COLUMNS), self._column(seat)) for seat in SEATS)
        yield from ("", self._style.paint(" " * 9 + "".join(names).rstrip(), DIM))

    def _column(self, seat: Seat) -> int:
        """Return the width of a player's column."""
        return 3 + max(CARD_COLUMNS, width(truncate(self._name(seat), NAME_COLUMNS)))

    def _trick(self, number: int, leader: Seat, cards: tuple[Card, ...], winner: Seat | None) -> str:
        """Return the cards in the columns of their players: the lead with an arrow, the winner in brackets."""
        cells = {seat: " " * self._column(seat) for seat in SEATS}
        for steps, card in enumerate(cards):
            seat = next_seat(leader, steps)
            lead = self._style.symbol("›", ">") if steps == 0 else " "
            text = f"[{self._style.card(card)}]" if seat == winner else f" {self._style.card(card)}"
            cell = lead + self._coloured(text, red=is_red(card), bold=seat == winner)
            cells[seat] = ljust(cell, self._column(seat))
        row = f"  {number:>3}  {''.join(cells[seat] for seat in SEATS)}"
        if winner is None:
            return row.rstrip()
        taken = current_hand(self.table).taken
        return f"{row}{self._name(winner)} takes it, {taken[0] + taken[2]} : {taken[1] + taken[3]}"

    def _scored(self, sides: BySide[SideScore]) -> Iterator[str]:
        """Return the scores of both sides in two columns."""
        left, right = (self._account(side, sides[side]) for side in SIDES)
        column = max(PAGE_COLUMNS // 2 - 2, max_width(left) + 3)
        yield ""
        for row, (first, second) in enumerate(zip_longest(left[:-1], right[:-1], fillvalue="")):
            yield self._style.paint(f"  {ljust(first, column)}{second}".rstrip(), *([BOLD] if row == 0 else []))
        yield f"  {ljust(left[-1], column)}{right[-1]}"

    def _account(self, side: Side, score: SideScore) -> list[str]:
        names = [self._name(seat) for seat in SEATS]
        title, entries = score_breakdown(self._side(side), score, names, self._style.number)
        return [title, *(f"{self._style.number(points, signed=True):>6}  {text}" for points, text in entries)]

    def _note(self, text: str) -> str:
        return self._style.paint(f"  {self._style.symbol('·', '*')} {text}", DIM)

    def _coloured(self, text: str, *, red: bool, bold: bool = False) -> str:
        return self._style.paint(text, *([BOLD] if bold else []), *([RED] if red else []))

    def _card(self, card: Card) -> str:
        return self._coloured(self._style.card(card), red=is_red(card))

    def _name(self, seat: Seat) -> str:
        return _player_name(self.table, seat)

    def _side(self, side: Side) -> str:
        return _side_name(self.table, side)
