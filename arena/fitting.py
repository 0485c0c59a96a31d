"""Additive models, fitted without numpy: a value is the sum of what its features are worth."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from math import exp

Feature = tuple[Hashable, ...]
RIDGE = 2.0
"""Keeps rare features near nought."""
ROUNDS, PACE = 6, 0.3


@dataclass
class Rows:
    """What was seen: features by number, and the value."""

    numbers: dict[Feature, int] = field(default_factory=dict)
    features: list[list[int]] = field(default_factory=list)
    values: list[float] = field(default_factory=list)

    def add(self, features: Sequence[Feature], value: float) -> None:
        numbers = self.numbers
        self.features.append([numbers.setdefault(feature, len(numbers)) for feature in features])
        self.values.append(float(value))


def least_squares(rows: Rows) -> dict[Feature, float]:
    """What each feature is worth, by the normal equations."""
    size = len(rows.numbers)
    left = [[0.0] * size for _ in range(size)]
    right = [0.0] * size
    for features, value in zip(rows.features, rows.values, strict=True):
        for one in features:
            right[one] += value
            line = left[one]
            for other in features:
                line[other] += 1
    for place in range(size):
        left[place][place] += RIDGE
    return dict(zip(rows.numbers, _solved(left, right), strict=True))


def _solved(left: list[list[float]], right: list[float]) -> list[float]:
    """Gauss; the matrix is symmetric and positive, so the diagonal will do for pivots."""
    size = len(right)
    for pivot in range(size):
        line, scale = left[pivot], left[pivot][pivot]
        for below in range(pivot + 1, size):
            factor = left[below][pivot] / scale
            if factor:
                target = left[below]
                for place in range(pivot, size):
                    target[place] -= factor * line[place]
                right[below] -= factor * right[pivot]
    solution = [0.0] * size
    for place in reversed(range(size)):
        known = sum(left[place][other] * solution[other] for other in range(place + 1, size))
        solution[place] = (right[place] - known) / left[place][place]
    return solution


def logistic(rows: Rows) -> dict[Feature, float]:
    """What each feature adds to the logit of the value being 1: stochastic descent, each feature at its own pace."""
    size = len(rows.numbers)
    weights, speed = [0.0] * size, [1.0] * size
    for _ in range(ROUNDS):
        for features, value in zip(rows.features, rows.values, strict=True):
            error = value - 1 / (1 + exp(-sum(weights[feature] for feature in features)))
            for feature in features:
                speed[feature] += error * error
                weights[feature] += PACE * error / speed[feature] ** 0.5
    return dict(zip(rows.numbers, weights, strict=True))
