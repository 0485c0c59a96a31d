"""A person at a table who plays anything legal, comes back when the connection breaks, and remembers everything."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from server.tables.requests import SeatRequest
from spades_core.protocol.messages import (
    CLOSE_REPLACED,
    Bid,
    JoinTable,
    Leave,
    Left,
    Look,
    NextHand,
    Pass,
    Play,
    Presence,
    Refusal,
    ServerMessage,
    Sit,
    Start,
    TableRequest,
    Update,
)
from spades_core.seats import SEATS, BySeat
from spades_core.views import SeatView
from tests.simulation.recorded_games import CODE
from tests.simulation.server import Connection, Server
from tests.simulation.trace import Trace
from tests.simulation.virtual_time import VirtualClock

PATIENCE = 8.0
"""How long an answer is waited for on one connection."""


@dataclass(slots=True)
class RequestRecord:
    """One request, when it was sent first, and what came of it."""

    player: str
    request: TableRequest
    sent: float
    answered: float | None = None
    answer: Update | Refusal | Left | None = None


@dataclass(frozen=True, slots=True)
class Told:
    at: float
    update: Update


class SimulatedPlayer:
    def __init__(
        self,
        name: str,
        clock: VirtualClock,
        trace: Trace,
        rng: Random,
        servers: Callable[[], list[Server]],
        *,
        restless: bool,
    ) -> None:
        self.name = name
        self.player = f"player {name}"
        self.asked: list[RequestRecord] = []
        self.told: list[Told] = []
        self.present: BySeat[bool] | None = None
        self.thrown_out: list[float] = []
        self.connection: Connection | None = None
        self.joined = False
        self.calm = False
        self._oddness = 0.3 if restless else 0.06
        self._world = clock
        self._trace = trace
        self._rng = rng
        self._servers = servers
        self._waits_for: str | None = None
        self._open: RequestRecord | None = None
        self._thinks = False
        self._ids = 0

    @property
    def seen(self) -> Update:
        return self.told[-1].update

    # The connection.

    def come(self) -> None:
        """Connect to any server and join the table, telling what was seen last."""
        if self.connection is not None:
            return
        server = self._rng.choice(self._servers())
        if not server.up:
            self._come_later()
            return
        self.joined = False
        self.connection = Connection(self._world, self._trace, self, server, self._rng.uniform(0.003, 0.05))
        self._trace.add(self.name, "connects to", server.name)
        self._join()

    def _join(self) -> None:
        connection = self.connection
        assert connection is not None
        n, e = (self.seen.n, self.seen.e) if self.told else (None, None)
        request = JoinTable(self._new_id(), CODE, n, e)
        self._waits_for = request.id
        self._send(request)

    def drop(self, unnoticed: float) -> None:
        """The connection breaks; the server finds out so much later, and the person comes back after a pause."""
        if self.connection is not None:
            self.connection.hang_up(unnoticed)
            self._lost()

    def closed(self, connection: Connection, code: int | None) -> None:
        if connection is not self.connection:
            return
        self._trace.add(self.name, "is closed with", code)
        if code == CLOSE_REPLACED:
            self.thrown_out.append(self._world.now)
        connection.hang_up(0)
        self._lost()

    def _lost(self) -> None:
        assert self.connection is not None
        self.connection = None
        self.joined = False
        self._come_later()

    def _come_later(self) -> None:
        self._world.after(self._rng.uniform(0.05, 0.5 if self.calm else 4), self.come)

    def _send(self, request: JoinTable | TableRequest) -> None:
        connection = self.connection
        assert connection is not None
        self._trace.add(self.name, "asks", connection.server.name, request)
        connection.ask(request)
        waits_for = request.id
        self._world.after(PATIENCE, lambda: self._lose_patience(connection, waits_for))

    def _lose_patience(self, connection: Connection, waits_for: str) -> None:
        awaited = self._waits_for or (self._open and self._open.request.id)
        if connection is self.connection and awaited == waits_for:
            self._trace.add(self.name, "loses patience")
            self.drop(self._rng.uniform(0, 3))

    # What is said.

    def hear(self, connection: Connection, message: ServerMessage) -> None:
        if connection is not self.connection:
            return
        self._trace.add(self.name, "hears", _in_short(message))
        if isinstance(message, Update):
            self.told.append(Told(self._world.now, message))
        if isinstance(message, Update | Presence):
            self.present = message.present
        re = getattr(message, "re", None)
        if re is not None and re == self._waits_for:
            self._waits_for = None
            self._arrive(message)
        elif re is not None and self._open is not None and re == self._open.request.id:
            self._answered(message)
        if self.joined and isinstance(message, Update | Left):
            self._think()

    def _arrive(self, message: ServerMessage) -> None:
        if isinstance(message, Update):
            self.joined = True
            if self._open is not None:
                self._send(self._open.request)
        else:
            assert isinstance(message, Refusal), message
            self.drop(0)

    def _answered(self, message: ServerMessage) -> None:
        assert self._open is not None
        assert isinstance(message, Update | Refusal | Left)
        if isinstance(message, Refusal) and message.code in ("closed", "no_table"):
            self.drop(0)  # not an answer to what was asked: the table is elsewhere by now
            return
        self._open.answered, self._open.answer = self._world.now, message
        self._open = None
        if isinstance(message, Left):
            self.drop(0)
        self._think()

    # What is done.

    def _think(self) -> None:
        if not self._thinks:
            self._thinks = True
            self._world.after(self._rng.choice((0.01, 0.1, 0.3, 0.6)), self._act)

    def _act(self) -> None:
        self._thinks = False
        if not self.joined or self._open is not None:
            return
        lately = [told.update for told in self.told[-3:]]
        request = choose(lately, self._new_id(), self._rng, odd=0 if self.calm else self._oddness)
        if request is not None:
            self._open = RequestRecord(self.player, request, self._world.now)
            self.asked.append(self._open)
            self._send(request)

    def _new_id(self) -> str:
        self._ids += 1
        return f"{self.name} {self._ids}"


def choose(lately: Sequence[Update], new_id: str, rng: Random, odd: float) -> TableRequest | None:
    """Anything that may be done now; sometimes what may not, or what nobody would expect."""
    if rng.random() < odd:
        return _oddly(lately, new_id, rng)
    view, on = lately[-1].view, lately[-1].e
    if view.may_bid_blind and rng.random() < 0.4:
        return Bid(new_id, on, 0, blind=True)
    if view.may_look:
        return Look(new_id)
    if view.legal_bids:
        return Bid(new_id, on, rng.choice(view.legal_bids[:5]))
    if view.to_pass:
        return Pass(new_id, on, tuple(rng.sample(view.hand, view.to_pass)))
    if view.legal_cards:
        return Play(new_id, on, rng.choice(view.legal_cards))
    return _between_hands(view, on, new_id, rng)


def _between_hands(view: SeatView, on: str, new_id: str, rng: Random) -> SeatRequest | None:
    if view.you is None:
        free = [seat for seat in SEATS if view.seats[seat].kind != "person"]
        return Sit(new_id, rng.choice(free)) if free else None
    if view.phase == "scored" and not view.seats[view.you].ready:
        return NextHand(new_id, on)
    if view.phase == "over" and view.host == view.you:
        return Start(new_id)
    return None


def _oddly(lately: Sequence[Update], new_id: str, rng: Random) -> TableRequest:
    seen, what = lately[-1], rng.randrange(4)
    if what == 0:
        return Leave(new_id)
    if what == 1 and seen.view.hand:
        return Play(new_id, rng.choice(lately).e, rng.choice(seen.view.hand))
    if what == 2:
        return Sit(new_id, rng.choice(SEATS))
    return NextHand(new_id, seen.e)


def _in_short(message: ServerMessage) -> object:
    if not isinstance(message, Update):
        return message
    view = message.view
    return (
        f"update {message.n} {message.e}{' fresh' * message.fresh} re {message.re}: {view.phase}, hand "
        f"{view.hand_number}, turn {view.turn}, you {view.you}, present {message.present}, "
        f"{[event.t for event in message.events]}"
    )
