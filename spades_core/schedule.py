"""What a table does by itself, and when: bots act, hands are dealt, a bot takes the seat of somebody long gone.

Pure: the time is an argument, in seconds on any steady clock. Nothing happens
at a table that nobody looks at; a game waits for its people.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from spades_core.seats import SEATS, BySeat, Seat
from spades_core.state import Occupant, Table


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a table goes, in seconds.

    A bot thinks for a time drawn between `bot_least` and `bot_most`, whatever
    its cards, and everything waits for `trick_rest` after a trick so that
    people can see it.
    """

    bot_least: float = 0.6
    bot_most: float = 1.3
    trick_rest: float = 1.3
    next_hand: float = 30.0
    away: float = 30.0

    def times(self, factor: float) -> "Pace":
        """The same pace with bots and rests slower or faster; how long people are waited for stays."""
        return Pace(
            self.bot_least * factor, self.bot_most * factor, self.trick_rest * factor, self.next_hand, self.away
        )


@dataclass(frozen=True, slots=True)
class Due:
    """`what` is to be done at the time `at`; `seat` is whose. `timeout`: nobody asked for it, time alone has come."""

    at: float
    what: Literal["bot_acts", "deal", "deal_again", "bot_takes_over", "player_returns"]
    seat: Seat | None = None
    timeout: bool = False


def next_due(
    table: Table,
    *,
    pace: Pace,
    moved_at: float,
    think: float,
    present: BySeat[bool],
    gone_at: Mapping[Seat, float],
    lost_hand: int | None = None,
) -> Due | None:
    """The next thing that happens without anybody asking.

    `moved_at` is when a bid, a card or a deal last changed the table, `think` how long a bot whose
    turn it is has drawn to wait since, `gone_at` since when seats are without
    a connection, `lost_hand` the hand in play if it is to be dealt again.
    """
    if not any(present):
        return None
    if lost_hand is not None:
        return Due(moved_at, "deal_again")
    dues = [
        Due(gone_at.get(seat, moved_at) + pace.away, "bot_takes_over", seat)
        for seat in SEATS
        if _may_be_missed(table, seat) and not present[seat]
    ]
    dues += [Due(moved_at, "player_returns", seat) for seat in SEATS if present[seat] and _away(table.seats[seat])]
    if table.phase == "scored":
        at = deal_at(table, pace, moved_at, present)
        dues.append(Due(at, "deal", timeout=at > moved_at))
    if table.turn is not None and table.bot_level(table.turn) is not None:
        dues.append(Due(moved_at + think, "bot_acts", table.turn))
    return min(dues, key=lambda due: due.at, default=None)


def _may_be_missed(table: Table, seat: Seat) -> bool:
    """During a game everybody; between games only the host, without whom nobody could start."""
    return _person_at(table.seats[seat]) and (not table.between_games or table.host == seat)


def _person_at(occupant: Occupant | None) -> bool:
    return occupant is not None and occupant.player is not None and not occupant.away


def _away(occupant: Occupant | None) -> bool:
    return occupant is not None and occupant.away


def deal_at(table: Table, pace: Pace, moved_at: float, present: BySeat[bool]) -> float:
    """When the next hand is dealt, should nobody ask for it any more."""
    game = table.game
    assert game is not None
    first = not game.sheet
    asked = all(game.ready[seat] for seat in SEATS if present[seat] and _person_at(table.seats[seat]))
    return moved_at if first or asked else moved_at + pace.next_hand
