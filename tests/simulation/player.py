"""A player who makes random moves, reconnects when the connection is lost, and records requests and updates."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from server.tables.requests import SeatRequest
from spades_core.commit import LogPosition
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
from tests.history import RequestRecord
from tests.simulation.recorded_games import CODE
from tests.simulation.server import Connection, Server
from tests.simulation.trace import Trace
from tests.simulation.virtual_time import VirtualClock

RESPONSE_TIMEOUT = 8.0
"""On one connection."""


@dataclass(frozen=True, slots=True)
class ReceivedUpdate:
    time: float
    update: Update


class SimulatedPlayer:
    """`replaced_at` are the times at which a connection was closed as if the session had another one."""

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
        self.records: list[RequestRecord] = []
        self.received: list[ReceivedUpdate] = []
        self.present: BySeat[bool] | None = None
        self.replaced_at: list[float] = []
        self.connection: Connection | None = None
        self.joined = False
        self.calm = False
        self._oddness = 0.3 if restless else 0.06
        self._clock = clock
        self._trace = trace
        self._rng = rng
        self._servers = servers
        self._join_id: str | None = None
        self._pending: RequestRecord | None = None
        self._thinking = False
        self._ids = 0

    @property
    def last_update(self) -> Update:
        return self.received[-1].update

    # The connection.

    def connect(self) -> None:
        """Connect to a random server and join the table from the last update on."""
        if self.connection is not None:
            return
        server = self._rng.choice(self._servers())
        if not server.up:
            self._connect_later()
            return
        self.joined = False
        self.connection = Connection(self._clock, self, server, self._rng.uniform(0.003, 0.05))
        self._trace.add(self.name, "connects to", server.name)
        n, e = (self.last_update.n, self.last_update.e) if self.received else (None, None)
        request = JoinTable(self._new_id(), CODE, n, e)
        self._join_id = request.id
        self._send(request)

    def disconnect(self, unnoticed: float) -> None:
        """Lose the connection, which the server notices after so many seconds, and reconnect later."""
        if self.connection is not None:
            self.connection.hang_up(unnoticed)
            self.connection = None
            self.joined = False
            self._connect_later()

    def closed(self, connection: Connection, code: int | None) -> None:
        if connection is not self.connection:
            return
        self._trace.add(self.name, "is closed with", code)
        if code == CLOSE_REPLACED:
            self.replaced_at.append(self._clock.now)
        self.disconnect(0)

    def _connect_later(self) -> None:
        self._clock.after(self._rng.uniform(0.05, 0.5 if self.calm else 4), self.connect)

    def _send(self, request: JoinTable | TableRequest) -> None:
        connection = self.connection
        assert connection is not None
        self._trace.add(self.name, "sends to", connection.server.name, request)
        connection.request(request)
        self._clock.after(RESPONSE_TIMEOUT, lambda: self._time_out(connection, request.id))

    def _time_out(self, connection: Connection, request_id: str) -> None:
        awaited = self._join_id or (self._pending and self._pending.request.id)
        if connection is self.connection and awaited == request_id:
            self._trace.add(self.name, "times out")
            self.disconnect(self._rng.uniform(0, 3))

    # Messages.

    def receive(self, connection: Connection, message: ServerMessage) -> None:
        if connection is not self.connection:
            return
        self._trace.add(self.name, "receives", _summarize(message))
        if isinstance(message, Update):
            self.received.append(ReceivedUpdate(self._clock.now, message))
        if isinstance(message, Update | Presence):
            self.present = message.present
        re = getattr(message, "re", None)
        if re is not None and re == self._join_id:
            self._join_id = None
            self._handle_join_response(message)
        elif re is not None and self._pending is not None and re == self._pending.request.id:
            self._handle_response(self._pending, message)
        if self.joined and isinstance(message, Update | Left):
            self._think()

    def _handle_join_response(self, message: ServerMessage) -> None:
        if isinstance(message, Update):
            self.joined = True
            if self._pending is not None:
                self._send(self._pending.request)
        else:
            assert isinstance(message, Refusal), message
            self.disconnect(0)

    def _handle_response(self, record: RequestRecord, message: ServerMessage) -> None:
        match message:
            case Refusal("closed" | "no_table"):  # of a table that has moved, not an answer to the request
                self.disconnect(0)
                return
            case Refusal(code):
                record.refusal = code
            case Update():
                record.code, record.position = CODE, LogPosition(message.n, message.e)
            case Left():
                self.disconnect(0)
            case _:
                raise AssertionError(message)
        record.answered = self._clock.now
        self._pending = None
        self._think()

    # Moves.

    def _think(self) -> None:
        if not self._thinking:
            self._thinking = True
            self._clock.after(self._rng.choice((0.01, 0.1, 0.3, 0.6)), self._act)

    def _act(self) -> None:
        self._thinking = False
        if not self.joined or self._pending is not None:
            return
        recent = [each.update for each in self.received[-3:]]
        request = choose(recent, self._new_id(), self._rng, oddness=0 if self.calm else self._oddness)
        if request is not None:
            self._pending = RequestRecord(self.player, request, self._clock.now)
            self.records.append(self._pending)
            self._send(request)

    def _new_id(self) -> str:
        self._ids += 1
        return f"{self.name} {self._ids}"


def choose(recent: Sequence[Update], new_id: str, rng: Random, oddness: float) -> TableRequest | None:
    """Return a random request that makes sense now, or with probability `oddness` an unexpected or illegal one."""
    if rng.random() < oddness:
        return _choose_oddly(recent, new_id, rng)
    view, on = recent[-1].view, recent[-1].e
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
    return _choose_between_hands(view, on, new_id, rng)


def _choose_between_hands(view: SeatView, on: str, new_id: str, rng: Random) -> SeatRequest | None:
    if view.you is None:
        free = [seat for seat in SEATS if view.seats[seat].kind != "person"]
        return Sit(new_id, rng.choice(free)) if free else None
    if view.phase == "scored" and not view.seats[view.you].ready:
        return NextHand(new_id, on)
    if view.phase == "over" and view.host == view.you:
        return Start(new_id)
    return None


def _choose_oddly(recent: Sequence[Update], new_id: str, rng: Random) -> TableRequest:
    last, kind = recent[-1], rng.randrange(4)
    if kind == 0:
        return Leave(new_id)
    if kind == 1 and last.view.hand:
        return Play(new_id, rng.choice(recent).e, rng.choice(last.view.hand))
    if kind == 2:
        return Sit(new_id, rng.choice(SEATS))
    return NextHand(new_id, last.e)


def _summarize(message: ServerMessage) -> object:
    if not isinstance(message, Update):
        return message
    view = message.view
    return (
        f"update {message.n} {message.e}{' fresh' * message.fresh} re {message.re}: {view.phase}, hand "
        f"{view.hand_number}, turn {view.turn}, you {view.you}, present {message.present}, "
        f"{[event.t for event in message.events]}"
    )
