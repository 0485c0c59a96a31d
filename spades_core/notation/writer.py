"""Writing a game: its events become lines.

A line is written once it is complete; a bid is not a line, four bids are. So the
line of a seat change comes before the bids, passes or trick in which it happened.
"""

from collections.abc import Sequence

from spades_core.deck import DECKS
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
    HandVoided,
    LoggedEvent,
    PlayerReturned,
    SeatTaken,
    TrickTaken,
)
from spades_core.evolve import current_hand, evolve, evolve_all
from spades_core.notation import vocabulary
from spades_core.ruleset import RuleSet
from spades_core.scoring import game_end
from spades_core.seats import SEATS, SIDES, Seat
from spades_core.state import Game, Table


def write_game(events: Sequence[LoggedEvent], begun: Table | None = None) -> str:
    """Write the last game of a table, finished or not, from all events of the table.

    With `begun`, the table just after the start of its game, `events` are only those
    after the start. Void hands, requests for the next hand, the code of the table and
    the identities of the players are left out.

    Raises ValueError if no game was started or the events end within a commit.
    """
    if begun is None:
        starts = [index for index, event in enumerate(events) if isinstance(event, GameStarted)]
        if not starts:
            raise ValueError("no game was started")
        first = starts[-1] + 1
        begun, events = evolve_all(Table(), tuple(events[:first])), events[first:]
    writer = GameWriter(begun)
    for event in events:
        writer.add(event)
        if writer.table.phase == "over":
            break
    writer.close()
    return "\n".join((*writer.lines, ""))


class GameWriter:
    """Writes one game event by event. `lines` are those complete so far; `table` is the table after the last event."""

    def __init__(self, table: Table) -> None:
        """Begin with a table that has just started a game."""
        self.table = table
        self.lines = [vocabulary.TITLE, "", vocabulary.with_label("Rules", str(table.rules))]
        self._items: list[str] = []
        self._hand_index = 0
        """The index of the first line of the hand in play."""
        self._seat_lines: list[str] = []
        """The seat lines since that hand was dealt."""
        for seat in SEATS:
            self._seat(seat)
        self.lines.append(vocabulary.dealer_line(self._game.next_dealer))

    def add(self, event: LoggedEvent) -> None:
        self.table = evolve(self.table, event)
        match event:
            case TrickTaken(seat):
                tricks = current_hand(self.table).tricks
                self.lines.append(vocabulary.trick_line(len(tricks), tricks[-1].leader, tricks[-1].cards, seat))
            case HandDealt(number, dealer, hands, face_down):
                self._hand_index, self._seat_lines = len(self.lines), []
                self.lines += ["", vocabulary.hand_title(number, dealer)]
                self.lines += vocabulary.hand_lines(DECKS[self.table.rules.deck], hands, face_down)
            case HandLookedAt() | BidPlaced() | CardsPassed():
                self._item(event)
            case HandVoided():
                self._forget_hand()
            case HandScored(_, _, _, sides):
                for side in SIDES:
                    self.lines += vocabulary.score_lines(side, sides[side])
            case GameEnded():
                self._end(vocabulary.end_line(event, self._game.scores))
            case BotTookOver(seat) | PlayerReturned(seat) | SeatTaken(seat) | BotLevelChanged(seat):
                self._seat(seat)
            case _:
                pass

    def close(self) -> None:
        """End the text; an unfinished game is marked as such."""
        if self.table.phase == "over":
            return
        hand = self._game.hand
        if _within_commit(self.table.rules, self._game):
            raise ValueError("the events end within a commit")
        if self._items:
            self._complete(vocabulary.BIDS if self.table.phase == "bidding" else vocabulary.PASSED)
        if hand is not None and hand.trick:
            self.lines.append(vocabulary.trick_line(len(hand.tricks) + 1, hand.leader, hand.trick, None))
        self._end(vocabulary.with_label(vocabulary.END, vocabulary.UNFINISHED))

    @property
    def _game(self) -> Game:
        assert self.table.game is not None
        return self.table.game

    def _seat(self, seat: Seat) -> None:
        occupant = self.table.seats[seat]
        if occupant is None:
            raise ValueError("a game has a player on every seat")
        self.lines.append(vocabulary.seat_line(seat, occupant))
        self._seat_lines.append(self.lines[-1])

    def _forget_hand(self) -> None:
        """Remove the lines of a void hand, but keep its seat lines: they go before the hand dealt in its place."""
        self.lines[self._hand_index :] = self._seat_lines
        self._items = []

    def _item(self, event: HandLookedAt | BidPlaced | CardsPassed) -> None:
        hand = current_hand(self.table)
        match event:
            case HandLookedAt(seat):
                if not hand.blind[seat]:
                    self._items.append(vocabulary.look_item(seat))
            case BidPlaced():
                self._items.append(vocabulary.bid_item(event))
                if None not in hand.bids:
                    self._complete(vocabulary.BIDS)
            case CardsPassed():
                self._items.append(vocabulary.pass_item(event))
                if not hand.to_pass:
                    self._complete(vocabulary.PASSED)

    def _complete(self, label: str) -> None:
        self.lines.append(vocabulary.items_line(label, self._items))
        self._items = []

    def _end(self, line: str) -> None:
        self.lines += ["", line]


def _within_commit(rules: RuleSet, game: Game) -> bool:
    """Return whether the trick still has to be taken, the hand to be scored or the game to be ended."""
    hand, scored = game.hand, len(game.sheet)
    if hand is not None and (len(hand.trick) == 4 or (hand.played_out and scored < hand.number)):
        return True
    return scored > 0 and game_end(rules, game.scores, scored) is not None
