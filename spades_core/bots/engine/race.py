"""Racing: evaluates candidates in the same sampled worlds and eliminates candidates far behind the leader."""

from collections.abc import Callable, Hashable
from math import sqrt
from typing import Generic, TypeVar

from spades_core.bots.weights import parameters

Candidate = TypeVar("Candidate", bound=Hashable)
MIN_WORLDS = 16
"""Worlds before the first elimination."""
ELIMINATION_INTERVAL = 8
"""Worlds between eliminations."""


class Race(Generic[Candidate]):
    """A race; `values` has the remaining candidates, with their value in each of the `worlds` so far."""

    def __init__(self, candidates: list[Candidate]) -> None:
        self.values: dict[Candidate, list[float]] = {candidate: [] for candidate in candidates}
        self.worlds = 0

    def run(self, value: Callable[[Candidate], float], out_of_time: Callable[[], bool]) -> bool:
        """Evaluate every candidate in one more world, which counts only if finished; return whether to continue."""
        new_values = []
        for candidate in self.values:
            if out_of_time():
                return False
            new_values.append(value(candidate))
        for values, new in zip(self.values.values(), new_values, strict=True):
            values.append(new)
        self.worlds += 1
        if self.worlds >= MIN_WORLDS and self.worlds % ELIMINATION_INTERVAL == 0:
            self._eliminate()
        return len(self.values) > 1

    def best(self) -> Candidate:
        """Return the candidate with the highest mean."""
        return max(self.values, key=lambda candidate: sum(self.values[candidate]))

    def best_or(self, default: Candidate, errors: float) -> Candidate:
        """Return `default` unless it is eliminated or the best is ahead of it by more than `errors` standard errors."""
        best = self.best()
        if default not in self.values or best == default:
            return best
        mean, error = _deficit(self.values[best], self.values[default])
        return best if mean > errors * error else default

    def _eliminate(self) -> None:
        leader = self.values[self.best()]
        for candidate, values in list(self.values.items()):
            mean, error = _deficit(leader, values)
            if mean > parameters.ELIMINATION_ERRORS * error:
                del self.values[candidate]


def _deficit(leader: list[float], values: list[float]) -> tuple[float, float]:
    """Return the mean of the paired differences to the leader, and its standard error."""
    worlds = len(leader)
    differences = [ahead - behind for ahead, behind in zip(leader, values, strict=True)]
    mean = sum(differences) / worlds
    return mean, sqrt(sum((each - mean) ** 2 for each in differences)) / worlds
