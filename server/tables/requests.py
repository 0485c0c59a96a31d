"""The command that a player's request asks for. The seat comes from the session, never from the message."""

from random import Random
from typing import assert_never

from server.presence.viewers import Viewer
from spades_core.commands import (
    AskForNextHand,
    Command,
    CommandRefused,
    LookAtHand,
    PassCards,
    PlaceBid,
    PlayCard,
    RemoveBot,
    SeatBot,
    StartGame,
    TakeSeat,
)
from spades_core.protocol.messages import AddBot, Bid, DropBot, Look, NextHand, Pass, Play, Sit, Start
from spades_core.seats import SEATS, Seat

GameRequest = Bid | Pass | Play | NextHand
"""These name the update that they answer."""
SeatRequest = Sit | AddBot | DropBot | Start | Look | GameRequest


def command_for(request: SeatRequest, viewer: Viewer, seat: Seat | None, rng: Random) -> Command:
    """Raises CommandRefused for players without a seat."""
    if isinstance(request, Sit):
        return TakeSeat(viewer.player, viewer.name, request.seat)
    if seat is None:
        raise CommandRefused("no_seat", "You have no seat at this table; take one first.")
    match request:
        case Play(card=card):
            return PlayCard(seat, card)
        case Bid(bid=bid, blind=blind):
            return PlaceBid(seat, bid, blind)
        case Look():
            return LookAtHand(seat)
        case Pass(cards=cards):
            return PassCards(seat, cards)
        case NextHand():
            return AskForNextHand(seat)
        case Start(level=level):
            return StartGame(seat, rng.choice(SEATS), level)
        case AddBot(seat=at, level=level):
            return SeatBot(seat, at, level)
        case DropBot(seat=at):
            return RemoveBot(seat, at)
        case _:
            assert_never(request)
