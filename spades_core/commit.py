"""Commits: the numbered entries of a table's log."""

from dataclasses import dataclass

from spades_core.events import LoggedEvent
from spades_core.state import Table


@dataclass(frozen=True, slots=True)
class LogPosition:
    """A position in the log of a table: the number `n` and the `id` of one commit."""

    n: int
    id: str


@dataclass(frozen=True, slots=True)
class Commit:
    """One entry of the log of a table: the events that one command caused.

    Commits are numbered from 1. `parent` is the id of the commit before, "" for the first. `player` and
    `request` name the player who asked for it and that player's own id of the request; both are None for
    what a table does by itself.
    """

    n: int
    id: str
    parent: str
    player: str | None
    request: str | None
    events: tuple[LoggedEvent, ...]

    @property
    def at(self) -> LogPosition:
        return LogPosition(self.n, self.id)


@dataclass(frozen=True, slots=True)
class Applied:
    """A commit and the table after it."""

    commit: Commit
    table: Table
