"""Which of several choices does best: all are tried in the same imagined worlds, and who is far behind drops out."""

from collections.abc import Callable, Hashable
from math import sqrt
from typing import Generic, TypeVar

from spades_core.bots import knobs

Choice = TypeVar("Choice", bound=Hashable)
BATCH = 8
LEAST = 16
"""After so many worlds the first may drop out."""


class Race(Generic[Choice]):
    """`running` are the choices still compared, with their value in every world so far."""

    def __init__(self, choices: list[Choice]) -> None:
        self.running: dict[Choice, list[float]] = {choice: [] for choice in choices}

    def run(self, value: Callable[[Choice], float]) -> bool:
        """One more world for everybody; whether there is still something to decide."""
        for choice, values in self.running.items():
            values.append(value(choice))
        worlds = len(next(iter(self.running.values())))
        if worlds >= LEAST and worlds % BATCH == 0:
            self._drop_out()
        return len(self.running) > 1

    def best(self) -> Choice:
        return max(self.running, key=lambda choice: sum(self.running[choice]))

    def _drop_out(self) -> None:
        leader = self.running[self.best()]
        worlds = len(leader)
        for choice, values in list(self.running.items()):
            behind = [ours - theirs for ours, theirs in zip(leader, values, strict=True)]
            mean = sum(behind) / worlds
            variance = sum((each - mean) ** 2 for each in behind) / worlds
            if mean > knobs.DISTRUST * sqrt(variance / worlds):
                del self.running[choice]
