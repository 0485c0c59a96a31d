"""The events of a game to its lines.

A line is written when it is complete: a bid is not a line, four bids are. So the
coming and going of players stands before the line during which it happened.
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
from spades_core.notation import words
from spades_core.notation.versions import NEWEST, Version
from spades_core.ruleset import RuleSet
from spades_core.scoring import game_end
from spades_core.seats import SEATS, SIDES, Seat
from spades_core.state import Game, Table


def write_game(events: Sequence[LoggedEvent], begun: Table | None = None) -> str:
    """The last game of a table, finished or not, from all that happened there.

    With `begun`, the table as its game has just started, `events` are those after
    the start. Raises ValueError when no game began, or when the events end within
    a commit. Left out: who asked for the next hand, the code of the table, who the
    players are beside their names, and hands that were void.
    """
    if begun is None:
        starts = [index for index, event in enumerate(events) if isinstance(event, GameStarted)]
        if not starts:
            raise ValueError("no game was started")
        first = starts[-1] + 1
        begun, events = evolve_all(Table(), tuple(events[:first])), events[first:]
    scribe = Scribe(begun)
    for event in events:
        scribe.add(event)
        if scribe.table.phase == "over":
            break
    scribe.close()
    return "\n".join((*scribe.lines, ""))


class Scribe:
    """Takes down one game. `lines` are those complete so far, `table` is where the game stands."""

    def __init__(self, table: Table, version: Version = NEWEST) -> None:
        """`table` has just started a game."""
        self.table = table
        self._version = version
        self.lines = [version.title, "", words.labelled("Rules", str(table.rules))]
        self._items: list[str] = []
        self._hand_at = 0
        self._seats_since: list[str] = []
        """The lines of seats since the hand was dealt, which begins at the line `_hand_at`."""
        for seat in SEATS:
            self._seat(seat)
        self.lines.append(words.dealer_line(self._game.next_dealer))

    def add(self, event: LoggedEvent) -> None:
        self.table = evolve(self.table, event)
        match event:
            case TrickTaken(seat):
                tricks = current_hand(self.table).tricks
                self.lines.append(words.trick_line(len(tricks), tricks[-1].leader, tricks[-1].cards, seat))
            case HandDealt(number, dealer, hands, face_down):
                self._hand_at, self._seats_since = len(self.lines), []
                self.lines += ["", words.hand_title(number, dealer)]
                self.lines += words.hand_lines(DECKS[self.table.rules.deck], hands, face_down)
            case HandLookedAt() | BidPlaced() | CardsPassed():
                self._item(event)
            case HandVoided():
                self._forget_hand()
            case HandScored(_, _, _, sides):
                for side in SIDES:
                    self.lines += words.score_lines(side, sides[side])
            case GameEnded():
                self._end(words.end_line(event, self._game.scores))
            case BotTookOver(seat) | PlayerReturned(seat) | SeatTaken(seat) | BotLevelChanged(seat):
                self._seat(seat)
            case _:
                pass

    def close(self) -> None:
        """Nothing more happens: an unfinished game is marked as one."""
        if self.table.phase == "over":
            return
        hand = self._game.hand
        if _within_commit(self.table.rules, self._game):
            raise ValueError("the events end before what the last one brings about")
        if self._items:
            self._complete(words.BIDS if self.table.phase == "bidding" else words.PASSED)
        if hand is not None and hand.trick:
            self.lines.append(words.trick_line(len(hand.tricks) + 1, hand.leader, hand.trick, None))
        self._end(words.labelled(words.END, words.UNFINISHED))

    @property
    def _game(self) -> Game:
        assert self.table.game is not None
        return self.table.game

    def _seat(self, seat: Seat) -> None:
        occupant = self.table.seats[seat]
        if occupant is None:
            raise ValueError("a game has a player on every seat")
        self.lines.append(self._version.seat_line(seat, occupant))
        self._seats_since.append(self.lines[-1])

    def _forget_hand(self) -> None:
        """Who came and went during it is still told, before the hand that takes its place."""
        self.lines[self._hand_at :] = self._seats_since
        self._items = []

    def _item(self, event: HandLookedAt | BidPlaced | CardsPassed) -> None:
        hand = current_hand(self.table)
        match event:
            case HandLookedAt(seat):
                if not hand.blind[seat]:
                    self._items.append(words.look_said(seat))
            case BidPlaced():
                self._items.append(words.bid_said(event))
                if None not in hand.bids:
                    self._complete(words.BIDS)
            case CardsPassed():
                self._items.append(words.pass_said(event))
                if not hand.to_pass:
                    self._complete(words.PASSED)

    def _complete(self, label: str) -> None:
        self.lines.append(words.items_line(label, self._items))
        self._items = []

    def _end(self, line: str) -> None:
        self.lines += ["", line]


def _within_commit(rules: RuleSet, game: Game) -> bool:
    """Whether a trick is to be taken, a hand to be scored or the game to be ended."""
    hand, scored = game.hand, len(game.sheet)
    if hand is not None and (len(hand.trick) == 4 or (hand.played_out and scored < hand.number)):
        return True
    return scored > 0 and game_end(rules, game.scores, scored) is not None
