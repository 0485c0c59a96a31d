"""Recorded games for runs to start in the middle of, so that ends of hands and games come up often."""

from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Any

from server.store.log import new_commit_id
from server.tables.replica import TableReplica
from spades_core.automation import command_for_due
from spades_core.commands import Command, OpenTable, StartGame, TakeSeat
from spades_core.commit import Commit
from spades_core.decide import decide
from spades_core.events import GameStarted
from spades_core.ruleset import parse_rules
from spades_core.schedule import Due
from spades_core.seats import SEATS, with_value
from spades_core.state import Table
from tests.simulation.store import SimulatedStore, run_sync
from tests.simulation.virtual_time import VirtualClock, VirtualLoop

CODE = "KQXZP"
GAMES = (
    ("classic,target=100", ("Anna", "Ben")),
    ("casual,target=100,blind_nil=swap", ("Anna", "Ben", "Cleo")),
    ("classic,target=100,floor=-200,deck=jokers", ("Anna",)),
    ("classic,target=100,blind_nil=on,hand_limit=2", ("Anna", "Ben", "Cleo", "Dora")),
)


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A game with every state of its store, and the table after each commit by id."""

    players: tuple[str, ...]
    states: tuple[Any, ...]
    commits: tuple[Commit, ...]
    tables: dict[str, Table]
    first_state: int
    """Index of the first state of the game itself."""


@cache
def recorded_game(number: int) -> RecordedGame:
    rules, players = GAMES[number]
    rng = Random(f"opening {number}")
    store = SimulatedStore(CODE, VirtualLoop(VirtualClock()))
    opened = OpenTable(CODE, parse_rules(rules), "player Anna", "Anna")
    store.call("create", CODE, Commit(1, new_commit_id(rng), "", None, None, decide(Table(), opened)))
    replica = TableReplica(CODE, store, store.call("load", CODE), rng=rng, next_hand_delay_ms=0)
    tables = {replica.at.id: replica.table}
    for seat, name in zip(SEATS[1:], players[1:], strict=False):
        _do(replica, TakeSeat(f"player {name}", name, seat))
    _do(replica, StartGame(SEATS[0], SEATS[0], "expert"))
    while replica.table.phase != "over":
        tables[replica.at.id] = replica.table
        _do(replica, _next_command(replica.table, rng))
    tables[replica.at.id] = replica.table
    return _finish(players, store, tables)


def _finish(players: tuple[str, ...], store: SimulatedStore, tables: dict[str, Table]) -> RecordedGame:
    commits = tuple(store.chain())
    start = next(commit.n for commit in commits if isinstance(commit.events[-1], GameStarted))
    return RecordedGame(
        players, tuple(store.states), commits, tables, start - 2
    )  # the first commit is none of an append


def _next_command(table: Table, rng: Random) -> Command:
    """Return the next command; players move as the bots do that play for absent ones."""
    if table.turn is None:
        return command_for_due(Due(0, "deal"), table, rng)
    occupant = table.seats[table.turn]
    assert occupant is not None
    seats = with_value(table.seats, table.turn, replace(occupant, away=True))
    return command_for_due(Due(0, "bot_acts", table.turn), replace(table, seats=seats), rng)


def _do(replica: TableReplica, command: Command) -> None:
    run_sync(replica.commit(command))
