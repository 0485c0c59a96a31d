"""A server of one table at which the client's partner bids blind nil, so that hands are face down and cards are passed.

Good bots rarely fall far enough behind for that. Here the partner bids thirteen in
the first hand and blind nil in the second, which is the last.
"""

from random import Random
from typing import Any

from websockets.asyncio.server import ServerConnection

from server.gateway.frames import decode_frame, encode_frame
from server.tables.requests import command_for
from spades_core.commands import Command, DealHand, LookAtHand, OpenTable, PassCards, PlaceBid, PlayCard
from spades_core.decide import decide
from spades_core.deck import shuffled
from spades_core.evolve import evolve_all
from spades_core.protocol.messages import Hello, MakeTable, Update, Welcome
from spades_core.ruleset import parse_rules
from spades_core.seats import SEATS, Seat
from spades_core.state import Table
from spades_core.views import view_for

CLIENT, PARTNER = SEATS[0], SEATS[2]
RULES = parse_rules("classic,floor=off,blind_nil=swap,hand_limit=2")


class BlindNilServer:
    """`received` are the types of all messages of the client."""

    def __init__(self) -> None:
        self.received: list[str] = []
        self._table = Table()
        self._rng = Random(2)
        self._n = 0

    async def handle(self, socket: ServerConnection) -> None:
        async for frame in socket:
            assert isinstance(frame, bytes)
            message: Any = decode_frame(frame)
            self.received.append(message.t)
            if isinstance(message, Hello):
                await socket.send(encode_frame(Welcome("token", message.name, "0")))
                continue
            if isinstance(message, MakeTable):
                command: Command = OpenTable("KQXZP", RULES, "client", "Stranger")
            else:
                command = command_for(message, self._sender(), CLIENT, self._rng)
            self._do(command)
            await socket.send(self._update(message.id))
            while (due := self._due()) is not None:
                self._do(due)
                await socket.send(self._update(None))

    def _sender(self) -> Any:
        """Return nothing: only a request for another seat needs the name of its sender."""
        return None

    def _do(self, command: Command) -> None:
        self._table = evolve_all(self._table, decide(self._table, command))
        self._n += 1

    def _update(self, re: str | None) -> bytes:
        view = view_for(CLIENT, self._table)
        return encode_frame(Update("KQXZP", self._n, "0" * 16, (), view, (True, False, False, False), re=re))

    def _due(self) -> Command | None:
        """Return the next command of the bots or the table, or None if the client is on turn."""
        game, turn = self._table.game, self._table.turn
        if game is not None and self._table.phase == "scored" and (game.hand is None or game.ready[CLIENT]):
            return DealHand(shuffled(self._rng))
        return None if turn in (None, CLIENT) else self._move_of(turn)

    def _move_of(self, seat: Seat) -> Command:
        view = view_for(seat, self._table)
        if view.may_bid_blind and seat == PARTNER:
            return PlaceBid(seat, 0, blind=True)
        if view.may_look:
            return LookAtHand(seat)
        if view.legal_bids:
            return PlaceBid(seat, 13 if seat == PARTNER else 1)
        if view.to_pass:
            return PassCards(seat, view.hand[: view.to_pass])
        return PlayCard(seat, view.legal_cards[0])
