"""Which of several choices does best: all are tried in the same imagined worlds, and who is far behind drops out."""

from collections.abc import Callable, Hashable
from math import sqrt
from typing import Generic, TypeVar

from spades_core.bots.weights import parameters

Choice = TypeVar("Choice", bound=Hashable)
BATCH = 8
LEAST = 16
"""After so many worlds the first may drop out."""


class Race(Generic[Choice]):
    """`running` are the choices still compared, with their value in each of the `worlds` so far."""

    def __init__(self, choices: list[Choice]) -> None:
        self.running: dict[Choice, list[float]] = {choice: [] for choice in choices}
        self.worlds = 0

    def run(self, value: Callable[[Choice], float], out_of_time: Callable[[], bool]) -> bool:
        """One more world for everybody; whether to go on. A world that time cuts short does not count."""
        values = []
        for choice in self.running:
            if out_of_time():
                return False
            values.append(value(choice))
        for seen, new in zip(self.running.values(), values, strict=True):
            seen.append(new)
        self.worlds += 1
        if self.worlds >= LEAST and self.worlds % BATCH == 0:
            self._drop_out()
        return len(self.running) > 1

    def best(self) -> Choice:
        return max(self.running, key=lambda choice: sum(self.running[choice]))

    def best_but(self, usual: Choice, errors: float) -> Choice:
        """The best, or `usual` unless it is behind by so many standard errors."""
        best = self.best()
        if usual not in self.running or best == usual:
            return best
        mean, error = _behind(self.running[best], self.running[usual])
        return best if mean > errors * error else usual

    def _drop_out(self) -> None:
        leader = self.running[self.best()]
        for choice, values in list(self.running.items()):
            mean, error = _behind(leader, values)
            if mean > parameters.DISTRUST * error:
                del self.running[choice]


def _behind(leader: list[float], values: list[float]) -> tuple[float, float]:
    """By how much on average in the same worlds, and the standard error of that."""
    worlds = len(leader)
    behind = [ours - theirs for ours, theirs in zip(leader, values, strict=True)]
    mean = sum(behind) / worlds
    return mean, sqrt(sum((each - mean) ** 2 for each in behind)) / worlds
