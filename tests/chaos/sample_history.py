"""A history without violations: four players at one table bid a hand and play its first trick."""

from random import Random

from spades_client.connection import Request

from server.store.log import LoadedTable, Snapshot
from spades_core.commands import Command, DealHand, OpenTable, PlaceBid, PlayCard, StartGame, TakeSeat
from spades_core.commit import Commit, LogPosition
from spades_core.decide import decide
from spades_core.deck import STANDARD, shuffled
from spades_core.events import GameStarted, HandDealt
from spades_core.evolve import evolve_all
from spades_core.protocol.messages import Bid, MakeTable, Play, Sit, Start
from spades_core.ruleset import CLASSIC
from spades_core.seats import SEATS
from spades_core.state import Table
from spades_core.views import redact, view_for
from tests.history import History, LogEntry, ObservedUpdate, RequestRecord, UpdateStream, summarize

CODE = "KQXZP"
COMMITS = 14
PLAYERS = ("anna", "ben", "cleo", "dora")


def sample_history() -> History:
    """Return a history in which each request is answered before the next one is sent."""
    table, at = Table(), LogPosition(0, "")
    entries: list[LogEntry] = []
    records: list[RequestRecord] = []
    streams: dict[str, list[ObservedUpdate]] = {player: [] for player in PLAYERS}
    for n in range(1, COMMITS + 1):
        player, command, request = _nth_request(n, at.id, table)
        events = decide(table, command)
        table = evolve_all(table, events)
        commit = Commit(n, f"e{n}", at.id, player, request.id if request else None, events)
        at = commit.at
        checkpoint = any(isinstance(event, GameStarted | HandDealt) for event in events)
        entries.append(LogEntry(commit, Snapshot(at, table) if checkpoint else None))
        if request is not None and player is not None:
            records.append(RequestRecord(player, request, 2.0 * n, 2.0 * n + 1, CODE, at))
        for viewer, stream in streams.items():
            seat = table.seat_of(viewer)
            if seat is not None:
                visible = tuple(redact(seat, event) for event in events) if stream else ()
                stream.append(ObservedUpdate(n, at.id, not stream, seat, visible, summarize(view_for(seat, table))))
    final = LoadedTable(None, tuple(entry.commit for entry in entries))
    return History(
        tuple(records),
        tuple(UpdateStream(player, CODE, tuple(stream)) for player, stream in streams.items()),
        {CODE: entries},
        {CODE: final},
    )


def _nth_request(n: int, on: str, table: Table) -> tuple[str | None, Command, Request | None]:
    """Return the player, command and request of commit `n`; a deal has neither player nor request."""
    anna = PLAYERS[0]
    if n == 1:
        return anna, OpenTable(CODE, CLASSIC, anna, "Anna"), MakeTable("r1")
    if n <= 4:
        player, seat = PLAYERS[n - 1], SEATS[n - 1]
        return player, TakeSeat(player, "Guest", seat), Sit(f"r{n}", seat)
    if n == 5:
        return anna, StartGame(SEATS[0], dealer=SEATS[3]), Start("r5")
    if n == 6:
        return None, DealHand(shuffled(Random(7), STANDARD)), None
    assert table.turn is not None
    if n <= 10:
        return PLAYERS[table.turn], PlaceBid(table.turn, 3, False), Bid(f"r{n}", on, 3)
    card = view_for(table.turn, table).legal_cards[0]
    return PLAYERS[table.turn], PlayCard(table.turn, card), Play(f"r{n}", on, card)
