"""Plausible bugs that the simulation has to find."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import ANY, patch

from server.experts.pending import PendingDecision
from server.store.log import AppendResult, Conflict
from server.store.memory_log import MemoryLog
from server.tables import registry, table
from server.tables.replica import Change, CommitResult, TableReplica
from spades_core.commands import Command
from spades_core.commit import Commit
from spades_core.decide import decide
from spades_core.evolve import evolve_all
from spades_core.views import SeatView


def _xadd_with_explicit_id(self: MemoryLog, code: str, commit: Commit, _: bool) -> AppendResult | None:
    """Accept any id above the last one, as plain XADD does: stale writers succeed, and a rollback leaves holes."""
    top = self._tables[code].last
    return None if commit.n > top.n else Conflict(top)


class EagerReplica(TableReplica):
    """Acknowledges and publishes before the append."""

    async def commit(
        self, command: Command, player: str | None = None, request: str | None = None, **_: Any
    ) -> CommitResult:
        events = decide(self.table, command)
        if not events:
            return CommitResult((), done=True)
        commit = Commit(self.at.n + 1, f"{self._rng.getrandbits(64):016x}", self.at.id, player, request, events)
        applied = self._apply(commit, evolve_all(self.table, events))
        asyncio.get_running_loop().create_task(self._append(commit, applied.table, False))
        return CommitResult((applied,), done=True)


class TrustingReplica(TableReplica):
    """Takes a rolled-back log for one without news."""

    async def catch_up(self) -> tuple[Change, ...]:
        return self._apply_all(await self._store.read(self.code, self.at) or ())


class ForgetfulReplica(TableReplica):
    """Plays on with a hand of which shown cards were lost."""

    def _note_loss(self, _: object) -> None: ...


class StaleDecision(PendingDecision):
    """Is used for later views, too."""

    def start(self, view: SeatView, acts_at: float) -> None:
        super().start(view, acts_at)
        self.view = ANY


MUTANTS: dict[str, Callable[[], AbstractContextManager[object]]] = {
    "XADD with an explicit id": lambda: patch.object(MemoryLog, "_check_append", _xadd_with_explicit_id),
    "acknowledged before the append": lambda: patch.object(registry, "TableReplica", EagerReplica),
    "a rollback not noticed": lambda: patch.object(registry, "TableReplica", TrustingReplica),
    "a lost hand played on": lambda: patch.object(registry, "TableReplica", ForgetfulReplica),
    "an old decision played": lambda: patch.object(table, "PendingDecision", StaleDecision),
}
