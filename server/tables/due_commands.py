"""The command that carries out what is due at a table: a deal, a bot in or out of a seat, a bot's bid or card."""

from random import Random

from server.tables.clock import Due
from spades_core.bots import LEVELS
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
from spades_core.deal import shuffled
from spades_core.deck import DECKS
from spades_core.seats import Seat
from spades_core.state import Table
from spades_core.views import view_for


def command_of(due: Due, table: Table, chance: Random) -> Command:
    """The command that carries out `due`."""
    if due.what == "deal":
        return DealHand(shuffled(chance, DECKS[table.rules.deck]))
    if due.what == "deal_again":
        assert table.game is not None
        return DealAgain(len(table.game.sheet) + 1, shuffled(chance, DECKS[table.rules.deck]))
    assert due.seat is not None
    if due.what == "bot_takes_over":
        return TakeOver(due.seat)
    if due.what == "player_returns":
        return ReturnToSeat(due.seat)
    return _bot_command(due.seat, table, chance)


def _bot_command(seat: Seat, table: Table, chance: Random) -> Command:
    """A bot is given the view of its seat and nothing else."""
    level, view = table.bot_level(seat), view_for(seat, table)
    assert level is not None
    bot = LEVELS[level]
    if view.may_look:
        return LookAtHand(seat)
    if view.phase == "bidding":
        return PlaceBid(seat, bot.choose_bid(view, chance))
    if view.to_pass:
        return PassCards(seat, bot.choose_pass(view, chance))
    return PlayCard(seat, bot.choose_card(view, chance))
