"""The command that carries out what is due at a table: a deal, a bot in or out of a seat, a bot's bid or card."""

from random import Random

from spades_core.bots import LEVELS
from spades_core.bots.decisions import Decision, choose
from spades_core.commands import (
    Command,
    DealAgain,
    DealHand,
    LookAtHand,
    PassCards,
    PlaceBid,
    PlayCard,
    ReturnToSeat,
    TakeOver,
)
from spades_core.deck import DECKS, shuffled
from spades_core.schedule import Due
from spades_core.seats import Level, Seat
from spades_core.state import Table
from spades_core.views import view_for

NEXT_BEST: Level = "hard"
"""Who plays for an expert that has not thought, or not to the end; it answers within a millisecond."""


def command_of(due: Due, table: Table, rng: Random, thought: Decision | None = None) -> Command:
    """The command that carries out `due`; `thought` is what the bot that acts has chosen already."""
    if due.what == "deal":
        return DealHand(shuffled(rng, DECKS[table.rules.deck]))
    if due.what == "deal_again":
        assert table.game is not None
        return DealAgain(len(table.game.sheet) + 1, shuffled(rng, DECKS[table.rules.deck]))
    assert due.seat is not None
    if due.what == "bot_takes_over":
        return TakeOver(due.seat)
    if due.what == "player_returns":
        return ReturnToSeat(due.seat)
    return _bot_command(due.seat, table, rng, thought)


def _bot_command(seat: Seat, table: Table, rng: Random, thought: Decision | None) -> Command:
    """A bot is given the view of its seat and nothing else."""
    if thought is not None:
        return move(seat, thought)
    level = table.bot_level(seat)
    assert level is not None
    return move(seat, choose(LEVELS[NEXT_BEST if level == "expert" else level], view_for(seat, table), rng))


def move(seat: Seat, choice: Decision) -> Command:
    match choice:
        case bool(blind):
            return PlaceBid(seat, 0, blind=True) if blind else LookAtHand(seat)
        case int(bid):
            return PlaceBid(seat, bid)
        case tuple(cards):
            return PassCards(seat, cards)
        case card:
            return PlayCard(seat, card)
