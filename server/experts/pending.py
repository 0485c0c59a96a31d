"""What the expert whose turn it is at one table thinks, until the table moves on.

Invariant: a choice is taken for the view that it was made of, and for no other.
"""

import asyncio
from collections.abc import Callable
from random import Random
from typing import Protocol

from server import metrics
from spades_core.bots.decisions import Decision
from spades_core.views import SeatView

LEAST_SECONDS = 0.25
"""How long an expert may take although its pause is shorter: the time it thinks, its way to another process and back,
and a little for who is asked before it. One that is done sooner acts sooner."""


class Thinking(Protocol):
    """Those who think for the experts of all tables."""

    def ask(self, view: SeatView, seed: int, until: float, /) -> asyncio.Future[Decision | None]:
        """What an expert does, by the time `until` of the loop's clock; None when nobody gets to it.

        Who does not want to know any more cancels it.
        """


class Thought:
    """`view` is what is thought about, None when nobody thinks. `made` is called when a choice is."""

    def __init__(self, thinking: Thinking, made: Callable[[], None], rng: Random) -> None:
        self._thinking = thinking
        self._made = made
        self._rng = rng
        self._until = 0.0
        self._choice: asyncio.Future[Decision | None] | None = None
        self.view: SeatView | None = None

    def begin(self, view: SeatView, acts_at: float) -> None:
        """Of a bot whose pause ends at `acts_at`."""
        self.view = view
        self._until = max(acts_at, asyncio.get_running_loop().time() + LEAST_SECONDS)
        self._choice = self._thinking.ask(view, self._rng.getrandbits(64), self._until)
        self._choice.add_done_callback(self._tell)

    def _tell(self, choice: asyncio.Future[Decision | None]) -> None:
        if not choice.cancelled():
            self._made()

    @property
    def waited_for_until(self) -> float:
        """When the bot acts at the latest; long ago when there is nothing to wait for."""
        return 0.0 if self._choice is None or self._choice.done() else self._until

    def take(self) -> Decision | None:
        """What came of it; None, now and later, when it is not there by now."""
        assert self._choice is not None
        if self._choice.done() and not self._choice.cancelled():
            return self._choice.result()
        self._choice.cancel()
        return None

    def drop(self) -> None:
        if self._choice is not None and self._choice.cancel():
            metrics.EXPERT_CANCELLED.inc()
        self.view = self._choice = None
