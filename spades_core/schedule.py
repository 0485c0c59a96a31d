"""What a table does by itself, and when: bots act, hands are dealt, a bot takes the seat of somebody long gone.

Pure: the time is an argument, in seconds by any steady clock. Nothing happens at a table that nobody watches; a game
waits for its people.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from spades_core.seats import SEATS, BySeat, Seat
from spades_core.state import Occupant, Table


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a table goes, in seconds.

    A bot acts after a delay drawn between `bot_delay_min` and `bot_delay_max`, whatever its cards; `trick_pause` is
    added after a trick so that people can see it. The next hand is dealt after `next_hand_timeout` at the latest, and
    a bot takes the seat of a player who has been gone for `takeover_after`.
    """

    bot_delay_min: float = 0.6
    bot_delay_max: float = 1.3
    trick_pause: float = 1.3
    next_hand_timeout: float = 30.0
    takeover_after: float = 30.0

    def scaled(self, factor: float) -> "Pace":
        """Return this pace with the delays of bots and tricks multiplied; how long people are awaited stays."""
        return replace(
            self,
            bot_delay_min=self.bot_delay_min * factor,
            bot_delay_max=self.bot_delay_max * factor,
            trick_pause=self.trick_pause * factor,
        )


@dataclass(frozen=True, slots=True)
class Due:
    """An action of the table itself at the time `at`, for `seat` if it concerns one.

    `timeout` is True if only the passing of time makes it due, False if it was asked for.
    """

    at: float
    what: Literal["bot_acts", "deal", "redeal", "bot_takes_over", "player_returns"]
    seat: Seat | None = None
    timeout: bool = False


def next_due(
    table: Table,
    *,
    pace: Pace,
    advanced_at: float,
    bot_delay: float,
    present: BySeat[bool],
    absent_since: Mapping[Seat, float],
    hand_to_redeal: int | None = None,
) -> Due | None:
    """Return the next action that nobody has to ask for; None if there is none.

    `advanced_at` is the time of the last deal, bid, pass or card, and `bot_delay` the time from then until a bot acts.
    `present` tells which seats have a connected player, `absent_since` when each seat lost its connection.
    `hand_to_redeal` is the number of the hand in play if that must be dealt again.
    """
    if not any(present):
        return None
    if hand_to_redeal is not None:
        return Due(advanced_at, "redeal")
    dues = [
        Due(absent_since.get(seat, advanced_at) + pace.takeover_after, "bot_takes_over", seat)
        for seat in SEATS
        if _needs_player(table, seat) and not present[seat]
    ]
    dues += [
        Due(advanced_at, "player_returns", seat) for seat in SEATS if present[seat] and _is_away(table.seats[seat])
    ]
    if table.phase == "scored":
        at = next_deal_at(table, pace, advanced_at, present)
        dues.append(Due(at, "deal", timeout=at > advanced_at))
    if table.turn is not None and table.bot_level(table.turn) is not None:
        dues.append(Due(advanced_at + bot_delay, "bot_acts", table.turn))
    return min(dues, key=lambda due: due.at, default=None)


def next_deal_at(table: Table, pace: Pace, advanced_at: float, present: BySeat[bool]) -> float:
    """Return when the next hand is dealt: at once if it is the first or all present players asked for it."""
    game = table.game
    assert game is not None
    all_ready = all(game.ready[seat] for seat in SEATS if present[seat] and _is_person(table.seats[seat]))
    return advanced_at if not game.sheet or all_ready else advanced_at + pace.next_hand_timeout


def _needs_player(table: Table, seat: Seat) -> bool:
    """Return whether a bot replaces the player if absent: in a game anybody, between games only the host."""
    return _is_person(table.seats[seat]) and (not table.between_games or table.host == seat)


def _is_person(occupant: Occupant | None) -> bool:
    return occupant is not None and occupant.player is not None and not occupant.away


def _is_away(occupant: Occupant | None) -> bool:
    return occupant is not None and occupant.away
