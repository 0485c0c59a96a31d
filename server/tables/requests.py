"""From what a player asked to a command in the name of its seat.

The seat comes from the session, never from the message.
"""

from random import Random
from typing import assert_never

from server.tables.audience import Viewer
from spades_core.commands import (
    AskForNextHand,
    Command,
    LeaveSeat,
    PlaceBid,
    PlayCard,
    RemoveBot,
    SeatBot,
    StartGame,
    TakeSeat,
)
from spades_core.decide import Refused
from spades_core.protocol.messages import AddBot, Bid, DropBot, Leave, NextHand, Play, Sit, Start, TableRequest
from spades_core.seats import SEATS, Seat


def command_for(request: TableRequest, viewer: Viewer, seat: Seat | None, chance: Random) -> Command:
    """Raises Refused for a seat that does not exist and for players without one."""
    if isinstance(request, Sit):
        return TakeSeat(viewer.player, viewer.name, _existing(request.seat))
    if seat is None:
        raise Refused("no_seat", "You have no seat at this table; take one first.")
    match request:
        case Play(card=card):
            return PlayCard(seat, card)
        case Bid(bid=bid):
            return PlaceBid(seat, bid)
        case NextHand():
            return AskForNextHand(seat)
        case Start():
            return StartGame(seat, dealer=chance.choice(SEATS))
        case AddBot(seat=at):
            return SeatBot(seat, _existing(at))
        case DropBot(seat=at):
            return RemoveBot(seat, _existing(at))
        case Leave():
            return LeaveSeat(seat)
        case _:
            assert_never(request)


def _existing(seat: Seat) -> Seat:
    if seat not in SEATS:
        raise Refused("no_such_seat", f"Seats are numbered 0 to 3; there is no seat {seat}.")
    return seat
