"""The command that carries out what is due at a table: a deal, a bot in or out of a seat, a bot's bid or card."""

from random import Random

from spades_core.bots import LEVELS
from spades_core.bots.decisions import Decision, choose
from spades_core.commands import (
    Command,
    DealHand,
    LookAtHand,
    PassCards,
    PlaceBid,
    PlayCard,
    Redeal,
    ReturnToSeat,
    TakeOver,
)
from spades_core.deck import DECKS, shuffled
from spades_core.schedule import Due
from spades_core.seats import Level, Seat
from spades_core.state import Table
from spades_core.views import view_for

EXPERT_FALLBACK: Level = "hard"
"""The level that decides for an expert without a decision of its own; it answers within a millisecond."""


def command_for_due(due: Due, table: Table, rng: Random, decision: Decision | None = None) -> Command:
    """Return the command that carries out `due`.

    `decision` is what the bot whose turn it is has decided already; without one a bot decides here.
    """
    if due.what == "deal":
        return DealHand(shuffled(rng, DECKS[table.rules.deck]))
    if due.what == "redeal":
        assert table.game is not None
        return Redeal(len(table.game.sheet) + 1, shuffled(rng, DECKS[table.rules.deck]))
    assert due.seat is not None
    if due.what == "bot_takes_over":
        return TakeOver(due.seat)
    if due.what == "player_returns":
        return ReturnToSeat(due.seat)
    return command_for_decision(due.seat, _decide(due.seat, table, rng) if decision is None else decision)


def _decide(seat: Seat, table: Table, rng: Random) -> Decision:
    """Ask the bot on `seat`, which is given the view of its seat and nothing else."""
    level = table.bot_level(seat)
    assert level is not None
    return choose(LEVELS[EXPERT_FALLBACK if level == "expert" else level], view_for(seat, table), rng)


def command_for_decision(seat: Seat, decision: Decision) -> Command:
    match decision:
        case bool(blind):
            return PlaceBid(seat, 0, blind=True) if blind else LookAtHand(seat)
        case int(bid):
            return PlaceBid(seat, bid)
        case tuple(cards):
            return PassCards(seat, cards)
        case card:
            return PlayCard(seat, card)
