"""The decision that the expert whose turn it is at one table is thinking about.

Invariant: a decision is taken for the view that it was made for, and for no other.
"""

import asyncio
from collections.abc import Callable
from random import Random
from typing import Protocol

from server import metrics
from spades_core.bots.decisions import Decision
from spades_core.views import SeatView

MIN_SECONDS = 0.25
"""How long an expert may take although its pause is shorter: its thinking time, the way to another process and back,
and a little queueing. An expert that has decided sooner acts sooner."""


class Experts(Protocol):
    """The pool that decides for the experts of all tables."""

    def request(self, view: SeatView, seed: int, deadline: float, /) -> asyncio.Future[Decision | None]:
        """Return the future decision of an expert, due at `deadline` by the loop's clock; None if it was not reached.

        Cancel the future to abandon the search.
        """


class PendingDecision:
    """At most one search at a time. `view` is what it is about, None without one; `on_decided` is called at its end."""

    def __init__(self, experts: Experts, on_decided: Callable[[], None], rng: Random) -> None:
        self._experts = experts
        self._on_decided = on_decided
        self._rng = rng
        self._deadline = 0.0
        self._decision: asyncio.Future[Decision | None] | None = None
        self.view: SeatView | None = None

    def start(self, view: SeatView, acts_at: float) -> None:
        """Start the search of a bot whose pause ends at `acts_at`."""
        self.view = view
        self._deadline = max(acts_at, asyncio.get_running_loop().time() + MIN_SECONDS)
        self._decision = self._experts.request(view, self._rng.getrandbits(64), self._deadline)
        self._decision.add_done_callback(self._done)

    def _done(self, decision: asyncio.Future[Decision | None]) -> None:
        if not decision.cancelled():
            self._on_decided()

    @property
    def deadline(self) -> float:
        """When the bot acts at the latest; in the past if there is nothing to wait for."""
        return 0.0 if self._decision is None or self._decision.done() else self._deadline

    def take(self) -> Decision | None:
        """Return the decision; None, now and later, if it is not there yet."""
        assert self._decision is not None
        if self._decision.done() and not self._decision.cancelled():
            return self._decision.result()
        self._decision.cancel()
        return None

    def cancel(self) -> None:
        if self._decision is not None and self._decision.cancel():
            metrics.EXPERT_CANCELLED.inc()
        self.view = self._decision = None
